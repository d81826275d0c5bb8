import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { endpoints } from '@bursar/contract';
import { resellerApi } from '@bursar/testing/api';
import { callBursar } from '@bursar/testing/bursar-in-process';
import { runBursar, spawnBursar } from '@bursar/testing/bursar-process';
import { eventually } from '@bursar/testing/eventually';
import { listen } from '@bursar/testing/listen';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import type { TestProcess } from '@bursar/testing/test-process';
import Database from 'better-sqlite3';
import { readConfig } from '../../src/config.ts';
import { hashSecret } from '../../src/credentials.ts';
import { openStore } from '../../src/engine.ts';
import { verifyPassword } from '../../src/passwords.ts';
import { browserAt } from '../support/dashboard.ts';

const SERVE_COMMAND = new URL('../../src/cli/commands/serve.ts', import.meta.url).href;
const STOP_LIMIT_MS = 10_000;

async function started(
	t: TestContext,
	dataDir: string,
	until: RegExp,
	environment = { BURSAR_LOG_LEVEL: 'silent' },
): Promise<TestProcess> {
	const dev = spawnBursar(t, dataDir, ['dev'], { environment });
	while (!until.test(dev.stdout())) await setTimeout(10);
	return dev;
}

async function stopped(
	dev: TestProcess,
	{ hasLog = false, signal = 'SIGINT' }: { hasLog?: boolean; signal?: 'SIGINT' | 'SIGTERM' } = {},
): Promise<void> {
	const startedAt = performance.now();
	dev.signal(signal);
	const { code, stderr } = await dev.ended;
	assert.equal(code, 0);
	if (!hasLog) assert.equal(stderr, '');
	assert.ok(performance.now() - startedAt < STOP_LIMIT_MS);
}

/** The secret of the link that `bursar dev` has printed. */
function secretOfLink(dev: TestProcess): string | undefined {
	const [, port, secret] = /^ {2}http:\/\/localhost:(\d+)\/dashboard\/invitation#([\w-]+)$/m.exec(dev.stdout()) ?? [];
	assert.ok(dev.stdout().includes(`Bursar is ready at http://127.0.0.1:${port}\n`), 'the port is another one');
	return secret;
}

/** The password that `bursar dev` has printed. */
function shownPassword(dev: TestProcess): string | undefined {
	return /The password of demo@bursar\.localhost .*: ([\w-]{20})$/m.exec(dev.stdout())?.[1];
}

/** Throws unless the demo shows what the pages can show. */
function assertPagesHaveMuchToShow(dataDir: string): void {
	const store = new Database(join(dataDir, 'bursar.db'), { readonly: true });
	const count = (from: string) => store.prepare(`SELECT count(*) FROM ${from}`).pluck().get() as number;
	const movements = 'acts JOIN transfers USING (request_id)';
	assert.ok(count(`${movements} WHERE acts.kind = 'give_balance'`) > 5, 'the person gave nothing');
	assert.equal(count("tokens WHERE reseller = 'harbor.proxies'"), 1);
	for (const verdict of ['counted', 'repeated', 'unknown_username', 'conflict', 'timestamp_ahead']) {
		assert.ok(count(`usage_verdicts WHERE verdict = '${verdict}'`) > 1, verdict);
	}
	assert.equal(count('verifications WHERE ended_at_ms IS NOT NULL'), 1);
	assert.ok(count("transfers WHERE kind = 'usage'") > 500, 'bandwidth was not posted each day');
	const charged = 'usage_reseller_days WHERE cost_cents > 0';
	assert.deepEqual([count('prices'), count(charged)], [1, 14], 'only the last two weeks are charged');
	assert.equal(count('meters WHERE uncollected_cents > 0'), 0, 'somebody used more than its balance');
	assert.ok(count('usage_reseller_hours') > 100, 'the last week has no hours');
	assert.ok(count("usage_edge_days WHERE reseller = ''") > 300, 'edges did not report every day');
	assert.equal(count('usage_edge_days WHERE edge NOT IN (SELECT name FROM edges)'), 0, 'an unknown edge reported');
	store.close();
}

