import type { Account } from '../../../domain/account.ts';
import type { RecordedChange } from '../../../domain/recorded-change.ts';
import type { UsageDay } from '../../../domain/usage.ts';
import type { MovementReads } from '../ledger/movements.ts';
import type { MeteringReads } from '../meters/reads.ts';
import type { LifeReads } from './life.ts';
import type { SubUserReads } from './sub-users.ts';

/** The reads of the reseller API. Each throws `StoreUnavailableError` if the store cannot be asked. */
export interface ResellerReads {
	/** The account, if it belongs to this reseller. `owner` is whose read it is, if not the reseller's. */
	findAccount(reseller: string, username: string, owner?: string): Promise<Account | undefined>;
	/**
	 * A page of a reseller's sub-users, by username, starting after `after` (`''` for the first page). No transaction
	 * stays open between pages.
	 */
	listSubUsers(reseller: string, after: string, limit: number): Promise<readonly Account[]>;
	/** The bandwidth of an account of this reseller from `firstDay` to `lastDay`, in days since 1970-01-01. */
	listUsageDays(reseller: string, username: string, firstDay: number, lastDay: number): Promise<readonly UsageDay[]>;
	/** What the change of this reseller with this id did, if it is recorded. */
	findChange(reseller: string, id: string): Promise<RecordedChange | undefined>;
}

/** All that the reseller API reads. */
export type ApiReads = ResellerReads &
	Pick<LifeReads, 'listSubUsersInState' | 'findDetails'> &
	Pick<MeteringReads, 'findDebt' | 'findPrice'> &
	Pick<MovementReads, 'listMovements'> &
	Pick<SubUserReads, 'readPairBounds'>;
