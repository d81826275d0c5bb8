import type { AccountBalance } from './account.ts';
import type { Books, Effect } from './books.ts';
import { debtTransfer, platformTransfer } from './ledger.ts';
import { type Due, liveCentsOf, type SettledUsage, sumOf, type UsageCharge } from './metering.ts';

/** The request that settles, and when. */
export type Settling = Pick<UsageCharge, 'atMs' | 'requestId'>;

interface Settled {
	/** The account afterwards: its balance is the live one. */
	readonly account: AccountBalance;
	readonly effects: readonly Effect[];
}

/** The balance that the owner of the account reads, in USD cents. */
export function liveBalance(books: Books, account: AccountBalance): number {
	return liveCentsOf(account.balanceCents, books.duesOf(account));
}

/**
 * Posts all that an account owes for bandwidth. What its balance does not cover becomes a debt of the reseller. The live
 * balance stays as it is.
 */
export function settle(books: Books, account: AccountBalance, settling: Settling): Settled {
	return charge(account, books.duesOf(account), settling);
}

/**
 * Settles an account before it is paid, if it owes more than it has: else the payment would pay for what was used before,
 * which the reseller owes.
 */
export function settleBeforeCredit(books: Books, account: AccountBalance, settling: Settling): Settled {
	const dues = books.duesOf(account);
	return charge(account, sumOf(dues) > account.balanceCents ? dues : [], settling);
}

function charge(account: AccountBalance, dues: readonly Due[], settling: Settling): Settled {
	if (dues.length === 0) return { account, effects: [] };
	const { reseller, username, balanceCents } = account;
	const paidCents = Math.min(sumOf(dues), balanceCents);
	const debtCents = sumOf(dues) - paidCents;
	const effects: Effect[] = [{ kind: 'settle_usage', charges: dues.map((due) => ({ ...due, ...settling })) }];
	if (paidCents > 0) {
		effects.push({ kind: 'transfer', transfer: platformTransfer('usage', account, paidCents, settling) });
	}
	if (debtCents > 0) {
		const request = { ...settling, aboutUsername: username };
		effects.push({ kind: 'transfer', transfer: debtTransfer('debt', reseller, debtCents, request) });
	}
	return { account: { ...account, balanceCents: balanceCents - paidCents }, effects };
}

/** The bandwidth that the effects of a command of this kind settle. */
export function settledUsage(by: string, effects: readonly Effect[]): readonly SettledUsage[] {
	return effects.flatMap((effect) => {
		if (effect.kind !== 'transfer') return [];
		const { kind, reseller, debit, amountCents, debitBalanceCents, aboutUsername = reseller } = effect.transfer;
		const ranOut = debitBalanceCents === 0;
		if (kind === 'usage') return { reseller, username: debit, by, paidCents: amountCents, debtCents: 0, ranOut };
		if (kind !== 'debt') return [];
		return { reseller, username: aboutUsername, by, paidCents: 0, debtCents: amountCents, ranOut: false };
	});
}
