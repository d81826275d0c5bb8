import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { inDatabase } from '@bursar/testing/postgres-books';
import { startPostgres } from '@bursar/testing/postgres-server';
import { parseDatabaseUrl } from '../../src/store/database-url.ts';
import { openConnections } from '../../src/store/postgres/database/connections.ts';
import { createHosts } from '../../src/store/postgres/database/hosts.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import {
	beginMarked,
	type CommitMark,
	commit,
	createCommitMark,
	nextMark,
} from '../../src/store/postgres/writing/commit-mark.ts';
import { createBatchWriter } from '../../src/store/postgres/writing/transaction.ts';
import { createReseller, createSubUser, creditReseller, giveBalance } from '../support/commands.ts';
import { balanceOf, record, run, runAll } from './suite/engine.ts';

const server = await startPostgres();
after(() => server.remove());

/** A store with a transaction that has written and waits for its COMMIT. */
async function openTransaction(t: TestContext) {
	const url = await server.createDatabase();
	const store = await openPostgresStore(parseDatabaseUrl(url), new Uint8Array(32));
	const connections = openConnections(createHosts(parseDatabaseUrl(url)), { max: 3 });
	t.after(() => Promise.all([store.close(), connections.close()]));
	await runAll(store, [createReseller('acme', 100), createSubUser('acme', 'alice')]);
	const mark = nextMark(createCommitMark());
	const lease = await connections.acquire(performance.now() + 60_000);
	await lease.query(beginMarked(mark, {}));
	await lease.query("UPDATE accounts SET balance_cents = 55 WHERE username = 'alice'");
	return { url, store, connections, mark, lease, alice: () => balanceOf(store, 'acme', 'alice') };
}

async function marked(url: string, { writer }: CommitMark): Promise<number | undefined> {
	const { rows } = await inDatabase(url, (database) =>
		database.query<{ batch: number }>('SELECT batch FROM bursar.commit_marks WHERE writer = $1', [writer]),
	);
	return rows[0]?.batch;
}

test('a successful COMMIT is committed, and its mark is stored', async (t) => {
	const { url, connections, mark, lease, alice } = await openTransaction(t);
	assert.deepEqual(await commit(lease, mark, connections), { kind: 'committed' });
	assert.equal(await marked(url, mark), 1);
	assert.equal(await alice(), 55);
});

test('a COMMIT that is answered with ROLLBACK was not done', async (t) => {
	const { connections, mark, lease, alice } = await openTransaction(t);
	await assert.rejects(lease.query('SELECT 1 / 0'));
	assert.equal((await commit(lease, mark, connections)).kind, 'not_done');
	assert.equal(await alice(), 0);
});

test('after a crash another transaction gets the same id, and pg_xact_status is wrong; the mark is right', async (t) => {
	const { url, connections, mark, lease, alice } = await openTransaction(t);
	const { rows } = await lease.query<{ id: string }>('SELECT pg_current_xact_id()::text AS id');
	await server.stop('immediate');
	await server.start();
	await inDatabase(url, async (database) => {
		for (let other = 0; other < 5; other++) {
			await database.query("INSERT INTO bursar.meta (name, value) VALUES ($1, '')", [`other ${other}`]);
		}
		const status = await database.query('SELECT pg_xact_status($1::xid8) AS status', [rows[0]?.id]);
		assert.equal(status.rows[0].status, 'committed', 'pg_xact_status answers for the other transaction');
	});
	assert.equal((await commit(lease, mark, connections)).kind, 'not_done');
	assert.equal(await alice(), 0);
});

