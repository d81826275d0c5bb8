import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { CREATE_FEE_CENTS, endpoints } from '@bursar/contract';
import { resellerApi } from '@bursar/testing/api';
import { eventually } from '@bursar/testing/eventually';
import { startTestService } from '@bursar/testing/service';
import { assertRawFailure, rawConnection, requestText } from '../../support/raw-socket.ts';
import { wholeFile } from '../../support/whole-file.ts';

const MEGABYTE = 1 << 20;

const { url, openReseller } = await startTestService(wholeFile);
const { token } = await openReseller('acme', 1000);
const head = (path: string, framing: string) =>
	requestText('POST', path, [`Authorization: Bearer ${token}`, 'Content-Type: application/json', framing]);

/** Garbage would count as memory in use. */
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('a body that is too long is answered at once, before the rest of it is sent', async (t) => {
	for (const [framing, start] of [
		[`Content-Length: ${50 * MEGABYTE}`, 'x'.repeat(16 * 1024 + 1)],
		['Transfer-Encoding: chunked', `4001\r\n${'x'.repeat(0x4001)}\r\n`],
	] as const) {
		for (const path of [endpoints.createSubUser.path, endpoints.giveBalance.path]) {
			const connection = await rawConnection(t, url);
			connection.write(head(path, framing) + start);
			assertRawFailure((await connection.answers(1))[0], 413, 'payload_too_large');
			connection.socket.destroy();
		}
	}
	assert.equal((await resellerApi(url, token).myInfo()).data.balance, 1000 - 2 * CREATE_FEE_CENTS);
});

test('a client that sends all of its 32 MB before it reads gets its answer, and can go on', async (t) => {
	const connection = await rawConnection(t, url);
	connection.socket.pause();
	connection.write(head(endpoints.viewSubUser.path, `Content-Length: ${32 * MEGABYTE}`));
	const chunk = Buffer.alloc(MEGABYTE, 'x');
	for (let sent = 0; sent < 32; sent++) await new Promise((resolve) => connection.socket.write(chunk, resolve));
	connection.socket.resume();
	connection.write(requestText('GET', '/nothing'));
	const answers = await connection.answers(2);
	assertRawFailure(answers[0], 413, 'payload_too_large');
	assertRawFailure(answers[1], 404, 'not_found');
});

test('a client that sends a large body with `Connection: close` gets its answer, and the connection ends', async (t) => {
	const chunk = Buffer.alloc(MEGABYTE, 'x');
	for (const [headers, status, code] of [
		[[`Authorization: Bearer ${token}`], 413, 'payload_too_large'],
		[[], 401, 'unauthorized'],
	] as const) {
		const connection = await rawConnection(t, url);
		connection.socket.pause();
		const framing = ['Connection: close', `Content-Length: ${16 * MEGABYTE}`];
		connection.write(requestText('POST', endpoints.giveBalance.path, [...headers, ...framing]));
		for (let sent = 0; sent < 16; sent++) await new Promise((resolve) => connection.socket.write(chunk, resolve));
		connection.socket.resume();
		const answers = await connection.closed();
		assert.equal(answers.length, 1);
		assertRawFailure(answers[0], status, code);
	}
});

test('bodies that are too long are not kept in memory', async (t) => {
	const chunk = Buffer.alloc(MEGABYTE, 'x');
	collectGarbage();
	const before = process.memoryUsage();
	await Promise.all(
		Array.from({ length: 8 }, async () => {
			const connection = await rawConnection(t, url);
			connection.write(head(endpoints.viewSubUser.path, `Content-Length: ${24 * MEGABYTE}`));
			for (let sent = 0; sent < 24; sent++) await new Promise((resolve) => connection.socket.write(chunk, resolve));
			assertRawFailure((await connection.answers(1))[0], 413, 'payload_too_large');
			connection.socket.destroy();
		}),
	);
	await eventually(async () => {
		collectGarbage();
		const { heapUsed, external } = process.memoryUsage();
		const grownBytes = heapUsed + external - before.heapUsed - before.external;
		// 192 MB went through this process, which is both client and server.
		assert.ok(grownBytes < 64 * MEGABYTE, `${Math.round(grownBytes / MEGABYTE)} MB are still held`);
	});
});

test('the body of a GET is ignored', async (t) => {
	const connection = await rawConnection(t, url);
	const headers = [`Authorization: Bearer ${token}`];
	connection.write(requestText('GET', endpoints.myInfo.path, headers, 'x'.repeat(100_000)));
	connection.write(requestText('GET', endpoints.myInfo.path, headers));
	for (const { status } of await connection.answers(2)) assert.equal(status, 200);
});
