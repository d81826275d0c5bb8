import type { AccountBalance } from '../../domain/account.ts';
import type { Effect } from '../../domain/books.ts';
import { platformTransfer } from '../../domain/ledger.ts';
import { assertBalance, isBalance } from '../../domain/money.ts';
import { debtPaidBy, payDebt } from '../../domain/paying-debt.ts';
import { isProvidersReference, isReference } from '../../domain/reference.ts';
import { liveBalance, settle, settleBeforeCredit } from '../../domain/settling.ts';
import { isShortText } from '../../domain/short-text.ts';
import type { AccountCommand } from '../command.ts';
import { happened } from '../happened.ts';
import { refused, type Verb } from '../verb.ts';

export interface CreditReseller extends AccountCommand {
	readonly kind: 'credit_reseller';
	/** USD cents: above zero a top-up, below zero an adjustment that takes money back. */
	readonly amountCents: number;
	/** The operator's own name for this payment, unique on the platform. */
	readonly reference: string;
	/** Why, for people. Needed to take money back. `isShortText` says what it may be. */
	readonly reason?: string | undefined;
}

interface Credited {
	readonly ok: true;
	readonly username: string;
	/** The reseller's balance afterwards, in USD cents. */
	readonly balanceCents: number;
	readonly repeated: boolean;
}

type CreditRefusal =
	| 'invalid_reference'
	| 'invalid_reason'
	| 'invalid_amount'
	| 'unknown_reseller'
	| 'reference_conflict'
	| 'insufficient_balance'
	| 'balance_limit';

/** Moves money in from outside, or back out. A reference counts once: a repeat for the same gets the first answer again. */
export const creditReseller: Verb<CreditReseller, Credited, CreditRefusal> = {
	kind: 'credit_reseller',
	calls: ['/operator/top-up', '/operator/adjust'],
	giver: 'person',
	needs: ({ reference }) => (isReference(reference) ? { reference } : {}),
	decide(books, command, nowMs) {
		const { reference, amountCents, requestId, reason = '' } = command;
		if (!isReference(reference) || isProvidersReference(reference)) return refused('invalid_reference');
		if (!isShortText(reason, amountCents < 0)) return refused('invalid_reason');
		if (!Number.isSafeInteger(amountCents) || amountCents === 0) return refused('invalid_amount');
		const account = books.account(command.reseller, command.reseller);
		if (!account) return refused('unknown_reseller');
		assertBalance(account.balanceCents, account.username);
		const { username } = account;
		const first = books.topUp(reference);
		if (first) {
			if (first.reseller !== username || first.amountCents !== amountCents) return refused('reference_conflict');
			return { outcome: { ok: true, username, balanceCents: first.balanceCents, repeated: true }, effects: [] };
		}
		// A payer is settled first, and a payee if it owes more than it has.
		const settleFirst = amountCents < 0 ? settle : settleBeforeCredit;
		const settled = settleFirst(books, account, { atMs: nowMs, requestId });
		const liveCents = liveBalance(books, account) + amountCents;
		if (liveCents < 0) return refused('insufficient_balance');
		if (!isBalance(settled.account.balanceCents + amountCents)) return refused('balance_limit');
		const funded = [...settled.effects, funding(settled.account, amountCents, requestId, nowMs)];
		const payment = payDebt(books, username, funded, { atMs: nowMs, requestId });
		const balanceCents = liveCents - debtPaidBy(payment);
		const data = { amount_usd_cents: amountCents, balance: balanceCents, reference };
		const credited = happened(command, nowMs, 'reseller.credited', data);
		const topUp = { reference, reseller: username, amountCents, balanceCents, requestId, reason };
		return {
			outcome: { ok: true, username, balanceCents, repeated: false },
			effects: [...funded, ...payment, { kind: 'record_top_up', topUp }, credited],
		};
	},
};

/** Moves money in from outside or, if the amount is below zero, back out. */
export function funding(account: AccountBalance, amountCents: number, requestId: string, nowMs: number): Effect {
	const kind = amountCents > 0 ? 'top_up' : 'adjustment';
	const transfer = platformTransfer(kind, account, Math.abs(amountCents), { atMs: nowMs, requestId });
	return { kind: 'transfer', transfer };
}
