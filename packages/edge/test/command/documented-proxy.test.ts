import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { makeEdgeKey } from '@bursar/contract/secret-text';
import { resellerApi } from '@bursar/testing/api';
import { eventually } from '@bursar/testing/eventually';
import { startTestService } from '@bursar/testing/service';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { AGENT_SETTINGS, readAgentSettings } from '../../src/agent/settings.ts';
import { startCountingRelay } from '../support/counting-relay.ts';
import { answerTo, openRawClient } from '../support/raw-client.ts';
import { type ProxyProcess, startProxyCommand, usedBy } from '../support/real-service.ts';
import { basic, startOrigin } from '../support/running-proxy.ts';

const LIMIT_MS = 60_000;

test('the documented unit runs a proxy that serves users, counts to the byte and ends in good order', async (t) => {
	const service = await startTestService(t, { BURSAR_EDGE_PORT: '0' });
	const { token } = await service.openReseller('acme', 1_000);
	const { data } = await resellerApi(service.url, token).create({ username: 'alice' });
	const key = await service.openEdge('frankfurt-1');
	const origin = `127.0.0.1:${await startOrigin(t)}`;
	const proxy = await startDocumentedProxy(t, { edgeUrl: service.edgeUrl as string, key, allowed: [origin] });
	await eventually(async () => assert.equal((await fetch(`${proxy.opsUrl}/readyz`)).status, 200), LIMIT_MS);

	const relay = await startCountingRelay(t, proxy.port);
	const head = `Host: x\r\nProxy-Authorization: ${basic('alice', data.proxy_authkey)}\r\n\r\n`;
	const plain = openRawClient(t, relay.port);
	plain.write(`GET http://${origin}/ HTTP/1.1\r\n${head}`);
	await plain.until('from the origin');
	const tunnel = openRawClient(t, relay.port);
	tunnel.write(`CONNECT ${origin} HTTP/1.1\r\n${head}`);
	await tunnel.until('\r\n\r\n');
	tunnel.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
	await tunnel.until('from the origin');
	await eventually(async () => assert.deepEqual(await usedBy(service.url, token, 'alice'), relay.bytes), LIMIT_MS);

	assert.match(
		await answerTo(t, proxy.port, `CONNECT 127.0.0.1:${proxy.port} HTTP/1.1\r\n${head}`),
		/^HTTP\/1\.1 403 /,
	);
	for (const { socket } of [plain, tunnel]) socket.destroy();
	proxy.signal('SIGTERM');
	assert.equal((await proxy.ended).code, 0);
});

const UNIT = join(import.meta.dirname, '../../../../docs/edge/bursar-edge.service');
const SETTINGS = join(import.meta.dirname, '../../../../docs/edge/bursar-edge.env');

test('the documented file of settings has every setting of bursar-edge, and each one is accepted', () => {
	const lines = readFileSync(SETTINGS, 'utf8').matchAll(/^#?(BURSAR_\w+)=(.*)$/gm);
	const environment: Record<string, string> = Object.fromEntries(Array.from(lines, ([, name, value]) => [name, value]));
	assert.deepEqual(Object.keys(environment).toSorted(), AGENT_SETTINGS.toSorted());
	const { BURSAR_EDGE_KEY_FILE: _, BURSAR_EDGE_UPSTREAM_FILE: __, ...given } = environment;
	readAgentSettings({ ...given, BURSAR_EDGE_KEY: makeEdgeKey(randomBytes) });
});

/** Runs what the documentation's unit for systemd runs. Destinations on this machine are allowed one by one. */
function startDocumentedProxy(
	test: TestContext,
	{ edgeUrl, key, allowed }: { readonly edgeUrl: string; readonly key: string; readonly allowed: readonly string[] },
): Promise<ProxyProcess> {
	const file = join(temporaryFolder(test), 'key');
	writeFileSync(file, key, { mode: 0o600 });
	const changes = [
		['/etc/bursar-edge/key', file],
		['--port 3128', '--port 0'],
		['--ops-port 9465', '--ops-port 0'],
		['/var/lib/bursar-edge', temporaryFolder(test)],
	] as const;
	const unit = changes.reduce(
		(before, [from, to]) => {
			if (!before.includes(from)) throw new Error(`${UNIT} has no ${from}`);
			return before.replaceAll(from, to);
		},
		readFileSync(UNIT, 'utf8'),
	);
	const valuesOf = (name: string) =>
		[...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);
	if (valuesOf('EnvironmentFile').join() !== `/etc/bursar-edge/${basename(SETTINGS)}`)
		throw new Error('other settings');
	const settings = readFileSync(SETTINGS, 'utf8').replace('https://edge.bursar.example', edgeUrl);
	const lines = settings.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
	const pairs = [...valuesOf('Environment'), ...lines].map((text) => text.split(/=(.*)/s).slice(0, 2));
	const environment = Object.fromEntries(pairs);
	const [program, ...args] = valuesOf('ExecStart').join(' ').split(' ');
	if (program !== 'bursar-edge') throw new Error(`${UNIT} runs ${program}`);
	return startProxyCommand(test, [...args, ...allowed.flatMap((destination) => ['--allow', destination])], environment);
}
