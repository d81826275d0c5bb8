import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
	createReseller,
	createSubUser,
	createWebhook,
	creditReseller,
	giveBalance,
	keyOf,
	NOON_MS,
	takeBalance,
	testWebhook,
	updateWebhook,
} from '../support/commands.ts';
import { peopleRows } from '../support/people-rows.ts';
import { inDatabase, sqliteEngine } from './sqlite-engine.ts';
import { assertSoundLedger, balanceOf, record, run, runAll, runAllPeople, runPeople } from './suite/engine.ts';

test('a backup beside a busy writer is consistent, and restores with the master key', async (t) => {
	const { store, folder, openAnother, openBackup } = await sqliteEngine.open(t);
	const usage = { source: 'eu-1', id: '1', username: 'alice', atMs: NOON_MS, bytesUp: 5, bytesDown: 7 };
	await runAll(store, [
		createReseller('acme', 1020),
		createSubUser('acme', 'alice'),
		createSubUser('acme', 'bruno'),
		giveBalance('acme', 'alice', 500),
		giveBalance('acme', 'bruno', 500),
	]);
	await record(store, [usage]);
	const another = await openAnother();
	const file = join(folder, 'backup');
	let backedUp = false;
	const backup = another.backup(file).finally(() => {
		backedUp = true;
	});
	let batches = 0;
	while (!backedUp || batches < 10) {
		await run(store, [takeBalance('acme', 'alice', 1), giveBalance('acme', 'bruno', 1)]);
		await run(store, [takeBalance('acme', 'bruno', 1), giveBalance('acme', 'alice', 1)]);
		batches++;
	}
	await backup;

	const restored = await openBackup(file);
	await assertSoundLedger(restored);
	const page = await restored.listSubUsers('acme', '', 10);
	assert.deepEqual(
		page.map(({ username, proxyAuthkey }) => [username, proxyAuthkey]),
		[
			['alice', keyOf('alice')],
			['bruno', keyOf('bruno')],
		],
	);
	assert.equal(
		page.reduce((cents, { balanceCents }) => cents + balanceCents, 0),
		1000,
	);
	assert.equal((await restored.findToken('first token of acme'))?.reseller, 'acme');
	assert.deepEqual(await record(restored, [usage]), ['repeated']);

	// The two stores are independent now.
	const before = await balanceOf(store, 'acme', 'alice');
	await runAll(restored, [takeBalance('acme', 'alice', 100)]);
	assert.equal(await balanceOf(store, 'acme', 'alice'), before);
	await assertSoundLedger(store);
});

test('a backup never overwrites an existing file; one to a path that cannot be written is an error, and the store goes on', async (t) => {
	const { store, folder } = await sqliteEngine.open(t);
	const file = join(folder, 'backup');
	writeFileSync(file, 'precious');
	await assert.rejects(store.backup(file), /exists/);
	assert.equal(readFileSync(file, 'utf8'), 'precious');
	await assert.rejects(store.backup(join(folder, 'missing', 'backup')), /ENOENT|no such/i);
	await runAll(store, [createReseller('acme', 10)]);
});

test('a backup holds no session and no link, not even in unused pages; all other rows of people are in it', async (t) => {
	const { store, folder, insert, openBackup } = await sqliteEngine.open(t);
	await runAll(store, [createReseller('acme', 10)]);
	const rows = peopleRows('acme', { seal: (text) => `sealed ${text.length}` }, NOON_MS);
	await insert(rows);
	await runAllPeople(store, [{ kind: 'link_edge', name: 'fra-1', linkHash: 'link-of-fra-1' }]);
	const file = join(folder, 'backup');
	await store.backup(file);
	assert.deepEqual(
		readdirSync(folder).filter((name) => name.startsWith('backup')),
		['backup'],
	);
	const bytes = readFileSync(file);
	for (const trace of [
		'hash-of-the-cookie',
		'session-1',
		'Firefox',
		'192.0.2.1',
		'hash-of-the-link',
		'link-of-fra-1',
	]) {
		assert.ok(!bytes.includes(trace), `the backup has traces of ${trace}`);
	}
	assert.ok(bytes.includes('session-0'), 'the acts name their session');

	await openBackup(file);
	const count = (database: Parameters<Parameters<typeof inDatabase>[1]>[0]) =>
		Object.keys(rows).map((table) => [table, database.prepare(`SELECT COUNT(*) FROM ${table}`).pluck().get()]);
	const kept = Object.entries(rows).map(([table, { length }]) => [table, length]);
	assert.deepEqual(inDatabase(folder, count), kept);
	assert.deepEqual(
		inDatabase(join(folder, 'restored'), count),
		kept.map(([table, length]) => [table, ['sessions', 'invitations'].includes(table as string) ? 0 : length]),
	);
});

test('a backup calls nobody: its webhooks are switched off, and those of the store stay on', async (t) => {
	const { store, folder, openBackup } = await sqliteEngine.open(t);
	await runAll(store, [
		...[createReseller('acme'), createWebhook('acme', 'whe_1'), createWebhook('acme', 'whe_2')],
		...[updateWebhook('acme', 'whe_2', { isEnabled: false }), testWebhook('acme', 'whe_1')],
	]);
	await runAll(store, [creditReseller('acme', 5, 'an event')]);
	const file = join(folder, 'backup');
	await store.backup(file);
	const restored = await openBackup(file);
	const due = { owner: 'service', nowMs: NOON_MS, leaseMs: 1, limit: 9 };
	assert.deepEqual(await restored.listDueWebhooks(due), []);
	assert.deepEqual(
		(await restored.listWebhooks('acme')).map(({ offReason }) => offReason),
		['copied', 'switched_off'],
	);
	assert.deepEqual(await store.listDueWebhooks(due), ['whe_1']);
	const [outcome] = await runPeople(restored, [{ kind: 'resume_webhooks' }]);
	assert.deepEqual(outcome, { ok: true, webhooks: 1 });
	assert.deepEqual(await restored.listDueWebhooks(due), ['whe_1']);
});
