/** A request says with it until when it may be begun, in Unix seconds. Every answer carries it too. */
export const REQUEST_EXPIRES_HEADER = 'X-Request-Expires';

/** What an answer carries in that header, unless the request sent a well-formed value: then it carries that value. */
export const EXPIRY_HONOURED = 'honoured';

/** Decimal digits and nothing else. Twelve are too few for a time in milliseconds, which would never be over. */
export const EXPIRY_FORM = /^[0-9]{1,12}$/;

/** The Unix seconds that the text says, or `undefined` where it is ill-formed. */
export function readExpirySeconds(text: string): number | undefined {
	return EXPIRY_FORM.test(text) ? Number(text) : undefined;
}
