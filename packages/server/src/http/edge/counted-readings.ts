import { MAX_COUNTERS, type RefusedCounter } from '@bursar/contract/edge';
import type { Bank } from '../../bank/bank.ts';
import type { EdgeTotals } from '../../bank/edge-uses.ts';
import type { ArrivedReport } from '../../domain/usage.ts';

/** What became of the readings, or why nothing of it is known to be counted. */
export type CountedReadings =
	| { readonly counted: number; readonly repeated: number; readonly refused: RefusedCounter[] }
	| { readonly failed: 'unavailable' | 'outcome_unknown' };

/** Counts the readings of an edge in steps. After a step that failed, the others are not counted. */
export async function countReadings(
	bank: Pick<Bank, 'recordUsage'>,
	{ name, readings: figures }: EdgeTotals,
	readings: readonly ArrivedReport[],
): Promise<CountedReadings> {
	const counts = { counted: 0, repeated: 0 };
	const refused: RefusedCounter[] = [];
	for (let from = 0; from < readings.length; from += MAX_COUNTERS) {
		const answer = await bank.recordUsage(`edge:${name}`, readings.slice(from, from + MAX_COUNTERS));
		if (!answer.ok) return { failed: answer.error === 'outcome_unknown' ? 'outcome_unknown' : 'unavailable' };
		for (const [index, verdict] of answer.verdicts.entries()) {
			if (typeof verdict === 'string') counts[verdict]++;
			// The protocol calls the index in the request `place`.
			else refused.push({ place: from + index, reason: verdict.refused });
			figures[typeof verdict === 'string' ? verdict : 'refused']++;
		}
	}
	return { ...counts, refused };
}
