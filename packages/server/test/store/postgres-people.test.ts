import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { testDatabases } from '@bursar/testing/postgres-server';
import pg from 'pg';
import { parseDatabaseUrl } from '../../src/store/database-url.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { createReseller, createSubUser, giveBalance, NOON_MS } from '../support/commands.ts';
import { accept, countTry, emailOf, invite, signIn } from '../support/person-commands.ts';
import { endings, runAll, runAllPeople, runPeople } from './suite/engine.ts';

const databases = await testDatabases();
after(() => databases.remove());

/** A store with the operator `ada`, and a session of the database beside it. */
async function opened(t: TestContext) {
	const url = await databases.createDatabase();
	const store = await openPostgresStore(parseDatabaseUrl(url), new Uint8Array(32));
	const beside = new pg.Client({ connectionString: url });
	await beside.connect();
	t.after(async () => {
		await beside.end();
		await store.close();
	});
	await runAllPeople(store, [invite('ada', null), accept('ada', 's1')]);
	return { store, beside };
}

test('while another session holds the lock of people, their commands are busy, and money and reads go on', async (t) => {
	const { store, beside } = await opened(t);
	await runAll(store, [createReseller('acme', 100), createSubUser('acme', 'alice')]);
	await beside.query('BEGIN');
	await beside.query("SELECT FROM bursar.meta WHERE name = 'people_lock' FOR UPDATE");
	const waiting = store.runPersonCommands([signIn('ada', 's2')], NOON_MS);
	await runAll(store, [giveBalance('acme', 'alice', 5)]);
	assert.ok(await store.findSession('s1'));
	assert.deepEqual(await waiting, { kind: 'busy' });
	assert.equal(await store.findSession('s2'), undefined);
	await beside.query('ROLLBACK');
	await runAllPeople(store, [signIn('ada', 's2')]);
});

test('a database that has lost the lock of people changes no person', async (t) => {
	const { store, beside } = await opened(t);
	await beside.query("DELETE FROM bursar.meta WHERE name = 'people_lock'");
	const answer = await store.runPersonCommands([countTry('ada')], NOON_MS);
	assert.equal(answer.kind, 'not_done');
	assert.match(String('cause' in answer && answer.cause), /lost its lock of people: restore a backup/);
	assert.deepEqual((await beside.query('SELECT FROM bursar.sign_in_tries')).rowCount, 0);
});

test('a secret that does not open fails its own person alone', async (t) => {
	const { store, beside } = await opened(t);
	await runAllPeople(store, [invite('bob', null), accept('bob', 's2')]);
	await beside.query("INSERT INTO bursar.one_time_codes VALUES ('ada', '00000000.broken', 0)");
	const outcomes = await runPeople(store, [signIn('ada', 's3'), signIn('bob', 's4')]);
	assert.deepEqual(endings(outcomes), ['rules_failed', 'ok']);
	await assert.rejects(store.findPersonByEmail(emailOf('ada')), /another master key/);
	assert.ok(await store.findSession('s4'));
});

test('connections that are cut between two batches lose nothing and repeat nothing', async (t) => {
	const { store, beside } = await opened(t);
	const cut = async () => {
		await beside.query(
			`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			 WHERE datname = current_database() AND pid <> pg_backend_pid()`,
		);
	};
	for (let n = 0; n < 5; n++) {
		const cutting = cut();
		const answer = await store.runPersonCommands([signIn('ada', `cut ${n}`)], NOON_MS);
		await cutting;
		if (answer.kind === 'committed') assert.deepEqual(endings(answer.results), ['ok']);
		const isThere = (await store.findSession(`cut ${n}`)) !== undefined;
		if (answer.kind !== 'outcome_unknown') assert.equal(isThere, answer.kind === 'committed', answer.kind);
		const acts = await store.listActs('ada', Number.MAX_SAFE_INTEGER, 50);
		assert.equal(
			acts.some(({ id }) => id === `sign-in cut ${n}`),
			isThere,
		);
	}
});
