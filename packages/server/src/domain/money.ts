import { MAX_CENTS } from '@bursar/contract/limits';

/** Whether a balance may be this many USD cents. */
export function isBalance(cents: number): boolean {
	return Number.isSafeInteger(cents) && cents >= 0 && cents <= MAX_CENTS;
}

/** Whether a transfer may move this many USD cents: an integer of at least 1 (docs/api.md 6.2). */
export function isTransferAmount(cents: number): boolean {
	return Number.isSafeInteger(cents) && cents >= 1 && cents <= MAX_CENTS;
}

/** Throws if this is not a valid balance. Called after reading money and before writing it. */
export function assertBalance(cents: number, whose: string): void {
	if (!isBalance(cents)) throw new Error(`the balance of ${whose} is not a whole number of cents, at least 0`);
}
