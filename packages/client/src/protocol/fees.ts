import { FREE_OF_CREATE_FEE } from '@bursar/contract/errors';
import { CREATE_FEE_CENTS } from '@bursar/contract/limits';
import type { FeeRange } from '../errors.ts';
import type { Reply } from './reply.ts';

export const NOTHING: FeeRange = { minCents: 0, maxCents: 0 };
export const ONE_FEE: FeeRange = { minCents: CREATE_FEE_CENTS, maxCents: CREATE_FEE_CENTS };
export const PERHAPS_ONE_FEE: FeeRange = { minCents: 0, maxCents: CREATE_FEE_CENTS };

/** What one request cost (docs/api.md 8.2). */
export function feeOf(reply: Reply<unknown>): FeeRange {
	if (reply.kind === 'answered') return ONE_FEE;
	if (reply.kind === 'not_done') return NOTHING;
	const { code } = reply.failure;
	if (reply.kind === 'lost' || code === undefined) return PERHAPS_ONE_FEE;
	return FREE_OF_CREATE_FEE.has(code) ? NOTHING : ONE_FEE;
}