describe('bursar dev', () => {
	test('dev makes a demo reseller, and prints its token once; and at each start, until its person is locked, a link that signs in', async (t) => {
		const dataDir = temporaryFolder(t);
		const first = await started(t, dataDir, /The password of .*\n/, { BURSAR_LOG_LEVEL: 'info' });
		const curl = /^ {2}curl -H 'Authorization: Bearer (brs_\w+)' (http:\S+)\/reseller\/my_info$/m.exec(first.stdout());
		assert.ok(curl);
		const [, token, url] = curl as unknown as [string, string, string];
		const api = resellerApi(url, token);
		assert.equal((await api.myInfo()).data.username, 'demo.reseller');
		const subUsers = (await api.viewAll()).data;
		assert.ok(subUsers.length > 50, 'the list has no second page');
		assert.match(first.stdout(), /^\n?Bursar is ready/m);
		assert.doesNotMatch(first.stdout(), /^\{/m, 'a line of a log stands between the words for people');
		// One has run out, and all others have something left.
		const exhausted = subUsers.filter(({ balance }: { balance: number }) => balance === 0);
		assert.deepEqual(
			exhausted.map(({ username }: { username: string }) => username),
			['priya.n'],
		);
		assert.ok((await api.viewTxs({ username: 'alice' })).data.length > 70);
		for (const document of [endpoints.myInfo.path, '/docs', '/openapi.json']) {
			assert.notEqual((await fetch(url + document)).status, 404);
		}
		await stopped(first);
		assertPagesHaveMuchToShow(dataDir);

		const second = await started(t, dataDir, /invitation#[\w-]{43}\n/);
		assert.match(second.stdout(), /For a new one, .*:\n +npx bursar reseller revoke-token demo\.reseller/);
		assert.doesNotMatch(second.stdout(), /brs_/);
		await stopped(second);

		const [firstSecret, secondSecret] = [first, second].map(secretOfLink);
		const [password, noPassword] = [first, second].map(shownPassword);
		assert.ok(password !== undefined && noPassword === undefined);
		const store = await openStore(readConfig({ BURSAR_DATA_DIR: dataDir }));
		assert.equal(
			await store.findInvitation(hashSecret(firstSecret as string)),
			undefined,
			'the previous link still works',
		);
		const { invitation, person } = (await store.findInvitation(hashSecret(secondSecret as string))) ?? {};
		const record = await store.findPersonByEmail('demo@bursar.localhost');
		await store.close();
		assert.equal(invitation?.purpose, 'sign_in');
		assert.equal(person?.reseller, 'demo.reseller');
		assert.deepEqual(record?.sessions, []);
		assert.equal(await verifyPassword(password, record?.person.passwordHash ?? undefined), true);

		assert.equal((await callBursar(dataDir, ['person', 'lock', 'demo@bursar.localhost'])).code, 0);
		const locked = await started(t, dataDir, /invite yourself/);
		assert.doesNotMatch(locked.stdout(), /invitation#/);
		await stopped(locked);
	});

	test('with --json, stdout is one object, also with a link; and a proxy runs for the demo, beside the edges of an operator, at the address that the pages show, whose bytes are in view_txs, and which ends with dev', async (t) => {
		const dataDir = temporaryFolder(t);
		const run = async (environment: Readonly<Record<string, string>> = { BURSAR_DASHBOARD: '0' }) => {
			const dev = spawnBursar(t, dataDir, ['dev', '--json'], { environment });
			while (!dev.stdout().includes('\n')) await setTimeout(10);
			return { dev, shown: JSON.parse(dev.stdout()) };
		};
		const end = async ({ dev, shown }: Awaited<ReturnType<typeof run>>) => {
			await stopped(dev, { hasLog: true, signal: 'SIGTERM' });
			assert.deepEqual(JSON.parse(dev.stdout()), shown, 'standard output is one object');
		};
		const get = (proxyUrl: string, url: string) =>
			new Promise<number | undefined>((resolve, reject) => {
				const { hostname: host, port, username, password } = new URL(proxyUrl);
				const authorization = `Basic ${btoa(`${username}:${password}`)}`;
				const headers = { host: new URL(url).host, 'proxy-authorization': authorization };
				const sent = request({ host, port, path: url, headers, agent: false }, (response) => {
					response.resume().on('end', () => resolve(response.statusCode));
				});
				sent.on('error', reject).end();
			});

		await callBursar(dataDir, ['migrate']);
		assert.equal((await callBursar(dataDir, ['edge', 'create', '--key', 'demo'])).code, 0);
		const edges = async () => {
			const { stdout } = await callBursar(dataDir, ['edge', 'list', '--json']);
			return JSON.parse(stdout).edges as { readonly name: string; readonly state: string }[];
		};
		const before = await edges();
		const first = await run();
		const { url, token, proxy_url: proxyUrl, ...shown } = first.shown;
		const api = resellerApi(url, token);
		assert.equal((await api.myInfo()).data.username, shown.reseller);
		assert.equal((await fetch(`${shown.ops_url}/livez`)).status, 200);
		assert.deepEqual([shown.sign_in_link, typeof shown.password], [null, 'string']);
		const today = async () => {
			const { data } = await api.viewTxs({ username: 'alice' });
			return data.reduce((sum: number, { bandwidth }: { bandwidth: { down: number } }) => sum + bandwidth.down, 0);
		};
		const downBefore = await today();
		assert.equal(await get(proxyUrl, `${url}/openapi.json`), 200);
		assert.equal(await get(proxyUrl, shown.ops_url), 403);
		await eventually(async () => assert.ok((await today()) > downBefore), 30_000);
		first.dev.signal('SIGKILL');
		const { stderr } = await first.dev.ended;
		assert.deepEqual(JSON.parse(first.dev.stdout()), first.shown, 'standard output is one object');
		assert.ok(!stderr.includes('"status":401'), `the edge was used before it was known: ${stderr}`);
		const after = await edges();
		const live = after.filter(({ state }) => state !== 'revoked');
		assert.deepEqual(live.map(({ name }) => name).sort(), ['bursar-dev', 'demo']);
		assert.deepEqual(
			after.filter(({ name }) => name === 'demo'),
			before,
			'edges that an operator made keep their keys',
		);

		// Another process takes over the edge, and the proxy of a killed one ends.
		const second = await run({ BURSAR_PUBLIC_URL: 'https://bursar.example' });
		assert.match(second.shown.sign_in_link, /^https:\/\/bursar\.example\/dashboard\/invitation#[\w-]{43}$/);
		const { email, password, token: noToken } = second.shown;
		assert.deepEqual([email, password, noToken], ['demo@bursar.localhost', null, null]);
		assert.equal(await get(second.shown.proxy_url, `${second.shown.url}/openapi.json`), 200);
		await eventually(() => assert.rejects(get(proxyUrl, second.shown.url), /ECONNREFUSED/), 30_000);
		const invite = ['reseller', 'invite', 'demo.reseller', '--email', 'new@bursar.example', '--json'];
		const { link: invited } = JSON.parse((await callBursar(dataDir, invite)).stdout);
		assert.match(invited, /^https:\/\/bursar\.example\/dashboard\/invitation#/, 'it is for another service');
		const browser = browserAt(second.shown.url, 'https://bursar.example');
		const link = new URL(second.shown.sign_in_link).hash.slice(1);
		await browser.ok('/invitation/accept', { link });
		const { proxy_url: keyUrl } = await browser.change('/sub-users/show-key', { username: 'alice' });
		const { host } = new URL(second.shown.proxy_url);
		assert.equal(keyUrl, `http://${host}`, 'a key is shown with another proxy, or none');
		const demoProxies = [`http://${host}`, `socks5://${host}`];
		assert.deepEqual(await browser.read('/proxy-access'), { proxy_urls: demoProxies, options: [] });
		const kinds = (await browser.read('/account/acts')).acts.map(({ kind, target }) => `${kind} ${target}`);
		assert.deepEqual(kinds.slice(0, 2), ['show_auth_key alice', 'sign_in link']);
		assert.ok(kinds.filter((kind) => kind.startsWith('accept_invitation')).length <= 1);
		await end(second);
		await assert.rejects(get(second.shown.proxy_url, `${url}/openapi.json`), /ECONNREFUSED/);
	});

	test('a signal during the start message stops the service cleanly', () => {
		const program = `
			import { showUntilStopped } from ${JSON.stringify(SERVE_COMMAND)};
			setInterval(() => {}, 60_000);
			const service = { failed: new Promise(() => {}), stop: async () => console.log('stopped') };
			await showUntilStopped(service, { info() {} }, async () => process.kill(process.pid, 'SIGTERM'));
		`;
		const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
			encoding: 'utf8',
		});
		assert.equal(status, 0);
		assert.equal(stdout, 'stopped\n');
	});

	test('a port in use is an error of one line, and no demo reseller is made; then dev says how to invite a person', async (t) => {
		const dataDir = temporaryFolder(t);
		const { port } = await listen(t, createServer());
		const environment = { BURSAR_LOG_LEVEL: 'silent', BURSAR_OPS_PORT: String(port) };
		const { code, stdout, stderr } = await runBursar(t, dataDir, ['dev'], { environment });
		assert.equal(code, 1);
		assert.equal(stdout, '');
		assert.match(stderr, new RegExp(`^bursar: port ${port} of 127.0.0.1 is in use: [^\n]+\n$`));
		const list = await callBursar(dataDir, ['reseller', 'list', '--json']);
		assert.deepEqual(JSON.parse(list.stdout), { resellers: [] });

		await callBursar(dataDir, ['reseller', 'create', 'acme']);
		const other = await started(t, dataDir, /invite yourself/);
		assert.match(other.stdout(), /^To open the dashboard, invite yourself: npx bursar reseller invite acme --email /m);
		assert.doesNotMatch(other.stdout(), /invitation#/);
		await stopped(other);
	});
});
