import type { LedgerProblem } from '../../server/src/store/tables/ledger/verifications.ts';

/** Reads a store directly, not through the service. */
export interface StoredBooks {
	/** The transfers with a larger id, in the order in which they were written. */
	transfersBehind(lastId: number): Promise<readonly TransferRow[]>;
	/** The totals of the transfers up to this id; without it, of all. */
	totals(lastId?: number): Promise<TransferTotals>;
	/** The usernames that have an account. */
	accountsAmong(usernames: readonly string[]): Promise<ReadonlySet<string>>;
	ledgerProblems(): Promise<readonly LedgerProblem[]>;
}

export interface TransferTotals {
	readonly transfers: number;
	readonly cents: number;
	readonly lastId: number;
}

export interface TransferRow {
	readonly id: number;
	readonly kind: string;
	readonly debit: string;
	readonly credit: string;
	readonly amountCents: number;
	readonly requestId: string;
}
