import type { Account } from '../../../domain/account.ts';
import type { RecordedChange } from '../../../domain/recorded-change.ts';
import type { UsageDay } from '../../../domain/usage.ts';
import { gatherEach, gatherReads, inTurns } from '../../gather.ts';
import type { Reader, ReadLimit } from '../../reading.ts';
import type { KeySeal } from '../../secrets/key-seal.ts';
import { FIND_CHANGE } from '../changes/changes.ts';
import type { EventReads } from '../events/events.ts';
import type { MovementReads } from '../ledger/movements.ts';
import type { MeteringReads } from '../meters/reads.ts';
import type { PaymentReads } from '../payments/reads.ts';
import type { DashboardReads } from '../people/reads.ts';
import type { RefusalReads } from '../refusals/reads.ts';
import { LIST_USAGE_DAYS, type UsageSpan } from '../usage/days.ts';
import type { WebhookReads } from '../webhooks/reads.ts';
import { ACCOUNT_COLUMNS, type AccountName, type AccountRow, accountOf } from './account.ts';
import type { SubUserReads } from './sub-users.ts';
import type { TermsReads } from './terms-reads.ts';

/** The reads of the reseller API. Each throws `StoreUnavailableError` if the store cannot be asked. */
export interface ResellerReads {
	/** The account, if it belongs to this reseller. `owner` is the owner of the read; default: the reseller. */
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
	Pick<TermsReads, 'listSubUsersInState' | 'findDetails'> &
	Pick<MeteringReads, 'findDebt' | 'findPrice'> &
	Pick<MovementReads, 'listMovements' | 'followMovements' | 'findMovement'> &
	Pick<SubUserReads, 'readPairBounds' | 'readUsed'> &
	Pick<DashboardReads, 'listTokens'> &
	Pick<PaymentReads, 'findPayment' | 'listPayments'> &
	RefusalReads &
	Pick<EventReads, 'readEvents' | 'listNewestEvents'> &
	Pick<WebhookReads, 'listWebhooks' | 'listWebhookTries'>;

/** Finds accounts by their names, in the same order. */
export type FindAccounts = (
	names: readonly AccountName[],
) => readonly (AccountRow | undefined)[] | Promise<readonly (AccountRow | undefined)[]>;

type ResellerLimits = Readonly<Record<'accounts' | 'usage' | 'changes' | 'lists', ReadLimit>>;

/** The reads of the reseller API. Each engine has a quick way of its own to find accounts, because nearly all of them do. */
export function resellerReads(
	reader: Reader,
	limits: ResellerLimits,
	seal: KeySeal,
	findAccounts: FindAccounts,
): ResellerReads {
	const findAccount = gatherReads(findAccounts, (row) => row && accountOf(row, seal.open), {
		ownerOf: ({ owner }: OwnedName) => owner,
		// A reseller's own account is asked for often, and its name stands for nothing else. To compare the names of
		// sub-users would cost more than it saves.
		nameOf: ({ reseller, username }) => (username === reseller ? username : undefined),
		...limits.accounts,
	});
	const readPage = inTurns(reader.read, limits.lists);
	const listUsageDays = gatherEach(reader, LIST_USAGE_DAYS, (days: readonly UsageDay[]) => days, {
		ownerOf: ([reseller]: UsageSpan) => reseller,
		...limits.usage,
	});
	const findChange = gatherEach(reader, FIND_CHANGE, ([change]: readonly RecordedChange[]) => change, {
		ownerOf: ({ reseller }) => reseller,
		...limits.changes,
	});
	return {
		findAccount: (reseller, username, owner = reseller) => findAccount({ reseller, username, owner }),
		async listSubUsers(reseller, after, limit) {
			const statement = { sql: LIST_SUB_USERS, values: [reseller, after, limit] };
			const rows = (await readPage({ owner: reseller, statement })) as readonly AccountRow[];
			return rows.map((row) => accountOf(row, seal.openOnce));
		},
		listUsageDays: (...span) => listUsageDays(span),
		findChange: (reseller, id) => findChange({ reseller, id }),
	};
}

/** The key of an account, and the owner of the read. */
interface OwnedName extends AccountName {
	readonly owner: string;
}

/**
 * Reads from the row after `$2` to the last row of the reseller, in the order of the index. With `reseller = $1`,
 * PostgreSQL expects few rows as long as the table was never analysed. Then it reads and sorts the rest of the list for
 * each page.
 */
export const LIST_SUB_USERS = `SELECT ${ACCOUNT_COLUMNS} FROM live_accounts
	WHERE (reseller, username) > ($1, $2) AND reseller <= $1 AND username <> reseller
	ORDER BY reseller, username LIMIT $3`;
