import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPeriodSums } from '../../../../src/http/dashboard/statement/period-sums.ts';
import type { StoredMovement } from '../../../../src/store/tables/ledger/movements.ts';
import type { StatementSumQuery } from '../../../../src/store/tables/ledger/statement-sums.ts';

const ROWS_IN_A_STEP = 10;
const STEPS_OF_CALL = 2;
const ALL_SETTLED = Number.MAX_SAFE_INTEGER;

test('two sums from the same number with different ends both come to an end, however their calls take turns', async () => {
	const sums = createPeriodSums({ sumStatement: giveOfEachNumber, listMovements: () => Promise.reject(new Error()) });
	const ends = [90, 50, 70];
	const calls = ends.map(async (end, index) => {
		for (let call = 1; call <= ends.length * (end / ROWS_IN_A_STEP); call++) {
			const of = { reseller: 'acme', owner: `person ${index}` };
			const found = await sums.sum(of, { first: 0, end }, { left: STEPS_OF_CALL, settled: ALL_SETTLED });
			if (found) return found[0]?.count;
		}
		return undefined;
	});
	assert.deepEqual(await Promise.all(calls), ends);
	// One after the other, the longest first.
	const again = createPeriodSums({ sumStatement: giveOfEachNumber, listMovements: () => Promise.reject(new Error()) });
	const left = new Set(ends);
	for (let round = 0; round < 10; round++) {
		for (const end of left) {
			const call = { left: STEPS_OF_CALL, settled: ALL_SETTLED };
			const found = await again.sum({ reseller: 'acme', owner: 'acme' }, { first: 0, end }, call);
			if (!found) continue;
			assert.equal(found[0]?.count, end);
			left.delete(end);
		}
	}
	assert.deepEqual([...left], []);
});

test('what a failover may still lose is in no sum and no balance that is kept, and takes no step of a call', async () => {
	// A movement has its number and its cents. The balance after the movement is the sum.
	const cents = Array.from({ length: 100 }, () => 1);
	const balance = (end: number) => cents.slice(0, end).reduce((sum, each) => sum + each, 0);
	const sums = createPeriodSums({
		async sumStatement({ from, before }) {
			const end = Math.min(from + ROWS_IN_A_STEP, before);
			const all = BigInt(balance(end) - balance(from));
			return {
				sums: [{ kind: 'top_up', direction: 'in', count: end - from, cents: all }],
				next: end < before ? end : null,
			};
		},
		async listMovements({ before }) {
			const last = { number: before - 1, credit: 'acme', creditBalanceCents: balance(before) };
			return { rows: [last as StoredMovement], nextBefore: null, searchedToMs: null };
		},
	});
	const [of, span] = [
		{ reseller: 'acme', owner: 'acme' },
		{ first: 0, end: 100 },
	];
	const read = async (settled: number, left: number) => {
		const call = { left, settled };
		return [await sums.sum(of, span, call), await sums.balanceBefore(of, 100, { left: 1, settled })] as const;
	};
	const [before, balanceThen] = await read(50, 5);
	assert.deepEqual([before?.[0]?.cents, balanceThen], [100n, 100]);
	cents.splice(60, 40, ...Array.from({ length: 40 }, () => 2));
	const [after, balanceNow] = await read(50, 0);
	assert.deepEqual([after?.[0]?.cents, balanceNow], [140n, 140]);
	const [settled] = await read(100, 5);
	assert.equal(settled?.[0]?.cents, 140n);
});

/** A ledger in which each number is a give of one cent. */
async function giveOfEachNumber({ from, before }: Pick<StatementSumQuery, 'from' | 'before'>) {
	const end = Math.min(from + ROWS_IN_A_STEP, before);
	const count = end - from;
	const sums = [{ kind: 'give', direction: 'out', count, cents: BigInt(count) } as const];
	return { sums, next: end < before ? end : null };
}
