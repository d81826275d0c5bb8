import type { AccountBalance } from './account.ts';
import type { Books, Effect } from './books.ts';
import type { PostedUsage, PostUsage, SetPrice } from './command.ts';
import { type Decision, refused } from './decision.ts';
import { platformTransfer } from './ledger.ts';
import { chargesOf, type Due, isPrice, liveCentsOf, type Price, sumOf, type UsageCharge } from './metering.ts';

/** The request that settles, and when. */
type Settling = Pick<UsageCharge, 'atMs' | 'requestId'>;

interface Settled {
	/** The account afterwards: its balance is the live one. */
	readonly account: AccountBalance;
	readonly effects: readonly Effect[];
	readonly charges: readonly UsageCharge[];
}

/** The balance that the owner of the account reads, in USD cents. */
export function liveBalance(books: Books, account: AccountBalance): number {
	return liveCentsOf(account.balanceCents, books.duesOf(account));
}

/**
 * Posts all that an account owes for bandwidth. What its balance does not cover is uncollected, and no later credit pays
 * it. The live balance stays as it is.
 */
export function settle(books: Books, account: AccountBalance, settling: Settling): Settled {
	return charge(account, books.duesOf(account), settling);
}

/** Settles an account before it is paid, if it owes more than it has: else the payment would pay for what was used before. */
export function settleBeforeCredit(books: Books, account: AccountBalance, settling: Settling): Settled {
	const dues = books.duesOf(account);
	return charge(account, sumOf(dues) > account.balanceCents ? dues : [], settling);
}

function charge(account: AccountBalance, dues: readonly Due[], settling: Settling): Settled {
	if (dues.length === 0) return { account, effects: [], charges: [] };
	const charges = chargesOf(dues, account.balanceCents, settling);
	const chargedCents = charges.reduce((sum, each) => sum + each.chargedCents, 0);
	const effects: Effect[] = [{ kind: 'settle_usage', charges }];
	if (chargedCents > 0) {
		effects.push({ kind: 'transfer', transfer: platformTransfer('usage', account, chargedCents, settling) });
	}
	return { account: { ...account, balanceCents: account.balanceCents - chargedCents }, effects, charges };
}

/** The same price again changes nothing. */
export function decideSetPrice(books: Books, command: SetPrice, nowMs: number): Decision<SetPrice> {
	const { reseller, microUsdPerGb, requestId } = command;
	if (!books.account(reseller, reseller)) return refused('unknown_reseller');
	if (microUsdPerGb !== null && !isPrice(microUsdPerGb)) return refused('invalid_price');
	const before = books.priceOf(reseller);
	if ((before?.microUsdPerGb ?? null) === microUsdPerGb) return { outcome: { ok: true, price: before }, effects: [] };
	const price: Price = {
		reseller,
		number: (before?.number ?? 0) + 1,
		microUsdPerGb,
		meteredSinceMs: before && before.microUsdPerGb !== null ? before.meteredSinceMs : nowMs,
		setAtMs: nowMs,
		requestId,
	};
	return { outcome: { ok: true, price }, effects: [{ kind: 'set_price', price }] };
}

/** Posts the dues of the accounts that have any. A deleted sub-user can owe too, for what arrived later: it pays nothing. */
export function decidePostUsage(books: Books, command: PostUsage, nowMs: number): Decision<PostUsage> {
	const { reseller, usernames, requestId, dueSinceBeforeMs = Number.POSITIVE_INFINITY } = command;
	const posted: PostedUsage[] = [];
	const effects: Effect[] = [];
	for (const username of usernames) {
		const account = books.account(reseller, username) ?? { reseller, username, balanceCents: 0 };
		if (books.duesOf(account).every(({ sinceMs }) => sinceMs >= dueSinceBeforeMs)) continue;
		const settled = settle(books, account, { atMs: nowMs, requestId });
		effects.push(...settled.effects);
		const uncollectedCents = settled.charges.reduce((sum, each) => sum + each.uncollectedCents, 0);
		const chargedCents = account.balanceCents - settled.account.balanceCents;
		const ranOut = chargedCents > 0 && settled.account.balanceCents === 0;
		posted.push({ username, chargedCents, uncollectedCents, ranOut });
		if (ranOut && username !== reseller) effects.push(exhausted(reseller, username, nowMs));
	}
	return { outcome: { ok: true, posted }, effects };
}

/** That a reseller itself runs low is found by its live balance. */
function exhausted(reseller: string, username: string, atMs: number): Effect {
	return { kind: 'notify', notice: { kind: 'exhausted_sub_user', to: { reseller }, atMs, told: { username } } };
}
