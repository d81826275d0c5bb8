import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusalsByReason } from '../../../src/domain/account-refusals.ts';
import { HOURS_KEPT, usageHourOf } from '../../../src/domain/usage-hours.ts';
import type { Store } from '../../../src/store/store.ts';
import { deleteSubUser, NOON_MS } from '../../support/commands.ts';
import { edgeUse, refusedOnEdge } from '../../support/records.ts';
import { type Engine, keepAll, openSubUsers, runAll } from './engine.ts';

const HOUR_MS = 3_600_000;
const NOON = usageHourOf(NOON_MS);

/** Tests what is kept of clients that proxies refused. */
export function refusalSuite(engine: Engine): void {
	const refusalsOf = async (store: Store, usernames: readonly string[], firstHour = 0) =>
		(await store.listRefusals({ owner: 'acme', usernames, firstHour })).map(
			({ username, hour, reason, count, atMs, edge, network }) =>
				`${username} ${hour - NOON} ${reason} ${count} ${atMs - NOON_MS} ${edge} ${network}`,
		);

	test('refusals are counted by account, hour and reason, with the last one, in whatever order they come', async (t) => {
		const { store, openAnother } = await openSubUsers(engine, t);
		const first = refusedOnEdge('eu-1', 'alice', 'exhausted', { count: 3, atMs: NOON_MS + 10, network: '10.0.1.0/24' });
		await keepAll(store, [
			first,
			{ ...first, edge: 'eu-2', count: 4, atMs: NOON_MS + 30, network: null },
			{ ...first, count: 1, atMs: NOON_MS + 20 },
			{ ...first, count: 5, atMs: NOON_MS + HOUR_MS },
			{ ...first, reason: 'wrong_pair' },
			{ ...first, username: 'acme' },
			{ ...first, username: 'chiara' },
		]);
		const other = await openAnother();
		await keepAll(other, [{ ...first, count: 100, atMs: NOON_MS }]);
		assert.deepEqual(await refusalsOf(store, ['alice']), [
			`alice 1 exhausted 5 ${HOUR_MS} eu-1 10.0.1.0/24`,
			'alice 0 exhausted 108 30 eu-2 null',
			'alice 0 wrong_pair 3 10 eu-1 10.0.1.0/24',
		]);
		assert.equal((await refusalsOf(store, ['acme', 'bruno', 'chiara'])).length, 2);
		assert.equal((await refusalsOf(store, ['alice'], NOON + 1)).length, 1);
		const [exhausted, wrong] = refusalsByReason(
			await other.listRefusals({ owner: 'acme', usernames: ['alice'], firstHour: 0 }),
		);
		assert.deepEqual([exhausted?.count, exhausted?.edge, wrong?.count], [113, 'eu-1', 3]);
	});

	test('names without an account leave nothing, and a count has an end', async (t) => {
		const { store, rows, corrupt } = await openSubUsers(engine, t);
		await runAll(store, [deleteSubUser('acme', 'bruno')]);
		await keepAll(
			store,
			['alice', 'bruno', 'nobody'].map((name) => refusedOnEdge('eu-1', name, 'exhausted', { count: 7 })),
		);
		assert.deepEqual(await rows('SELECT username, count FROM account_refusals'), [{ username: 'alice', count: 7 }]);
		await corrupt('UPDATE account_refusals SET count = 999999999990');
		await keepAll(store, [refusedOnEdge('eu-1', 'alice', 'exhausted', { count: 1_000_000 })]);
		assert.deepEqual(await refusalsOf(store, ['alice']), ['alice 0 exhausted 1000000000000 0 eu-1 null']);
	});

	test('after eight days they are forgotten in bounded steps, also while nothing is refused', async (t) => {
		const { store, rows, insert } = await openSubUsers(engine, t);
		const row = { username: 'alice', reason: 'exhausted', count: 1, at_ms: 0, edge: 'eu-1', network: null };
		await insert({
			account_refusals: Array.from({ length: 600 }, (_, n) => ({ ...row, hour: NOON - HOURS_KEPT + 1 - n })),
		});
		const left = async () => (await rows('SELECT hour FROM account_refusals')).length;
		await keepAll(store, [edgeUse('eu-1', NOON_MS)]);
		assert.equal(await left(), 600 - 512);
		await keepAll(store, [refusedOnEdge('eu-1', 'alice', 'suspended', {})]);
		assert.deepEqual(await refusalsOf(store, ['alice']), [
			'alice 0 suspended 1 0 eu-1 null',
			`alice ${1 - HOURS_KEPT} exhausted 1 ${-NOON_MS} eu-1 null`,
		]);
	});

	test('refusals that many stores record at once are all counted', async (t) => {
		const { store, openAnother } = await openSubUsers(engine, t);
		const stores = [store, await openAnother(), await openAnother()];
		const names = ['alice', 'bruno', 'chiara'];
		await Promise.all(
			Array.from({ length: 30 }, (_, n) => {
				const records = names.flatMap((name) => [
					refusedOnEdge(`eu-${n}`, name, 'exhausted', {}),
					refusedOnEdge(`eu-${n}`, name, 'suspended', { atMs: NOON_MS + n }),
				]);
				return keepAll(stores[n % 3] ?? store, n % 2 ? records : records.toReversed());
			}),
		);
		const all = await store.listRefusals({ owner: 'acme', usernames: names, firstHour: 0 });
		assert.deepEqual(
			all.map(({ count }) => count),
			Array(6).fill(30),
		);
		assert.ok(all.slice(0, 3).every(({ reason, edge }) => reason === 'suspended' && edge === 'eu-29'));
	});
}
