import assert from 'node:assert/strict';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { allEndpoints } from '@bursar/contract';
import { assertFailure, call } from '@bursar/testing/api';
import { startTestService } from '@bursar/testing/service';

test('the page loads only from its own service, and no other page may frame it', async (t) => {
	const { url } = await startTestService(t);
	const page = await fetch(`${url}/docs/`);
	assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
	assert.equal(page.headers.get('cache-control'), 'no-store');
	assert.ok(page.headers.get('x-request-id'));
	const policy = page.headers.get('content-security-policy') ?? '';
	for (const directive of ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"]) {
		assert.ok(policy.split('; ').includes(directive), directive);
	}
	assert.doesNotMatch(policy, /https?:|\*|unsafe-eval|script-src[^;]*unsafe/);
	assert.doesNotMatch(await page.text(), /https?:/);
});

test('the script by others runs in a sandbox with an origin of its own, and can send nothing by itself', async (t) => {
	const { url } = await startTestService(t);
	const frame = await fetch(`${url}/docs/reference`);
	const policy = (frame.headers.get('content-security-policy') ?? '').split('; ');
	assert.ok(policy.includes('sandbox allow-scripts allow-forms allow-downloads'));
	assert.ok(policy.includes("default-src 'none'") && policy.includes("frame-ancestors 'self'"));
	assert.ok(!policy.some((directive) => directive.startsWith('connect-src')));
	const page = await (await fetch(`${url}/docs/`)).text();
	assert.match(page, /<iframe [^>]*sandbox="allow-scripts allow-forms allow-downloads"/);
	assert.doesNotMatch(page, /reference\.js/);
	const sender = await (await fetch(`${url}/docs/sender.js`)).text();
	const [, allowed = ''] = /new Set\((\[.*?\])/.exec(sender) ?? [];
	const paths = Object.values(allEndpoints).map(({ path }) => path);
	assert.deepEqual(JSON.parse(allowed).toSorted(), ['/openapi.json', ...paths].toSorted());
	assert.match(sender, /credentials: 'omit'/);
});

test('the script of the page is compressed for clients that accept gzip, and plain for others', async (t) => {
	const { url } = await startTestService(t);
	const plain = await fetchBytes(`${url}/docs/reference.js`, {});
	assert.equal(plain.headers['content-encoding'], undefined);
	assert.equal(plain.headers['content-type'], 'text/javascript; charset=utf-8');
	assert.ok(plain.bytes.length > 1_000_000);
	for (const accepted of ['gzip', 'br, GZIP;q=0.5', 'gzip, deflate, br, zstd']) {
		const { headers, bytes } = await fetchBytes(`${url}/docs/reference.js`, { 'accept-encoding': accepted });
		assert.equal(headers['content-encoding'], 'gzip', accepted);
		assert.equal(headers.vary, 'Accept-Encoding');
		assert.equal(headers['cache-control'], 'no-store');
		assert.ok(gunzipSync(bytes).equals(plain.bytes));
	}
	for (const accepted of ['identity', 'br', 'gzip;q=0', 'gzip; q=0.0, br']) {
		const { headers } = await fetchBytes(`${url}/docs/reference.js`, { 'accept-encoding': accepted });
		assert.equal(headers['content-encoding'], undefined, accepted);
	}
});

/** Unlike `fetch`, this adds no headers and does not decompress. */
function fetchBytes(url: string, headers: Record<string, string>) {
	return new Promise<{ headers: NodeJS.Dict<string | string[]>; bytes: Buffer }>((resolve, reject) => {
		request(url, { headers }, async (response) => resolve({ headers: response.headers, bytes: await buffer(response) }))
			.once('error', reject)
			.end();
	});
}

test('another method, or an unknown path beside the documents, is answered with the envelope', async (t) => {
	const { url } = await startTestService(t);
	for (const path of [
		'/openapi.json',
		'/docs',
		'/docs/',
		'/docs/reference',
		'/docs/sandbox.js',
		'/docs/sender.js',
		'/docs/reference.js',
	]) {
		for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
			const refused = await call(url, path, { method });
			assertFailure(refused, 405, 'method_not_allowed', `${method} ${path}`);
			assert.deepEqual(refused.headers.get('allow')?.split(', ').toSorted(), ['GET', 'HEAD']);
		}
		const head = await fetch(`${url}${path}`, { method: 'HEAD' });
		assert.deepEqual([head.status, await head.text()], [200, '']);
	}
	for (const path of [
		'/docs/nothing',
		'/docs/js/scalar.js',
		'/docs/openapi.json',
		'/docs//',
		'/openapi.yaml',
		'/doc',
	]) {
		assertFailure(await call(url, path), 404, 'not_found', path);
	}
});
