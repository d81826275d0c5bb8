import type { Account } from '../domain/account.ts';

/** The reads of the operator's commands. */
export interface OperatorReads {
	/** A page of the platform's resellers, by name, starting after `after` (`''` for the first page). */
	listResellers(after: string, limit: number): Promise<readonly Account[]>;
	/** Recomputes every balance from the ledger, in one snapshot. Changes nothing. */
	verifyLedger(): Promise<LedgerVerification>;
}

export interface LedgerVerification {
	readonly accounts: number;
	readonly transfers: number;
	readonly problems: readonly LedgerProblem[];
}

/** An account or a reseller that breaks a rule of the ledger. */
export interface LedgerProblem {
	readonly username: string;
	readonly problem: string;
}
