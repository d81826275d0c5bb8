/** In a request: the Unix second after which the service may not begin it. Every answer carries this header too. */
export const REQUEST_EXPIRES_HEADER = 'X-Request-Expires';

/** The value in an answer, unless the request sent a well-formed value. Then the answer repeats that value. */
export const EXPIRY_HONOURED = 'honoured';

/** Only decimal digits, at most twelve. A time in milliseconds has more: read as seconds, it would never be over. */
export const EXPIRY_FORM = /^[0-9]{1,12}$/;

/** The Unix seconds in the text, or `undefined` if it is ill-formed. */
export function readExpirySeconds(text: string): number | undefined {
	return EXPIRY_FORM.test(text) ? Number(text) : undefined;
}
