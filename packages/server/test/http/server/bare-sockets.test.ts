import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoints } from '@bursar/contract';
import { startTestService } from '@bursar/testing/service';
import { assertRawFailure, rawConnection, requestText } from '../../support/raw-socket.ts';
import { wholeFile } from '../../support/whole-file.ts';

const { url, openReseller } = await startTestService(wholeFile);
const { token } = await openReseller('acme', 1000);

const GARBAGE: Readonly<Record<string, string | Uint8Array>> = {
	words: 'hello there\r\n\r\n',
	'a TLS hello': Buffer.from('16030102000100fc0303deadbeef', 'hex'),
	'an HTTP/2 preface': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
	'an unknown method': requestText('BREW', '/'),
	'an unknown version': 'GET / HTTP/9.9\r\nHost: x\r\n\r\n',
	'a null byte in the path': 'GET /a\0b HTTP/1.1\r\nHost: x\r\n\r\n',
	'a null byte in a header': 'GET / HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n',
	'a header without a name': 'GET / HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n',
	'a space before the colon': 'GET / HTTP/1.1\r\nHost: x\r\nContent-Length : 3\r\n\r\nabc',
	'a folded header': 'GET / HTTP/1.1\r\nHost: x\r\n folded\r\nX\r\n\r\n',
	'two lengths': 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc',
	'a length and chunks':
		'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
	'an invalid length': 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
	'a length over every integer': `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${'9'.repeat(30)}\r\n\r\n`,
	'a megabyte of x': Buffer.alloc(1 << 20, 'x'),
	'a megabyte of zeros': Buffer.alloc(1 << 20),
};

test('bytes that are not HTTP are answered once with a 400 envelope, and the connection ends cleanly', async (t) => {
	for (const [what, bytes] of Object.entries(GARBAGE)) {
		await t.test(what, async (t) => {
			const connection = await rawConnection(t, url);
			connection.write(bytes);
			const answers = await connection.closed();
			assert.equal(answers.length, 1);
			assertRawFailure(answers[0], 400, 'bad_request');
			assert.equal(answers[0]?.headers.get('connection'), 'close');
		});
	}
});

test('headers over 16 KiB are answered 431, and the client gets the answer however much it sends', async (t) => {
	const start = 'GET /reseller/my_info HTTP/1.1\r\nHost: x\r\n';
	for (const bytes of [
		`${start}X: ${'a'.repeat(17_000)}\r\n\r\n`,
		`${start}X: ${'a'.repeat(2_000_000)}\r\n\r\n`,
		`${start}${'A: b\r\n'.repeat(4_000)}\r\n`,
		`${start}${'c'.repeat(20_000)}: x\r\n\r\n`,
		`GET /${'p'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
	]) {
		const connection = await rawConnection(t, url);
		connection.write(bytes);
		const answers = await connection.closed();
		assert.equal(answers.length, 1);
		assertRawFailure(answers[0], 431, 'headers_too_large');
	}
	const connection = await rawConnection(t, url);
	connection.write(requestText('GET', `/${'p'.repeat(15_000)}`));
	assertRawFailure((await connection.answers(1))[0], 404, 'not_found');
});

test('more than 100 header lines are answered 431, however short they are', async (t) => {
	const connection = await rawConnection(t, url);
	// Host is one of the lines.
	for (const [lines, status] of [
		[99, 404],
		[100, 431],
		[2_000, 431],
	] as const) {
		connection.write(requestText('GET', '/nothing', Array(lines).fill('a:b')));
		assert.equal((await connection.answers(1)).at(-1)?.status, 404);
		const answers = await connection.answers(lines === 99 ? 1 : lines === 100 ? 2 : 3);
		assert.equal(answers.at(-1)?.status, status);
	}
});

test('a repeated or ill-formed Host is 400 in every version', async (t) => {
	for (const [version, hosts] of [
		['1.1', ['x', 'x']],
		['1.1', ['x', 'y']],
		['1.0', ['x', 'y']],
		['1.1', ['x y']],
	] as const) {
		const connection = await rawConnection(t, url);
		const lines = [...hosts.map((host) => `Host: ${host}`), `Authorization: Bearer ${token}`];
		connection.write(`GET /reseller/my_info HTTP/${version}\r\n${lines.join('\r\n')}\r\n\r\n`);
		assertRawFailure((await connection.answers(1))[0], 400, 'bad_request');
	}
});

test('two Authorization headers, or a token with other white space than spaces and tabs, are 401', async (t) => {
	const ask = async (...headers: string[]) => {
		const connection = await rawConnection(t, url);
		connection.write(Buffer.from(requestText('GET', endpoints.myInfo.path, headers), 'latin1'));
		return (await connection.answers(1))[0];
	};
	const header = `Authorization: Bearer ${token}`;
	for (const headers of [
		[header, header],
		[header, 'Authorization: Basic eDp5'],
		['authorization: Basic eDp5', header],
		[`${header}\u00a0`],
		[`Authorization: Bearer \u00a0${token}`],
		[`${header}\u0085`],
	]) {
		const answer = await ask(...headers);
		assertRawFailure(answer, 401, 'unauthorized');
	}
	for (const spaced of [`${header} \t `, `Authorization: \t Bearer  \t ${token}`]) {
		assert.equal((await ask(spaced))?.status, 200, 'spaces and tabs around the token are ignored');
	}
});
