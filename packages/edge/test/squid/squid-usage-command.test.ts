import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { listen } from '@bursar/testing/listen';
import { programFile } from '@bursar/testing/programs';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { startProcess } from '@bursar/testing/test-process';
import { EDGE_KEY, startFakeService } from '../support/fake-service.ts';
import { callBursarEdge } from '../support/real-service.ts';

const COMMAND = [process.execPath, programFile('bursar-edge'), 'squid-usage'];
const LIMIT_MS = 60_000;

test('it counts until SIGTERM, tells its health, and reports the last bytes before it ends', async (t) => {
	const service = await startFakeService(t);
	const manager = await listen(
		t,
		createServer((_request, response) => void response.end()),
	);
	const log = join(temporaryFolder(t), 'bursar.log');
	writeFileSync(log, '');
	const line = (port: number) => {
		const end = (Date.now() / 1000).toFixed(3);
		return `bursar1 ${end} ${end} 5 192.0.2.7 ${port} TCP_MISS 1 2 alice\n`;
	};
	const options = ['--log', log, '--manager', `http://127.0.0.1:${manager.port}`, '--ops-port', '0'];
	const environment = { BURSAR_EDGE_URL: service.url, BURSAR_EDGE_KEY: EDGE_KEY };
	const usage = startProcess(t, [...COMMAND, ...options], { environment });
	const ready = await eventually(async () => {
		const found = /^\{.*"msg":"ready"\}$/m.exec(usage.stdout());
		assert.ok(found);
		return JSON.parse(found[0]);
	}, LIMIT_MS);
	appendFileSync(log, line(1));
	await eventually(async () => assert.deepEqual(service.usedBy('alice'), { up: 1, down: 2 }), LIMIT_MS);
	await eventually(async () => assert.equal((await fetch(`${ready.opsUrl}/readyz`)).status, 200), LIMIT_MS);
	const metrics = await (await fetch(`${ready.opsUrl}/metrics`)).text();
	assert.match(metrics, /^bursar_edge_squid_logs 1$/m);

	manager.close();
	await eventually(async () => assert.equal((await fetch(`${ready.opsUrl}/readyz`)).status, 503), LIMIT_MS);
	appendFileSync(log, line(2));
	usage.signal('SIGTERM');
	const { code, stdout } = await usage.ended;
	assert.equal(code, 0);
	assert.match(stdout, /everything that was counted is reported/);
	assert.deepEqual(service.usedBy('alice'), { up: 2, down: 4 });
	assert.doesNotMatch(stdout, new RegExp(EDGE_KEY));
});

test('wrong options and settings end it at once, and show no secret', async (t) => {
	const environment = { BURSAR_EDGE_URL: 'http://127.0.0.1:9', BURSAR_EDGE_KEY: EDGE_KEY };
	const cases = [
		[['--log', 'relative'], environment],
		[['--manager', 'https://127.0.0.1:3128'], environment],
		[['--manager', 'http://user:secret@127.0.0.1:3128'], environment],
		[['--ops-port', '70000'], environment],
		[['--cut', 'relative'], environment],
		[[], { BURSAR_EDGE_URL: 'http://127.0.0.1:9', BURSAR_EDGE_KEY: 'secret' }],
	] as const;
	for (const [options, settings] of cases) {
		const { code, stdout, stderr } = await callBursarEdge(['squid-usage', ...options], settings);
		assert.equal(code, 2, `${options}: ${stderr}`);
		assert.doesNotMatch(stdout + stderr, /secret|70000/);
	}
	const socket = join(temporaryFolder(t), 'missing', 'squid.sock');
	const unusable = await callBursarEdge(['squid-usage', '--cut', socket], environment);
	assert.equal(unusable.code, 1);
});
