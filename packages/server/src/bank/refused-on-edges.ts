import { MAX_REFUSED_CLIENTS } from '@bursar/contract/edge-limits';
import { addUpRefused, type RefusedOnEdge } from '../domain/account-refusals.ts';
import { usageHourOf } from '../domain/usage-hours.ts';
import type { Bank } from './bank.ts';

/**
 * Records what an edge refused, added up by account, reason and hour. What could not be recorded is lost, because the edge
 * tells it once. Resolves to `false` if certainly nothing was recorded; never rejects.
 */
export async function keepRefused(bank: Pick<Bank, 'keep'>, refused: readonly RefusedOnEdge[]): Promise<boolean> {
	const sums = addUpRefused(refused, ({ username, reason, atMs }) => `${username} ${reason} ${usageHourOf(atMs)}`);
	const records = sums.map((each) => ({ ...each, count: Math.min(each.count, MAX_REFUSED_CLIENTS) }));
	const outcomes = await Promise.all(records.map((each) => bank.keep({ kind: 'refused_on_edge', ...each })));
	return outcomes.some((outcome) => outcome.ok || outcome.error !== 'not_done');
}
