import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import Database from 'better-sqlite3';
import { DATABASE_NAME, openAlone, openWriter } from '../../src/store/sqlite/database/connection.ts';
import { createReseller, createSubUser, giveBalance, NOON_MS } from '../support/commands.ts';
import { inDatabase, storeFolder } from './sqlite-engine.ts';
import { assertSoundLedger, balanceOf, committed, endings, run, runAll } from './suite/engine.ts';

test('while another process writes, a batch is busy and does nothing; reads and the event loop go on', async (t) => {
	const { folder, open } = storeFolder(t);
	const store = await open();
	await runAll(store, [createReseller('acme', 100), createSubUser('acme', 'alice')]);
	const other = new Database(join(folder, 'bursar.db'));
	other.exec("BEGIN IMMEDIATE; UPDATE accounts SET balance_cents = 1 WHERE username = 'alice'");
	let turns = 0;
	const ticking = setInterval(() => turns++, 5);
	t.after(() => clearInterval(ticking));
	const answer = await store.runCommands([giveBalance('acme', 'alice', 1)], NOON_MS);
	assert.deepEqual(answer, { kind: 'busy' });
	assert.ok(turns >= 5, `${turns} turns`);
	assert.equal(await balanceOf(store, 'acme', 'alice'), 0);
	other.exec('ROLLBACK');
	other.close();
	await runAll(store, [giveBalance('acme', 'alice', 1)]);
	assert.equal(await balanceOf(store, 'acme', 'alice'), 1);
});

test('commands on an account whose row is corrupt fail alone, and the others of the batch take effect', async (t) => {
	const { folder, open } = storeFolder(t);
	const store = await open();
	await runAll(store, [createReseller('acme', 100), createSubUser('acme', 'alice'), createSubUser('acme', 'bruno')]);
	inDatabase(folder, (database) => {
		database.pragma('ignore_check_constraints = 1');
		database.exec("UPDATE accounts SET balance_cents = -7 WHERE username = 'alice'");
	});
	const answer = await committed(() =>
		store.runCommands(
			[giveBalance('acme', 'bruno', 5), giveBalance('acme', 'alice', 5), giveBalance('acme', 'bruno', 6)],
			NOON_MS,
		),
	);
	assert.deepEqual(endings(answer.results), ['ok', 'rules_failed', 'ok']);
	assert.match(String(answer.faults[0]), /balance of alice/);
	assert.equal(await balanceOf(store, 'acme', 'bruno'), 11);
	assert.equal(await balanceOf(store, 'acme', 'acme'), 69);
	await assert.rejects(balanceOf(store, 'acme', 'alice'), /balance of alice/, 'a wrong balance is never shown');
	inDatabase(folder, (database) => {
		const select = database.prepare("SELECT balance_cents FROM accounts WHERE username = 'alice'").pluck();
		assert.equal(select.get(), -7);
	});
});

test('the database refuses changes and removals of ledger rows, and amounts and balances out of range', async (t) => {
	const { folder, open } = storeFolder(t);
	const store = await open();
	await runAll(store, [createReseller('acme', 100)]);
	inDatabase(folder, (database) => {
		for (const sql of ['UPDATE transfers SET amount_cents = 1', 'DELETE FROM transfers']) {
			assert.throws(() => database.exec(sql), /the ledger is append-only/);
		}
		const insert = (debit: string, cents: number, kind: string) =>
			database.exec(`INSERT INTO transfers (reseller, counted, debit, credit, amount_cents, kind, at_ms, request_id)
				VALUES ('acme', 2, '${debit}', 'acme', ${cents}, '${kind}', 0, '')`);
		for (const cents of [0, -1, 9007199254740992, 0.5]) {
			assert.throws(() => insert('platform:funding', cents, 'top_up'), /transfers_amount_in_range|cannot store/i);
		}
		assert.throws(() => insert('acme', 1, 'give'), /transfers_sides_differ/);
		assert.throws(() => database.exec('UPDATE accounts SET balance_cents = -1'), /accounts_balance_in_range/);
		assert.throws(
			() => database.exec('UPDATE accounts SET balance_cents = 9007199254740992'),
			/accounts_balance_in_range/,
		);
	});
	await assertSoundLedger(store);
});

test('a batch sent before the store is closed is done, and a later one is certainly not done', async (t) => {
	const { open } = storeFolder(t);
	const store = await open();
	const before = store.runCommands([createReseller('early', 10)], NOON_MS);
	const closing = store.close();
	const meanwhile = await store.runCommands([createReseller('acme', 10)], NOON_MS);
	await closing;
	const after = await store.runCommands([createReseller('acme', 10)], NOON_MS);
	assert.deepEqual([(await before).kind, meanwhile.kind, after.kind], ['committed', 'not_done', 'not_done']);
	assert.deepEqual(await run(await open(), [createReseller('acme', 10)]).then(endings), ['ok']);
});

test('a connection that writes waits for the disk at each commit', (t) => {
	const file = join(temporaryFolder(t), DATABASE_NAME);
	for (const open of [openWriter, openAlone]) {
		const connection = open(file);
		// 2 is FULL: a commit is answered when the log is on the disk.
		assert.equal(connection.pragma('synchronous', { simple: true }), 2, open.name);
		assert.equal(connection.pragma('journal_mode', { simple: true }), 'wal', open.name);
		connection.close();
	}
});
