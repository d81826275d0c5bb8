import assert from 'node:assert/strict';
import { after, describe, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { testDatabases } from '@bursar/testing/postgres-server';
import pg from 'pg';
import { type Bank, createBank } from '../../src/bank/bank.ts';
import type { Command } from '../../src/commands/registry.ts';
import { parseDatabaseUrl } from '../../src/store/database-url.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import type { Store } from '../../src/store/store.ts';
import { createReseller, createSubUser, giveBalance } from '../support/commands.ts';

const databases = await testDatabases();
after(() => databases.remove());

const MASTER_KEY = new Uint8Array(32).fill(7);
/** The tests copy its tables: to migrate each database would take longer. */
const migrated = await databases.createDatabase();
await (await openPostgresStore(parseDatabaseUrl(migrated), MASTER_KEY)).close();

const BALANCE_CENTS = 1_000_000;
/** Between two commands, because without a pause they use all of the machine. */
const PAUSE_MS = 20;
/** Longer than any command waits for its start. */
const HELD_MS = 2_600;

interface Books {
	readonly store: Store;
	readonly bank: Bank;
	/** A session beside the service, for locks that an operator takes by operator. */
	readonly operator: pg.Client;
	readonly url: string;
}

/** Two resellers, acme and bolt, each with two sub-users. */
async function openBooks(t: TestContext): Promise<Books> {
	const url = await databases.createDatabase(migrated);
	const store = await openPostgresStore(parseDatabaseUrl(url), MASTER_KEY);
	const operator = new pg.Client({ connectionString: url });
	await operator.connect();
	t.after(async () => {
		await operator.end();
		await store.close();
	});
	const bank = createBank(store, { observer: { batchDone() {}, fault() {} } });
	for (const command of [
		createReseller('acme', BALANCE_CENTS),
		createReseller('bolt', BALANCE_CENTS),
		...['alice', 'anna'].map((username) => createSubUser('acme', username)),
		...['bill', 'bob_'].map((username) => createSubUser('bolt', `${username}1`)),
	]) {
		assert.equal((await bank.submit(command)).ok, true);
	}
	return { store, bank, operator, url };
}

/** Submits one command after another during the work. Returns the result and the wait of each. */
async function submitDuring(bank: Bank, command: () => Command, work: Promise<unknown>) {
	let isOver = false;
	void work.finally(() => {
		isOver = true;
	});
	const ends: string[] = [];
	const waitsMs: number[] = [];
	while (!isOver) {
		const sinceMs = performance.now();
		const outcome = await bank.submit(command());
		waitsMs.push(performance.now() - sinceMs);
		ends.push(outcome.ok ? 'ok' : outcome.error);
		await setTimeout(PAUSE_MS);
	}
	return { ends, waitsMs };
}

describe('locks by hand', { concurrency: 3 }, () => {
	test('while a reseller is locked, other resellers go on; it works again once it is free', async (t) => {
		const { store, bank, operator } = await openBooks(t);
		await operator.query('BEGIN');
		await operator.query("SELECT FROM bursar.accounts WHERE username = 'acme' FOR UPDATE");
		const holding = setTimeout(HELD_MS);
		const [blocked, others] = await Promise.all([
			submitDuring(bank, () => giveBalance('acme', 'alice', 1), holding),
			submitDuring(bank, () => giveBalance('bolt', 'bill1', 1), holding),
		]);
		assert.deepEqual(new Set(blocked.ends), new Set(['not_done']));
		assert.ok(Math.max(...blocked.waitsMs) < 5_000, `${blocked.waitsMs}`);
		t.diagnostic(
			`${others.ends.length} other commands, the longest took ${Math.round(Math.max(...others.waitsMs))} ms`,
		);
		assert.deepEqual(new Set(others.ends), new Set(['ok']));
		assert.ok(others.ends.length > 5, `${others.ends.length} commands`);

		const waiting = bank.submit(giveBalance('acme', 'alice', 1));
		await setTimeout(100);
		await operator.query('ROLLBACK');
		assert.equal((await waiting).ok, true);
		const account = await store.findAccount('acme', 'alice');
		assert.equal(account?.balanceCents, 1, 'refused commands were not done');
		assert.deepEqual((await store.verifyLedger()).problems, []);
	});

	test('while a name is being inserted by hand, only the command that wants it waits', async (t) => {
		const { store, bank, operator } = await openBooks(t);
		await operator.query('BEGIN');
		await operator.query("INSERT INTO bursar.usernames (username, reseller) VALUES ('carol', 'bolt')");
		let number = 0;
		const wanting = bank.submit(createSubUser('acme', 'carol'));
		const others = await submitDuring(bank, () => createSubUser('acme', `other.${number++}`), wanting);
		assert.deepEqual(await wanting, { ok: false, error: 'not_done' });
		assert.deepEqual(new Set(others.ends), new Set(['ok']));
		await operator.query('ROLLBACK');
		assert.equal((await bank.submit(createSubUser('acme', 'carol'))).ok, true);
		assert.deepEqual((await store.verifyLedger()).problems, []);
		const account = await store.findAccount('acme', 'acme');
		assert.equal(account?.balanceCents, BALANCE_CENTS - 10 * (2 + number + 1), 'one fee for each created account');
	});

	test('many blocked commands in one batch with many others: each is done once', async (t) => {
		const { store, bank, operator } = await openBooks(t);
		await operator.query('BEGIN');
		await operator.query("SELECT FROM bursar.accounts WHERE username = 'alice' FOR UPDATE");
		const commands = Array.from({ length: 300 }, (_, index) =>
			index % 3 === 0
				? giveBalance('acme', 'alice', 1)
				: index % 3 === 1
					? giveBalance('acme', 'anna', 1)
					: giveBalance('bolt', 'bill1', 1),
		);
		const outcomes = Promise.all(commands.map((command) => bank.submit(command)));
		await setTimeout(1_000);
		await operator.query('ROLLBACK');
		assert.ok((await outcomes).every(({ ok }) => ok));
		for (const [reseller, username] of [
			['acme', 'alice'],
			['acme', 'anna'],
			['bolt', 'bill1'],
		] as const) {
			assert.equal((await store.findAccount(reseller, username))?.balanceCents, 100, username);
		}
		assert.deepEqual((await store.verifyLedger()).problems, []);
	});

	test('while bandwidth cannot be read, other reads work, and the bandwidth reads are answered later', async (t) => {
		const { store, operator } = await openBooks(t);
		await operator.query('BEGIN');
		await operator.query('LOCK TABLE bursar.usage_days IN ACCESS EXCLUSIVE MODE');
		const blocked = Array.from({ length: 500 }, () => store.listUsageDays('acme', 'alice', 0, 30_000));
		const settled = Promise.allSettled(blocked);
		const others = Promise.all([
			store.findToken('first token of acme'),
			store.readCredentialsVersion(),
			store.findAccount('bolt', 'bolt'),
			store.listSubUsers('bolt', '', 100),
		]);
		const first = await Promise.race([others, ...blocked]);
		assert.equal(first, await others, 'the other reads do not wait for bandwidth');
		await operator.query('ROLLBACK');
		assert.deepEqual(new Set((await settled).map(({ status }) => status)), new Set(['fulfilled']));
	});

	test('repeated commands on a locked sub-user delay the others once, not each time', async (t) => {
		const { store, bank, operator } = await openBooks(t);
		await operator.query('BEGIN');
		await operator.query("SELECT FROM bursar.accounts WHERE username = 'alice' FOR UPDATE");
		const holding = setTimeout(5_500);
		const give = (reseller: string, username: string) => () => giveBalance(reseller, username, 1);
		const [held, sibling, others] = await Promise.all([
			submitDuring(bank, give('acme', 'alice'), holding),
			submitDuring(bank, give('acme', 'anna'), holding),
			submitDuring(bank, give('bolt', 'bill1'), holding),
		]);
		await operator.query('ROLLBACK');
		assert.deepEqual(new Set(held.ends), new Set(['not_done']));
		assert.deepEqual(new Set([...sibling.ends, ...others.ends]), new Set(['ok']));
		const long = others.waitsMs.filter((waitMs) => waitMs > 500);
		assert.ok(long.length <= 2, `${long.map(Math.round)}`);
		assert.deepEqual((await store.verifyLedger()).problems, []);
	});
});
