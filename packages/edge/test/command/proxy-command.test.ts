import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { listen } from '@bursar/testing/listen';
import { listProcesses } from '@bursar/testing/processes';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import type { Ending } from '@bursar/testing/test-process';
import { KEY_FILE, pemFile } from '../support/certificates.ts';
import { EDGE_KEY, startFakeService } from '../support/fake-service.ts';
import { openRawClient } from '../support/raw-client.ts';
import { callBursarEdge, spawnBursarEdge, startProxyProcess } from '../support/real-service.ts';
import { basic, KEY, startOrigin } from '../support/running-proxy.ts';
import { openTlsClient } from '../support/tls-client.ts';
import { startUpstream } from '../support/upstreams.ts';

const LIMIT_MS = 60_000;

test('wrong usage is exit code 2, with a line that shows no argument', async (t) => {
	const good = { BURSAR_EDGE_URL: 'http://127.0.0.1:1', BURSAR_EDGE_KEY: EDGE_KEY };
	const assertWrong = ({ code, stdout, stderr }: Ending) => {
		assert.equal(code, 2, stderr);
		assert.equal(stdout, '');
		assert.match(stderr, /^bursar-edge: /);
		assert.ok(!stderr.includes('SeCrEt'));
	};
	const lines = [
		['proxy', '--port', 'SeCrEt'],
		['proxy', '--allow', 'SeCrEt'],
		['proxy', '--allow', '127.1:80'],
		['proxy', '--allow', '[::1]:65536'],
		['proxy', '--closed-ports', '25,SeCrEt'],
		['proxy', '--open-ports', '65536'],
		['proxy', '--upstream', 'http://user:SeCrEt@host'],
		['proxy', '--upstream', 'SeCrEt'],
		['proxy', '--unknown-options', 'SeCrEt'],
		['proxy', '--from', '192.0.2.1,SeCrEt'],
		['proxy', '--from-option'],
		['proxy', '--from', '192.0.2.1', '--upstream', 'http://127.0.0.1:1'],
		['proxy', '--denied', '/SeCrEt'],
		['proxy', '--proxy-protocol-from', 'SeCrEt'],
		['proxy', '--tls-certificate', 'SeCrEt', '--tls-key', 'SeCrEt'],
		['proxy', 'SeCrEt'],
		['proxy', '--key=SeCrEt'],
		['SeCrEt'],
	];
	for (const args of lines) {
		const ending = await spawnBursarEdge(t, args, good).ended;
		assertWrong(ending);
		if (args[1] === 'SeCrEt') assert.match(ending.stderr, /\(see bursar-edge proxy --help\)\n$/);
	}
	const environment = { ...good, BURSAR_EDGE_UPSTREAM: 'http://u:SeCrEt@host' };
	assertWrong(await spawnBursarEdge(t, ['proxy', '--upstream', 'http://host'], environment).ended);
	const others = await spawnBursarEdge(t, ['proxy'], { ...good, BURSAR_EDGE_UPSTREAM: 'http://SeCrEt-{options}@host' })
		.ended;
	assertWrong(others);
	assert.match(others.stderr, /an upstream says \{options\}: .* --unknown-options pass/);
	assertWrong(await spawnBursarEdge(t, ['proxy']).ended);
	const help = await callBursarEdge(['proxy', '--help']);
	assert.equal(help.code, 0);
	assert.match(help.stdout, /--allow-private/);
});

test('a port that is taken is an error of one line', async (t) => {
	const { port } = await listen(t, createServer());
	const environment = { BURSAR_EDGE_URL: 'http://127.0.0.1:1', BURSAR_EDGE_KEY: EDGE_KEY };
	const spool = ['--spool', temporaryFolder(t)];
	for (const args of [
		['--port', String(port), '--ops-port', '0', ...spool],
		['--port', '0', '--ops-port', String(port), ...spool],
	]) {
		const { code, stderr } = await spawnBursarEdge(t, ['proxy', ...args], environment).ended;
		assert.equal(code, 1);
		assert.match(stderr, /^bursar-edge: .*EADDRINUSE[^\n]*\n$/);
	}
});

test('a spool that cannot be used is an error of one line, and nothing is served', async (t) => {
	const environment = { BURSAR_EDGE_URL: 'http://127.0.0.1:1', BURSAR_EDGE_KEY: EDGE_KEY };
	const folder = temporaryFolder(t);
	await startProxyProcess(t, environment, { args: ['--spool', folder] });
	for (const wrong of [folder, join(folder, 'missing')]) {
		const { code, stderr } = await spawnBursarEdge(t, ['proxy', '--port', '0', '--spool', wrong], environment).ended;
		assert.equal(code, 1);
		assert.match(
			stderr,
			/^bursar-edge: --spool: the folder cannot be used: (ENOENT: no such|another process)[^\n]*\n$/,
		);
	}
});

