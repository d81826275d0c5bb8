import { isNetworkKey, keyRange, networkKey } from '@bursar/contract/sign-in-ips';
import { LOADED_IN_NETWORK, type SignInAddress, type SignInAddresses } from '../../../domain/sign-in.ts';
import {
	type Columns,
	compare,
	type FoundRows,
	givenRows,
	type InsertedRows,
	type SharedStatement,
} from '../../statement.ts';
import type { AccountName } from '../accounts/account.ts';

const COLUMNS = 'address, reseller, username';

const ADDRESS: Columns<string> = { address: ['text', (address) => address] };

/** Finds who has these addresses, the /64 of each, and some of those in each of these that is a /64. */
export function findingSignInAddresses(addresses: readonly string[]): readonly (FoundRows | SharedStatement)[] {
	const keys = [...new Set(addresses.flatMap((address) => [address, networkKey(address)]))];
	const sql = `SELECT ${COLUMNS} FROM sign_in_addresses WHERE address >= $1 AND address < $2
		ORDER BY address LIMIT ${LOADED_IN_NETWORK}`;
	const ranges = addresses.filter(isNetworkKey).map(keyRange);
	return [
		{ table: 'sign_in_addresses', columns: COLUMNS, keys: givenRows(keys, ADDRESS) },
		...ranges.map(({ from, before }) => ({ sql, values: [from, before] })),
	];
}

/** Finds the addresses of these accounts. */
export function findingSignInAccounts(accounts: readonly AccountName[]): readonly SharedStatement[] {
	const sql = `SELECT ${COLUMNS} FROM sign_in_addresses WHERE reseller = $1 AND username = $2`;
	return accounts.map(({ reseller, username }) => ({ sql, values: [reseller, username] }));
}

/** Whether the sub-users of the reseller of `account` may sign in by address: 1 or 0. */
export const IS_SIGN_IN_ALLOWED =
	'(SELECT count(*) FROM sign_in_resellers WHERE sign_in_resellers.reseller = account.reseller)';

/** Whether a key is that of this /64, or of an address in it, as `keyRange` says. */
export function isInNetwork(key: string, networkKey: string): string {
	const network = `substr(${networkKey}, 1, 19)`;
	return `${key} >= ${network} || ':' AND ${key} < ${network} || ';'`;
}

const RESELLER: Columns<string> = { reseller: ['text', (reseller) => reseller] };

/** Finds which of these resellers may sign in by address. */
export function findingSignInResellers(resellers: readonly string[]): readonly FoundRows[] {
	return [{ table: 'sign_in_resellers', columns: 'reseller', keys: givenRows(resellers, RESELLER) }];
}

/** Sets all addresses of accounts. The accounts are locked. What one of them gives up, another one may take at once. */
export function settingSignIns(accounts: readonly SignInAddresses[]): readonly (SharedStatement | InsertedRows)[] {
	const sql = 'DELETE FROM sign_in_addresses WHERE reseller = $1 AND username = $2';
	const rows = accounts.flatMap(({ addresses, ...account }) => addresses.map((address) => ({ address, ...account })));
	return [
		...accounts.map(({ reseller, username }) => ({ sql, values: [reseller, username] })),
		...(rows.length === 0 ? [] : [inserting(rows)]),
	];
}

function inserting(rows: readonly SignInAddress[]): InsertedRows {
	return {
		into: 'sign_in_addresses',
		rows: givenRows(
			rows.toSorted((a, b) => compare(a.address, b.address)),
			{
				address: ['text', ({ address }) => address],
				reseller: ['text', ({ reseller }) => reseller],
				username: ['text', ({ username }) => username],
			},
		),
	};
}

/** Allows resellers to sign in by address, or not. Their accounts are locked. */
export function allowingSignIn(
	permissions: readonly (readonly [reseller: string, isAllowed: boolean])[],
): readonly SharedStatement[] {
	return permissions.map(([reseller, isAllowed]) => ({
		sql: isAllowed
			? 'INSERT INTO sign_in_resellers (reseller) VALUES ($1) ON CONFLICT (reseller) DO NOTHING'
			: 'DELETE FROM sign_in_resellers WHERE reseller = $1',
		values: [reseller],
	}));
}
