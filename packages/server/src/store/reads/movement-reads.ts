import type { UsageCharge } from '../../domain/metering.ts';
import type { SearchedPage, SearchedRange } from './row-search.ts';

/**
 * What the dashboard reads about the movements of a reseller's money. Each read throws `StoreUnavailableError` if the
 * store cannot be asked. Resellers take turns. The lane of each read depends on its statement (decision 0036).
 */
export interface MovementReads {
	/** A page of the reseller's movements. Looks at `ROWS_IN_A_STEP` of them at most. */
	listMovements(query: MovementQuery): Promise<SearchedPage<StoredMovement>>;
	/** A step through a reseller's movements for files, the oldest first. A step with a filter may find none. */
	listMovementsAfter(query: MovementsAfterQuery): Promise<MovementStep>;
	/** The bandwidth that movements of the kinds `usage` and `debt` are for, by price for each of them. */
	listUsageCharges(query: ChargesQuery): Promise<readonly UsageCharge[]>;
	/**
	 * The number of the reseller's first movement at or after a time; if there is none yet, one more than that of the
	 * newest.
	 */
	findMovementAt(query: MovementAtQuery): Promise<number>;
	/** When the reseller's first movement was, in Unix milliseconds. `owner` is whose read it is. */
	findFirstMovement(reseller: string, owner: string): Promise<number | undefined>;
	/** Adds up movements, `ROWS_IN_A_STEP` at most. */
	sumStatement(query: StatementSumQuery): Promise<StatementSums>;
	/**
	 * What the reseller's own account owes for bandwidth and can pay, in USD cents. The ledger does not have it yet.
	 * `owner` is whose read it is.
	 */
	findOwnDue(reseller: string, owner: string): Promise<number>;
}

interface MovementAtQuery {
	readonly reseller: string;
	/** Unix milliseconds. */
	readonly atMs: number;
	/** Whose read it is. */
	readonly owner: string;
}

export interface StatementSumQuery {
	readonly reseller: string;
	/** Only movements with this number or a larger one. */
	readonly from: number;
	/** Only movements with a smaller number. */
	readonly before: number;
	/** Only movements to and from this sub-user, and the fees for it. */
	readonly username?: string | undefined;
	/** Whose read it is. */
	readonly owner: string;
}

export interface StatementSums {
	readonly sums: readonly StatementSum[];
	/** From where the next step goes on; `null` if nothing is left. */
	readonly next: number | null;
}

/** The movements of one kind and direction. */
export interface StatementSum {
	readonly kind: string;
	readonly direction: MovementDirection;
	readonly count: number;
	/** USD cents. All movements of a ledger together can have more than 2^53. */
	readonly cents: bigint;
}

/**
 * Whether the reseller's own balance grew or shrank, a sub-user paid for its bandwidth from its own one, or what the
 * reseller owes changed.
 */
type MovementDirection = 'in' | 'out' | 'sub_user' | 'debt';

export interface MovementQuery extends SearchedRange {
	readonly reseller: string;
	readonly kind?: string | undefined;
	/** Only movements to and from this sub-user, and the fees for it. */
	readonly username?: string | undefined;
	/** Only movements that changed the balance of the reseller itself. */
	readonly isOwn?: boolean | undefined;
	/** Whose read it is, if not the reseller's. */
	readonly owner?: string | undefined;
}

export interface StoredMovement {
	readonly number: number;
	readonly atMs: number;
	readonly reseller: string;
	readonly kind: string;
	readonly debit: string;
	readonly credit: string;
	/** USD cents. */
	readonly amountCents: number;
	readonly debitBalanceCents: number | null;
	readonly creditBalanceCents: number | null;
	readonly requestId: string;
	/** The program that did it over the API; `null` for others. */
	readonly tokenTail: string | null;
	readonly address: string | null;
	/** The user of the operating system who did it on the command line. */
	readonly systemUser: string | null;
	/** Of a create fee: the sub-user's name that was asked for. Of a debt: the account that used the bandwidth. */
	readonly aboutUsername: string | null;
	/** The person on the dashboard who did it, and the person's reseller. */
	readonly email: string | null;
	readonly emailReseller: string | null;
	/** The operator's reference and reason; `null` if it was no payment. */
	readonly reference: string | null;
	readonly reason: string | null;
	/** What a person noted on a give or a take. */
	readonly note: string | null;
}

export interface ChargesQuery {
	readonly reseller: string;
	/** The accounts that used bandwidth, and when it was settled. */
	readonly settled: readonly { readonly username: string; readonly atMs: number }[];
	/** Whose read it is. */
	readonly owner: string;
}

interface MovementStep {
	/** The oldest first. */
	readonly rows: readonly StoredMovement[];
	/** Where the next step goes on; `null` if nothing newer can match. */
	readonly nextAfter: number | null;
}

export interface MovementsAfterQuery {
	readonly reseller: string;
	/** 0 for the first page. */
	readonly after: number;
	/** Only movements with a smaller number. */
	readonly before?: number | undefined;
	readonly fromMs?: number | undefined;
	readonly toMs?: number | undefined;
	readonly kind?: string | undefined;
	readonly username?: string | undefined;
	/** Only movements that changed the balance of the reseller itself. */
	readonly isOwn?: boolean | undefined;
	readonly limit: number;
}
