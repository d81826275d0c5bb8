import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { reasonToTell } from '../../src/domain/events/judging.ts';
import { migrationsFolder } from '../../src/installation.ts';
import {
	createReseller,
	createSubUser,
	giveBalance,
	setLimits,
	setPrice,
	suspendSubUser,
} from '../support/commands.ts';
import { postgresEngine } from './postgres-engine.ts';
import { sqliteEngine } from './sqlite-engine.ts';
import { type Engine, record, runAll } from './suite/engine.ts';

const DAY_MS = 86_400_000;

/** The statement that makes the log begin with what holds. */
function beginning(folder: 'sqlite' | 'postgres'): string {
	const script = readFileSync(join(migrationsFolder(folder), '0022_events.sql'), 'utf8');
	const [, statement] = /^-- Nobody was told anything yet[^\n]*\n([^;]+);/m.exec(script) ?? [];
	assert.ok(statement);
	return statement;
}

const LIMITS = {
	usable: { dayBytes: 1_001, monthBytes: 1_001, totalBytes: 1_501 },
	day: { dayBytes: 1_000 },
	month: { monthBytes: 1_000 },
	total: { totalBytes: 1_500 },
	expired: { expiresAtMs: 1 },
	lasting: { expiresAtMs: Date.now() + DAY_MS },
};

for (const [folder, open] of [
	['sqlite', async () => sqliteEngine],
	['postgres', postgresEngine],
] as const) {
	test(`${folder}: after the migration, what was told of each sub-user is what holds`, async (t) => {
		const engine: Engine = await open();
		const { store, corrupt } = await engine.open(t);
		const nowMs = store.nowMs();
		const names = [...Object.keys(LIMITS), 'suspended', 'free'];
		await runAll(store, [createReseller('acme', 10_000), createReseller('other', 100)], nowMs);
		await runAll(
			store,
			[setPrice('acme', 1), createSubUser('acme', 'empty'), createSubUser('other', 'unpriced')],
			nowMs,
		);
		for (const name of names) await runAll(store, [createSubUser('acme', name), giveBalance('acme', name, 50)], nowMs);
		for (const [name, limits] of Object.entries(LIMITS)) {
			await runAll(store, [setLimits('acme', name, limits)], nowMs);
			const report = { source: 's', username: name, bytesDown: 0 };
			await record(
				store,
				[
					{ ...report, id: `${name} today`, atMs: nowMs, bytesUp: 1_000 },
					{ ...report, id: `${name} before`, atMs: nowMs - 45 * DAY_MS, bytesUp: 500 },
				],
				nowMs,
			);
		}
		await runAll(store, [suspendSubUser('acme', 'suspended')], nowMs);
		await corrupt(`UPDATE accounts SET told_reason = 'suspended'; ${beginning(folder)}`);
		for (const reseller of ['acme', 'other']) {
			const page = { reseller, atMs: nowMs, after: undefined, limit: 100 };
			const accounts = await store.listSubUsersToJudge(page);
			assert.deepEqual(
				accounts.map(({ username, told }) => [username, told]),
				accounts.map((account) => [account.username, reasonToTell(account, nowMs)]),
			);
			const reasons = new Set(accounts.map(({ told }) => told));
			if (reseller === 'acme') assert.equal(reasons.size, 5, [...reasons].join());
		}
	});
}
