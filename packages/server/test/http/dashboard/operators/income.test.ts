import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../../../../src/credentials.ts';
import { setPrice } from '../../../support/commands.ts';
import { startDashboard } from '../../../support/dashboard.ts';

const GB = 1_000_000_000;
const DAY_MS = 86_400_000;

test('operators see what the bandwidth of each day, and of each reseller, costs', async (t) => {
	const dashboard = await startDashboard(t);
	const { store, clock } = dashboard;
	const [acme, bolt] = [await dashboard.openReseller('acme', 1000), await dashboard.openReseller('bolt', 1000)];
	assert.ok(acme && bolt);
	const nowMs = clock.nowMs();
	const priced = await store.runCommands([setPrice('acme', 3_500_000), setPrice('bolt', 1_000_000)], nowMs - DAY_MS);
	assert.equal(priced.kind, 'committed');
	const used = (username: string, atMs: number) => {
		return { source: 's', id: newId(), username, atMs, bytesUp: GB, bytesDown: 0 };
	};
	await store.recordUsage([used('acme', nowMs - DAY_MS), used('acme', nowMs), used('bolt', nowMs)], nowMs);
	const operator = await dashboard.operator('op@bursar.example');
	const { days, resellers } = await operator.read('/operator/income', { days: 7 });
	assert.equal(days.length, 7);
	assert.deepEqual(
		days.map(({ cost }) => cost),
		[0, 0, 0, 0, 0, 350, 450],
	);
	assert.deepEqual(resellers, [
		{ reseller: 'acme', cost: 700, debt: 0 },
		{ reseller: 'bolt', cost: 100, debt: 0 },
	]);
});
