import { MAX_CENTS } from '@bursar/contract/limits';
import type { AccountBalance } from '../../domain/account.ts';
import type { Books, Effect } from '../../domain/books.ts';
import { subUserTransfer, type Transfer } from '../../domain/ledger.ts';
import { isTransferAmount } from '../../domain/money.ts';
import { liveBalance, settle, settleBeforeCredit } from '../../domain/settling.ts';
import { isShortText } from '../../domain/short-text.ts';
import { requestOf, requireReseller, subUserOf } from '../asking.ts';
import type { ResellersChange } from '../command.ts';
import { type Decision, refused, type Verb } from '../verb.ts';

interface Movement extends ResellersChange {
	readonly username: string;
	readonly amountCents: number;
	/** Why, for the reseller's people. `isShortText` says what it may be. Absent: no note. */
	readonly note?: string | undefined;
	/** What it is for, as the reseller names it. `isMovementReference` says what it may be. Absent: none. */
	readonly reference?: string | undefined;
}

export interface GiveBalance extends Movement {
	readonly kind: 'give_balance';
}

export interface TakeBalance extends Movement {
	readonly kind: 'take_balance';
}

interface Moved {
	readonly ok: true;
	readonly username: string;
	/** The sub-user's balance afterwards, in USD cents. */
	readonly balanceCents: number;
}

type MovementRefusal =
	| 'unknown_sub_user'
	| 'invalid_amount'
	| 'invalid_note'
	| 'insufficient_balance'
	| 'balance_limit';

/** Moves balance from the reseller to a sub-user (docs/api.md 9.1). */
export const giveBalance: Verb<GiveBalance, Moved, MovementRefusal> = {
	kind: 'give_balance',
	calls: ['/sub-users/give'],
	isResellersChange: true,
	needs: ({ username }) => ({ subUsers: [username] }),
	decide(books, command, nowMs) {
		const reseller = requireReseller(books, command.reseller);
		const subUser = subUserOf(books, command);
		if (!subUser) return refused('unknown_sub_user');
		return move(books, { from: reseller, to: subUser, subUser: 'to' }, command, nowMs);
	},
};

/** Moves balance from a sub-user back to the reseller (docs/api.md 9.2). */
export const takeBalance: Verb<TakeBalance, Moved, MovementRefusal> = {
	kind: 'take_balance',
	calls: ['/sub-users/take'],
	isResellersChange: true,
	needs: ({ username }) => ({ subUsers: [username] }),
	decide(books, command, nowMs) {
		const reseller = requireReseller(books, command.reseller);
		const subUser = subUserOf(books, command);
		if (!subUser) return refused('unknown_sub_user');
		return move(books, { from: subUser, to: reseller, subUser: 'from' }, command, nowMs);
	},
};

/**
 * Moves at least 1 cent, and at most what the paying account has. First, what the payer owes for bandwidth is posted.
 */
function move(
	books: Books,
	sides: { readonly from: AccountBalance; readonly to: AccountBalance; readonly subUser: 'from' | 'to' },
	command: GiveBalance | TakeBalance,
	nowMs: number,
): Decision<Moved, MovementRefusal> {
	const { amountCents, requestId, note = '', reference } = command;
	if (!isShortText(note, false)) return refused('invalid_note');
	if (!isTransferAmount(amountCents)) return refused('invalid_amount');
	if (liveBalance(books, sides.from) < amountCents) return refused('insufficient_balance');
	const payer = settle(books, sides.from, { atMs: nowMs, requestId });
	const payee = settleBeforeCredit(books, sides.to, { atMs: nowMs, requestId });
	const { account: from } = payer;
	const { account: to } = payee;
	if (to.balanceCents > MAX_CENTS - amountCents) return refused('balance_limit');
	const kind = command.kind === 'give_balance' ? 'give' : 'take';
	const request = { ...requestOf(command, nowMs), ...(reference !== undefined && { reference }) };
	const transfer = subUserTransfer(kind, from, to, amountCents, request);
	// Settling changes no live balance.
	const [username, balanceCents] =
		sides.subUser === 'to'
			? [to.username, liveBalance(books, sides.to) + amountCents]
			: [from.username, liveBalance(books, sides.from) - amountCents];
	return {
		outcome: { ok: true, username, balanceCents },
		effects: [...payer.effects, ...payee.effects, { kind: 'transfer', transfer }, ...noteOn(transfer, note)],
	};
}

function noteOn({ reseller, requestId }: Transfer, note: string): readonly Effect[] {
	return note === '' ? [] : [{ kind: 'note_movement', note: { reseller, requestId, note } }];
}
