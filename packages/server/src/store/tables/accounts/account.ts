import type { Account } from '../../../domain/account.ts';
import { assertBalance } from '../../../domain/money.ts';
import type { KeySeal } from '../../secrets/key-seal.ts';

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

/** The key of an account, and whose read it is. */
export interface OwnedName extends AccountName {
	readonly owner: string;
}

/** Throws if the row is not what was written. */
export function accountOf(row: AccountRow, open: KeySeal['open']): Account {
	const { reseller, username, balanceCents, createdAtMs, sealedAuthKey } = row;
	assertBalance(balanceCents, username);
	return { reseller, username, balanceCents, createdAtMs, proxyAuthkey: open(sealedAuthKey, username) };
}
