import type { NewTerms } from '@bursar/contract/dashboard';
import { MAX_CENTS, MAX_NOTE_CHARACTERS } from '@bursar/contract/limits';
import { type TypedAmount, typedAmount } from '../../format/money.ts';
import { changedLimits, type LimitTexts, limitTexts } from '../terms/typed-limits.ts';

/** What a new sub-user has, as it stands in the fields of the form. */
export interface NewTermsTexts {
	/** Dollars and cents. Empty: nothing is given. */
	readonly amount: string;
	readonly limits: LimitTexts;
	readonly note: string;
}

const NO_LIMITS = limitTexts({
	day_bytes: null,
	month_bytes: null,
	total_bytes: null,
	connections: null,
	bytes_per_second: null,
	allowed_ips: null,
	expires_at: null,
});

export const NOTHING_TYPED: NewTermsTexts = { amount: '', limits: NO_LIMITS, note: '' };

/** The amount that the field says. Whether the reseller has it, the service says. */
export function typedGift({ amount }: NewTermsTexts): TypedAmount {
	return typedAmount(amount, { from: MAX_CENTS, to: 0 });
}

export function isNoteTooLong({ note }: NewTermsTexts): boolean {
	return [...note].length > MAX_NOTE_CHARACTERS;
}

/** What the fields say; `undefined` if one of them is wrong. `nowMs` is the server's time. */
export function typedNewTerms(texts: NewTermsTexts, nowMs: number): NewTerms | undefined {
	const gift = typedGift(texts);
	const limits = changedLimits(NO_LIMITS, texts.limits, nowMs);
	if (gift.state === 'wrong' || limits === undefined || isNoteTooLong(texts)) return undefined;
	const note = texts.note.trim();
	return {
		...(gift.state === 'right' && { amount: gift.cents }),
		...(Object.keys(limits).length > 0 && { limits }),
		...(note !== '' && { note }),
	};
}
