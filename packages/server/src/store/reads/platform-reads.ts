import type { DaySpan } from './metering-reads.ts';

/**
 * What operators read about the money of all resellers together. All are heavy. Each read throws `StoreUnavailableError` if
 * the store cannot be asked.
 */
export interface PlatformReads {
	/** What moved from a time to another one, which is not included, by kind. Both in Unix milliseconds. */
	sumMovements(span: TimeSpan): Promise<readonly MovementSum[]>;
	/**
	 * What the ledger says that all accounts hold, and what moved since `fromMs`, before `middleMs` and from then on. Both are
	 * of one moment.
	 */
	sumLedger(query: LedgerSumsQuery): Promise<LedgerSums>;
	/** What the accounts of each reseller hold, and what the bandwidth of these days costs them, by reseller. */
	listHoldings(query: HoldingsQuery): Promise<readonly Holdings[]>;
}

export interface TimeSpan {
	readonly fromMs: number;
	readonly toMs: number;
}

export interface LedgerSumsQuery {
	readonly fromMs: number;
	readonly middleMs: number;
}

export interface MovementSum {
	readonly kind: string;
	/** USD cents. */
	readonly cents: number;
	/** What all accounts together have more because of it; below zero if they have less. */
	readonly addedCents: number;
}

export interface LedgerSums {
	/** USD cents, with what is due for bandwidth and not posted yet. */
	readonly heldCents: number;
	readonly before: readonly MovementSum[];
	readonly since: readonly MovementSum[];
}

/** What the accounts of a reseller hold. Amounts are USD cents, and balances live. */
export interface HoldingsQuery extends DaySpan {
	/** Now, in Unix milliseconds. */
	readonly atMs: number;
}

export interface Holdings {
	readonly reseller: string;
	/** All of them together. */
	readonly heldCents: number;
	/** The reseller's own account. */
	readonly ownCents: number;
	/** How many sub-users are in the state `exhausted`. */
	readonly ranOutSubUsers: number;
	/** Below this balance the reseller wants a warning. */
	readonly lowBalanceCents: number | null;
	/** Since when its bandwidth is charged, in Unix milliseconds; `null` if it has no price. */
	readonly meteredSinceMs: number | null;
	/** Unix milliseconds. */
	readonly suspendedAtMs: number | null;
	readonly costCents: number;
}
