import { MAX_CENTS } from '@bursar/contract/limits';

/** Whether a balance may be this many USD cents. */
export function isBalance(cents: number): boolean {
	return Number.isSafeInteger(cents) && cents >= 0 && cents <= MAX_CENTS;
}

/** Whether this many USD cents can be moved: an integer of at least 1 (docs/api.md 6.2). */
export function isTransferAmount(cents: number): boolean {
	return Number.isSafeInteger(cents) && cents >= 1 && cents <= MAX_CENTS;
}

/** Throws where a balance is none: money that was read or is about to be written must be sound. */
export function assertBalance(cents: number, whose: string): void {
	if (!isBalance(cents)) throw new Error(`the balance of ${whose} is not a whole number of cents from 0 on`);
}
