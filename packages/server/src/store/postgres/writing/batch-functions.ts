import type { AccountBalance } from '../../../domain/account.ts';
import type { BatchChanges } from '../../../domain/working-books.ts';
import type { AccountName } from '../../rows/account-row.ts';
import type { Query } from '../database/connections.ts';
import { arrayOf, type Statement } from '../rows.ts';

/**
 * Locks accounts, and loads those that exist. All processes lock rows in one order, so that there are no deadlocks: first
 * those of sub-users, because the account of their reseller may be locked until the previous batch has committed. Ends
 * the time limit of statements.
 */
export async function lockAccounts(query: Query, accounts: readonly AccountName[]): Promise<readonly AccountBalance[]> {
	const { sql, values } = calling('lock_sub_users_first', [
		accounts.map(({ reseller }) => reseller),
		accounts.map(({ username }) => username),
	]);
	const { rows } = await query<{ returned: readonly (string | null)[] }>(sql, values);
	const balances = rows[0]?.returned ?? [];
	return accounts.flatMap(({ reseller, username }, index) => {
		const balance = balances[index] ?? null;
		return balance === null ? [] : [{ reseller, username, balanceCents: Number(balance) }];
	});
}

/** Writes the balances of existing accounts, and the transfers. Fails if one of the accounts does not exist. */
export function writingTransfers(
	balances: BatchChanges['changedBalances'],
	transfers: BatchChanges['transfers'],
): Statement | undefined {
	if (balances.length === 0 && transfers.length === 0) return undefined;
	return calling('write_transfers', [
		balances.map(({ reseller }) => reseller),
		balances.map(({ username }) => username),
		balances.map(({ balanceCents }) => balanceCents),
		transfers.map(({ reseller }) => reseller),
		transfers.map(({ debit }) => debit),
		transfers.map(({ credit }) => credit),
		transfers.map(({ amountCents }) => amountCents),
		transfers.map(({ kind }) => kind),
		transfers.map(({ atMs }) => atMs),
		transfers.map(({ requestId }) => requestId),
		transfers.map(({ debitBalanceCents }) => debitBalanceCents),
		transfers.map(({ creditBalanceCents }) => creditBalanceCents),
		transfers.map(({ program }) => program?.tokenTail),
		transfers.map(({ program }) => program?.address),
		transfers.map(({ wantedUsername }) => wantedUsername),
	]);
}

/**
 * Calls a function of the schema, whose parameters are arrays. PostgreSQL plans the statements of a function once for each
 * connection. With arrays as text and one packet for what belongs together, a give takes 0.74 of PostgreSQL's processor
 * time, and 0.84 of ours (docs/decisions/0043-batch-functions.md).
 */
function calling(name: string, parameters: readonly (readonly unknown[])[]): Statement {
	const placeholders = parameters.map((_, index) => `$${index + 1}`).join(', ');
	return { sql: `SELECT ${name}(${placeholders}) AS returned`, values: parameters.map(arrayOf) };
}
