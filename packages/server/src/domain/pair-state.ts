import { type PairState, UNUSABLE_REASONS, type UnusableReason } from '@bursar/contract/sub-user-terms';

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

type PairRefusal = Exclude<PairState, 'active' | 'no_balance'>;

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

/** The same as programs are told it: what holds for all accounts of the reseller has no word of its own. */
export function unusableReasonOf(bounds: PairBounds, nowMs: number): UnusableReason | null {
	const refusal = refusalOf(bounds, nowMs);
	return refusal && TOLD_AS[refusal];
}

const TOLD_AS = {
	suspended: 'suspended',
	reseller_suspended: 'suspended',
	expired: 'expired',
	reseller_in_debt: 'exhausted',
	exhausted: 'exhausted',
	limit_reached: 'limit_reached',
} as const satisfies Record<PairRefusal, UnusableReason>;

/** Why a pair is refused without what holds for all accounts of the reseller. */
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

/** Which pairs are wanted. Absent: all. */
export interface WantedPairs {
	readonly usable?: boolean | undefined;
	readonly reason?: UnusableReason | undefined;
}

/** What sub-users of the reseller are told of themselves (`refusalOfItself`) whose pairs are wanted. */
export function toldOfWanted(
	{ usable, reason }: WantedPairs,
	{ isResellerSuspended, isBeyondDebtLine }: Pick<PairBounds, 'isResellerSuspended' | 'isBeyondDebtLine'>,
): (UnusableReason | null)[] {
	return [null, ...UNUSABLE_REASONS].filter((told) => {
		const holds = unusableReasonOf({ ...boundedBy(told), isResellerSuspended, isBeyondDebtLine }, 0);
		return (usable ?? holds === null) === (holds === null) && (reason ?? holds) === holds;
	});
}

/** The bounds of an account that only this reason bounds. */
function boundedBy(reason: UnusableReason | null) {
	return {
		isSuspended: reason === 'suspended',
		expiresAtMs: reason === 'expired' ? 0 : null,
		leftBytes: reason === 'exhausted' ? 0 : null,
		limitLeftBytes: reason === 'limit_reached' ? 0 : null,
	};
}
