import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BursarClient } from '../src/index.ts';

const TOKEN = 'brs_0123456789';
const made = (baseUrl: string, more = {}) => new BursarClient({ baseUrl, token: TOKEN, ...more });

test('plain http is for this machine only, unless it is allowed', () => {
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

test('an address that is none is named, and not repeated', () => {
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

test('a token that fits into no header is refused before it could be named in an error', () => {
	for (const token of ['', 'brs_secret\n', 'brs secret', 'brs_s\u00e9cret']) {
		assert.throws(
			() => new BursarClient({ baseUrl: 'https://example.com', token }),
			(error) => error instanceof TypeError && /token/.test(error.message) && !error.message.includes('cret'),
		);
	}
});

test('times and numbers that make no sense are refused', () => {
	for (const [name, value] of [
		['timeoutMs', 0],
		['totalTimeoutMs', Number.POSITIVE_INFINITY],
		['settleMs', -1],
		['maxAttempts', 0],
		['maxAttempts', 1.5],
		['timeoutMs', '5'],
	] as const) {
		assert.throws(() => made('https://example.com', { [name]: value }), new RegExp(name));
	}
});

test('in a browser page there is no client, because the token must not be there', (t) => {
	const scope = globalThis as Record<string, unknown>;
	t.after(() => {
		for (const name of ['window', 'document', 'importScripts', 'location']) delete scope[name];
	});
	scope.window = scope;
	scope.document = {};
	assert.throws(() => made('https://example.com'), /browser/);
	delete scope.document;
	delete scope.window;
	scope.importScripts = () => {};
	scope.location = { href: 'https://example.com/worker.js' };
	assert.throws(() => made('https://example.com'), /browser/);
});