test('a COMMIT that no standby confirms has an unknown outcome, even if the server only warns', async (t) => {
	const { url, store, connections, mark, lease, alice } = await openTransaction(t);
	// Bursar must get the warning despite this setting.
	const name = new URL(url).pathname.slice(1);
	await inDatabase(url, (database) => database.query(`ALTER DATABASE ${name} SET client_min_messages = error`));
	await server.set({ synchronous_standby_names: 'nobody' });
	await setTimeout(300);
	const cancelled = setTimeout(200).then(() =>
		inDatabase(url, (database) =>
			database.query("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"),
		),
	);
	const sinceMs = performance.now();
	assert.equal((await commit(lease, mark, connections)).kind, 'outcome_unknown');
	const answer = await store.runCommands([giveBalance('acme', 'alice', 1)], store.nowMs());
	assert.ok(answer.kind === 'outcome_unknown' || answer.kind === 'busy', answer.kind);
	assert.ok(performance.now() - sinceMs < 8_000);
	await cancelled;
	assert.equal(await alice(), 55, 'the cancelled COMMIT is stored, but was not acknowledged');
	await server.set({ synchronous_standby_names: '' });
	await setTimeout(300);
	assert.deepEqual(
		(await run(store, [giveBalance('acme', 'alice', 1)], store.nowMs())).map(({ ok }) => ok),
		[true],
	);
});

test('a COMMIT that a standby confirms late is committed', async (t) => {
	const { connections, mark, lease, alice } = await openTransaction(t);
	await server.set({ synchronous_standby_names: 'nobody' });
	await setTimeout(300);
	const committing = commit(lease, mark, connections);
	await setTimeout(1_100);
	await server.set({ synchronous_standby_names: '' });
	assert.deepEqual(await committing, { kind: 'committed' });
	assert.equal(await alice(), 55);
});

test('a batch whose thread was blocked for too long sends no COMMIT: it was not done', async (t) => {
	const { url, connections, lease, alice } = await openTransaction(t);
	await lease.query('ROLLBACK');
	lease.release();
	const prepareMs = 500;
	const writer = createBatchWriter<string, string>(connections, {
		lanes: 1,
		prepareMs,
		async transaction(query, items) {
			await query("UPDATE accounts SET balance_cents = 66 WHERE username = 'alice'");
			// Blocks the thread, so no timer fires.
			Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, prepareMs);
			return { results: items, faults: [], writes: [], mustCommit: true };
		},
	});
	assert.equal((await writer.run(['late'], 0)).kind, 'not_done');
	await inDatabase(url, (database) =>
		database.query("SELECT FROM bursar.accounts WHERE username = 'alice' FOR UPDATE"),
	);
	assert.equal(await alice(), 0);
});

test('a repeat of a batch that no standby confirmed has an unknown outcome too, also after a restart', async (t) => {
	const url = await server.createDatabase();
	const store = await openPostgresStore(parseDatabaseUrl(url), new Uint8Array(32));
	t.after(() => store.close());
	await runAll(store, [createReseller('acme', 100), createSubUser('acme', 'alice')]);
	const usage = [{ source: 'host', id: '1', username: 'alice', atMs: store.nowMs(), bytesUp: 1, bytesDown: 1 }];
	const topUp = [creditReseller('acme', 50, 'invoice-1')];
	const kindsOf = async () => {
		const [commands, reports] = [
			await store.runCommands(topUp, store.nowMs()),
			await store.recordUsage(usage, store.nowMs()),
		];
		return [commands.kind, reports.kind];
	};
	await server.set({ synchronous_standby_names: 'nobody' });
	await setTimeout(300);
	assert.deepEqual(await kindsOf(), ['outcome_unknown', 'outcome_unknown']);
	await server.stop('immediate');
	await server.start();
	assert.equal(await balanceOf(store, 'acme', 'acme'), 140, 'recovered, but on no standby');
	assert.deepEqual(await kindsOf(), ['outcome_unknown', 'outcome_unknown']);
	await server.set({ synchronous_standby_names: '' });
	await setTimeout(300);
	const [again] = await run(store, topUp, store.nowMs());
	assert.ok(again?.ok && 'repeated' in again && again.repeated);
	assert.deepEqual(await record(store, usage, store.nowMs()), ['repeated']);
});
