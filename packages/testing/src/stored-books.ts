import type { LedgerProblem } from '../../server/src/store/operator-reads.ts';

/** What a store holds, as somebody sees it who looks past the service. */
export interface StoredBooks {
	/** In the order in which they were written. */
	transfersBehind(lastId: number): Promise<readonly TransferRow[]>;
	/** Of the transfers up to that one; of all where it is left out. */
	totals(lastId?: number): Promise<TransferTotals>;
	/** Those of the names that are accounts. */
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
