import type { Bytes, ResellerUsageDay } from '../domain/usage.ts';

/**
 * The quick reads of the dashboard's business pages: microseconds each. A search with filters runs in bounded steps,
 * beside the heavy reads (`ReportReads`). Each throws `StoreUnavailableError` if the store cannot be asked. Resellers
 * take turns.
 */
export interface BusinessReads {
	/** Below this balance, in USD cents, the reseller wants a warning; `null`: never. */
	findLowBalance(reseller: string): Promise<number | null>;
	/** What all accounts of the reseller used from `firstDay` to `lastDay`, in days since 1970-01-01. */
	listResellerUsageDays(reseller: string, firstDay: number, lastDay: number): Promise<readonly ResellerUsageDay[]>;
	/** What each of these accounts used from `firstDay` to `lastDay`. An account without usage is missing. */
	sumUsage(span: UsageSpan): Promise<ReadonlyMap<string, Bytes>>;
	/** A page of the reseller's movements. Looks at `MOVEMENTS_IN_A_STEP` movements at most. */
	listMovements(query: MovementQuery): Promise<SearchedPage<StoredMovement>>;
	/** A page of the acts of all people. Looks at `ACTS_IN_A_STEP` acts at most. */
	listAllActs(query: ActQuery): Promise<SearchedPage<StoredAct>>;
	/** The people of a reseller, by e-mail address. */
	listPeopleOf(reseller: string): Promise<readonly PersonOfReseller[]>;
	/** The reports that arrived from `firstDay` on, by UTC day and by what became of them. */
	listUsageVerdicts(firstDay: number): Promise<readonly UsageVerdictCount[]>;
	/** The verification of the ledger that was begun last, and the last one that ended. */
	findVerifications(): Promise<{ readonly newest?: StoredVerification; readonly ended?: StoredVerification }>;
}

export interface UsageSpan {
	readonly reseller: string;
	readonly usernames: readonly string[];
	readonly firstDay: number;
	readonly lastDay: number;
}

/** How many rows one step of a search looks at: some milliseconds. */
export const MOVEMENTS_IN_A_STEP = 10_000;
export const ACTS_IN_A_STEP = 10_000;

interface SearchedRange {
	/** Only rows with a smaller number. For the newest, `Number.MAX_SAFE_INTEGER`. */
	readonly before: number;
	/** Unix milliseconds; `toMs` is not included. */
	readonly fromMs?: number | undefined;
	readonly toMs?: number | undefined;
	readonly limit: number;
}

export interface MovementQuery extends SearchedRange {
	readonly reseller: string;
	readonly kind?: string | undefined;
	/** Only movements to and from this sub-user. */
	readonly username?: string | undefined;
}

interface ActQuery extends SearchedRange {
	/** The id of a person. */
	readonly person?: string | undefined;
	readonly kind?: string | undefined;
}

export interface SearchedPage<Row> {
	/** The newest first. */
	readonly rows: readonly Row[];
	/** Where the next page goes on; `null` if nothing older can match. */
	readonly nextBefore: number | null;
	/** How far back this step has looked, in Unix milliseconds; `null` if nothing older can match. */
	readonly searchedToMs: number | null;
}

export interface StoredMovement {
	readonly number: number;
	readonly atMs: number;
	readonly kind: string;
	readonly debit: string;
	readonly credit: string;
	/** USD cents. */
	readonly amountCents: number;
	readonly debitBalanceCents: number | null;
	readonly creditBalanceCents: number | null;
	/** The person on the dashboard who did it, and the person's reseller. */
	readonly email: string | null;
	readonly emailReseller: string | null;
	/** The operator's reference and reason; `null` if it was no payment. */
	readonly reference: string | null;
	readonly reason: string | null;
}

export interface StoredAct {
	readonly number: number;
	readonly kind: string;
	readonly target: string;
	readonly address: string;
	readonly atMs: number;
	readonly email: string;
	readonly reseller: string | null;
}

export interface PersonOfReseller {
	readonly email: string;
	readonly state: 'invited' | 'active' | 'locked';
	readonly secondFactor: boolean;
	readonly lastSeenAtMs: number | null;
}

export interface UsageVerdictCount {
	/** The UTC day of arrival, in days since 1970-01-01. */
	readonly day: number;
	/** `counted`, `repeated`, or a `UsageRefusal`. */
	readonly verdict: string;
	readonly reports: number;
}

export interface StoredVerification {
	readonly id: string;
	/** The e-mail address of an operator, or `operator` for the command line. */
	readonly by: string;
	readonly startedAtMs: number;
	/** When its progress was last noted. */
	readonly notedAtMs: number;
	readonly endedAtMs: number | null;
	readonly done: number;
	readonly steps: number;
	/** JSON of the contract's `LedgerVerification['result']`; `null` if it was not finished. */
	readonly result: string | null;
}
