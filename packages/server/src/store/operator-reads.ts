import type { Account } from '../domain/account.ts';

/** What the operator's command line reads. */
export interface OperatorReads {
	/** A page of the platform's resellers, by name, starting behind `after` (`''` for the first). */
	listResellers(after: string, limit: number): Promise<readonly Account[]>;
	/** Recomputes every balance from the ledger, in one snapshot. Changes nothing. */
	verifyLedger(): Promise<LedgerVerification>;
}

export interface LedgerVerification {
	readonly accounts: number;
	readonly transfers: number;
	readonly problems: readonly LedgerProblem[];
}

/** An account, or a side of the platform, whose figures do not agree. */
export interface LedgerProblem {
	readonly username: string;
	readonly problem: string;
}
