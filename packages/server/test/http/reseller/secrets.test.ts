import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { allEndpoints, endpoints } from '@bursar/contract';
import { type Answer, call, resellerApi } from '@bursar/testing/api';
import { runBursar, startServer } from '@bursar/testing/bursar-process';
import { eventually } from '@bursar/testing/eventually';
import {
	BTCPAY_KEY,
	BTCPAY_WEBHOOK_SECRET,
	btcpayEnvironment,
	startBtcpay,
} from '@bursar/testing/payment-providers/btcpay';
import {
	STRIPE_KEY,
	STRIPE_WEBHOOK_SECRET,
	startStripe,
	stripeEnvironment,
} from '@bursar/testing/payment-providers/stripe';
import { startPostgres } from '@bursar/testing/postgres-server';
import { listProcesses } from '@bursar/testing/processes';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { newToken } from '../../../src/credentials.ts';
import { rawConnection, requestText } from '../../support/raw-socket.ts';
import { assertNone, assertNoneBelow, CRASH_ON_SIGNAL, type Secrets } from '../../support/secrets.ts';

async function startWithReseller(t: TestContext, more: Readonly<Record<string, string>> = {}) {
	const dataDir = temporaryFolder(t);
	const masterKey = randomBytes(32).toString('base64');
	const providers = [await startStripe(t), await startBtcpay(t)] as const;
	const environment = {
		...{ ...stripeEnvironment(providers[0]), ...btcpayEnvironment(providers[1]) },
		BURSAR_MASTER_KEY: masterKey,
		BURSAR_LOG_LEVEL: 'trace',
		NODE_OPTIONS: CRASH_ON_SIGNAL,
		...more,
	};
	const created = await runBursar(t, dataDir, ['reseller', 'create', 'acme', '--balance', '90.00', '--json'], {
		environment,
	});
	const { token, proxy_authkey } = JSON.parse(created.stdout);
	const server = await startServer(t, dataDir, { environment });
	const secrets: Secrets = {
		'the token': token,
		"the reseller's auth key": proxy_authkey,
		'the master key': masterKey,
		'the key of Stripe': STRIPE_KEY,
		'the webhook secret of Stripe': STRIPE_WEBHOOK_SECRET,
		'the key of BTCPay Server': BTCPAY_KEY,
		'the webhook secret of BTCPay Server': BTCPAY_WEBHOOK_SECRET,
	};
	return { dataDir, environment, providers, server, secrets, token, api: resellerApi(server.url, token) };
}

/** Sends secrets in every part of a request, and returns the failures. */
async function plant(t: TestContext, url: string, token: string, secrets: Secrets): Promise<string[]> {
	const failures: string[] = [];
	const keep = ({ status, text, headers }: Answer) => {
		if (status !== 200) failures.push(text, ...Array.from(headers, (header) => header.join(': ')));
	};
	const planted = (what: string) => {
		secrets[what] = newToken().token;
		return secrets[what];
	};
	for (const credentials of [{ token }, {}, { token: planted('an unknown token') }]) {
		const headers = Object.fromEntries(
			[
				'Referer',
				'X-Request-Id',
				'Cookie',
				'User-Agent',
				'X-Forwarded-For',
				'Proxy-Authorization',
				'Origin',
				'Traceparent',
			].map((name) => [name, planted(`a ${name} header`)]),
		);
		const options = { ...credentials, headers };
		for (const { method, path } of Object.values(allEndpoints)) {
			const query = `?token=${planted('a query')}`;
			if (method === 'GET') keep(await call(url, path + query, options));
			else {
				const secret = planted('a body');
				for (const body of [
					{ username: secret, amount_usd_cents: 1 },
					`{"${secret}`,
					{ username: 'alice', amount_usd_cents: secret },
					{ change_id: secret },
				]) {
					keep(await call(url, path + query, { ...options, body }));
				}
				keep(await call(url, path, { ...options, body: 'x', headers: { ...headers, 'content-type': `x/${secret}` } }));
			}
		}
		keep(await call(url, `/${planted('a path')}`, options));
		keep(await call(url, `/${planted('an escaped path')}%zz`, options));
		keep(await call(url, endpoints.myInfo.path, { ...options, method: 'DELETE' }));
	}
	for (const bytes of [
		requestText('BREW', `/${planted('a broken request')}`),
		requestText('GET', '/', [`X: ${planted('headers that are too large')}${'x'.repeat(20_000)}`]),
		requestText('POST', '/', [`Expect: ${planted('an expectation')}`]),
		`Authorization: Bearer ${token}\r\n\r\n`,
	]) {
		const connection = await rawConnection(t, url);
		connection.write(bytes);
		await connection.answers(1);
		failures.push(connection.received);
		connection.socket.destroy();
	}
	return failures;
}

type Started = Awaited<ReturnType<typeof startWithReseller>>;

