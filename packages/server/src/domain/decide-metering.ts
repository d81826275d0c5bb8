import type { AccountBalance } from './account.ts';
import type { Books, Effect } from './books.ts';
import type { Command, PostUsage, SetPrice } from './command.ts';
import { type Decision, refused } from './decision.ts';
import { debtTransfer, platformTransfer } from './ledger.ts';
import { type Due, isPrice, liveCentsOf, type Price, type SettledUsage, sumOf, type UsageCharge } from './metering.ts';
import { isBalance } from './money.ts';

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

/** The bandwidth that the effects of a command settle. */
export function settledUsage({ kind: by }: Command, effects: readonly Effect[]): readonly SettledUsage[] {
	return effects.flatMap((effect) => {
		if (effect.kind !== 'transfer') return [];
		const { kind, reseller, debit, amountCents, debitBalanceCents, aboutUsername = reseller } = effect.transfer;
		const ranOut = debitBalanceCents === 0;
		if (kind === 'usage') return { reseller, username: debit, by, paidCents: amountCents, debtCents: 0, ranOut };
		if (kind !== 'debt') return [];
		return { reseller, username: aboutUsername, by, paidCents: 0, debtCents: amountCents, ranOut: false };
	});
}

/** The same price and the same line again change nothing. */
export function decideSetPrice(books: Books, command: SetPrice, nowMs: number): Decision<SetPrice> {
	const { reseller, microUsdPerGb, requestId } = command;
	const { lineCents: lineBefore } = books.debtOf(reseller);
	const { debtLineCents = lineBefore } = command;
	if (!books.account(reseller, reseller)) return refused('unknown_reseller');
	if (microUsdPerGb !== null && !isPrice(microUsdPerGb)) return refused('invalid_price');
	if (!isBalance(debtLineCents)) return refused('invalid_debt_line');
	const line: Effect[] =
		debtLineCents === lineBefore ? [] : [{ kind: 'set_debt_line', reseller, cents: debtLineCents }];
	const before = books.priceOf(reseller);
	if ((before?.microUsdPerGb ?? null) === microUsdPerGb) {
		return { outcome: { ok: true, price: before, debtLineCents }, effects: line };
	}
	const price: Price = {
		reseller,
		number: (before?.number ?? 0) + 1,
		microUsdPerGb,
		meteredSinceMs: before && before.microUsdPerGb !== null ? before.meteredSinceMs : nowMs,
		setAtMs: nowMs,
		requestId,
	};
	return { outcome: { ok: true, price, debtLineCents }, effects: [{ kind: 'set_price', price }, ...line] };
}

/** Posts the dues of the accounts that have any. A deleted sub-user can owe too, for what arrived later: its reseller pays. */
export function decidePostUsage(books: Books, command: PostUsage, nowMs: number): Decision<PostUsage> {
	const { reseller, usernames, requestId } = command;
	const effects: Effect[] = [];
	for (const username of usernames) {
		const account = books.account(reseller, username) ?? { reseller, username, balanceCents: 0 };
		const settled = settle(books, account, { atMs: nowMs, requestId });
		effects.push(...settled.effects);
		const ranOut = account.balanceCents > 0 && settled.account.balanceCents === 0;
		if (ranOut && username !== reseller) effects.push(exhausted(reseller, username, nowMs));
	}
	return { outcome: { ok: true }, effects };
}

/** That a reseller itself runs low is found by its live balance. */
function exhausted(reseller: string, username: string, atMs: number): Effect {
	return { kind: 'notify', notice: { kind: 'exhausted_sub_user', to: { reseller }, atMs, told: { username } } };
}
