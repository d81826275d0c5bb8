import type { Account } from '../domain/account.ts';
import { assertBalance } from '../domain/money.ts';
import type { KeySeal } from './key-seal.ts';

/** An account as the store keeps it: its proxy auth key is sealed. */
export interface AccountRow extends Omit<Account, 'proxyAuthkey'> {
	readonly sealedAuthKey: string;
}

/** The key of an account. */
export interface AccountName {
	readonly reseller: string;
	readonly username: string;
}

/** Throws if the row is not what was written. */
export function accountOf(row: AccountRow, open: KeySeal['open']): Account {
	return { ...withoutKey(row), proxyAuthkey: open(row.sealedAuthKey, row.username) };
}

/** The account without its proxy auth key. Throws if the balance is not what was written. */
export function withoutKey({
	reseller,
	username,
	balanceCents,
	createdAtMs,
}: AccountRow): Omit<Account, 'proxyAuthkey'> {
	assertBalance(balanceCents, username);
	return { reseller, username, balanceCents, createdAtMs };
}
