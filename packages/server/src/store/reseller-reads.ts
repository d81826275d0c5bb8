import type { Account } from '../domain/account.ts';
import type { UsageDay } from '../domain/usage.ts';

/** What the reseller API reads. Each read throws `StoreUnavailableError` if the store cannot be asked. */
export interface ResellerReads {
	/** The account, if it belongs to that reseller. */
	findAccount(reseller: string, username: string): Promise<Account | undefined>;
	/**
	 * A page of a reseller's sub-users, by username, starting behind `after` (`''` for the first). The
	 * page is read at once and holds nothing afterwards.
	 */
	listSubUsers(reseller: string, after: string, limit: number): Promise<readonly Account[]>;
	/** What an account of that reseller used from `firstDay` to `lastDay`, in days since 1970-01-01. */
	listUsageDays(reseller: string, username: string, firstDay: number, lastDay: number): Promise<readonly UsageDay[]>;
}
