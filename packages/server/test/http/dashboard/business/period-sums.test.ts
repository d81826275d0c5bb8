import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPeriodSums } from '../../../../src/http/dashboard/statement/period-sums.ts';
import type { StatementSumQuery } from '../../../../src/store/reads/movement-reads.ts';

const ROWS_IN_A_STEP = 10;
const STEPS_OF_CALL = 2;

test('two sums from the same number with different ends both come to an end, however their calls take turns', async () => {
	const sums = createPeriodSums({ sumStatement: giveOfEachNumber, listMovements: () => Promise.reject(new Error()) });
	const ends = [90, 50, 70];
	const calls = ends.map(async (end, index) => {
		for (let call = 1; call <= ends.length * (end / ROWS_IN_A_STEP); call++) {
			const of = { reseller: 'acme', owner: `person ${index}` };
			const found = await sums.sum(of, { first: 0, end }, { left: STEPS_OF_CALL });
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
			const found = await again.sum({ reseller: 'acme', owner: 'acme' }, { first: 0, end }, { left: STEPS_OF_CALL });
			if (!found) continue;
			assert.equal(found[0]?.count, end);
			left.delete(end);
		}
	}
	assert.deepEqual([...left], []);
});

/** A ledger in which each number is a give of one cent. */
async function giveOfEachNumber({ from, before }: Pick<StatementSumQuery, 'from' | 'before'>) {
	const end = Math.min(from + ROWS_IN_A_STEP, before);
	const count = end - from;
	const sums = [{ kind: 'give', direction: 'out', count, cents: BigInt(count) } as const];
	return { sums, next: end < before ? end : null };
}
