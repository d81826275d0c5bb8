import { type AccountBalance, isSubUser } from '../domain/account.ts';
import type { Books, Effect } from '../domain/books.ts';
import { assertBalance } from '../domain/money.ts';
import type { AccountCommand } from './command.ts';

/** The reseller that asks has been authenticated, and resellers are never removed. */
export function requireReseller(books: Books, reseller: string): AccountBalance {
	const account = books.account(reseller, reseller);
	if (!account) throw new Error('the reseller that asks has no account');
	assertBalance(account.balanceCents, account.username);
	return account;
}

/** The sub-user that a command names. */
export function subUserOf(
	books: Books,
	{ reseller, username }: { readonly reseller: string; readonly username: string },
) {
	const account = books.account(reseller, username);
	if (!account || !isSubUser(account)) return undefined;
	assertBalance(account.balanceCents, account.username);
	return account;
}

/** What a transfer says of the command that makes it. */
export function requestOf({ requestId, program }: AccountCommand, atMs: number) {
	return { atMs, requestId, ...(program && { program }) };
}

/** What a program changes without moving money is recorded as an act, under the id of its request. */
export function actOfProgram(
	{ kind, reseller, requestId, program }: AccountCommand,
	target: string,
	atMs: number,
): readonly Effect[] {
	if (!program) return [];
	return [{ kind: 'record_act', act: { id: requestId, kind, target, requestId, reseller, atMs, ...program } }];
}
