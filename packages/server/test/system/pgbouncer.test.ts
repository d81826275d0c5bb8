import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { resellerApi } from '@bursar/testing/api';
import { assertLedgerInOrder, runBursar, startServer } from '@bursar/testing/bursar-process';
import { eventually } from '@bursar/testing/eventually';
import { inDatabase } from '@bursar/testing/postgres-books';
import { startPostgres } from '@bursar/testing/postgres-server';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { type Operation, successesAmong } from '../support/load.ts';
import { startPgbouncer } from '../support/pgbouncer.ts';
import { serveDatabase } from '../support/served-database.ts';
import { unusualDatabase } from '../support/unusual-database.ts';
import { usageReports } from '../support/usage-reports.ts';

const POOL_SIZE = 3;
const SENDERS = 12;
const GIVES_EACH = 20;

const postgres = await startPostgres();
after(() => postgres.remove());

test('two processes do everything through PgBouncer in transaction mode, with unusual settings', async (t) => {
	const database = await unusualDatabase(postgres);
	const pgbouncer = await startPgbouncer(t, database.url, POOL_SIZE);
	const folder = temporaryFolder(t);
	const environment = {
		BURSAR_DATABASE_URL: pgbouncer.url,
		BURSAR_MASTER_KEY: randomBytes(32).toString('base64'),
		BURSAR_TOKEN_OVERLAP_SECONDS: '0',
	};
	const command = async (args: readonly string[], input = '') => {
		const { code, stdout, stderr } = await runBursar(t, folder, [...args, '--json'], { environment, input });
		assert.equal(code, 0, `${args.join(' ')}: ${stdout}${stderr}`);
		return JSON.parse(stdout);
	};
	// Both processes migrate an empty database at once.
	const [one, other] = await Promise.all([
		startServer(t, folder, { environment }),
		startServer(t, folder, { environment }),
	]);
	const { token } = await command(['reseller', 'create', 'acme', '--balance', '1000.00']);
	const [api, otherApi] = [resellerApi(one.url, token), resellerApi(other.url, token)];

	assert.equal((await api.create({ username: 'alice' })).status, 200);
	assert.equal((await otherApi.create({ username: 'alice' })).errorCode, 'username_taken');
	assert.deepEqual((await otherApi.give({ username: 'alice', amount_usd_cents: 500 })).data.balance, 500);
	assert.deepEqual((await api.take({ username: 'alice', amount_usd_cents: 200 })).data.balance, 300);
	assert.equal((await api.take({ username: 'alice', amount_usd_cents: 301 })).errorCode, 'insufficient_balance');
	const { proxy_authkey } = (await otherApi.resetAuthKey({ username: 'alice' })).data;
	const [alice] = (await api.viewAll()).data;
	assert.deepEqual([alice.username, alice.balance, alice.proxy_authkey], ['alice', 300, proxy_authkey]);
	assert.equal((await api.viewSingle({ username: 'alice' })).data.proxy_authkey, proxy_authkey);

	const reports = usageReports(['alice'], 2);
	assert.deepEqual(await command(['usage', 'import', '-'], reports), { counted: 2, repeated: 0, refused: 0 });
	assert.deepEqual(await command(['usage', 'import', '-'], reports), { counted: 0, repeated: 2, refused: 0 });
	assert.equal((await api.viewTxs({ username: 'alice' })).data.length, 1);

	const balanceBefore = (await api.myInfo()).data.balance;
	await Promise.all(
		Array.from({ length: SENDERS }, async (_, sender) => {
			const sending = sender % 2 === 0 ? api : otherApi;
			for (let give = 0; give < GIVES_EACH; give++) {
				assert.equal((await sending.give({ username: 'alice', amount_usd_cents: 1 })).status, 200);
			}
		}),
	);
	assert.equal((await otherApi.viewSingle({ username: 'alice' })).data.balance, 300 + SENDERS * GIVES_EACH);
	assert.equal((await api.myInfo()).data.balance, balanceBefore - SENDERS * GIVES_EACH);

	const rotated = await command(['reseller', 'rotate-token', 'acme']);
	for (const { url } of [one, other]) {
		assert.equal((await resellerApi(url, rotated.token).myInfo()).status, 200);
		await eventually(async () => assert.equal((await resellerApi(url, token).myInfo()).status, 401));
	}
	await assertLedgerInOrder(t, folder, { environment });
	assert.ok((await serverConnections(database.superuserUrl)) <= POOL_SIZE);
});

test('when PgBouncer restarts, reconnects or drops all connections under load, nothing is lost or done twice', async (t) => {
	const pgbouncer = await startPgbouncer(t, await postgres.createDatabase(), POOL_SIZE);
	const { urls, workload, effects, random, assertLedgerInOrder } = await serveDatabase(t, pgbouncer.url, {
		processes: 2,
		connections: 8,
	});
	const faults: Readonly<Record<string, () => Promise<unknown>>> = {
		reconnect: () => pgbouncer.command('RECONNECT bursar'),
		kill: async () => {
			await pgbouncer.command('KILL bursar');
			await pgbouncer.command('RESUME bursar');
		},
		'restart after SIGTERM': async () => {
			await pgbouncer.stop('SIGTERM');
			await pgbouncer.start();
		},
		'restart of the database': async () => {
			await postgres.stop('immediate');
			await postgres.start();
		},
		'longer outage after SIGKILL': async () => {
			await pgbouncer.stop('SIGKILL');
			await setTimeout(2500);
			await pgbouncer.start();
		},
	};
	for (const [fault, inject] of Object.entries(faults)) {
		const load = workload.start(...urls);
		await setTimeout(300 + random.below(300));
		await inject();
		const faultAt = load.operations.length;
		// Both processes recover by themselves.
		await eventually(async () => {
			const successes = successesAmong(load.operations.slice(faultAt));
			assert.ok(successes > 100, `after ${fault}: ${successes} successes`);
		});
		const operations = await load.stop();
		const counts = await effects.check(operations);
		t.diagnostic(`${fault}: ${JSON.stringify({ ...counts, ...answersOf(operations) })}`);
		for (const answer of Object.keys(answersOf(operations))) {
			assert.match(answer, /^(200|username_taken|unavailable|outcome_unknown)$/, fault);
		}
		for (const { tookMs } of operations) assert.ok(tookMs < 5500, `an answer took ${tookMs} ms`);
	}
	await assertLedgerInOrder();
});

function answersOf(operations: readonly Operation[]): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { reply } of operations) {
		const answer = reply.kind === 'answered' ? String(reply.errorCode ?? reply.status) : reply.kind;
		counts[answer] = (counts[answer] ?? 0) + 1;
	}
	return counts;
}

/** The number of other clients of the database. */
function serverConnections(url: string): Promise<number> {
	return inDatabase(url, async (database) => {
		const { rows } = await database.query(
			`SELECT count(*) AS count FROM pg_stat_activity WHERE datname = current_database()
			 AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
		);
		return rows[0].count;
	});
}
