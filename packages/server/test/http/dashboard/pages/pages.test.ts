import assert from 'node:assert/strict';
import { type IncomingMessage, request } from 'node:http';
import { extname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { assertFailure, call, resellerApi } from '@bursar/testing/api';
import { startTestService } from '@bursar/testing/service';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { wholeFile } from '../../../support/whole-file.ts';

const { url } = await startTestService(wholeFile, { BURSAR_DASHBOARD: '1' });

const PAGES = ['/dashboard', '/dashboard/', '/dashboard/token', '/dashboard/sub-users/alice?page=2', '/dashboard/apis'];

test('every address of the dashboard answers with the page, never stored, with a nonce of its own', async () => {
	const nonces = new Set<string>();
	for (const path of PAGES) {
		const { status, headers, text } = await get(url + path);
		assert.equal(status, 200, path);
		assert.equal(headers['content-type'], 'text/html; charset=utf-8');
		assert.equal(headers['cache-control'], 'no-store');
		const nonce = /nonce-([\w-]{22})'/.exec(headers['content-security-policy'] as string)?.[1] ?? '';
		assert.ok(text.includes(`nonce="${nonce}"`), path);
		assert.doesNotMatch(text, /\$NONCE\$/);
		nonces.add(nonce);
	}
	assert.equal(nonces.size, PAGES.length);
});

test('the page may load only from its own service, and no other page may frame it', async () => {
	const { headers, text } = await get(`${url}/dashboard/`);
	const nonce = /nonce="([^"]+)"/.exec(text)?.[1];
	assert.equal(
		headers['content-security-policy'],
		`default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
	);
	assert.equal(headers['x-content-type-options'], 'nosniff');
	assert.equal(headers['x-request-expires'], undefined, 'only the API honours an expiry');
	assert.equal(headers['referrer-policy'], 'no-referrer');
	assert.match(headers['permissions-policy'] as string, /publickey-credentials-get=\(self\).*camera=\(\)/);
	assert.equal(headers['strict-transport-security'], undefined);
	// Scripts in the page itself would be blocked.
	assert.doesNotMatch(text, /<script(?![^>]* src=)|<style| style=| on[a-z]+=/);
});

test('browsers are told to stay with https only if the public URL has it', async (t) => {
	const { url } = await startTestService(t, { BURSAR_DASHBOARD: '1', BURSAR_PUBLIC_URL: 'https://bursar.example' });
	for (const path of ['/dashboard/', await scriptOf(url)]) {
		assert.equal((await get(url + path)).headers['strict-transport-security'], 'max-age=31536000');
	}
	assert.equal((await get(`${url}/docs/`)).headers['strict-transport-security'], undefined);
});

const TYPES: Record<string, string> = {
	'.js': 'text/javascript; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.svg': 'image/svg+xml',
	'.png': 'image/png',
	'.woff2': 'font/woff2',
};

test('the files of the page are kept forever, and compressed as the browser accepts', async () => {
	const { text: page } = await get(`${url}/dashboard/`);
	const files = Array.from(page.matchAll(/(?:src|href)="(\/dashboard\/assets\/[^"]+)"/g), ([, file]) => file as string);
	assert.ok(files.some((file) => file.endsWith('.js')) && files.some((file) => file.endsWith('.css')));
	for (const file of files) {
		const plain = await get(url + file);
		assert.equal(plain.headers['content-type'], TYPES[extname(file)]);
		assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable');
		assert.equal(plain.headers['content-encoding'], undefined);
		assert.equal(plain.headers['x-content-type-options'], 'nosniff');
		for (const [accepted, encoding, decompress] of [
			['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
			['BR;q=0.1', 'br', brotliDecompressSync],
			['gzip', 'gzip', gunzipSync],
			['gzip;q=0.5, br;q=0', 'gzip', gunzipSync],
			['br; q=0.000, gzip;q=0, identity', undefined, (bytes: Buffer) => bytes],
			['brotli, x-gzip', undefined, (bytes: Buffer) => bytes],
		] as const) {
			const { headers, bytes } = await get(url + file, { 'accept-encoding': accepted });
			assert.equal(headers['content-encoding'], encoding, accepted);
			assert.equal(headers.vary, 'Accept-Encoding');
			assert.equal(Number(headers['content-length']), bytes.length);
			assert.ok(decompress(bytes).equals(plain.bytes), accepted);
		}
	}
});

test('an unknown file is not found, and is neither the page nor a file of the machine', async () => {
	const script = await scriptOf(url);
	for (const path of [
		'/dashboard/assets/',
		'/dashboard/assets/index.js',
		'/dashboard/assets/__proto__',
		`${script}.br`,
		`${script}/`,
		'/dashboard/assets/../stamp.json',
		'/dashboard/assets/....//....//etc/passwd',
		'/dashboard/assets//etc/passwd',
	]) {
		const { status, headers, text } = await get(url + path);
		assert.equal(status, 404, path);
		assert.equal(headers['content-type'], 'text/plain; charset=utf-8', path);
		assert.equal(headers['cache-control'], 'no-store', path);
		assert.match(text, /^There is no such file/);
	}
	for (const path of [
		`${script}%00`,
		'/dashboard/assets/..%2fstamp.json',
		'/dashboard/assets/..%5Cstamp.json',
		'/dashboard/assets/%2e%2e/%2e%2e/package.json',
	]) {
		assertFailure(await call(url, path), 404, 'not_found');
	}
	// A path that cannot be decoded.
	assert.equal((await get(`${url}/dashboard/%zz`)).status, 400);
	assert.equal((await get(`${url}/dashboard/assets/%ff`)).status, 400);
});

test('the calls of the pages are not answered with a page', async () => {
	for (const path of ['/dashboard/api', '/dashboard/api/', '/dashboard/api/nothing', '/dashboard/%61pi/nothing']) {
		assert.match((await get(url + path)).headers['content-type'] as string, /^application\/json/, path);
	}
});

test('a browser that asks for the host alone is sent to the dashboard, curl is told where it is, and a program finds nothing', async () => {
	const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
	const sent = await fetch(url, { headers: { accept }, redirect: 'manual' });
	assert.equal(sent.status, 302);
	assert.equal(new URL(sent.headers.get('location') as string, url).href, `${url}/dashboard/`);
	const told = await fetch(url, { headers: { accept: '*/*' } });
	assert.deepEqual([told.status, told.headers.get('content-type')], [200, 'text/plain; charset=utf-8']);
	assert.equal(await told.text(), 'This is Bursar.\nThe API: /docs/\nThe dashboard: /dashboard/\n');
	assertFailure(await call(url, '/', { headers: { accept: 'application/json' } }), 404, 'not_found');
	assertFailure(await call(url, '/', { method: 'POST', headers: { accept: '*/*' } }), 405, 'method_not_allowed');
});

test('BURSAR_DASHBOARD=0 turns the pages and their calls off', async (t) => {
	const off = await startTestService(t, { BURSAR_DASHBOARD: '0' });
	for (const path of [...PAGES, '/dashboard/api/session', '/dashboard/api/sign-in']) {
		assertFailure(await call(off.url, path, { headers: { accept: 'text/html' } }), 404, 'not_found');
	}
	const told = await fetch(off.url, { headers: { accept: 'text/html' } });
	assert.equal(await told.text(), 'This is Bursar.\nThe API: /docs/\n');
});

test('if the dashboard was not built, the page says so and the API still works', async (t) => {
	const { url, openReseller } = await startTestService(
		t,
		{ BURSAR_DASHBOARD: '1' },
		{ dashboardFolder: temporaryFolder(t) },
	);
	for (const path of PAGES) {
		const { status, headers, text } = await get(url + path);
		assert.equal(status, 503);
		assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
		assert.match(text, /was not built.*node scripts\/setup\.mjs/s);
	}
	assert.equal((await get(`${url}/dashboard/assets/index.js`)).status, 404);
	const { token } = await openReseller('acme', 100);
	assert.equal((await resellerApi(url, token).myInfo()).status, 200);
});

/** The script that the page loads first. */
async function scriptOf(url: string): Promise<string> {
	const { text } = await get(`${url}/dashboard/`);
	return / src="([^"]+)"/.exec(text)?.[1] ?? assert.fail('the page loads no script');
}

/** Unlike `fetch`, this sends the path as it is, adds no headers and does not decompress. */
async function get(address: string, headers: Record<string, string> = {}, method = 'GET') {
	const { hostname, port, origin } = new URL(address);
	const path = address.slice(origin.length);
	const response = await new Promise<IncomingMessage>((resolve, reject) => {
		request({ hostname, port, path, method, headers }, resolve).once('error', reject).end();
	});
	const bytes = await buffer(response);
	return { status: response.statusCode, headers: response.headers, bytes, text: bytes.toString() };
}
