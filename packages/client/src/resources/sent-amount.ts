import { MAX_CENTS } from '@bursar/contract/limits';
import { InvalidRequestError } from '../errors.ts';

/** Throws an `InvalidRequestError` if this is no amount. */
export function checkAmount(amountCents: number): void {
	if (Number.isSafeInteger(amountCents) && amountCents >= 1) return;
	const message = `an amount is an integer from 1 to ${MAX_CENTS}, in USD cents`;
	throw new InvalidRequestError(message, { code: 'invalid_amount' });
}
