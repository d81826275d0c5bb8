import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { testDatabases } from '@bursar/testing/postgres-server';
import pg from 'pg';
import { parseDatabaseUrl } from '../../src/store/database-url.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { createReseller, createSubUser, giveBalance, NOON_MS, revokeToken } from '../support/commands.ts';
import { accept, invite } from '../support/person-commands.ts';
import { edgeUse, sessionUse, tokenUse } from '../support/records.ts';
import { endings, keep, keepAll, runAll, runAllPeople } from './suite/engine.ts';

const databases = await testDatabases();
after(() => databases.remove());

const TOKEN = 'first token of acme';

/** A store with a reseller, a person and an edge, and a session of the database beside it. */
async function opened(t: TestContext) {
	const url = await databases.createDatabase();
	const store = await openPostgresStore(parseDatabaseUrl(url), new Uint8Array(32));
	const beside = new pg.Client({ connectionString: url });
	await beside.connect();
	t.after(async () => {
		await beside.end();
		await store.close();
	});
	await runAll(store, [createReseller('acme', 100), createSubUser('acme', 'alice')]);
	await runAllPeople(store, [
		...[invite('ada', 'acme'), accept('ada', 's1')],
		{ kind: 'create_edge', name: 'eu-1', keyHash: 'key', keyTail: 'tail' },
	]);
	return { store, beside };
}

test('bookkeeping waits for no lock: neither of accounts, nor of people, nor of its own rows', async (t) => {
	const { store, beside } = await opened(t);
	const records = [tokenUse(TOKEN, NOON_MS), sessionUse('s1', NOON_MS + 1), edgeUse('eu-1', NOON_MS, 5, 1)];
	await beside.query('BEGIN');
	await beside.query('SELECT FROM bursar.accounts FOR UPDATE');
	await beside.query("SELECT FROM bursar.meta WHERE name = 'people_lock' FOR UPDATE");
	await beside.query('SELECT FROM bursar.edges FOR UPDATE');
	const outcomes = await keep(store, records, NOON_MS + 1);
	assert.deepEqual(endings(outcomes), ['ok', 'ok', 'not_done']);
	assert.equal((await store.findToken(TOKEN))?.lastUsedAtMs, NOON_MS);
	assert.equal((await store.findSession('s1'))?.session.lastSeenAtMs, NOON_MS + 1);
	await beside.query('ROLLBACK');
	await keepAll(store, records.slice(2));
	assert.equal((await store.listEdges())[0]?.checks, 5);
});

test('a record of a token that is being ended is not done, and does not bring it back', async (t) => {
	const { store, beside } = await opened(t);
	await beside.query('BEGIN');
	await beside.query('DELETE FROM bursar.tokens WHERE hash = $1', [TOKEN]);
	assert.deepEqual(endings(await keep(store, [tokenUse(TOKEN, NOON_MS)])), ['not_done']);
	await beside.query('COMMIT');
	assert.deepEqual(endings(await keep(store, [tokenUse(TOKEN, NOON_MS)])), ['ok']);
	assert.equal(await store.findToken(TOKEN), undefined);
});

test('while records are written without a pause, no command fails or is repeated', async (t) => {
	const { store } = await opened(t);
	let isOver = false;
	const keeping = (async () => {
		for (let n = 0; !isOver; n++) await keep(store, [tokenUse(TOKEN, NOON_MS + n), tokenUse('next 0', NOON_MS + n)]);
	})();
	for (let n = 0; n < 30; n++) {
		const answer = await store.runCommands(
			[giveBalance('acme', 'alice', 1), revokeToken('acme', `next ${n}`)],
			NOON_MS,
		);
		assert.deepEqual(answer.kind === 'committed' && endings(answer.results), ['ok', 'ok']);
	}
	isOver = true;
	await keeping;
});

test('marks of writers that ended a week ago are removed as records are written, 100 at most', async (t) => {
	const { store, beside } = await opened(t);
	await beside.query(`INSERT INTO bursar.commit_marks
		SELECT gen_random_uuid(), 1, now() - interval '8 days' FROM generate_series(1, 150)`);
	const old = async () => {
		const { rows } = await beside.query("SELECT FROM bursar.commit_marks WHERE at < now() - interval '7 days'");
		return rows.length;
	};
	await keep(store, [tokenUse(TOKEN, NOON_MS)]);
	assert.equal(await old(), 50);
	await keep(store, [tokenUse(TOKEN, NOON_MS)]);
	assert.equal(await old(), 0);
	const { rows } = await beside.query('SELECT FROM bursar.commit_marks');
	assert.ok(rows.length > 0, 'newer ones stay');
});
