import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../../../../src/credentials.ts';
import type { Store } from '../../../../src/store/store.ts';
import { StoreUnavailableError } from '../../../../src/store/store.ts';
import { bothEngines } from '../../../support/both-engines.ts';
import {
	createReseller,
	createSubUser,
	creditReseller,
	giveBalance,
	postUsage,
	setPrice,
} from '../../../support/commands.ts';
import { startDashboard } from '../../../support/dashboard.ts';
import { edgeUse } from '../../../support/notes.ts';

const GB = 1_000_000_000;
const DAY_MS = 86_400_000;
const engines = await bothEngines();

for (const engine of engines) {
	test(`operators see the money of all resellers by day, and who runs low, on ${engine.name}`, async (t) => {
		const dashboard = await startDashboard(t, await engine.environment());
		const { store, clock } = dashboard;
		clock.stop();
		const nowMs = clock.nowMs();
		const resellers = ['acme', 'bolt'].map((name) => createReseller(name));
		await run(store, nowMs - 2 * DAY_MS, [
			...[...resellers, creditReseller('bolt', 700, 'old'), setPrice('acme', 1_000_000)],
		]);
		await run(store, nowMs, [
			...['acme', 'bolt'].map((name) => creditReseller(name, 5_000, name)),
			...['alice', 'bruno'].map((name) => createSubUser('acme', name)),
			...[giveBalance('acme', 'alice', 4_000), giveBalance('acme', 'bruno', 100)],
			...[creditReseller('bolt', -100, 'back'), creditReseller('acme', -880, 'all')],
		]);
		const report = (username: string, bytesUp: number) => ({
			source: 's',
			id: newId(),
			username,
			atMs: nowMs,
			bytesUp,
		});
		const reports = [report('alice', 10 * GB), report('bruno', GB)];
		await store.recordUsage(
			reports.map((each) => ({ ...each, bytesDown: 0 })),
			nowMs,
		);
		// The service posts what empties a balance, too.
		await run(store, nowMs, [postUsage('acme', 'bruno')]);
		const operator = await dashboard.operator('op@bursar.example');
		const money = await operator.read('/operator/money');

		assert.equal(money.held, 5_000 + 700 - 100 + 3_000);
		assert.deepEqual(money.days.at(-1), {
			...{ date: dayOf(nowMs), held: 5_600 + 4_000, top_ups: 10_000, adjustments: 980, fees: 20, bandwidth: 1_100 },
		});
		assert.deepEqual(
			money.days.slice(-4, -1).map(({ held, top_ups }) => [held, top_ups]),
			[
				[0, 0],
				[700, 700],
				[700, 0],
			],
		);
		const first = new Date(money.days[0]?.date ?? '');
		assert.ok(nowMs - first.getTime() >= 29 * DAY_MS);
		assert.ok(first.getTime() <= Date.UTC(new Date(nowMs).getUTCFullYear(), new Date(nowMs).getUTCMonth() - 1, 1));
		// What is left lasts for less than a week at 11 USD in these two days.
		assert.deepEqual(
			money.low.resellers.map(({ days_left, ...reseller }) => [reseller, Math.floor(days_left ?? -1)]),
			[[{ reseller: 'acme', reason: 'out', balance: 0, low_balance: null, held: 3_000 }, 5]],
		);
		assert.deepEqual(money.exhausted, { count: 1, resellers: [{ reseller: 'acme', sub_users: 1 }] });
	});

	test(`operators see how edges, reports, the ledger and backups fare, on ${engine.name}`, async (t) => {
		const dashboard = await startDashboard(t, await engine.environment());
		const { store, clock } = dashboard;
		clock.stop();
		const nowMs = clock.nowMs();
		await dashboard.openReseller('acme', 1_000);
		const operator = await dashboard.operator('op@bursar.example');
		const isOurs = engine.name === 'SQLite';
		const unused = await operator.read('/operator/health');
		assert.deepEqual(
			{ ...unused, reports: unused.reports.length },
			{
				edges: { count: 0, silent_count: 0, silent: [] },
				reports: 30,
				ledger: { is_running: false, last: null },
				backup: isOurs ? { is_ours: true, last: null } : { is_ours: false },
			},
		);

		for (const name of ['new-1', 'eu-1', 'us-1', 'gone-1']) {
			await dashboard.change({ kind: 'create_edge', name, keyHash: newId(), keyTail: 'tail' });
		}
		await dashboard.change({ kind: 'revoke_edge', name: 'gone-1' });
		await store.writeNotes([edgeUse('us-1', nowMs, 5, 2), edgeUse('eu-1', nowMs + DAY_MS / 3, 5, 2)], nowMs);
		const report = (username: string) => ({
			source: 's',
			id: newId(),
			username,
			atMs: nowMs,
			bytesUp: 1,
			bytesDown: 1,
		});
		const counted = report('acme');
		await store.recordUsage([counted, counted, report('nobody')], nowMs);
		clock.aheadMs = DAY_MS / 3 + 1;
		const { edges, reports } = await operator.read('/operator/health');
		// One that never asked was never there.
		const silent = [{ name: 'us-1', last_seen: new Date(nowMs).toISOString() }];
		assert.deepEqual(edges, { count: 3, silent_count: 1, silent });
		assert.deepEqual(
			reports.find(({ date }) => date === dayOf(nowMs)),
			{ date: dayOf(nowMs), accepted: 2, refused: 1 },
		);
	});
}

test('what was read once is kept for five minutes, and what failed is tried again after one', async (t) => {
	const dashboard = await startDashboard(t);
	const { clock, faults } = dashboard;
	await dashboard.openReseller('acme', 1_000);
	const operator = await dashboard.operator('op@bursar.example');
	faults.listHoldings = async () => {
		throw new StoreUnavailableError('too slow');
	};
	await operator.refused('unavailable', '/operator/money');
	delete faults.listHoldings;
	await operator.refused('unavailable', '/operator/money');
	clock.aheadMs = 61_000;
	assert.equal((await operator.read('/operator/money')).held, 1_000);
	await dashboard.openReseller('bolt', 500);
	assert.equal((await operator.read('/operator/money')).held, 1_000);
	clock.aheadMs += 5 * 60_000;
	assert.equal((await operator.read('/operator/money')).held, 1_500);
});

async function run(store: Store, atMs: number, commands: Parameters<Store['runCommands']>[0]): Promise<void> {
	const answer = await store.runCommands(commands, atMs);
	assert.ok(answer.kind === 'committed' && answer.results.every(({ ok }) => ok), JSON.stringify(answer));
}

function dayOf(atMs: number): string {
	return `${new Date(atMs).toISOString().slice(0, 10)}T00:00:00.000Z`;
}
