import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { EDGE_KEY, startFakeService } from '../support/fake-service.ts';
import { startMirrors } from '../support/outgoing.ts';
import { answerTo } from '../support/raw-client.ts';
import { type ProxyProcess, spawnBursarEdge, startProxyProcess } from '../support/real-service.ts';
import { basic, KEY } from '../support/running-proxy.ts';

const LIMIT_MS = 60_000;

async function setUp(t: TestContext) {
	const service = await startFakeService(t);
	service.keys.set('alice', KEY);
	const environment = { BURSAR_EDGE_URL: service.url, BURSAR_EDGE_KEY: EDGE_KEY };
	const file = join(temporaryFolder(t), 'denied');
	const { http } = await startMirrors(t);
	const ask = (proxy: ProxyProcess, host: string, password = KEY) => {
		const head = `Host: x\r\nConnection: close\r\nProxy-Authorization: ${basic('alice', password)}\r\n\r\n`;
		return answerTo(t, proxy.port, `GET http://${host}:${http}/ HTTP/1.1\r\n${head}`);
	};
	return { service, environment, file, http, ask };
}

test('a list of denied destinations is read again at a reload, and a wrong one leaves the old workers', async (t) => {
	const { environment, file, ask } = await setUp(t);
	writeFileSync(file, '127.0.0.2\n');
	const proxy = await startProxyProcess(t, environment, { args: ['--denied', file] });
	assert.match(await ask(proxy, '127.0.0.2'), /^HTTP\/1\.1 403 [\s\S]*denied_destination/);
	assert.match(await ask(proxy, '127.0.0.1'), / 200 /);
	assert.match(proxy.stdout(), /"entries":1,"resellers":0,"msg":"read the denied destinations"/);

	writeFileSync(file, '127.0.0.2\n\nhttps://wrong.example\n');
	proxy.signal('SIGHUP');
	await eventually(
		async () =>
			assert.match(
				proxy.stdout(),
				/"reason":"--denied: line 3: [^\n]*the new workers cannot start, so the old ones go on/,
			),
		LIMIT_MS,
	);
	assert.match(await ask(proxy, '127.0.0.2'), /^HTTP\/1\.1 403 /);

	writeFileSync(file, 'reseller acme:\n127.0.0.0/30\n');
	proxy.signal('SIGHUP');
	await eventually(async () => assert.match(await ask(proxy, '127.0.0.1'), /denied_destination/), LIMIT_MS);
	const metrics = await (await fetch(`${proxy.opsUrl}/metrics`)).text();
	assert.match(metrics, /^bursar_edge_proxy_no_way_total\{reason="denied_destination"\} [1-9]/m);
});

test('a proxy does not start with a list that is wrong, too long or not there', async (t) => {
	const { environment, file } = await setUp(t);
	for (const [text, message] of [
		['# one\n127.0.0.2\nSeCrEt/x\n', /^bursar-edge: --denied: line 3: it must be a domain[^\n]*\n$/],
		['#'.repeat((16 << 20) + 1), /^bursar-edge: --denied: the file has more than 16777216 bytes\n$/],
		[undefined, /^bursar-edge: --denied: the file cannot be read \(ENOENT\)\n$/],
	] as const) {
		if (text !== undefined) writeFileSync(file, text);
		const args = ['proxy', '--port', '0', '--ops-port', '0', '--denied', text === undefined ? `${file}.no` : file];
		const { code, stderr } = await spawnBursarEdge(t, args, environment).ended;
		assert.equal(code, 2);
		assert.match(stderr, message);
	}
});

test('outgoing addresses are options of the command, and each has its state in the log, the metrics and the readiness', async (t) => {
	const { environment, ask } = await setUp(t);
	const args = ['--from', '127.0.0.10,240.0.0.1', '--from-option'];
	const proxy = await startProxyProcess(t, environment, { args });
	assert.match(await ask(proxy, '127.0.0.1', `${KEY}_from-127.0.0.10`), /you: 127\.0\.0\.10$/);
	for (let round = 0; round < 3; round++) assert.match(await ask(proxy, '127.0.0.1', `${KEY}_from-2`), / 502 /);
	const warned = proxy
		.stdout()
		.split('"from":2,"address":"240.0.0.1","msg":"an outgoing address cannot be used, and is left out"');
	assert.equal(warned.length, 2, proxy.stdout());
	const metrics = await (await fetch(`${proxy.opsUrl}/metrics`)).text();
	for (const line of [
		'bursar_edge_from_up{number="1",address="127.0.0.10"} 1',
		'bursar_edge_from_up{number="2",address="240.0.0.1"} 0',
		'bursar_edge_from_failures_total{number="1",address="127.0.0.10"} 0',
	]) {
		assert.ok(metrics.includes(line), metrics);
	}
	const none = await startProxyProcess(t, environment, { args: ['--from', '240.0.0.1'] });
	await eventually(async () => {
		await ask(none, '127.0.0.1');
		assert.match(await (await fetch(`${none.opsUrl}/readyz`)).text(), /every outgoing address is left out/);
	}, LIMIT_MS);
});
