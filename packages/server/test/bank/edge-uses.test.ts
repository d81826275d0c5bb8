import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createEdgeUses } from '../../src/bank/edge-uses.ts';
import type { BookkeepingRecord, EdgeUse } from '../../src/domain/bookkeeping/record.ts';

/** Uses that are written only when they are closed. */
function start(t: TestContext, writeMs = 3_600_000) {
	const written: Omit<EdgeUse, 'kind'>[] = [];
	const state = { fails: false, calls: 0 };
	const uses = createEdgeUses(
		{
			async keep(record: BookkeepingRecord) {
				state.calls++;
				if (state.fails) return { ok: false, error: 'not_done' };
				const { kind: _, ...use } = record as EdgeUse;
				written.push(use);
				return { ok: true };
			},
		},
		{ writeMs },
	);
	t.after(() => uses.close());
	return { uses, state, written };
}

test('what edges did is written once, as what is new since the last time', async (t) => {
	const { uses, written, state } = start(t);
	const gw = uses.of('gw');
	assert.equal(uses.of('gw'), gw);
	gw.seenAtMs = 5;
	gw.checks.ok += 10;
	gw.checks.wrong_pair += 2;
	gw.checks.throttled += 3;
	await uses.close();
	gw.seenAtMs = 7;
	gw.checks.unavailable += 1;
	await uses.close();
	await uses.close();
	assert.deepEqual(written, [
		{ name: 'gw', seenAtMs: 5, checks: 15, refusals: 5 },
		{ name: 'gw', seenAtMs: 7, checks: 1, refusals: 1 },
	]);
	assert.equal(state.calls, 2, 'nothing new is not written');
});

test('what could not be written is written the next time', async (t) => {
	const { uses, written, state } = start(t);
	uses.of('gw').seenAtMs = 5;
	uses.of('gw').checks.ok = 10;
	state.fails = true;
	await uses.close();
	state.fails = false;
	uses.of('gw').checks.ok++;
	await uses.close();
	assert.deepEqual(written, [{ name: 'gw', seenAtMs: 5, checks: 11, refusals: 0 }]);
});
