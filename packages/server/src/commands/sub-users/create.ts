import type { ErrorCode } from '@bursar/contract/errors';
import { CREATE_FEE_CENTS } from '@bursar/contract/limits';
import type { Account } from '../../domain/account.ts';
import type { Effect } from '../../domain/books.ts';
import { platformTransfer } from '../../domain/ledger.ts';
import { liveBalance, settle } from '../../domain/settling.ts';
import { requireReseller } from '../asking.ts';
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
	calls: ['/sub-users/create'],
	isResellersChange: true,
	needs: ({ username }) => (username === undefined ? {} : { newName: username, price: true }),
	decide(books, command, nowMs) {
		const asking = requireReseller(books, command.reseller);
		if (liveBalance(books, asking) < CREATE_FEE_CENTS) return refused('insufficient_balance');
		const { requestId, program, username } = command;
		const { account: reseller, effects: settling } = settle(books, asking, { atMs: nowMs, requestId });
		const fee: Effect = {
			kind: 'transfer',
			transfer: platformTransfer('create_fee', reseller, CREATE_FEE_CENTS, {
				atMs: nowMs,
				requestId,
				...(program && { program }),
				...(username !== undefined && { aboutUsername: username }),
			}),
		};
		const charged = [...settling, fee];
		if (username === undefined) return { outcome: refuse('no_usable_username'), effects: charged };
		if (books.isTaken(username)) return { outcome: refuse('username_taken'), effects: charged };
		const account: Account = {
			reseller: reseller.username,
			username,
			balanceCents: 0,
			proxyAuthkey: command.proxyAuthkey,
			createdAtMs: nowMs,
		};
		// It has no balance yet.
		const told = (books.priceOf(account.reseller)?.microUsdPerGb ?? null) === null ? null : 'exhausted';
		const created = happened(command, nowMs, 'sub_user.created', { usable: told === null, reason: told }, username);
		return {
			outcome: { ok: true, account },
			effects: [...charged, { kind: 'open_account', account, told }, created],
		};
	},
};
