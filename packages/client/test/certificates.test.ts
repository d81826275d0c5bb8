import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { createServer as createPlainServer } from 'node:net';
import { test } from 'node:test';
import { listen } from '@bursar/testing/listen';
import { Bursar, ConnectionError } from '../src/index.ts';
import { neverSent } from '../src/protocol/never-sent.ts';
import { rejectsWith } from './support/rejects-with.ts';

const pem = (name: string) => readFileSync(new URL(`support/${name}.pem`, import.meta.url));

test('an untrusted certificate is refused before anything is sent, so the change is not done', async (t) => {
	const requests: (string | undefined)[] = [];
	for (const certificate of ['self-signed', 'expired']) {
		const server = createServer({ key: pem('key'), cert: pem(certificate) }, (request, response) => {
			requests.push(request.url);
			response.end();
		});
		const { port } = await listen(t, server);
		const client = new Bursar({ baseUrl: `https://localhost:${port}`, token: 'brs_test' });
		await rejectsWith(client.subUsers.give('alice', 5), ConnectionError, (error) =>
			assert.match(error.message, /certificate/),
		);
	}
	assert.deepEqual(requests, []);
});

test('a connection that ends during the TLS handshake has sent nothing either', async (t) => {
	// It is read first: a connection that ends with unread bytes is reset, and Node does not say in which state a reset met it.
	const { port } = await listen(
		t,
		createPlainServer((socket) => socket.once('data', () => socket.end())),
	);
	const failure = await fetch(`https://localhost:${port}`, { method: 'POST', body: '{}' }).catch((error) => error);
	assert.equal(neverSent(failure), true, String(failure.cause));
});
