import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { eventually } from '../src/eventually.ts';
import { listen } from '../src/listen.ts';
import { bytesFrom, messagesFrom, type Program, pass, send, startRelay } from '../src/relay.ts';

/** A client that reaches a server through a relay, and what each of them has received. */
async function connected(t: TestContext, program?: Program) {
	const got = { server: '', client: '', connections: 0, serverEnded: false };
	const serverSockets: Socket[] = [];
	const server = createServer({ allowHalfOpen: true }, (socket) => {
		got.connections++;
		serverSockets.push(socket);
		socket.on('error', () => {});
		socket.on('end', () => {
			got.serverEnded = true;
		});
		socket.on('data', (bytes) => {
			got.server += bytes;
		});
	});
	const { port } = await listen(t, server);
	const atOnce: Program | undefined =
		program &&
		((connection) => {
			// The relay connects when its program first asks for the server.
			assert.ok(connection.server.connecting);
			return program(connection);
		});
	const relay = await startRelay(t, `http://127.0.0.1:${port}`, atOnce);
	const client = connect(Number(new URL(relay.url).port), '127.0.0.1');
	t.after(() => client.destroy());
	client.on('error', () => {});
	client.on('data', (bytes) => {
		got.client += bytes;
	});
	await once(client, 'connect');
	await eventually(async () => assert.equal(serverSockets.length, 1));
	return { got, relay, client, server: serverSockets[0] as Socket };
}

const holds = (check: () => void) => eventually(async () => check());

/** A message ends with a dot. */
function firstSentence(bytes: Buffer) {
	const end = bytes.indexOf('.');
	return end < 0 ? undefined : { bytes: bytes.subarray(0, end + 1) };
}

test('without a program, everything passes in both directions, and a FIN ends only one direction', async (t) => {
	const { got, client, server } = await connected(t);
	client.end('question');
	await holds(() => assert.deepEqual([got.server, got.serverEnded], ['question', true]));
	// The client sends no more, but may still be answered.
	server.write('answer');
	server.end();
	await holds(() => assert.equal(got.client, 'answer'));
});

test('if one side is reset, the other one is closed', async (t) => {
	const { got, client, server } = await connected(t);
	client.resetAndDestroy();
	await holds(() => assert.ok(got.serverEnded));
	await holds(() => {
		server.write('.');
		assert.ok(server.destroyed, 'both halves of the connection are gone');
	});
});

test('a program can count bytes, delay them, and hold them until they are released', async (t) => {
	let count = 0;
	let release = () => {};
	const released = new Promise<void>((resolve) => {
		release = resolve;
	});
	const { got, client, server } = await connected(t, ({ client, server, delay }) => {
		const toServer = pass(client, server, async (bytes) => {
			count += bytes.length;
			await released;
			return bytes;
		});
		const toClient = pass(server, client, async (bytes) => {
			await delay(100);
			return bytes;
		});
		return Promise.all([toServer, toClient]);
	});
	const sentAtMs = performance.now();
	client.write('held');
	server.write('late');
	await once(client, 'data');
	assert.ok(performance.now() - sentAtMs >= 95, 'what the server sends is delayed');
	assert.deepEqual([got.client, got.server, count], ['late', '', 4]);
	release();
	await holds(() => assert.equal(got.server, 'held'));
});

test('a program can cut a connection after a number of bytes, with a FIN', async (t) => {
	let left = 5;
	const { got, client, server } = await connected(t, ({ client, server }) => {
		const toServer = pass(client, server, (bytes) => {
			const part = bytes.subarray(0, left);
			left -= part.length;
			return part.length > 0 ? part : undefined;
		});
		return Promise.all([toServer, pass(server, client)]);
	});
	const ended = once(server, 'end');
	client.write('123');
	await holds(() => assert.equal(got.server, '123'));
	client.write('4567');
	await holds(() => assert.equal(got.server, '12345'));
	client.write('8');
	await ended;
	assert.equal(got.server, '12345');
});

test('a program can reset a connection after a message, and send that message again later', async (t) => {
	const { got, client } = await connected(t, async ({ client, server, delay }) => {
		for await (const { bytes } of messagesFrom(client, firstSentence)) {
			await send(server, bytes);
			if (!bytes.includes('Cut')) continue;
			client.resetAndDestroy();
			await delay(50);
			return send(server, bytes);
		}
	});
	const failed = once(client, 'error');
	client.write('One. Tw');
	await holds(() => assert.equal(got.server, 'One.'));
	client.write('o. Cut. Never.');
	const [failure] = await failed;
	assert.equal(failure.code, 'ECONNRESET');
	await holds(() => assert.equal(got.server, 'One. Two. Cut. Cut.'));
});

test('the relay gives up on an endless message, so that it does not fill the memory', async (t) => {
	let failure: unknown;
	const { client } = await connected(t, async ({ client }) => {
		try {
			for await (const _ of messagesFrom(client, firstSentence));
		} catch (error) {
			failure = error;
		}
	});
	const part = Buffer.alloc(2 ** 20, 'x');
	for (let sent = 0; sent < 20; sent++) client.write(part);
	await holds(() => assert.match(String(failure), /too large/));
});

test('the relay reads only what its program asks for', async (t) => {
	let received = 0;
	const { client } = await connected(t, async ({ client, delay }) => {
		for await (const bytes of bytesFrom(client)) {
			received += bytes.length;
			await delay(3_600_000);
		}
	});
	const part = Buffer.alloc(2 ** 20, 'x');
	let taken = 0;
	for (let sent = 0; sent < 64; sent++) client.write(part, () => taken++);
	await holds(() => assert.ok(received > 0));
	assert.ok(received < 2 ** 20 && taken < 64, `${received} bytes and ${taken} parts were taken`);
});

test('a cut ends all connections and waiting programs, and accepts no new connections', async (t) => {
	let isOver = false;
	const { got, relay, client } = await connected(t, ({ delay }) =>
		delay(3_600_000).finally(() => {
			isOver = true;
		}),
	);
	const closed = once(client, 'close');
	relay.cut();
	await closed;
	await holds(() => assert.ok(isOver && got.serverEnded));
	const late = connect(Number(new URL(relay.url).port), '127.0.0.1');
	const [error] = await once(late, 'error');
	assert.equal(error.code, 'ECONNREFUSED');
	assert.equal(got.connections, 1);
});
