const SCHEME = 'Bearer ';
/** Node removes spaces and tabs after the token. Other white space belongs to the token, and makes it malformed. */
const SPACES_AND_TABS_BEFORE = /^[ \t]+/;

/**
 * The bearer token of an `Authorization` header. The scheme is case-insensitive (RFC 9110, section 11.1), and spaces
 * follow it (RFC 6750, section 2.1). Node joins repeated headers with a comma, which no token contains.
 */
export function bearerToken(header: string | undefined): string | undefined {
	if (header === undefined) return undefined;
	const scheme = header.slice(0, SCHEME.length);
	return scheme === SCHEME || scheme.toLowerCase() === SCHEME.toLowerCase()
		? header.slice(SCHEME.length).replace(SPACES_AND_TABS_BEFORE, '')
		: undefined;
}

/** RFC 6750, section 3.1: without a token, or with another scheme, the answer names the scheme but no error. */
export function bearerChallenge(token: string | undefined): string {
	return token === undefined || token === '' ? 'Bearer' : 'Bearer error="invalid_token"';
}
