import { debtTransfer } from '../../domain/ledger.ts';
import { isTransferAmount } from '../../domain/money.ts';
import { isShortText } from '../../domain/short-text.ts';
import type { AccountCommand } from '../command.ts';
import { refused, type Verb } from '../verb.ts';

export interface ForgiveDebt extends AccountCommand {
	readonly kind: 'forgive_debt';
	readonly amountCents: number;
	/** Why, for people. `isShortText` says what it may be. */
	readonly reason: string;
}

interface Forgiven {
	readonly ok: true;
	readonly username: string;
	/** What is still owed, in USD cents. */
	readonly debtCents: number;
}

type ForgiveRefusal = 'unknown_reseller' | 'invalid_amount' | 'invalid_reason' | 'more_than_the_debt';

/** Takes from what a reseller owes, without a payment. It cannot become less than nothing. */
export const forgiveDebt: Verb<ForgiveDebt, Forgiven, ForgiveRefusal> = {
	kind: 'forgive_debt',
	calls: ['/operator/forgive-debt'],
	giver: 'person',
	decide(books, command, nowMs) {
		const { reseller, amountCents, reason, requestId } = command;
		if (!isShortText(reason, true)) return refused('invalid_reason');
		if (!isTransferAmount(amountCents)) return refused('invalid_amount');
		if (!books.account(reseller, reseller)) return refused('unknown_reseller');
		const debtCents = books.debtOf(reseller).cents - amountCents;
		if (debtCents < 0) return refused('more_than_the_debt');
		const transfer = debtTransfer('debt_forgiven', reseller, amountCents, { atMs: nowMs, requestId });
		return {
			outcome: { ok: true, username: reseller, debtCents },
			effects: [
				{ kind: 'transfer', transfer },
				{ kind: 'note_movement', note: { reseller, requestId, note: reason } },
			],
		};
	},
};
