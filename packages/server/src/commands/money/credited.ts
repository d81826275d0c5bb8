import type { AccountBalance } from '../../domain/account.ts';
import type { Books, Effect } from '../../domain/books.ts';
import { debtTransfer, platformTransfer } from '../../domain/ledger.ts';
import { isBalance } from '../../domain/money.ts';
import { debtPaidBy, payDebt } from '../../domain/paying-debt.ts';
import { liveBalance, settle, settleBeforeCredit } from '../../domain/settling.ts';
import type { AccountCommand } from '../command.ts';
import { happened } from '../happened.ts';

interface Crediting {
	/** USD cents: below zero, it is taken back. */
	readonly amountCents: number;
	readonly reference: string;
	/** Why, for people. May be empty. */
	readonly reason: string;
	/** The id of the payment through a provider that brings it. */
	readonly payment?: string;
}

interface Credited {
	/** The reseller's balance afterwards, in USD cents. */
	readonly balanceCents: number;
	readonly effects: readonly Effect[];
}

/**
 * Moves money in from outside or back out, and tells its reseller. What is taken back and not there any more is owed.
 * `undefined` if the balance would be larger than a balance can be.
 */
export function credited(
	books: Books,
	command: AccountCommand,
	account: AccountBalance,
	{ amountCents, reference, reason, payment: paymentId }: Crediting,
	atMs: number,
): Credited | undefined {
	const { username: reseller } = account;
	const request = { atMs, requestId: command.requestId };
	// A payer is settled first, and a payee if it owes more than it has.
	const settleFirst = amountCents < 0 ? settle : settleBeforeCredit;
	const settled = settleFirst(books, account, request);
	const owedCents = Math.max(0, -amountCents - settled.account.balanceCents);
	const movedCents = amountCents + owedCents;
	if (!isBalance(settled.account.balanceCents + movedCents)) return undefined;
	const effects = [...settled.effects];
	if (movedCents !== 0) {
		const kind = movedCents > 0 ? 'top_up' : 'adjustment';
		const transfer = platformTransfer(kind, settled.account, Math.abs(movedCents), request);
		effects.push({ kind: 'transfer', transfer });
	}
	if (owedCents > 0) {
		effects.push({ kind: 'transfer', transfer: debtTransfer('refund_debt', reseller, owedCents, request) });
	}
	const debtPayment = payDebt(books, reseller, effects, request);
	const balanceCents = liveBalance(books, account) + movedCents - debtPaidBy(debtPayment);
	const topUp = {
		...{ reference, reseller, amountCents, balanceCents, requestId: command.requestId, reason },
		payment: paymentId ?? null,
	};
	const data = {
		...{ amount_usd_cents: amountCents, balance: balanceCents, reference },
		...(paymentId !== undefined && { payment: paymentId }),
	};
	return {
		balanceCents,
		effects: [
			...effects,
			...debtPayment,
			{ kind: 'record_top_up', topUp },
			happened(command, atMs, 'reseller.credited', data),
		],
	};
}
