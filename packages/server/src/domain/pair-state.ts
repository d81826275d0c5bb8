import type { UnusableReason } from '@bursar/contract/events';
import type { PairState } from '@bursar/contract/sub-user-terms';

/** What decides whether the proxies accept the pair of an account. Bytes are up and down together. */
export interface PairBounds {
	/** Whether the account itself is suspended. The suspension of a reseller bounds all its pairs, its own too. */
	readonly isSuspended: boolean;
	readonly isResellerSuspended: boolean;
	/** From when on the pair is refused, in Unix milliseconds. `null`: never. */
	readonly expiresAtMs: number | null;
	/** Whether the reseller owes more than its line, and bandwidth has a price. It bounds all pairs of the reseller. */
	readonly isBeyondDebtLine: boolean;
	/** After how many more bytes nothing is left of the balance. `null`: it does not limit the bandwidth. */
	readonly leftBytes: number | null;
	/** After how many more bytes the first limit of a day, a month or all time is reached. `null`: there is none. */
	readonly limitLeftBytes: number | null;
}

export type PairRefusal = Exclude<PairState, 'active' | 'no_balance'>;

/**
 * Why the proxies refuse the pair, from wherever it is used; `null` if they accept it. The first reason counts. All else
 * that says it asks here; SQL that finds the accounts in a state has the same order (`store/tables/accounts/pair.ts`).
 * `nowMs` is in Unix milliseconds.
 */
export function refusalOf(bounds: PairBounds, nowMs: number): PairRefusal | null {
	const { isSuspended, isResellerSuspended, expiresAtMs, isBeyondDebtLine, leftBytes, limitLeftBytes } = bounds;
	if (isSuspended) return 'suspended';
	if (isResellerSuspended) return 'reseller_suspended';
	if (expiresAtMs !== null && expiresAtMs <= nowMs) return 'expired';
	if (isBeyondDebtLine) return 'reseller_in_debt';
	if (leftBytes === 0) return 'exhausted';
	return limitLeftBytes === 0 ? 'limit_reached' : null;
}

/** The same without what holds for all accounts of the reseller. */
export function refusalOfItself(bounds: PairBounds, nowMs: number): UnusableReason | null {
	const alone = { ...bounds, isResellerSuspended: false, isBeyondDebtLine: false };
	return refusalOf(alone, nowMs) as UnusableReason | null;
}

/** The same for people. `hasPaid`: whether the balance has ever paid for bandwidth. If not, it did not run out. */
export function pairStateOf(
	{ hasPaid, ...bounds }: PairBounds & { readonly hasPaid: boolean },
	nowMs: number,
): PairState {
	const refusal = refusalOf(bounds, nowMs);
	return refusal === 'exhausted' && !hasPaid ? 'no_balance' : (refusal ?? 'active');
}
