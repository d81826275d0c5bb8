import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CreateOperatorToken } from '../../../src/commands/operators/tokens.ts';
import { SESSION_IDLE_MS } from '../../../src/domain/people/person.ts';
import { createReseller, NOON_MS } from '../../support/commands.ts';
import { accept, beginVerification, invite } from '../../support/person-commands.ts';
import {
	backupMade,
	edgeUse,
	operatorTokenUse,
	publicUrl,
	sessionUse,
	tokenUse,
	verificationProgress,
} from '../../support/records.ts';
import { type Engine, endings, keep, keepAll, restart, runAll, runAllPeople } from './engine.ts';

const TOKEN = 'first token of acme';
const OPERATOR_TOKEN: CreateOperatorToken = {
	...{ kind: 'create_operator_token', id: 'id', tokenHash: 'hash', tokenTail: 'tail', madeBy: 'root' },
	...{ name: 'billing', scopes: ['usage:read'], endsAtMs: NOON_MS + 1000 },
};

/** Tests bookkeeping: records of last uses, edges and verifications. */
export function bookkeepingSuite(engine: Engine): void {
	test('records of all kinds are written as one batch, each counts, and they are there after a restart', async (t) => {
		const { store, openAnother, rows } = await engine.open(t);
		await runAll(store, [createReseller('acme')]);
		await runAllPeople(store, [
			...[invite('ada', 'acme'), accept('ada', 's1'), beginVerification('v1')],
			{ kind: 'create_edge', name: 'eu-1', keyHash: 'key', keyTail: 'tail' },
			OPERATOR_TOKEN,
		]);
		const records = [
			...[tokenUse(TOKEN, NOON_MS + 1), sessionUse('s1', NOON_MS + 2), edgeUse('eu-1', NOON_MS + 3, 1, 2)],
			...[edgeUse('eu-1', NOON_MS + 1, 4), edgeUse('gone', NOON_MS)],
			...[operatorTokenUse('hash', NOON_MS + 6), operatorTokenUse('hash', NOON_MS + 5)],
			verificationProgress('v1', 4),
		];
		assert.deepEqual(endings(await keep(store, records, NOON_MS + 9)), Array(8).fill('ok'));
		const after = await restart(store, openAnother);
		assert.equal((await after.findToken(TOKEN))?.lastUsedAtMs, NOON_MS + 1);
		assert.equal((await after.findSession('s1'))?.session.lastSeenAtMs, NOON_MS + 2);
		assert.equal((await after.findOperatorToken('hash'))?.lastUsedAtMs, NOON_MS + 6);
		const [edge] = await after.listEdges();
		assert.deepEqual([edge?.lastSeenAtMs, edge?.checks, edge?.refusals], [NOON_MS + 3, 5, 2]);
		assert.deepEqual(await rows('SELECT done, noted_at_ms FROM verifications'), [
			{ done: 4, noted_at_ms: NOON_MS + 9 },
		]);
	});

	test('the state of the store has the last backup, whose time only grows, and the origin that was recorded last', async (t) => {
		const { store } = await engine.open(t);
		const { lastBackupAtMs: before, publicUrl: none, schema, verification, madeAtMs } = await store.readState();
		assert.ok(Math.abs(madeAtMs - Date.now()) < 3_600_000, String(madeAtMs));
		assert.deepEqual([before, none, verification], [undefined, undefined, undefined]);
		assert.ok(schema >= 5);
		await keepAll(store, [backupMade(NOON_MS + 500), backupMade(NOON_MS + 200)], NOON_MS + 1000);
		for (const url of ['http://localhost:8080', 'https://bursar.example']) await keepAll(store, [publicUrl(url)]);
		const { lastBackupAtMs, publicUrl: known } = await store.readState();
		assert.equal(lastBackupAtMs, store.backup === undefined ? undefined : NOON_MS + 500);
		assert.equal(known, 'https://bursar.example');
	});

	test('the last use of a session only grows, and revives no session that has ended', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [createReseller('acme')]);
		await runAllPeople(store, [invite('ada', 'acme'), accept('ada', 's1')]);
		const lastSeen = async () => (await store.findSession('s1'))?.session.lastSeenAtMs;
		await keepAll(store, [sessionUse('s1', NOON_MS + 500), sessionUse('s1', NOON_MS + 200)], NOON_MS + 1000);
		assert.equal(await lastSeen(), NOON_MS + 500);
		await keepAll(store, [sessionUse('s1', NOON_MS + 9000)], NOON_MS + 1000);
		assert.equal(await lastSeen(), NOON_MS + 1000);
		const idleMs = NOON_MS + 1000 + SESSION_IDLE_MS;
		await keepAll(store, [sessionUse('s1', idleMs), sessionUse('unknown', NOON_MS)], idleMs);
		assert.equal(await lastSeen(), NOON_MS + 1000);
		await runAllPeople(store, [{ kind: 'sign_out', person: 'ada', sessionHash: 's1' }]);
		await keepAll(store, [sessionUse('s1', NOON_MS + 2000)], NOON_MS + 2000);
		assert.equal(await lastSeen(), undefined);
	});

	test('an impossible record fails alone', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [createReseller('acme')]);
		const records = [
			...[edgeUse('eu-1', NOON_MS, -1), tokenUse(TOKEN, 0.5), verificationProgress('v1', -1)],
			...[verificationProgress('v1', 1, 'x'.repeat(100_001)), tokenUse(TOKEN, NOON_MS)],
		];
		const answer = await store.writeRecords(records, NOON_MS);
		assert.ok(answer.kind === 'committed');
		assert.deepEqual(endings(answer.results), [...Array(4).fill('rules_failed'), 'ok']);
		assert.equal(answer.faults.length, 4);
		assert.equal((await store.findToken(TOKEN))?.lastUsedAtMs, NOON_MS);
	});

	test('records of many stores at once, in any order, lose nothing', async (t) => {
		const { store, openAnother } = await engine.open(t);
		await runAll(store, [createReseller('acme'), createReseller('bolt')]);
		await runAllPeople(store, [{ kind: 'create_edge', name: 'eu-1', keyHash: 'key', keyTail: 'tail' }]);
		const stores = [store, await openAnother(), await openAnother()];
		await Promise.all(
			Array.from({ length: 30 }, (_, n) => {
				const records = [
					tokenUse(TOKEN, NOON_MS + n),
					edgeUse('eu-1', NOON_MS + n, 2),
					tokenUse('first token of bolt', n),
				];
				return keepAll(stores[n % 3] ?? store, n % 2 ? records : records.toReversed());
			}),
		);
		assert.equal((await store.findToken(TOKEN))?.lastUsedAtMs, NOON_MS + 29);
		assert.equal((await store.findToken('first token of bolt'))?.lastUsedAtMs, 29);
		assert.deepEqual(
			(await store.listEdges()).map(({ lastSeenAtMs, checks }) => [lastSeenAtMs, checks]),
			[[NOON_MS + 29, 60]],
		);
	});
}
