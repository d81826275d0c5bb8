import assert from 'node:assert/strict';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { callBursar } from '@bursar/testing/bursar-in-process';
import { type Exchange, relayHttp } from '@bursar/testing/http-relay';
import { listen } from '@bursar/testing/listen';
import { startTestService } from '@bursar/testing/service';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { openRawClient } from '../support/raw-client.ts';
import { callBursarEdge, spawnBursarEdge, startProxyCommand } from '../support/real-service.ts';
import { basic, startOrigin } from '../support/running-proxy.ts';

/** A real service, and a relay in front of its edge listener, whose address is in the links. */
async function startShop(t: TestContext, { loses = () => false as boolean } = {}) {
	const server = await startTestService(t, { BURSAR_EDGE_PORT: '0' });
	const { token } = await server.openReseller('acme', 1_000);
	const run = async (environment: Record<string, string>, ...args: string[]) => {
		const { code, stdout, stderr } = await callBursar(server.config.dataDir, [...args, '--json'], { environment });
		assert.equal(code, 0, stderr);
		return JSON.parse(stdout);
	};
	const requests: Exchange[] = [];
	const relay = relayHttp(server.edgeUrl as string, async (request, forward) => {
		requests.push(request);
		const reply = await forward(request);
		return loses() ? undefined : reply;
	});
	const { port } = await listen(t, createServer(relay));
	const edgeUrl = `http://127.0.0.1:${port}`;
	const folder = temporaryFolder(t);
	const files = { key: join(folder, 'etc', 'key'), env: join(folder, 'etc', 'bursar-edge.env') };
	return {
		server,
		token,
		edgeUrl,
		requests,
		files,
		keys: () => [...new Set(requests.map(({ headers }) => headers.authorization))],
		newLink: async (name: string) => (await run({ BURSAR_EDGE_URL: edgeUrl }, 'edge', 'create', name)).link as string,
		edges: async () => (await run({}, 'edge', 'list')).edges,
		joining: (link: string) => ['join', link, '--key-file', files.key, '--settings-file', files.env],
		join(link: string, ...more: string[]) {
			return callBursarEdge([...this.joining(link), ...more]);
		},
	};
}

test('a proxy host joins with a link, and the proxy works with the files that this wrote', async (t) => {
	const shop = await startShop(t);
	const link = await shop.newLink('frankfurt-1');
	const { code, stdout, stderr } = await shop.join(link);
	assert.deepEqual([code, stderr], [0, '']);
	assert.match(stdout, /^This host is the edge frankfurt-1 now\./);
	const key = readFileSync(shop.files.key, 'utf8').trim();
	assert.equal(statSync(shop.files.key).mode & 0o007, 0);
	assert.equal(statSync(shop.files.env).mode & 0o777, 0o600);
	for (const secret of [key, link.split('#')[1] as string]) assert.ok(!stdout.includes(secret));
	assert.deepEqual(readdirSync(join(shop.files.key, '..')).toSorted(), ['bursar-edge.env', 'key']);

	const environment = Object.fromEntries(
		readFileSync(shop.files.env, 'utf8')
			.trim()
			.split('\n')
			.map((line) => line.split('=') as [string, string]),
	);
	assert.deepEqual(environment, { BURSAR_EDGE_URL: shop.edgeUrl, BURSAR_EDGE_KEY_FILE: shop.files.key });
	const { data } = await resellerApi(shop.server.url, shop.token).create({ username: 'alice' });
	const origin = `127.0.0.1:${await startOrigin(t)}`;
	const proxy = await startProxyCommand(t, ['proxy', '--port', '0', '--ops-port', '0', '--allow', origin], environment);
	const client = openRawClient(t, proxy.port);
	client.write(
		`GET http://${origin}/ HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${basic('alice', data.proxy_authkey)}\r\n\r\n`,
	);
	await client.until('from the origin');

	// A key that is there is kept, unless it is to be replaced.
	const second = await shop.newLink('frankfurt-2');
	const asked = shop.requests.length;
	const refused = await shop.join(second);
	assert.equal(refused.code, 1);
	assert.match(refused.stderr, /there is a key already; --replace/);
	const used = await shop.join(link, '--replace');
	assert.match(used.stderr, /the link is not valid: it was used/);
	assert.equal(readFileSync(shop.files.key, 'utf8').trim(), key);
	assert.ok(shop.requests.length > asked);
	writeFileSync(shop.files.env, '# mine\nBURSAR_EDGE_UPSTREAM=http://u:p@host\nBURSAR_EDGE_URL=http://old.example\n', {
		mode: 0o600,
	});
	chmodSync(shop.files.key, 0o644);
	const fromInput = await callBursarEdge([...shop.joining('-'), '--replace'], {}, `${second}\n`);
	assert.equal(fromInput.code, 0);
	assert.notEqual(readFileSync(shop.files.key, 'utf8').trim(), key);
	assert.equal(
		statSync(shop.files.key).mode & 0o037,
		0,
		'a key that others can read is not replaced by another such key',
	);
	assert.match(
		readFileSync(shop.files.env, 'utf8'),
		/^# mine\nBURSAR_EDGE_UPSTREAM=http:\/\/u:p@host\nBURSAR_EDGE_URL=http:\/\/127/,
	);
	assert.deepEqual(
		(await shop.edges()).map((edge: { state: string }) => edge.state),
		['active', 'active'],
	);
});

