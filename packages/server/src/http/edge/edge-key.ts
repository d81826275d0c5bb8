import { bearerToken } from '../server/bearer-token.ts';

/**
 * The key in an `Authorization` header: a bearer token, or the password of Basic credentials. GOST sends no token with
 * its plugins over HTTP, but credentials that stand in their address.
 */
export function edgeKeyIn(header: string | undefined): string | undefined {
	return bearerToken(header) ?? basicPassword(header);
}

function basicPassword(header = ''): string | undefined {
	const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header) ?? [];
	if (encoded === undefined) return undefined;
	const credentials = Buffer.from(encoded, 'base64').toString('latin1');
	const colon = credentials.indexOf(':');
	return colon === -1 ? undefined : credentials.slice(colon + 1);
}
