import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { runBursar, startServer } from '@bursar/testing/bursar-process';
import { callEdge, edgeApi } from '@bursar/testing/edge';
import { eventually } from '@bursar/testing/eventually';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { newEdgeKey, newProxyAuthkey } from '../../../src/credentials.ts';
import { edgeIsKnown } from '../../support/edge-service.ts';
import { assertNone, assertNoneBelow, CRASH_ON_SIGNAL, type Secrets } from '../../support/secrets.ts';

test('no key of an edge and no pair is in the trace log, the metrics, a failure, a crash, or in clear on the disk', async (t) => {
	const dataDir = temporaryFolder(t);
	const environment = {
		BURSAR_MASTER_KEY: randomBytes(32).toString('base64'),
		BURSAR_LOG_LEVEL: 'trace',
		BURSAR_EDGE_PORT: '0',
		NODE_OPTIONS: CRASH_ON_SIGNAL,
	};
	const run = async (...args: string[]) =>
		JSON.parse((await runBursar(t, dataDir, [...args, '--json'], { environment })).stdout);
	const { token } = await run('reseller', 'create', 'acme', '--balance', '90.00');
	const { key } = await run('edge', 'create', '--key', 'gw');
	const server = await startServer(t, dataDir, { environment });
	const edgeUrl = server.edgeUrl ?? assert.fail('there is no edge listener');
	const edge = edgeApi(edgeUrl, key);
	await edgeIsKnown(edge);
	const alice = (await resellerApi(server.url, token).create({ username: 'alice' })).data.proxy_authkey;
	const secrets: Secrets = { 'the key of the edge': key, 'the pair': alice };
	const planted = (what: string, secret = newProxyAuthkey()) => {
		secrets[what] = secret;
		return secret;
	};

	const failures: string[] = [];
	const keep = ({ status, text, headers }: Awaited<ReturnType<typeof callEdge>>) => {
		if (status !== 200) failures.push(text, ...Array.from(headers, (header) => header.join(': ')));
	};
	const { key_id } = (await edge.check({ username: 'alice', password: alice })).body;
	secrets['the key_id'] = key_id;
	for (const path of ['/edge/v1/check', '/edge/v1/usage', '/edge/v1/join']) {
		for (const secret of [planted(`${path} wrong`), newEdgeKey().key, alice, key]) {
			for (const body of [
				{ username: 'alice', password: secret },
				{ username: secret, password: secret, client: secret },
				{ username: 'alice', key_id: secret },
				{ checks: [{ username: secret, key_id: secret }] },
				{ counters: [{ counter: secret, username: secret, at: secret }, secret] },
				{ link: secret },
				`{"${secret}`,
				[secret],
			]) {
				keep(await callEdge(edgeUrl, path, { body, key }));
				keep(await callEdge(edgeUrl, path, { body, key: planted(`${path} key`, newEdgeKey().key) }));
			}
			keep(await callEdge(edgeUrl, `${path}?key=${secret}`, { key }));
			keep(await callEdge(edgeUrl, `${path}/${secret}`, { key, headers: { 'x-secret': secret, cookie: secret } }));
		}
	}
	assert.ok(failures.length > 100);
	assertNone(secrets, 'a failure', failures.join('\n'));
	assertNone(secrets, 'the metrics', await (await fetch(`${server.opsUrl}/metrics`)).text());
	await eventually(async () => assert.ok(server.stdout().split('\n').length > 200, 'the log is too short'), 20_000);
	assertNone(secrets, 'the log', server.stdout());
	const crash = await server.kill('SIGUSR2');
	assert.match(crash.stderr, /crashed by the test/);
	assertNone(secrets, 'the output of a crash', crash.stdout + crash.stderr);
	assertNoneBelow(secrets, dataDir);
});