test('lost answers are asked for again with the same key; after a crash the same link goes on with it', async (t) => {
	let lost = 2;
	const shop = await startShop(t, { loses: () => lost-- > 0 });
	const first = await shop.join(await shop.newLink('eu-1'));
	assert.equal(first.code, 0, first.stderr);
	assert.equal(shop.keys().length, 1);

	lost = Number.POSITIVE_INFINITY;
	shop.requests.length = 0;
	const link = await shop.newLink('eu-2');
	// What others can read is not trusted, so the key of the interrupted join must not become like that.
	chmodSync(shop.files.key, 0o644);
	const killed = spawnBursarEdge(t, [...shop.joining(link), '--replace']);
	while (shop.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
	killed.signal('SIGKILL');
	await killed.ended;
	const key = readFileSync(shop.files.key, 'utf8');
	const doubtful = await shop.join(link, '--replace');
	assert.equal(doubtful.code, 1);
	assert.match(doubtful.stderr, /run the same command again with the same link/);
	assert.equal(readFileSync(shop.files.key, 'utf8'), key, 'the old key stays until the new one counts');
	lost = 0;
	assert.equal((await shop.join(link, '--replace')).code, 0);
	assert.deepEqual(shop.keys(), [`Bearer ${readFileSync(shop.files.key, 'utf8').trim()}`]);
});

test('what a killed join leaves is never used with another link, and goes when a join succeeds', async (t) => {
	let isLost = true;
	const shop = await startShop(t, { loses: () => isLost });
	const killed = spawnBursarEdge(t, shop.joining(await shop.newLink('eu-1')));
	while (shop.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
	killed.signal('SIGKILL');
	await killed.ended;
	const folder = join(shop.files.key, '..');
	const left = readdirSync(folder).toSorted();
	assert.equal(left.length, 2);
	for (const name of left) assert.match(name, /^(bursar-edge\.env|key)\.joining-[0-9a-f]{8}$/);
	isLost = false;
	const { code, stderr } = await shop.join(await shop.newLink('eu-2'));
	assert.equal(code, 0, stderr);
	assert.equal(shop.keys().length, 2);
	assert.equal(shop.keys()[1], `Bearer ${readFileSync(shop.files.key, 'utf8').trim()}`);
	assert.deepEqual(readdirSync(folder).toSorted(), ['bursar-edge.env', 'key']);
});

test('a link that is none, and files that cannot be written, change nothing, and no secret is shown', async (t) => {
	const shop = await startShop(t);
	const link = await shop.newLink('eu-1');
	const secret = link.split('#')[1] as string;
	for (const wrong of [
		secret,
		`http://u:${secret}@h/join#${secret}`,
		`${link}x`,
		link.replace('/join', '/'),
		'ftp://h',
	]) {
		const { code, stderr } = await shop.join(wrong);
		assert.equal(code, 2, wrong);
		assert.ok(!stderr.includes(secret));
	}
	const blocked = join(temporaryFolder(t), 'file');
	writeFileSync(blocked, '');
	const { code, stderr } = await shop.join(link, '--key-file', join(blocked, 'key'));
	assert.equal(code, 1);
	assert.match(stderr, /cannot be written|nothing was done/);
	assert.ok(!stderr.includes(secret));
	for (const [host, isPublic] of [
		['192.0.2.1', true],
		['edge.example', true],
		['localhost', false],
		['[::1]', false],
	] as const) {
		const ended = await shop.join(link.replace('127.0.0.1', host), '--key-file', join(blocked, 'key'));
		assert.equal(/The link is plain http/.test(ended.stderr), isPublic, host);
	}
	assert.ok(!existsSync(shop.files.key) && !existsSync(shop.files.env));
	assert.deepEqual(shop.requests, []);
	assert.equal((await shop.edges())[0].state, 'waiting');
});
