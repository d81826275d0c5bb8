import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { USAGE_STEP } from '../../src/bank/usage-commit.ts';
import { importUsage } from '../../src/cli/usage-import.ts';

/** Imports reports with these ids. Returns how many steps were at the bank together, at most, and the ids in order. */
async function importIds(ids: readonly string[]) {
	const lines = ids.map((id) =>
		JSON.stringify({ source: 'host', id, username: 'alice', timestamp: '2026-11-22T10:00:00.000Z', up: 1, down: 1 }),
	);
	const sent: string[] = [];
	let underWay = 0;
	let most = 0;
	const counts = await importUsage(
		{
			async recordUsage(_sender, reports) {
				most = Math.max(most, ++underWay);
				for (const report of reports) sent.push('id' in report ? report.id : 'another');
				await setImmediate();
				underWay--;
				return { ok: true, verdicts: reports.map(() => 'counted') };
			},
		},
		(async function* () {
			yield Buffer.from(lines.join('\n'));
		})(),
		{ onRefused: async () => {}, onProgress() {} },
	);
	return { most, sent, counts };
}

test('if two lines have the same name, each step waits for the previous one, so that the first line counts', async () => {
	const ids = Array.from({ length: 4 * USAGE_STEP }, (_, index) => `r${index}`);
	const { most, counts } = await importIds(ids);
	assert.ok(most > 1, 'steps are sent ahead');
	assert.equal(counts.counted, ids.length);
	const repeated = await importIds([...ids, 'r10']);
	assert.equal(repeated.most, 1);
	assert.deepEqual(repeated.sent, [...ids, 'r10']);
});
