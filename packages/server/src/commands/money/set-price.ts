import type { Effect } from '../../domain/books.ts';
import { isPrice, type Price } from '../../domain/metering.ts';
import { isBalance } from '../../domain/money.ts';
import type { AccountCommand } from '../command.ts';
import { refused, type Verb } from '../verb.ts';

export interface SetPrice extends AccountCommand {
	readonly kind: 'set_price';
	/** Micro-dollars, at least 1. `null`: bandwidth costs nothing. */
	readonly microUsdPerGb: number | null;
	/** USD cents. Absent: the line stays as it is. */
	readonly debtLineCents?: number | undefined;
}

interface PriceSet {
	readonly ok: true;
	readonly price: Price | undefined;
	/** The line that holds, in USD cents. */
	readonly debtLineCents: number;
}

/**
 * Sets what a GB costs the accounts of a reseller from now on, and how much the reseller may owe. The same price and the
 * same line again change nothing.
 */
export const setPrice: Verb<SetPrice, PriceSet, 'unknown_reseller' | 'invalid_price' | 'invalid_debt_line'> = {
	kind: 'set_price',
	calls: ['/operator/price'],
	giver: 'person',
	setsState: true,
	needs: () => ({ price: true }),
	decide(books, command, nowMs) {
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
	},
};
