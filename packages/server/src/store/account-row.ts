import type { Account } from '../domain/account.ts';
import { assertBalance } from '../domain/money.ts';
import type { KeySeal } from './key-seal.ts';

/** An account as it lies in a store: its proxy auth key is sealed. */
export interface AccountRow extends Omit<Account, 'proxyAuthkey'> {
	readonly sealedAuthKey: string;
}

/** How an account is found. */
export interface AccountName {
	readonly reseller: string;
	readonly username: string;
}

/** Throws where the row is not what was written. */
export function accountOf(row: AccountRow, open: KeySeal['open']): Account {
	const { reseller, username, balanceCents, createdAtMs } = row;
	assertBalance(balanceCents, username);
	return { reseller, username, balanceCents, createdAtMs, proxyAuthkey: open(row.sealedAuthKey, username) };
}
