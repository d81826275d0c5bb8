import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { startServer } from '@bursar/testing/bursar-process';
import { eventually } from '@bursar/testing/eventually';
import { temporaryFolder } from '@bursar/testing/temporary-folder';

const LIMIT = 400;

test('a low limit of open files is told at the start, and connections that use it up do not reach the operator', async (t) => {
	const server = await startServer(t, temporaryFolder(t), {
		under: ['sh', '-c', `ulimit -n ${LIMIT} && exec "$@"`, 'sh'],
	});
	const warnings = () =>
		server
			.stdout()
			.split('\n')
			.slice(0, -1)
			.map((line) => JSON.parse(line) as { readonly msg: string; readonly limit?: number; readonly refused?: number });
	assert.equal(warnings().find(({ msg }) => msg.startsWith('the limit of open files'))?.limit, LIMIT);

	const sockets = Array.from({ length: 2 * LIMIT }, () =>
		connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => {}),
	);
	t.after(() => sockets.forEach((socket) => void socket.destroy()));
	await Promise.all(sockets.map(connectedOrClosed));
	for (const path of ['/livez', '/readyz', '/metrics']) {
		assert.equal((await fetch(`${server.opsUrl}${path}`)).status, 200, path);
	}
	const told = () => warnings().filter(({ refused }) => refused !== undefined);
	await eventually(async () => assert.ok(told().length > 0));
	assert.equal(told().length, 1, 'each refused connection has its own line');
});

function connectedOrClosed(socket: Socket): Promise<void> {
	return new Promise((resolve) => socket.once('connect', resolve).once('close', () => resolve()));
}
