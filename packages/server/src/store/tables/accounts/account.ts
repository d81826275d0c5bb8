import type { Account, AuthKeyChange } from '../../../domain/account.ts';
import { assertBalance } from '../../../domain/money.ts';
import type { BatchChanges } from '../../../domain/stored-books.ts';
import type { KeySeal } from '../../secrets/key-seal.ts';
import {
	type Columns,
	compare,
	type FoundRows,
	type GivenRows,
	givenRows,
	type InsertedRows,
	type SharedStatement,
} from '../../statement.ts';

/** An account as the store keeps it: its proxy auth key is sealed. */
export interface AccountRow extends Omit<Account, 'proxyAuthkey'> {
	readonly sealedAuthKey: string;
}

/** The columns of an `AccountRow`, for both engines. To be read from `live_accounts`. */
export const ACCOUNT_COLUMNS = `reseller, username, balance_cents AS "balanceCents", sealed_auth_key AS "sealedAuthKey",
	created_at_ms AS "createdAtMs"`;

/** The key of an account. */
export interface AccountName {
	readonly reseller: string;
	readonly username: string;
}

/** Throws if the row is not what was written. */
export function accountOf(row: AccountRow, open: KeySeal['open']): Account {
	const { reseller, username, balanceCents, createdAtMs, sealedAuthKey } = row;
	assertBalance(balanceCents, username);
	return { reseller, username, balanceCents, createdAtMs, proxyAuthkey: open(sealedAuthKey, username) };
}

const NAME: Columns<AccountName> = {
	reseller: ['text', ({ reseller }) => reseller],
	username: ['text', ({ username }) => username],
};

/** The key of each account. */
export function accountNames(names: readonly AccountName[]): GivenRows {
	return givenRows(names, NAME);
}

/** Finds which of the names are taken. */
export function findingTaken(usernames: readonly string[]): readonly FoundRows[] {
	const keys = givenRows(usernames, { username: ['text', (username) => username] });
	return [{ table: 'usernames', columns: 'username', keys }];
}

/** Takes the names of new accounts, and opens them. */
export function openingAccounts(opened: BatchChanges['openedAccounts'], seal: KeySeal): readonly InsertedRows[] {
	if (opened.length === 0) return [];
	const accounts = opened.toSorted((a, b) => compare(a.username, b.username));
	return [
		{ into: 'usernames', rows: accountNames(accounts) },
		{
			into: 'accounts',
			rows: givenRows(accounts, {
				...NAME,
				balance_cents: ['bigint', ({ balanceCents }) => balanceCents],
				sealed_auth_key: ['text', ({ proxyAuthkey, username }) => seal.seal(proxyAuthkey, username)],
				created_at_ms: ['bigint', ({ createdAtMs }) => createdAtMs],
				told_reason: ['text', ({ told }) => told],
				newest_movement: ['bigint', ({ newestMovement }) => newestMovement],
			}),
		},
	];
}

/** Gives an existing account another proxy auth key. */
export function replacingAuthKey({ reseller, username, proxyAuthkey }: AuthKeyChange, seal: KeySeal): SharedStatement {
	return {
		sql: 'UPDATE accounts SET sealed_auth_key = $1 WHERE reseller = $2 AND username = $3',
		values: [seal.seal(proxyAuthkey, username), reseller, username],
		rows: 1,
	};
}