/** Begins payments at providers that answer, refuse and are away, and sends hints that nobody has signed. */
async function tryPayments({ server, providers, api }: Started): Promise<void> {
	for (const [provider, { faults }] of [
		['stripe', providers[0]],
		['btcpay', providers[1]],
	] as const) {
		const begin = async () => (await api.createTopUp({ provider, amount_usd_cents: 5_000 })).data.state;
		assert.equal(await begin(), 'open');
		faults.refusal = 401;
		assert.equal(await begin(), 'not_made');
		faults.isAway = true;
		assert.equal(await begin(), 'creating');
		const { status } = await call(server.url, `/payments/hints/${provider}`, {
			body: {},
			headers: { 'stripe-signature': 't=1,v1=00', 'btcpay-sig': 'sha256=00' },
		});
		assert.equal(status, 400);
	}
}

/** Uses the service with good and bad requests, crashes it, and looks for secrets in all output. `disturb` runs before the log is read. */
async function assertKeptSecret(t: TestContext, started: Started, disturb = async () => {}): Promise<void> {
	const { server, secrets, token, api } = started;
	secrets["a sub-user's auth key"] = (await api.create({ username: 'alice' })).data.proxy_authkey;
	secrets["a sub-user's new auth key"] = (await api.resetAuthKey({ username: 'alice' })).data.proxy_authkey;
	await tryPayments(started);
	const failures = await plant(t, server.url, token, secrets);
	assert.ok(failures.length > 200);
	assertNone(secrets, 'a failure', failures.join('\n'));
	await disturb();
	const metrics = await (await fetch(`${server.opsUrl}/metrics`)).text();
	assertNone(secrets, 'the metrics', metrics);
	const { token: _token, ...notMine } = secrets;
	const seen = listProcesses();
	const own = seen.find(({ id }) => id === server.pid);
	assert.match(own?.command ?? '', /bursar\.js serve/, 'the list of processes shows the server');
	assertNone(notMine, 'the process list', own?.command ?? '');
	assertNone({ token }, 'the process list', seen.map(({ command }) => command).join('\n'));

	const lines = () => server.stdout().trim().split('\n');
	await eventually(async () => assert.ok(lines().length > 80, 'the log is too short'));
	for (const line of lines()) assert.doesNotThrow(() => JSON.parse(line), line);
	assertNone(secrets, 'the log', server.stdout());

	const crash = await server.kill('SIGUSR2');
	assert.notEqual(crash.code, 0);
	assert.match(crash.stderr, /crashed by the test/);
	assertNone(secrets, 'the output of a crash', crash.stdout + crash.stderr);
}

test('no secret is in the trace log, the metrics, a failure, the process list, a crash, or in clear on the disk', async (t) => {
	const started = await startWithReseller(t);
	await assertKeptSecret(t, started);
	assertNoneBelow(started.secrets, started.dataDir);
});

test('with PostgreSQL, also when it fails, no secret is in its log of all statements or on its disk either', async (t) => {
	const startedMs = Date.now();
	const database = await startPostgres({ settings: { log_statement: 'all', log_min_error_statement: 'info' } });
	t.after(() => database.remove());
	const url = await database.createDatabase();
	const started = await startWithReseller(t, { BURSAR_DATABASE_URL: url });
	const password = new URL(url).password;
	started.secrets['the password of the database'] = password;
	await assertKeptSecret(t, started, async () => {
		await database.stop('immediate');
		for (const call of [started.api.create, started.api.viewSingle]) {
			const { status, text } = await call({ username: 'bruno' });
			assert.equal(status, 503);
			assertNone(started.secrets, 'a failure', text);
		}
		await database.start();
		await eventually(async () => assert.equal((await started.api.create({ username: 'bruno' })).status, 200));
	});
	await database.stop('fast');
	assertNoneBelow(started.secrets, database.folder, startedMs);
});

test('a failed start says why, and shows no secret', async (t) => {
	const { dataDir, server, secrets, environment: set } = await startWithReseller(t);
	await server.kill('SIGTERM');
	const [other, short] = [randomBytes(32).toString('base64'), randomBytes(20).toString('base64')];
	for (const BURSAR_MASTER_KEY of [other, short, `${other}${other}`]) {
		const { code, stdout, stderr } = await runBursar(t, dataDir, ['serve'], { environment: { BURSAR_MASTER_KEY } });
		assert.equal(code, 1);
		assert.match(stderr, /key/i);
		assertNone({ ...secrets, 'the wrong key': BURSAR_MASTER_KEY }, 'the output', stdout + stderr);
	}
	const environment = { ...set, BURSAR_MASTER_KEY: other };
	const shown = await runBursar(t, dataDir, ['config', 'print'], { environment });
	assert.match(shown.stdout, /\[set\]/);
	assertNone({ ...secrets, 'the other master key': other }, 'the printed configuration', shown.stdout + shown.stderr);
});
