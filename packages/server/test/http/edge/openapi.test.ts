import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EdgeErrorCode, type EdgeOperation, edgeOperations } from '@bursar/contract/edge';
import { callEdge, checkEdgeAnswer, type EdgeAnswer } from '@bursar/testing/edge';
import { eventually } from '@bursar/testing/eventually';
import { Compile } from 'typebox/compile';
import { startEdgeService } from '../../support/edge-service.ts';
import { lintOpenApi } from '../../support/lint-openapi.ts';
import { rawCall, requestText } from '../../support/raw-socket.ts';
import { wholeFile } from '../../support/whole-file.ts';

const operations = Object.entries<EdgeOperation>(edgeOperations);

// biome-ignore lint/suspicious/noExplicitAny: the document is untyped JSON, as for a client
type Json = any;

const { edge, edgeUrl, key, alice, api, setPrice } = await startEdgeService(wholeFile);
const document: Json = (await callEdge(edgeUrl, '/openapi.json')).body;

/** Throws unless the document describes the answer. */
function assertDescribed(path: string, { status, headers, errorCode, body }: EdgeAnswer): void {
	const what = `${path} answers ${status} ${errorCode ?? ''}`;
	const response = document.paths[path].post.responses[status] ?? assert.fail(`${what}: undocumented`);
	assert.deepEqual([...Compile(response.content['application/json'].schema).Errors(body)], [], what);
	for (const name of ['x-error-code', 'retry-after', 'www-authenticate', 'allow']) {
		const documented = Object.keys(response.headers).some((header) => header.toLowerCase() === name);
		assert.ok(documented || !headers.has(name), `${what}, with ${name}: undocumented`);
	}
}

test('the document and its page are on the edge listener, and need no key', async () => {
	assert.equal(document.info.title, 'Bursar edge protocol');
	assert.deepEqual(
		Object.keys(document.paths),
		operations.map(([, { path }]) => path),
	);
	const page = await fetch(`${edgeUrl}/docs/`);
	assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
	assert.match(await page.text(), /<title>Bursar edge protocol<\/title>/);
	const script = await fetch(`${edgeUrl}/docs/reference.js`);
	assert.ok((await script.text()).length > 1_000_000);
});

test('the document passes the recommended rules of Redocly without errors or warnings', async (t) => {
	assert.deepEqual(await lintOpenApi(t, document), { exitCode: 0, problems: [] });
});

test('every example is accepted, and its answer is as described', async () => {
	for (const [, { path, exchanges }] of operations) {
		for (const { requestExample: body } of exchanges) {
			const answer = await callEdge(edgeUrl, path, { key, body });
			// No edge has the link of the example.
			assert.equal(answer.status, path === '/edge/v1/join' ? 403 : 200, path);
			assertDescribed(path, answer);
		}
	}
});

test('a good pair is answered as described, and one whose balance pays for bandwidth, with and without a balance', async () => {
	const pair = { username: 'alice', password: alice };
	assertDescribed('/edge/v1/check', await edge.check(pair));
	assertDescribed('/edge/v1/check', await edge.check({ checks: [pair, pair] }));
	await setPrice('acme', 1_000_000);
	// What was read before the price was set may be remembered for two seconds.
	const exhausted = await eventually(async () => {
		const answer = await edge.check(pair);
		assert.equal(answer.body.reason, 'exhausted');
		return answer;
	}, 20_000);
	assertDescribed('/edge/v1/check', exhausted);
	await api.give({ username: 'alice', amount_usd_cents: 1 });
	const paid = await edge.check(pair);
	assert.deepEqual([paid.body.reason, paid.body.left_bytes], [null, 10_000_000]);
	assertDescribed('/edge/v1/check', paid);
});

test('the document describes every failure that a request can cause', async (t) => {
	for (const [, { path }] of operations) {
		const expect = async (code: EdgeErrorCode, options: Parameters<typeof callEdge>[2]) => {
			const answer = await callEdge(edgeUrl, path, { body: {}, key, ...options });
			assert.equal(answer.errorCode, code, path);
			assertDescribed(path, answer);
		};
		await expect('invalid_request', { body: '{' });
		await expect('unauthorized', { key: undefined });
		await expect('unauthorized', { key: `${key}x` });
		await expect('method_not_allowed', { method: 'PUT' });
		await expect('headers_too_large', { headers: { 'x-long': 'a'.repeat(20_000) } });
		await expect('payload_too_large', { body: 'x'.repeat(5_000_000) });
		await expect('unsupported_media_type', { headers: { 'content-type': 'text/plain' } });
		for (const [bytes, code] of [
			[requestText('POST', path, [`Authorization: Bearer ${key}`, 'Expect: 200-maybe'], '{}'), 'expectation_failed'],
			[`POST ${path} HTTP/1.1\r\n\r\n`, 'bad_request'],
		] as const) {
			const { status, headers, body } = await rawCall(t, edgeUrl, bytes);
			const answer = checkEdgeAnswer(status, headers, body);
			assert.equal(answer.errorCode, code);
			assertDescribed(path, answer);
		}
	}
});
