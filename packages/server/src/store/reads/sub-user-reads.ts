import type { PairState } from '@bursar/contract/life';
import type { Account } from '../../domain/account.ts';
import type { PairBounds } from '../../domain/pair-state.ts';
import type { Bytes } from '../../domain/usage.ts';

/**
 * What the dashboard reads about the sub-users of a reseller. Each read throws `StoreUnavailableError` if the store
 * cannot be asked. Resellers take turns. The lane of each read depends on its statement (decision 0036).
 */
export interface SubUserReads {
	/** A page of a reseller's sub-users. */
	listSubUsersBy(query: SubUserQuery): Promise<readonly SortedAccount[]>;
	countSubUsers(reseller: string, search: NameSearch, inState?: InState): Promise<number>;
	/** How many of a list come before the row `after`, in its order. */
	countSubUsersBefore(query: Omit<SubUserQuery, 'limit'>): Promise<number>;
	/** How many sub-users of the reseller are in each state. `atMs` is now, in Unix milliseconds. */
	countSubUserStates(reseller: string, atMs: number): Promise<Readonly<Record<PairState, number>>>;
	/** What decides whether the proxies accept accounts of a reseller, by username. Its own may be one of them. */
	readPairBounds(query: PairBoundsQuery): Promise<ReadonlyMap<string, AccountBounds>>;
	/** What each of these accounts used from `firstDay` to `lastDay`. An account without usage is missing. */
	sumUsage(span: UsageSpan): Promise<ReadonlyMap<string, Bytes>>;
	/** A page of all sub-users by name, with what each used from `firstDay` to `lastDay`. For files. */
	listSubUsersWithUsage(query: SubUsersWithUsageQuery): Promise<readonly (ListedAccount & Bytes)[]>;
}

export type ListedAccount = Pick<Account, 'username' | 'balanceCents' | 'createdAtMs'>;

export interface PairBoundsQuery {
	readonly reseller: string;
	readonly usernames: readonly string[];
	/** Now, in Unix milliseconds. */
	readonly atMs: number;
	/** Whose read it is, if not the reseller's. */
	readonly owner?: string | undefined;
}

export interface AccountBounds extends PairBounds {
	/** Whether its balance has ever paid for bandwidth. */
	readonly hasPaid: boolean;
}

/** With what it is sorted by, if that is bandwidth. */
export type SortedAccount = ListedAccount & { readonly usedBytes?: number };

/** `''`: all. */
export interface NameSearch {
	readonly text: string;
	readonly match: 'beginning' | 'anywhere';
}

/** Those that have a state at a time, in Unix milliseconds. */
export interface InState {
	readonly state: PairState;
	readonly atMs: number;
}

export interface SubUserQuery {
	readonly reseller: string;
	readonly search: NameSearch;
	/** Absent: in any state. */
	readonly inState?: InState | undefined;
	readonly by: 'name' | 'balance' | 'created' | 'bandwidth';
	/** The days whose bandwidth counts, up and down together. Needed to sort by it. */
	readonly used?: Pick<UsageSpan, 'firstDay' | 'lastDay'> | undefined;
	readonly descends: boolean;
	/** `undefined` for the first page. */
	readonly after?: RowPosition | undefined;
	readonly limit: number;
	/** Whose read it is, if not the reseller's. */
	readonly owner?: string | undefined;
}

/** The last row before a page, in the order of its list. Names make the order unique. */
export interface RowPosition {
	readonly username: string;
	/** What the list is sorted by; not looked at if that is the name. */
	readonly value: number;
}

export interface UsageSpan {
	readonly reseller: string;
	readonly usernames: readonly string[];
	readonly firstDay: number;
	readonly lastDay: number;
}

export interface SubUsersWithUsageQuery extends Omit<UsageSpan, 'usernames'> {
	readonly limit: number;
	/** `''` for the first page. */
	readonly after: string;
}
