import { MAX_CENTS } from '@bursar/contract/limits';
import type { Effect } from '../../domain/books.ts';
import { subUserTransfer } from '../../domain/ledger.ts';
import { settle, settleBeforeCredit } from '../../domain/settling.ts';
import { actOfProgram, requestOf, requireReseller, subUserOf } from '../asking.ts';
import type { ResellersChange } from '../command.ts';
import { happened } from '../happened.ts';
import { refused, type Verb } from '../verb.ts';

export interface DeleteSubUser extends ResellersChange {
	readonly kind: 'delete_sub_user';
	readonly username: string;
}

interface Deleted {
	readonly ok: true;
	readonly username: string;
	/** USD cents that went back to the reseller. */
	readonly returnedCents: number;
}

/** Settles what is due, gives the rest back to the reseller, and ends the account. Its name is never given again. */
export const deleteSubUser: Verb<DeleteSubUser, Deleted, 'unknown_sub_user' | 'balance_limit'> = {
	kind: 'delete_sub_user',
	calls: ['/sub-users/delete'],
	isResellersChange: true,
	needs: ({ username }) => ({ subUsers: [username] }),
	decide(books, command, nowMs) {
		const reseller = requireReseller(books, command.reseller);
		const subUser = subUserOf(books, command);
		if (!subUser) return refused('unknown_sub_user');
		const { requestId } = command;
		const { account: from, effects } = settle(books, subUser, { atMs: nowMs, requestId });
		const { username, balanceCents: returnedCents } = from;
		const end: Effect = {
			kind: 'delete_account',
			deletion: { reseller: reseller.username, username, deletedAtMs: nowMs, requestId },
		};
		const deleted = happened(command, nowMs, 'sub_user.deleted', { amount_usd_cents: returnedCents }, username);
		const ending = [end, deleted, ...actOfProgram(command, username, nowMs)];
		const outcome = { ok: true, username, returnedCents } as const;
		if (returnedCents === 0) return { outcome, effects: [...effects, ...ending] };
		const payee = settleBeforeCredit(books, reseller, { atMs: nowMs, requestId });
		const { account: to } = payee;
		if (to.balanceCents > MAX_CENTS - returnedCents) return refused('balance_limit');
		const transfer = subUserTransfer('take', from, to, returnedCents, requestOf(command, nowMs));
		return { outcome, effects: [...effects, ...payee.effects, { kind: 'transfer', transfer }, ...ending] };
	},
};
