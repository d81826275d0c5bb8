import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { listen } from '@bursar/testing/listen';
import { openTunnel } from '../../src/proxy/target/tunnel.ts';

/** A client that takes nothing after its first write, as one whose network is full. */
function slowClient() {
	const held: Buffer[] = [];
	const client = new Duplex({
		read() {},
		write(bytes: Buffer, _encoding, taken) {
			held.push(bytes);
			if (held.length === 1) taken();
		},
	});
	return { client: client as unknown as Socket, held };
}

/** Opens a tunnel to a server that sends 9,000 times this letter: 8,192 into the small buffer, the rest into a large one. */
async function pour(test: TestContext, client: Socket, letter: string): Promise<void> {
	const server = createServer((socket) => socket.on('error', () => {}).write(Buffer.alloc(9_000, letter)));
	const { port } = await listen(test, server);
	openTunnel(
		client,
		{ host: '127.0.0.1', port, addresses: [{ address: '127.0.0.1', family: 4 }] },
		{ connecting: (target) => test.after(() => target.destroy()), opened() {}, failed: assert.fail, ended() {} },
	);
}

test('no tunnel reads over what a slow client of another has not taken', async (t) => {
	const [first, second] = [slowClient(), slowClient()];
	await pour(t, first.client, 'a');
	await eventually(async () => assert.equal(first.held.length, 2));
	await pour(t, second.client, 'b');
	await eventually(async () => assert.equal(second.held.length, 2));
	assert.equal(first.held[1]?.toString(), 'a'.repeat(808));
	assert.equal(second.held[1]?.toString(), 'b'.repeat(808));
});
