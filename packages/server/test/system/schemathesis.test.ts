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
/** Of the 29 that there are. More are followed where nothing else runs. */
const MIN_LINKS = 10;
const MAX_EXAMPLES = 50;
const BALANCE_CENTS = 1_000_000_000;

/**
 * With times of its own, nearly all requests would be too late, and `unavailable`. So no 5xx is right here. It does not
 * wait for events, and what fits its schema is not malformed: only these calls have rules that a schema cannot say.
 */
const SETTINGS = `
hooks = "hooks"
# Longer than the service waits for events.
request-timeout = 40

[dictionaries.no_wait]
values = [0]

[parameters]
"header.X-Request-Expires" = "${'9'.repeat(11)}"
"body.wait_seconds" = { dictionary = "no_wait", probability = 1.0 }

[checks.positive_data_acceptance]
expected-statuses = ["2xx", 402, 403, 404, 409, 410, 413]

[[operations]]
include-operation-id = [
	"createSubUserWith", "setLimits", "setNote", "setSignInIps", "createToken", "createTopUp",
	"viewTopUpPage", "viewStatementPage", "createWebhook", "updateWebhook",
]
checks.positive_data_acceptance.enabled = false
`;

/** No schema can refuse a key at every depth. The service refuses this one: `docs/api.md`, 2.3. */
const HOOKS = `
import schemathesis

@schemathesis.hook
def filter_body(context, body):
    return not has_proto(body)

def has_proto(value):
    if isinstance(value, dict):
        return "__proto__" in value or any(map(has_proto, value.values()))
    return isinstance(value, list) and any(map(has_proto, value))
`;

const OPTIONS = [
	...['--max-examples', String(MAX_EXAMPLES), '--continue-on-failure', '--no-color', '--warnings', 'off'],
];
const SINGLE_CALLS = ['--phases', 'examples,coverage,fuzzing'];

test('schemathesis of PyPI finds no answer of either API that its OpenAPI document does not describe', async (t) => {
	const schemathesis = await pythonWithSchemathesis(t);
	const folder = temporaryFolder(t);
	const settings = join(folder, 'schemathesis.toml');
	writeFileSync(settings, SETTINGS);
	writeFileSync(join(folder, 'hooks.py'), HOOKS);
	const payments = stripeEnvironment(await startStripe(t));
	const environment = { BURSAR_OPERATOR_PORT: '0', BURSAR_EDGE_PORT: '0', ...payments };
	// Nothing is sent to the webhooks that it invents.
	const service = await startTestService(t, environment, { webhookLookMs: 2 ** 31 - 1 });
	const { token } = await service.openReseller('acme', BALANCE_CENTS);
	// The examples of the documents name them.
	const api = resellerApi(service.url, token);
	await api.create({ username: 'alice.smith' });
	// The example of the events waits for it.
	await api.suspend({ username: 'alice.smith' });
	await api.resume({ username: 'alice.smith' });
	await service.openEdge('fra-1');
	const operatorUrl = service.operatorUrl as string;
	const operatorToken = await service.openOperatorToken('schemathesis');
	const seed = String(printedSeed(t));

	const check = (document: string, bearer: string, maxSeconds = MAX_SECONDS, ...more: string[]) => {
		const own = ['--header', `Authorization: Bearer ${bearer}`, '--seed', seed, '--max-time', String(maxSeconds)];
		return run([schemathesis, '--config-file', settings, 'run', document, ...own, ...OPTIONS, ...more], folder);
	};
	// biome-ignore lint/suspicious/noExplicitAny: the document is untyped JSON, as for a client
	const documentOf = async (url: string): Promise<any> => (await fetch(`${url}/openapi.json`)).json();

	await t.test('the API of resellers', async () => {
		const { code, output } = await check(`${service.url}/openapi.json`, token, MAX_SECONDS, ...SINGLE_CALLS);
		assert.equal(code, 0, output);
	});

	await t.test('sequences of calls that the links of the API of resellers lead through', async () => {
		const document = await documentOf(service.url);
		// It takes a change id for the name of something that another call makes, and would begin with no create.
		for (const { post } of Object.values<{ post?: { parameters: { $ref: string }[] } }>(document.paths)) {
			if (post) post.parameters = post.parameters.filter(({ $ref }) => !$ref.endsWith('/ChangeId'));
		}
		writeFileSync(join(folder, 'linked.json'), JSON.stringify(document));
		const more = ['--url', service.url, '--phases', 'stateful'];
		const { code, output } = await check('linked.json', token, MAX_SECONDS, ...more);
		assert.equal(code, 0, output);
		const [, covered] = /API Links: +(\d+) covered/.exec(output) ?? [];
		assert.ok(Number(covered) >= MIN_LINKS, output);
	});

	await t.test('the API of the operator', async () => {
		// A body that fits its schema may still be refused: names and references have error codes of their own.
		const more = [...SINGLE_CALLS, '--exclude-checks', 'positive_data_acceptance'];
		const { code, output } = await check(`${operatorUrl}/openapi.json`, operatorToken, MAX_SECONDS, ...more);
		assert.equal(code, 0, output);
	});

	await t.test('an answer that is not described is found', async () => {
		const document = await documentOf(operatorUrl);
		const path = '/operator/v1/resellers/view';
		delete document.paths[path].post.responses[404];
		writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document));
		const more = ['--url', operatorUrl, '--include-path', path, ...SINGLE_CALLS];
		const { code, output } = await check('openapi.json', operatorToken, 15, ...more);
		assert.equal(code, 1, output);
		assert.match(output, /Undocumented status code/);
	});
});
