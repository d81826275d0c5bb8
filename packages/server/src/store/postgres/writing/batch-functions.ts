import type { Debt } from '../../../domain/debt.ts';
import type { Due } from '../../../domain/metering.ts';
import { type ChangeName, changesForgottenBeforeMs, FORGOTTEN_FOR_EACH } from '../../../domain/recorded-change.ts';
import type { BatchChanges, LoadedBooks } from '../../../domain/stored-books.ts';
import type { AccountName } from '../../tables/accounts/account.ts';
import type { Query } from '../database/connections.ts';
import { arrayOf, type Statement } from '../rows.ts';

/** Accounts, what they owe for bandwidth, and what is known of the resellers among them. */
export type LockedAccounts = Pick<
	LoadedBooks,
	'accounts' | 'exhausted' | 'dues' | 'debts' | 'newestEvents' | 'newestMovements' | 'suspendedResellers'
>;

/**
 * Locks accounts, and loads those that exist. All processes lock rows in one order, so that there are no deadlocks: first
 * those of sub-users, because the account of their reseller may be locked until the previous batch has committed. Ends
 * the time limit of statements. What is due is read behind the locks, so it is what earlier commands have left.
 */
export async function lockAccounts(query: Query, accounts: readonly AccountName[]): Promise<LockedAccounts> {
	const values = [accounts.map(({ reseller }) => reseller), accounts.map(({ username }) => username)].map(arrayOf);
	// What is due is looked for after the locks are held, by a statement of its own, which sees what was committed before.
	const sql = `SELECT balances, exhausted, find_dues($1, $2) AS dues, find_own_accounts($1, $2) AS resellers
		FROM lock_sub_users_first($1, $2)`;
	const { rows } = await query<LockedRow>(sql, values);
	const { balances, exhausted, dues, resellers } = rows[0] ?? NOTHING_LOCKED;
	return {
		accounts: accounts.flatMap(({ reseller, username }, index) => {
			const balance = balances[index] ?? null;
			return balance === null ? [] : [{ reseller, username, balanceCents: Number(balance) }];
		}),
		exhausted: exhausted.map((place) => accounts[place - 1] as AccountName),
		dues: dues.length === 0 ? [] : duesOf(accounts, dues.map(Number)),
		...resellersOf(accounts, resellers.map(Number)),
	};
}

interface LockedRow {
	readonly balances: readonly (string | null)[];
	/** Their places. They begin with 1. */
	readonly exhausted: readonly number[];
	readonly dues: readonly string[];
	readonly resellers: readonly string[];
}

const NOTHING_LOCKED: LockedRow = { balances: [], exhausted: [], dues: [], resellers: [] };

/** Reads what `find_dues` returns. Positions begin with 1. */
function duesOf(accounts: readonly AccountName[], values: readonly number[]): readonly Due[] {
	const dues: Due[] = [];
	for (let from = 0; from < values.length; from += 7) {
		const [position, price, microUsdPerGb, fromBytes, bytes, cents, sinceMs] = values.slice(
			from,
			from + 7,
		) as SevenNumbers;
		const { reseller, username } = accounts[position - 1] as AccountName;
		dues.push({ reseller, username, price, microUsdPerGb, fromBytes, bytes, cents, sinceMs });
	}
	return dues;
}

type SevenNumbers = [number, number, number, number, number, number, number];

/** Reads what `find_own_accounts` returns. */
function resellersOf(accounts: readonly AccountName[], values: readonly number[]) {
	const debts: Debt[] = [];
	const newestEvents = new Map<string, number>();
	const newestMovements = new Map<string, number>();
	const suspendedResellers: string[] = [];
	for (let from = 0; from < values.length; from += 6) {
		const [position, isSuspended, cents, lineCents, newestEvent, newestMovement] = values.slice(
			from,
			from + 6,
		) as SixNumbers;
		const { reseller } = accounts[position - 1] as AccountName;
		debts.push({ reseller, cents, lineCents });
		newestEvents.set(reseller, newestEvent);
		newestMovements.set(reseller, newestMovement);
		if (isSuspended === 1) suspendedResellers.push(reseller);
	}
	return { debts, newestEvents, newestMovements, suspendedResellers };
}

type SixNumbers = [number, number, number, number, number, number];

/** Writes the balances of existing accounts, the newest movements of resellers, and the transfers. Fails if one of the accounts does not exist. */
export function writingTransfers(
	balances: BatchChanges['changedBalances'],
	transfers: BatchChanges['transfers'],
): Statement | undefined {
	if (balances.length === 0 && transfers.length === 0) return undefined;
	return calling('write_movements', [
		balances.map(({ reseller }) => reseller),
		balances.map(({ username }) => username),
		balances.map(({ balanceCents }) => balanceCents),
		balances.map(({ newestMovement }) => newestMovement),
		transfers.map(({ transfer }) => transfer.reseller),
		transfers.map(({ id }) => id),
		transfers.map(({ transfer }) => transfer.debit),
		transfers.map(({ transfer }) => transfer.credit),
		transfers.map(({ transfer }) => transfer.amountCents),
		transfers.map(({ transfer }) => transfer.kind),
		transfers.map(({ transfer }) => transfer.atMs),
		transfers.map(({ transfer }) => transfer.requestId),
		transfers.map(({ transfer }) => transfer.debitBalanceCents),
		transfers.map(({ transfer }) => transfer.creditBalanceCents),
		transfers.map(({ transfer }) => transfer.program?.tokenTail),
		transfers.map(({ transfer }) => transfer.program?.address),
		transfers.map(({ transfer }) => transfer.aboutUsername),
		transfers.map(({ changeId }) => changeId),
		transfers.map(({ transfer }) => transfer.reference),
	]);
}

/** Finds which of the changes are recorded. */
export async function findChanges(query: Query, names: readonly ChangeName[]): Promise<readonly ChangeName[]> {
	if (names.length === 0) return [];
	const { sql, values } = calling('find_changes', [names.map(({ reseller }) => reseller), names.map(({ id }) => id)]);
	const { rows } = await query<{ returned: readonly boolean[] }>(sql, values);
	return names.filter((_, index) => rows[0]?.returned[index]);
}

/** Records changes, and forgets old ones. */
export function writingChanges(changes: BatchChanges['recordedChanges']): Statement | undefined {
	const [first] = changes;
	if (!first) return undefined;
	const columns = [
		changes.map(({ reseller }) => reseller),
		changes.map(({ id }) => id),
		changes.map(({ kind }) => kind),
		changes.map(({ username }) => username),
		changes.map(({ amountCents }) => amountCents),
		changes.map(({ balanceCents }) => balanceCents),
		changes.map(({ error }) => error),
		changes.map(({ atMs }) => atMs),
		changes.map(({ requestId }) => requestId),
	];
	return calling('write_changes', columns, [changesForgottenBeforeMs(first.atMs), FORGOTTEN_FOR_EACH * changes.length]);
}

/**
 * Calls a function of the schema, whose first parameters are arrays. PostgreSQL plans the statements of a function once for each
 * connection. With arrays as text and one packet for what belongs together, a give takes 0.74 of PostgreSQL's processor
 * time, and 0.84 of ours (docs/decisions/0043-batch-functions.md).
 */
function calling(name: string, arrays: readonly (readonly unknown[])[], others: readonly number[] = []): Statement {
	const values = [...arrays.map(arrayOf), ...others];
	const placeholders = values.map((_, index) => `$${index + 1}`).join(', ');
	return { sql: `SELECT ${name}(${placeholders}) AS returned`, values };
}
