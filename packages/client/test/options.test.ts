import assert from 'node:assert/strict';
import { test } from 'node:test';
import manifest from '../package.json' with { type: 'json' };
import { Bursar } from '../src/index.ts';

const TOKEN = 'brs_0123456789';
const made = (baseUrl: string, more = {}) => new Bursar({ baseUrl, token: TOKEN, ...more });

test('plain http is refused except to this machine, unless allowInsecureHttp is set', () => {
	for (const baseUrl of ['http://localhost:8080', 'http://127.0.0.1', 'http://127.9.9.9:1/api/', 'http://[::1]:8080']) {
		assert.ok(made(baseUrl));
	}
	assert.ok(made('https://api.example.com/v'));
	for (const baseUrl of [
		'http://api.example.com',
		'http://127.example.com',
		'http://localhost.example.com',
		'http://api.localhost',
		'http://10.0.0.1',
	]) {
		assert.throws(() => made(baseUrl), /https/);
		assert.ok(made(baseUrl, { allowInsecureHttp: true }));
	}
});

test('the error for an invalid baseUrl names the option and does not repeat the value', () => {
	for (const baseUrl of [
		'',
		'api.example.com',
		'ftp://example.com',
		'https://user:secret@example.com',
		'https://a/?x=1',
		'https://a/?',
		'https://a/#',
	]) {
		assert.throws(
			() => made(baseUrl),
			(error) => error instanceof TypeError && /baseUrl/.test(error.message) && !/secret/.test(error.message),
		);
	}
});

test('a token that fits into no header is refused, and the error does not repeat it', () => {
	for (const token of ['', 'brs_secret\n', 'brs secret', 'brs_s\u00e9cret']) {
		assert.throws(
			() => new Bursar({ baseUrl: 'https://example.com', token }),
			(error) => error instanceof TypeError && /token/.test(error.message) && !error.message.includes('cret'),
		);
	}
});

test('times and numbers that make no sense are refused', () => {
	for (const [name, value] of [
		['timeoutMs', 0],
		['totalTimeoutMs', Number.POSITIVE_INFINITY],
		['afterExpiryMs', -1],
		['maxAttempts', 0],
		['maxAttempts', 1.5],
		['timeoutMs', '5'],
	] as const) {
		assert.throws(() => made('https://example.com', { [name]: value }), new RegExp(name));
	}
});

test('an option of a wrong type is refused by an error that names it', () => {
	for (const [name, value] of [
		['dangerouslyAllowBrowser', 'true'],
		['allowInsecureHttp', 'false'],
		['allowInsecureHttp', 0],
		['fetch', 'x'],
		['onEvent', {}],
		['headers', 'x'],
		['headers', ['x']],
		['afterExpiryMs', Number.NaN],
		['baseUrl', 5],
		['token', 5],
	] as const) {
		assert.throws(
			() => made('https://example.com', { [name]: value }),
			(error) => error instanceof TypeError && error.message.includes(name),
			name,
		);
	}
	for (const name of ['X-Request-Id', 'authorization']) {
		assert.throws(() => made('https://example.com', { headers: { [name]: 'x' } }), /is set by the client itself/);
	}
	assert.throws(() => new Bursar('https://example.com' as never), TypeError);
	assert.throws(() => new Bursar(null as never), TypeError);
});

test('an unknown option of the client or of a call is refused', async () => {
	assert.throws(() => made('https://example.com', { timeout: 5 }), /timeout is not an option here/);
	let sent = 0;
	const counting: typeof fetch = async () => {
		sent++;
		return new Response();
	};
	const client = made('https://example.com', { fetch: counting });
	for (const wrong of [
		{ changeid: 'x'.repeat(16) },
		{ changeId: 'too short' },
		{ signal: {} },
		{ onEvent: 'x' },
		{ timeoutMs: '5' },
		{ baseUrl: 'https://example.com' },
		null,
	] as never[]) {
		for (const call of [
			() => client.account.retrieve(wrong),
			() => client.subUsers.retrieve('alice', wrong),
			() => client.subUsers.retrieveUsage('alice', wrong),
			() => client.subUsers.create('alice', wrong),
			() => client.subUsers.give('alice', 5, wrong),
			() => client.subUsers.take('alice', 5, wrong),
			() => client.subUsers.resetAuthKey('alice', wrong),
			() => client.changes.settle({ operation: 'create', username: 'alice', changeId: 'x'.repeat(16) }, wrong),
			() => client.changes.retrieve('x'.repeat(16), wrong),
			() => client.rawRequest('GET', '/reseller/my_info', undefined, wrong),
		]) {
			await assert.rejects(call, TypeError);
		}
	}
	assert.equal(sent, 0);
});

test("the caller's headers are sent, except those that the client needs or that break a request", async () => {
	const seen: Headers[] = [];
	const looking: typeof fetch = async (_, init) => {
		seen.push(new Headers(init?.headers));
		return new Response();
	};
	const more = { fetch: looking, maxAttempts: 1 };
	await made('https://example.com', { ...more, headers: { 'User-Agent': 'shop/7', 'X-Trace': 'a' } })
		.account.retrieve()
		.catch(() => {});
	await made('https://example.com', more)
		.account.retrieve()
		.catch(() => {});
	assert.deepEqual(
		seen.map((headers) => [headers.get('User-Agent'), headers.get('X-Trace'), headers.get('Authorization')]),
		[
			['shop/7', 'a', `Bearer ${TOKEN}`],
			[`bursar-client/${manifest.version}`, null, `Bearer ${TOKEN}`],
		],
	);
	for (const headers of [
		{ authorization: 'Bearer x' },
		{ 'X-Request-Expires': '1' },
		{ 'transfer-encoding': 'chunked' },
		{ 'X-Other': 'secret\r\nHost: x' },
		{ 'X-Other': 5 },
	]) {
		assert.throws(
			() => made('https://example.com', { headers }),
			(error) => error instanceof TypeError && !error.message.includes('secret'),
		);
	}
});

test('a client cannot be made in a browser page, because the token must not be there', (t) => {
	const scope = globalThis as Record<string, unknown>;
	t.after(() => {
		for (const name of ['window', 'document', 'importScripts', 'location']) delete scope[name];
	});
	scope.window = scope;
	scope.document = {};
	assert.throws(() => made('https://example.com'), /browser/);
	assert.ok(
		made('https://example.com', { dangerouslyAllowBrowser: true }),
		'a test with a window says that it is none',
	);
	delete scope.document;
	delete scope.window;
	scope.importScripts = () => {};
	scope.location = { href: 'https://example.com/worker.js' };
	assert.throws(() => made('https://example.com'), /browser/);
});
