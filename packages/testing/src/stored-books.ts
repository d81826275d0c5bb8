import type { LedgerProblem } from '../../server/src/store/tables/ledger/verifications.ts';

/** Reads a store directly, not through the service. */
export interface StoredBooks {
	/** The transfers behind these, in the order of their ids. */
	transfersBehind(newest: NewestTransfers): Promise<readonly TransferRow[]>;
	/** The totals of the transfers up to these; without them, of all. */
	totals(newest?: NewestTransfers): Promise<TransferTotals>;
	/** The usernames that have an account. */
	accountsAmong(usernames: readonly string[]): Promise<ReadonlySet<string>>;
	ledgerProblems(): Promise<readonly LedgerProblem[]>;
}

export interface TransferTotals {
	readonly transfers: number;
	readonly cents: number;
	readonly newest: NewestTransfers;
}

/** The id of the newest transfer of each reseller. */
type NewestTransfers = Readonly<Record<string, number>>;

/** The sum of all resellers. `rows`: the totals of each. */
export function sumOfTotals(
	rows: readonly {
		readonly reseller: string;
		readonly transfers: number;
		readonly cents: number;
		readonly id: number;
	}[],
): TransferTotals {
	return {
		transfers: rows.reduce((sum, { transfers }) => sum + transfers, 0),
		cents: rows.reduce((sum, { cents }) => sum + cents, 0),
		newest: Object.fromEntries(rows.map(({ reseller, id }) => [reseller, id])),
	};
}

export interface TransferRow {
	readonly reseller: string;
	readonly id: number;
	readonly kind: string;
	readonly debit: string;
	readonly credit: string;
	readonly amountCents: number;
	readonly requestId: string;
}
