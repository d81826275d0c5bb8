import type { Role } from '@bursar/contract/dashboard';
import type { UsageCorrection } from '../../domain/operators/usage-correction.ts';
import type { CorrectedUsage } from '../../domain/people/person-facts.ts';
import type { RefusedReport } from '../../domain/refused-report.ts';
import type { ResellerUsageDay } from '../../domain/usage.ts';
import type { ListedPerson, PeopleQuery } from './operator-reads.ts';
import type { SearchedPage, SearchedRange } from './row-search.ts';
import type { ListedAccount, RowPosition } from './sub-user-reads.ts';

/**
 * What the dashboard's business pages read about resellers, their people and the platform. Each read throws
 * `StoreUnavailableError` if the store cannot be asked. Resellers take turns. The lane of each read depends on its statement (decision 0036).
 */
export interface BusinessReads {
	/** Below this balance, in USD cents, the reseller wants a warning; `null`: never. */
	findLowBalance(reseller: string): Promise<number | null>;
	/** Since when the reseller is suspended, in Unix milliseconds; `null` if it is not. `owner` is whose read it is, if not its own. */
	findSuspension(reseller: string, owner?: string): Promise<number | null>;
	/**
	 * What all accounts of the reseller used from `firstDay` to `lastDay`, in days since 1970-01-01. `owner` is whose read
	 * it is, if not the reseller's.
	 */
	listResellerUsageDays(
		reseller: string,
		firstDay: number,
		lastDay: number,
		owner?: string,
	): Promise<readonly ResellerUsageDay[]>;
	/** A page of the platform's resellers. */
	listResellersBy(query: ResellerQuery): Promise<readonly ListedResellerRow[]>;
	/** A step through acts for files, the oldest first. A step with a filter may find none. */
	searchActsAfter(
		query: ActsAfterQuery,
	): Promise<{ readonly rows: readonly StoredAct[]; readonly nextAfter: number | null }>;
	/** A page of acts. Looks at `ROWS_IN_A_STEP` of them at most. */
	searchActs(query: ActQuery): Promise<SearchedPage<StoredAct>>;
	/** The largest top-up of a reseller, in USD cents; `null` if there was none. For operators. */
	findLargestTopUp(reseller: string): Promise<number | null>;
	/** The people of a reseller, or the operators, by e-mail address. `owner` is whose read it is, if not the operators'. */
	listPeopleOf(reseller: string | null, owner?: string): Promise<readonly PersonOfReseller[]>;
	/** A page of all people, by e-mail address. For operators. */
	listPeople(query: PeopleQuery): Promise<readonly ListedPerson[]>;
	/** The reports that arrived from `firstDay` on, by UTC day and by what became of them. */
	listUsageVerdicts(firstDay: number): Promise<readonly UsageVerdictCount[]>;
	/** Refused reports that arrived since then, in Unix milliseconds, the newest first, `REFUSED_KEPT` at most. */
	listRefusedReports(sinceMs: number, limit: number): Promise<readonly StoredRefusedReport[]>;
	/**
	 * Corrections of bandwidth, the newest first: of all accounts, or of those of a reseller or of one account. `after`
	 * is the last one of the previous page.
	 */
	listUsageCorrections(query: CorrectionQuery): Promise<readonly UsageCorrection[]>;
	/** What an account and its reseller used on a UTC day, in days since 1970-01-01. For operators. */
	findUsageOn(username: string, day: number): Promise<CorrectedUsage | undefined>;
	/** The verification of the ledger that was begun last, and the last one that ended. */
	findVerifications(): Promise<{ readonly newest?: StoredVerification; readonly ended?: StoredVerification }>;
}

export interface StoredRefusedReport extends RefusedReport {
	/** When the last one arrived, in Unix milliseconds. */
	readonly arrivedAtMs: number;
	/** `null` if there is no such account. */
	readonly reseller: string | null;
}

export interface CorrectionQuery {
	readonly reseller?: string | undefined;
	readonly username?: string | undefined;
	/** Of these UTC days. */
	readonly firstDay?: number | undefined;
	readonly lastDay?: number | undefined;
	readonly after?: Pick<UsageCorrection, 'atMs' | 'reference'> | undefined;
	readonly limit: number;
	/** Whose read it is, if not that of the reseller, or of the operators for all accounts. */
	readonly owner?: string | undefined;
}

export interface ActFilters {
	/**
	 * Only acts of this reseller: of its people and programs, and of operators about it. Then `emailPart` is looked for
	 * among its people only. Absent: all acts, for operators.
	 */
	readonly reseller?: string | undefined;
	/** A part of the e-mail address of a person, normalized. The acts of a person with a whole address are found quickly. */
	readonly emailPart?: string | undefined;
	readonly kind?: string | undefined;
}

interface ActQuery extends SearchedRange, ActFilters {}

export interface ActsAfterQuery extends Omit<SearchedRange, 'before'>, ActFilters {
	/** 0 for the first page. */
	readonly after: number;
}

export interface ResellerQuery {
	/** The beginning of the name. */
	readonly search: string;
	/** Never used counts as 0. */
	readonly by: 'name' | 'balance' | 'last_used' | 'created';
	readonly descends: boolean;
	/** `undefined` for the first page. */
	readonly after?: RowPosition | undefined;
	readonly limit: number;
}

export interface ListedResellerRow extends ListedAccount {
	/** Unix milliseconds; `null` if it is not suspended. */
	readonly suspendedAtMs: number | null;
	/** When one of its tokens was last used. */
	readonly lastUsedAtMs: number | null;
	/** What it owes, in USD cents. */
	readonly debtCents: number;
	/** The present price of bandwidth, in micro-dollars a GB; `null`: it costs nothing. */
	readonly microUsdPerGb: number | null;
}

export interface StoredAct {
	readonly number: number;
	readonly kind: string;
	readonly target: string;
	readonly atMs: number;
	readonly requestId: string;
	/** Where it came from; `null` for the command line. */
	readonly address: string | null;
	/** Of a person. */
	readonly email: string | null;
	/** Whose person or program did it, or which one an act of an operator is about; `null` for none. */
	readonly reseller: string | null;
	/** Of the person; `null` for an operator. */
	readonly emailReseller: string | null;
	/** Of a program. */
	readonly tokenTail: string | null;
	/** Of the command line. */
	readonly systemUser: string | null;
}

export interface PersonOfReseller {
	readonly email: string;
	/** `null` for an operator. */
	readonly role: Role | null;
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
