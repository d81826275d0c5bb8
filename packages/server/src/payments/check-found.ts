import type { PaymentNames, ReadObject } from './provider.ts';

/** @bound Characters of an id of a payment provider: an object with a longer or another one is not read. */
const ID_FORM = /^[\w-]{1,255}$/;
/** Browsers open it, so it is an address of the web. */
const PAGE_FORM = /^https?:\/\/[!-~]+$/;
/** @bound Characters of the address at which a payment is paid: an object with a longer one is not read. */
const MAX_PAGE_LENGTH = 4_096;
/** No date is later, in Unix milliseconds. */
const LAST_MS = 8.64e15;

/** What a provider says is stored, indexed and shown. Throws if that cannot be done with it: then nothing of it is taken. */
export function checkFound({ objectId, reading }: ReadObject): void {
	const { intentId, settledCents, refundedCents, disputedCents, pageUrl, expiresAtMs } = reading;
	if (!isId(objectId) || (intentId !== undefined && !isId(intentId))) refuse('an id');
	if (![settledCents, refundedCents, disputedCents].every(isCount)) refuse('an amount');
	if (pageUrl !== undefined && !isPage(pageUrl)) refuse('a page');
	if (expiresAtMs !== undefined && !(isCount(expiresAtMs) && expiresAtMs <= LAST_MS)) refuse('a time');
}

/** Only the ids that an object of a payment could have. Providers also list what others have made, with any ids. */
export function withPossibleIds({ paymentId, objectIds, state }: PaymentNames): PaymentNames {
	return { state, paymentId: isId(paymentId) ? paymentId : undefined, objectIds: objectIds.filter(isId) };
}

function isId(value: unknown): value is string {
	return typeof value === 'string' && ID_FORM.test(value);
}

function isPage(url: string): boolean {
	return url.length <= MAX_PAGE_LENGTH && PAGE_FORM.test(url) && URL.canParse(url);
}

function isCount(value: number): boolean {
	return Number.isSafeInteger(value) && value >= 0;
}

function refuse(what: string): never {
	throw new Error(`the payment provider answers ${what} that cannot be one`);
}
