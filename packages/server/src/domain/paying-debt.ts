import type { EventData } from '@bursar/contract/events';
import type { AccountBalance } from './account.ts';
import type { Books, Effect } from './books.ts';
import { type Debt, isBeyondLine } from './debt.ts';
import type { Cause, Happening } from './events/happening.ts';
import { DEBT, platformTransfer, type Transfer } from './ledger.ts';
import { type Settling, settle } from './settling.ts';

/** The effects of a command; behind them the payment of the reseller's debt from the balance that it has then; and what is told of it. */
export function withDebtPaid(
	books: Books,
	reseller: string,
	effects: readonly Effect[],
	{ cause, ...settling }: Settling & { readonly cause: Cause },
): readonly Effect[] {
	const before = books.debtOf(reseller);
	// Nothing was owed, and nothing is.
	if (before.cents === 0 && transfersIn(effects).every(({ debit }) => debit !== DEBT)) return effects;
	const all = [...effects, ...payDebt(books, reseller, effects, settling)];
	return [...all, ...debtTold(before, moneyAfter(books, before, all).debtCents, all, { ...settling, cause })];
}

/**
 * Pays the debt that a reseller has after these effects, as far as its balance can. As before each payment, what the
 * reseller itself owes for bandwidth is posted first.
 */
export function payDebt(
	books: Books,
	reseller: string,
	effects: readonly Effect[],
	settling: Settling,
): readonly Effect[] {
	const { debtCents, balanceCents } = moneyAfter(books, books.debtOf(reseller), effects);
	if (debtCents === 0 || balanceCents === 0) return [];
	const account: AccountBalance = { reseller, username: reseller, balanceCents };
	const own = hasSettled(effects, reseller) ? { account, effects: [] } : settle(books, account, settling);
	const paidCents = Math.min(debtCents, own.account.balanceCents);
	if (paidCents === 0) return own.effects;
	const transfer = platformTransfer('debt_payment', own.account, paidCents, settling);
	return [...own.effects, { kind: 'transfer', transfer }];
}

/** What the effects of a command pay of the reseller's debt, in USD cents. */
export function debtPaidBy(effects: readonly Effect[]): number {
	const payments = transfersIn(effects).filter(({ kind }) => kind === 'debt_payment');
	return payments.reduce((sum, { amountCents }) => sum + amountCents, 0);
}

/** The debt of a reseller and its balance in the ledger once these effects have happened. */
function moneyAfter(books: Books, { reseller, cents }: Debt, effects: readonly Effect[]) {
	let debtCents = cents;
	let balanceCents = books.account(reseller, reseller)?.balanceCents ?? 0;
	for (const transfer of transfersIn(effects)) {
		if (transfer.debit === DEBT) debtCents += transfer.amountCents;
		if (transfer.credit === DEBT) debtCents -= transfer.amountCents;
		if (transfer.debit === reseller) balanceCents = transfer.debitBalanceCents as number;
		if (transfer.credit === reseller) balanceCents = transfer.creditBalanceCents as number;
	}
	return { debtCents, balanceCents };
}

function transfersIn(effects: readonly Effect[]): readonly Transfer[] {
	return effects.flatMap((effect) => (effect.kind === 'transfer' ? effect.transfer : []));
}

function hasSettled(effects: readonly Effect[], username: string): boolean {
	return effects.some((effect) => effect.kind === 'settle_usage' && effect.charges[0]?.username === username);
}

/** Tells of the first cent of a debt, of its line being crossed in either direction, and of its end. */
function debtTold(
	before: Debt,
	debtCents: number,
	effects: readonly Effect[],
	{ atMs, cause }: { readonly atMs: number; readonly cause: Cause },
): readonly Effect[] {
	const { reseller } = before;
	const lineCents = effects.find((effect) => effect.kind === 'set_debt_line')?.cents ?? before.lineCents;
	const state = debtState(before, { cents: debtCents, lineCents });
	if (!state) return [];
	const grown = transfersIn(effects).findLast(({ debit }) => debit === DEBT);
	// A refund is nobody's bandwidth.
	const username = grown?.kind === 'debt' ? (grown.aboutUsername ?? reseller) : undefined;
	const data = { state, debt: debtCents, line: lineCents };
	const happening: Happening = { type: 'reseller.debt', reseller, username, data, atMs, cause };
	return [{ kind: 'happened', happening }];
}

/** `undefined` if nothing is to be told. */
function debtState(
	before: Pick<Debt, 'cents' | 'lineCents'>,
	after: Pick<Debt, 'cents' | 'lineCents'>,
): EventData['reseller.debt']['state'] | undefined {
	if (before.cents > 0 && after.cents === 0) return 'paid';
	if (isBeyondLine(before) !== isBeyondLine(after)) return isBeyondLine(after) ? 'beyond_line' : 'within_line';
	return before.cents === 0 && after.cents > 0 ? 'began' : undefined;
}
