import { FREE_OF_CREATE_FEE } from '@bursar/contract/errors';
import { CREATE_FEE_CENTS } from '@bursar/contract/limits';
import type { ChangeOperation, FeeRange } from '../errors.ts';
import type { Reply } from './reply.ts';

export const NOTHING: FeeRange = { minCents: 0, maxCents: 0 };
export const ONE_FEE: FeeRange = { minCents: CREATE_FEE_CENTS, maxCents: CREATE_FEE_CENTS };
export const PERHAPS_ONE_FEE: FeeRange = { minCents: 0, maxCents: CREATE_FEE_CENTS };

/** Whether a request of this kind may cost a fee. */
export function mayCostFee(operation: ChangeOperation | undefined): boolean {
	return operation === 'create' || operation === 'create_with';
}

/** What one request cost that may cost a fee (docs/api.md 8.2 and 11.10). */
export function feeOf(operation: ChangeOperation | undefined, reply: Reply<unknown>): FeeRange {
	if (reply.kind === 'answered') return ONE_FEE;
	if (reply.kind === 'not_done') return NOTHING;
	const { code } = reply.failure;
	if (reply.kind === 'lost' || code === undefined) return PERHAPS_ONE_FEE;
	const isFree = operation === 'create' ? FREE_OF_CREATE_FEE.has(code) : code !== 'username_taken';
	return isFree ? NOTHING : ONE_FEE;
}
