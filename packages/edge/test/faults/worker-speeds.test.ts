import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { eventually } from '@bursar/testing/eventually';
import { startTestService } from '@bursar/testing/service';
import { startProxyProcess, usedBy } from '../support/real-service.ts';
import { basic, startEcho } from '../support/running-proxy.ts';

const LIMIT_MS = 120_000;
const MEGABYTE = 1_000_000;

test('a speed limit holds over all workers, also over those that drain, and none of them starves', async (t) => {
	const service = await startTestService(t, { BURSAR_EDGE_PORT: '0' });
	const { token } = await service.openReseller('acme', 1_000);
	const api = resellerApi(service.url, token);
	const password = (await api.create({ username: 'alice' })).data.proxy_authkey as string;
	await api.setLimits({ username: 'alice', bytes_per_second: MEGABYTE });
	const environment = {
		BURSAR_EDGE_URL: service.edgeUrl as string,
		BURSAR_EDGE_KEY: await service.openEdge('eu-1'),
	};
	await service.readEdges();
	const proxy = await startProxyProcess(t, environment, { args: ['--workers', '2'] });
	const echo = await startEcho(t);
	const total = { up: 0, down: 0 };

	async function open(): Promise<Socket> {
		const socket = connect({ port: proxy.port, host: '127.0.0.1' });
		t.after(() => socket.destroy());
		const head = `CONNECT 127.0.0.1:${echo} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${basic('alice', password)}\r\n\r\n`;
		socket.write(head);
		const [answer] = (await once(socket, 'data')) as [Buffer];
		assert.match(answer.toString(), /^HTTP\/1\.1 200 .*\r\n\r\n$/s);
		total.up += head.length;
		total.down += answer.length;
		return socket;
	}

	/** Sends this many bytes to the echo on each of them. Resolves to how long it takes until all are back, in milliseconds. */
	async function echoes(tunnels: readonly Socket[], bytes: number): Promise<number> {
		const startedMs = performance.now();
		const all = tunnels.map(async (tunnel) => {
			tunnel.write(Buffer.alloc(bytes, 'x'));
			let left = bytes;
			while (left > 0) left -= ((await once(tunnel, 'data')) as [Buffer])[0].length;
			assert.equal(left, 0);
			total.up += bytes;
			total.down += bytes;
		});
		await Promise.all(all);
		return performance.now() - startedMs;
	}

	const before = await Promise.all(Array.from({ length: 24 }, open));
	const ofTwo = await echoes(before, 125_000);
	assert.ok(ofTwo >= 2_500, `${ofTwo} ms`);

	proxy.signal('SIGHUP');
	await eventually(async () => assert.ok(proxy.stdout().includes('"reloaded"')), LIMIT_MS);
	const after = await Promise.all(Array.from({ length: 24 }, open));
	// Each worker has saved up something.
	const ofFour = await echoes([...before, ...after], 62_500);
	assert.ok(ofFour >= 2_000, `${ofFour} ms`);

	await api.setLimits({ username: 'alice', bytes_per_second: null });
	await echoes([...before, ...after], MEGABYTE);
	for (const tunnel of [...before, ...after]) tunnel.destroy();
	await eventually(async () => assert.deepEqual(await usedBy(service.url, token, 'alice'), total), LIMIT_MS);
});
