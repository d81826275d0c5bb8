import type { Account } from '../domain/account.ts';
import type { Bytes } from '../domain/usage.ts';
import type { StoredMovement } from './business-reads.ts';

/**
 * The heavy reads of the dashboard: they sort, count or add up what may be many rows. On SQLite they run in a thread of
 * their own, on PostgreSQL on connections of their own. What one reseller has waiting is bounded, and resellers take
 * turns. Each throws `StoreUnavailableError` if the store cannot be asked.
 */
export interface ReportReads {
	/** A page of a reseller's sub-users. */
	listSubUsersBy(query: SubUserQuery): Promise<readonly ListedAccount[]>;
	countSubUsers(reseller: string, search: NameSearch): Promise<number>;
	/** The sub-users that used most from `firstDay` to `lastDay`, up and down together, the largest first. */
	listTopSubUsers(query: TopQuery): Promise<readonly (Bytes & { readonly username: string })[]>;
	/** A page of all sub-users by name, with what each used from `firstDay` to `lastDay`. For files. */
	listSubUsersWithUsage(query: SubUsersWithUsageQuery): Promise<readonly (ListedAccount & Bytes)[]>;
	/** A step through a reseller's movements for files, the oldest first. A step with a filter may find none. */
	listMovementsAfter(query: MovementsAfterQuery): Promise<MovementStep>;
	/** A page of the platform's resellers by name. */
	listResellersBy(query: ResellerQuery): Promise<readonly ListedResellerRow[]>;
}

export type ListedAccount = Pick<Account, 'username' | 'balanceCents' | 'createdAtMs'>;

/** `''`: all. */
export interface NameSearch {
	readonly text: string;
	readonly match: 'beginning' | 'anywhere';
}

export interface SubUserQuery {
	readonly reseller: string;
	readonly search: NameSearch;
	readonly by: 'name' | 'balance' | 'created';
	readonly descends: boolean;
	/** The last row before the page, in this order. Names make the order unique. */
	readonly after?: { readonly username: string; readonly value: number } | undefined;
	readonly limit: number;
}

export interface TopQuery {
	readonly reseller: string;
	readonly firstDay: number;
	readonly lastDay: number;
	readonly limit: number;
}

export interface SubUsersWithUsageQuery extends TopQuery {
	/** `''` for the first page. */
	readonly after: string;
}

export interface MovementStep {
	/** The oldest first. */
	readonly rows: readonly StoredMovement[];
	/** Where the next step goes on; `null` if nothing newer can match. */
	readonly nextAfter: number | null;
}

export interface MovementsAfterQuery {
	readonly reseller: string;
	/** 0 for the first page. */
	readonly after: number;
	readonly fromMs?: number | undefined;
	readonly toMs?: number | undefined;
	readonly kind?: string | undefined;
	readonly username?: string | undefined;
	readonly limit: number;
}

export interface ResellerQuery {
	/** The beginning of the name. */
	readonly search: string;
	readonly descends: boolean;
	/** `undefined` for the first page. */
	readonly after?: string | undefined;
	readonly limit: number;
}

export interface ListedResellerRow extends ListedAccount {
	/** When one of its tokens was last used. */
	readonly lastUsedAtMs: number | null;
}
