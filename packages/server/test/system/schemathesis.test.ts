import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { run } from '@bursar/testing/packed';
import { startStripe, stripeEnvironment } from '@bursar/testing/payment-providers/stripe';
import { printedSeed } from '@bursar/testing/random';
import { startTestService } from '@bursar/testing/service';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { pythonWithSchemathesis } from '../support/python.ts';

const MAX_SECONDS = 60;
const MAX_EXAMPLES = 50;
const BALANCE_CENTS = 1_000_000_000;

/** With times of its own, nearly all requests would be too late, and `unavailable`. So no 5xx is right here. */
const SETTINGS = `
[parameters]
"header.X-Request-Expires" = "${'9'.repeat(11)}"
`;

const OPTIONS = [
	...['--phases', 'examples,coverage,fuzzing', '--max-examples', String(MAX_EXAMPLES)],
	// A body that fits its schema may still be refused: names and amounts have error codes of their own.
	...['--checks', 'all', '--exclude-checks', 'positive_data_acceptance'],
	...['--continue-on-failure', '--no-color', '--warnings', 'off'],
];

test('schemathesis of PyPI finds no answer of either API that its OpenAPI document does not describe', async (t) => {
	const schemathesis = await pythonWithSchemathesis(t);
	const folder = temporaryFolder(t);
	const settings = join(folder, 'schemathesis.toml');
	writeFileSync(settings, SETTINGS);
	const payments = stripeEnvironment(await startStripe(t));
	const environment = { BURSAR_OPERATOR_PORT: '0', BURSAR_EDGE_PORT: '0', ...payments };
	// Nothing is sent to the webhooks that it invents.
	const service = await startTestService(t, environment, { webhookLookMs: 2 ** 31 - 1 });
	const { token } = await service.openReseller('acme', BALANCE_CENTS);
	// The examples of the documents name them.
	await resellerApi(service.url, token).create({ username: 'alice.smith' });
	await service.openEdge('fra-1');
	const operatorUrl = service.operatorUrl as string;
	const operatorToken = await service.openOperatorToken('schemathesis');
	const seed = String(printedSeed(t));

	const check = (document: string, bearer: string, maxSeconds = MAX_SECONDS, ...more: string[]) => {
		const own = ['--header', `Authorization: Bearer ${bearer}`, '--seed', seed, '--max-time', String(maxSeconds)];
		return run([schemathesis, '--config-file', settings, 'run', document, ...own, ...OPTIONS, ...more], folder);
	};

	await t.test('the API of resellers', async () => {
		const { code, output } = await check(`${service.url}/openapi.json`, token);
		assert.equal(code, 0, output);
	});

	await t.test('the API of the operator', async () => {
		const { code, output } = await check(`${operatorUrl}/openapi.json`, operatorToken);
		assert.equal(code, 0, output);
	});

	await t.test('an answer that is not described is found', async () => {
		// biome-ignore lint/suspicious/noExplicitAny: the document is untyped JSON, as for a client
		const document = (await (await fetch(`${operatorUrl}/openapi.json`)).json()) as any;
		const path = '/operator/v1/resellers/view';
		delete document.paths[path].post.responses[404];
		writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document));
		const more = ['--url', operatorUrl, '--include-path', path];
		const { code, output } = await check('openapi.json', operatorToken, 15, ...more);
		assert.equal(code, 1, output);
		assert.match(output, /Undocumented status code/);
	});
});
