import type { ErrorCode } from '@bursar/contract/errors';
import { CREATE_FEE_CENTS } from '@bursar/contract/limits';
import type { Account, AccountBalance } from '../../domain/account.ts';
import type { Books, Effect } from '../../domain/books.ts';
import { platformTransfer } from '../../domain/ledger.ts';
import { refusalOfItself } from '../../domain/pair-state.ts';
import { liveBalance, settle } from '../../domain/settling.ts';
import type { Limits } from '../../domain/terms.ts';
import { requestOf, requireReseller } from '../asking.ts';
import { type ResellersChange, refuse } from '../command.ts';
import { happened } from '../happened.ts';
import { refused, type Verb } from '../verb.ts';

export interface CreateSubUser extends ResellersChange {
	readonly kind: 'create_sub_user';
	/** `undefined` if the request has no usable username. Such a request still pays the fee (docs/api.md 8.2). */
	readonly username: string | undefined;
	/** How a request without a usable username is answered. It is recorded with the change. */
	readonly unusableAs?: ErrorCode | undefined;
	readonly proxyAuthkey: string;
}

interface Created {
	readonly ok: true;
	readonly account: Account;
}

/**
 * Opens the account of a sub-user. The fee is charged for every call that has enough balance to attempt the creation, even
 * if validation fails or the name is taken (docs/api.md 8.2).
 */
export const createSubUser: Verb<
	CreateSubUser,
	Created,
	'insufficient_balance' | 'no_usable_username' | 'username_taken'
> = {
	kind: 'create_sub_user',
	// The dashboard gives `create_sub_user_with`.
	calls: [],
	isResellersChange: true,
	needs: ({ username }) => (username === undefined ? {} : openingNeeds(username)),
	decide(books, command, nowMs) {
		const { username } = command;
		const asking = requireReseller(books, command.reseller);
		if (liveBalance(books, asking) < CREATE_FEE_CENTS) return refused('insufficient_balance');
		const { effects: charged } = chargeFee(books, asking, command, nowMs);
		if (username === undefined) return { outcome: refuse('no_usable_username'), effects: charged };
		if (books.isTaken(username)) return { outcome: refuse('username_taken'), effects: charged };
		const account = newAccount(command, username, nowMs);
		return { outcome: { ok: true, account }, effects: [...charged, ...openAccount(books, account, command, nowMs)] };
	},
};

/** What a new account needs of the store. */
export function openingNeeds(username: string) {
	return { newName: username, price: true } as const;
}

/** Charges the fee of a reseller that has it. Returns its account afterwards, whose balance is the live one. */
export function chargeFee(
	books: Books,
	reseller: AccountBalance,
	command: ResellersChange & { readonly username: string | undefined },
	nowMs: number,
): { readonly account: AccountBalance; readonly effects: readonly Effect[] } {
	const { requestId, username: aboutUsername } = command;
	const { account, effects } = settle(books, reseller, { atMs: nowMs, requestId });
	const transfer = platformTransfer('create_fee', account, CREATE_FEE_CENTS, {
		...requestOf(command, nowMs),
		...(aboutUsername !== undefined && { aboutUsername }),
	});
	return {
		account: { ...account, balanceCents: account.balanceCents - CREATE_FEE_CENTS },
		effects: [...effects, { kind: 'transfer', transfer }],
	};
}

export function newAccount(
	{ reseller, proxyAuthkey }: Pick<CreateSubUser, 'reseller' | 'proxyAuthkey'>,
	username: string,
	createdAtMs: number,
): Account {
	return { reseller, username, balanceCents: 0, proxyAuthkey, createdAtMs };
}

/** Opens an account, and tells whether it is usable with what it gets in the same change. */
export function openAccount(
	books: Books,
	account: Account,
	command: ResellersChange,
	nowMs: number,
	gets: { readonly cents: number } & Pick<Limits, 'expiresAtMs'> = { cents: 0, expiresAtMs: null },
): readonly Effect[] {
	const isFree = (books.priceOf(account.reseller)?.microUsdPerGb ?? null) === null;
	const bounds = {
		...{ isSuspended: false, isResellerSuspended: false, isBeyondDebtLine: false },
		expiresAtMs: gets.expiresAtMs,
		leftBytes: isFree || gets.cents > 0 ? null : 0,
		// It has used nothing, and a limit is at least one byte.
		limitLeftBytes: null,
	};
	const told = refusalOfItself(bounds, nowMs);
	const created = happened(
		command,
		nowMs,
		'sub_user.created',
		{ usable: told === null, reason: told },
		account.username,
	);
	return [{ kind: 'open_account', account, told }, created];
}
