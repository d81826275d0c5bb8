import { normalizeUsername } from '@bursar/contract/username';
import { type Account, isSubUser } from '../../../domain/account.ts';
import { OPERATORS } from '../../../store/reading.ts';
import type { ResellerReads } from '../../../store/tables/accounts/reads.ts';
import type { TermsReads } from '../../../store/tables/accounts/terms-reads.ts';

export type Accounts = Pick<ResellerReads, 'findAccount'>;

/**
 * The sub-user of this reseller that a page names. Names of others are like names that do not exist. `owner` is whose
 * read it is, if not the reseller's.
 */
export async function findSubUser(
	accounts: Accounts,
	reseller: string,
	username: string,
	owner?: string,
): Promise<Account | undefined> {
	const account = await findOwnAccount(accounts, reseller, username, owner);
	return account && isSubUser(account) ? account : undefined;
}

/** The same, or the reseller's own account. */
export async function findOwnAccount(
	accounts: Accounts,
	reseller: string,
	username: string,
	owner?: string,
): Promise<Account | undefined> {
	const normalized = normalizeUsername(username);
	return normalized === undefined ? undefined : accounts.findAccount(reseller, normalized, owner);
}

/** The own account of the reseller that an operator names. */
export async function findReseller(accounts: Accounts, reseller: string): Promise<Account | undefined> {
	const normalized = normalizeUsername(reseller);
	return normalized === undefined ? undefined : accounts.findAccount(normalized, normalized, OPERATORS);
}

/** The own account of a reseller that exists. */
export async function readReseller(accounts: Accounts, reseller: string): Promise<Account> {
	const account = await accounts.findAccount(reseller, reseller);
	if (!account) throw new Error('the reseller of a person has no account');
	return account;
}

interface PastReads {
	readonly accounts: Accounts;
	readonly store: Pick<TermsReads, 'findDeletion'>;
}

/** The name of a sub-user, also of one that was deleted: its past stays. `undefined` if there never was one. */
export async function findSubUserName(
	{ accounts, store }: PastReads,
	reseller: string,
	typedName: string,
	owner?: string,
): Promise<string | undefined> {
	const username = normalizeUsername(typedName);
	if (username === undefined) return undefined;
	const found = await findSubUser(accounts, reseller, username, owner);
	return (found ?? (await store.findDeletion(reseller, username, owner)))?.username;
}
