import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { EDGE_KEY, startFakeService } from '../support/fake-service.ts';
import { openRawClient } from '../support/raw-client.ts';
import { startProxyProcess } from '../support/real-service.ts';
import { basic, KEY, startOrigin } from '../support/running-proxy.ts';

const LIMIT_MS = 60_000;

/** What stands around a proxy: a service that knows Alice's pair, and an origin, by its port. */
async function startAround(t: TestContext) {
	const service = await startFakeService(t);
	service.keys.set('alice', KEY);
	const origin = await startOrigin(t);
	return { service, origin };
}

test('a promise that fails is told and counted, and ends neither a worker nor its tunnels; no error ends the primary', async (t) => {
	const { service, origin } = await startAround(t);
	const plant =
		"data:text/javascript,process.on('SIGUSR2',()=>{Promise.reject(Error('plan'+'ted'))}).on('SIGWINCH',()=>{throw(Error('plan'+'ted'))})";
	const environment = { BURSAR_EDGE_URL: service.url, BURSAR_EDGE_KEY: EDGE_KEY, NODE_OPTIONS: `--import=${plant}` };
	const proxy = await startProxyProcess(t, environment);
	const tunnel = openRawClient(t, proxy.port);
	tunnel.write(
		`CONNECT 127.0.0.1:${origin} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${basic('alice', KEY)}\r\n\r\n`,
	);
	await tunnel.until('\r\n\r\n');

	const worker = Number(/"worker":(\d+),"msg":"a worker is ready"/.exec(proxy.stdout())?.[1]);
	process.kill(worker, 'SIGUSR2');
	await eventually(async () => {
		const metrics = await (await fetch(`${proxy.opsUrl}/metrics`)).text();
		assert.match(metrics, /bursar_edge_proxy_faults_total 1\n/);
	}, LIMIT_MS);
	tunnel.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
	await tunnel.until('from the origin');
	proxy.signal('SIGUSR2');
	await eventually(async () => assert.equal(proxy.stdout().split('"a request failed"').length, 3), LIMIT_MS);
	proxy.signal('SIGWINCH');
	await eventually(async () => assert.match(proxy.stdout(), /"nothing caught this error"/), LIMIT_MS);
	tunnel.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
	await tunnel.until('from the originHTTP');
	proxy.signal('SIGTERM');
	const { code, stdout } = await proxy.ended;
	assert.equal(code, 0);
	assert.match(stdout, /"kind":"Error","at":\["/);
	assert.ok(!stdout.includes('planted'), 'a message may repeat what a client sent');
});

test('if the last bytes cannot be reported, it says so, and ends with exit code 1', async (t) => {
	const { service, origin } = await startAround(t);
	const proxy = await startProxyProcess(t, { BURSAR_EDGE_URL: service.url, BURSAR_EDGE_KEY: EDGE_KEY });
	const client = openRawClient(t, proxy.port);
	client.write(
		`GET http://127.0.0.1:${origin}/ HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${basic('alice', KEY)}\r\n\r\n`,
	);
	await client.until('from the origin');
	await service.goAway();
	client.write(
		`GET http://127.0.0.1:${origin}/ HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${basic('alice', KEY)}\r\n\r\n`,
	);
	await client.until('from the originHTTP');
	client.socket.destroy();
	proxy.signal('SIGTERM');
	const { code, stdout } = await proxy.ended;
	assert.equal(code, 1);
	assert.match(stdout, /the last bytes of these accounts could not be reported/);
});

for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
	test(`with a spool, bytes survive ${signal} and a restart while the service is away, to the byte`, async (t) => {
		const { service, origin } = await startAround(t);
		const folder = temporaryFolder(t);
		const environment = { BURSAR_EDGE_URL: service.url, BURSAR_EDGE_KEY: EDGE_KEY };
		const start = () => startProxyProcess(t, environment, { args: ['--spool', folder] });
		const request = `GET http://127.0.0.1:${origin}/ HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${basic('alice', KEY)}\r\n\r\n`;
		const proxy = await start();
		const client = openRawClient(t, proxy.port);
		client.write(request);
		await client.until('from the origin');
		await eventually(async () => assert.equal(service.usedBy('alice').up, request.length), LIMIT_MS);
		await service.goAway();
		client.write(request);
		await eventually(async () => assert.equal(client.text().split('from the origin').length, 3), LIMIT_MS);
		await eventually(async () => {
			const [worker = ''] = readdirSync(folder).filter((name) => name.startsWith('worker-'));
			const [waiting] = JSON.parse(readFileSync(join(folder, worker, 'waiting.json'), 'utf8'));
			assert.equal(waiting.bytesUp, 2 * request.length);
		}, LIMIT_MS);
		proxy.signal(signal);
		const { code, stdout } = await proxy.ended;
		if (signal === 'SIGTERM') {
			assert.equal(code, 0);
			assert.match(stdout, /wait in the spool/);
		}
		await service.comeBack();
		const next = await start();
		await eventually(async () => {
			assert.deepEqual(service.usedBy('alice'), { up: 2 * request.length, down: client.text().length });
		}, LIMIT_MS);
		next.signal('SIGTERM');
		assert.equal((await next.ended).code, 0);
		assert.deepEqual(readdirSync(folder), []);
	});
}