test('where the addresses of the machine cannot be read, it does not start, and says in one line what is missing', async (t) => {
	const forbid =
		"data:text/javascript,import/**/os/**/from'node:os';import{syncBuiltinESMExports}from'node:module';os.networkInterfaces=()=>{throw(Error('error_97'))};syncBuiltinESMExports()";
	const environment = {
		BURSAR_EDGE_URL: 'http://127.0.0.1:1',
		BURSAR_EDGE_KEY: EDGE_KEY,
		NODE_OPTIONS: `--import=${forbid}`,
	};
	const { code, stderr } = await spawnBursarEdge(t, ['proxy', '--port', '0', '--ops-port', '0'], environment).ended;
	assert.equal(code, 1);
	assert.match(stderr, /^bursar-edge: the addresses of this machine, [^\n]*AF_NETLINK[^\n]*error_97[^\n]*\n$/);
	// With --allow-private it needs none.
	await startProxyProcess(t, environment);
});

test('it starts with upstreams that are all dead, tells so, and names those that no session uses', async (t) => {
	const service = await startFakeService(t);
	const { port, close } = await listen(t, createServer());
	close();
	const upstream = `http://carol-{session}:PassForUpstream@127.0.0.1:${port} http://127.0.0.1:${port}`;
	const proxy = await startProxyProcess(t, {
		BURSAR_EDGE_URL: service.url,
		BURSAR_EDGE_KEY: EDGE_KEY,
		BURSAR_EDGE_UPSTREAM: upstream,
	});
	await eventually(async () => {
		const response = await fetch(`${proxy.opsUrl}/readyz`);
		assert.equal(`${response.status} ${await response.text()}`, '503 not ready: no upstream can be reached\n');
	}, LIMIT_MS);
	assert.match(proxy.stdout(), /"level":"warn"[^\n]*"upstreams":\[2\][^\n]*no session uses these upstreams/);
	assert.doesNotMatch(proxy.stdout(), /carol|PassForUpstream/);
});

test('it starts while the service is away, tells so, and never shows a secret', async (t) => {
	const service = await startFakeService(t);
	service.keys.set('alice', KEY);
	await service.goAway();
	const origin = await startOrigin(t);
	const upstream = await startUpstream.http(t);
	const environment = {
		BURSAR_EDGE_URL: service.url,
		BURSAR_EDGE_KEY: EDGE_KEY,
		BURSAR_EDGE_UPSTREAM: `http://carol[-{options}]:PassForUpstream@127.0.0.1:${upstream.port}`,
		BURSAR_LOG_LEVEL: 'trace',
		// The file of the key for TLS comes from a checkout.
		BURSAR_ALLOW_OPEN_KEY_FILES: '1',
	};
	const tls = ['--tls-certificate', pemFile('self-signed'), '--tls-key', KEY_FILE];
	const proxy = await startProxyProcess(t, environment, {
		args: ['--unknown-options', 'pass', '--proxy-protocol-from', '192.0.2.1', ...tls],
	});
	const page = async (path: string, headers = {}) => {
		const response = await fetch(proxy.opsUrl + path, { headers });
		return `${response.status} ${await response.text()}`;
	};
	assert.equal(await page('/livez'), '200 alive\n');
	await eventually(async () => assert.match(await page('/readyz'), /^503 not ready: unreachable/), LIMIT_MS);
	await service.comeBack();
	await eventually(async () => assert.equal(await page('/readyz'), '200 ready\n'), LIMIT_MS);
	assert.match(await page('/'), /^404 /);

	for (const password of [KEY, `${KEY}_country-US`, 'wrong']) {
		const client = password === KEY ? openTlsClient(t, proxy) : openRawClient(t, proxy.port);
		const authorization = basic('alice', password);
		client.write(
			`GET http://127.0.0.1:${origin}/?${KEY} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${authorization}\r\n`,
		);
		client.write('Connection: close\r\n\r\n');
		assert.match(await client.closed, password === 'wrong' ? / 407 / : / 200 /);
	}
	await eventually(async () => assert.match(await page('/metrics'), /bursar_edge_counters_waiting 0\n/), LIMIT_MS);
	assert.deepEqual(upstream.seen, ['carol:PassForUpstream', 'carol-country-US:PassForUpstream']);
	const metrics = await page('/metrics');
	for (const line of [
		'# TYPE bursar_edge_pair_checks_total counter',
		'bursar_edge_pair_checks_total{result="wrong_pair"} 1',
		'bursar_edge_proxy_requests_total 3',
		'# TYPE bursar_edge_proxy_certificate_expires_seconds gauge',
		`bursar_edge_upstream_up{number="1",address="127.0.0.1:${upstream.port}"} 1`,
	]) {
		assert.ok(metrics.includes(line), line);
	}
	const own = listProcesses().find(({ id }) => id === proxy.pid);
	proxy.signal('SIGTERM');
	const { code, stdout, stderr } = await proxy.ended;
	assert.equal(code, 0);
	for (const text of [stdout, stderr, metrics, own?.command ?? '']) {
		for (const secret of [KEY, EDGE_KEY, basic('alice', KEY), 'carol', 'PassForUpstream'])
			assert.ok(!text.includes(secret));
	}
});
