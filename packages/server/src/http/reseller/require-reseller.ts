import type { FastifyInstance, FastifyReply } from 'fastify';
import { sendFailure } from '../server/envelope.ts';
import type { Authenticator } from './authenticator.ts';

declare module 'fastify' {
	interface FastifyRequest {
		/** Who asks: the username of the authenticated reseller. */
		reseller: string;
	}
}

const SCHEME = 'Bearer ';
/** Node removes spaces and tabs after the token. Other white space belongs to the token, and makes it malformed. */
const SPACES_AND_TABS_BEFORE = /^[ \t]+/;

/**
 * Lets only authenticated resellers through to the routes of this scope. Only the `Authorization` header can carry the
 * token (docs/api.md 5.1).
 */
export function requireReseller(
	app: FastifyInstance,
	{ authenticator, nowMs }: { readonly authenticator: Authenticator; readonly nowMs: () => number },
): void {
	app.decorateRequest('reseller', '');
	app.addHook('onRequest', (request, reply, done) => {
		const token = bearerToken(request.headers.authorization);
		const reseller = token === undefined ? undefined : authenticator.resellerOf(token);
		if (typeof reseller === 'string') {
			request.reseller = reseller;
			done();
			return;
		}
		Promise.resolve(reseller).then((found) => {
			if (found === undefined) return void refuse(reply, token !== undefined && token !== '', nowMs());
			request.reseller = found;
			done();
		}, done);
	});
}

/**
 * The scheme is case-insensitive (RFC 9110, section 11.1), and spaces follow it (RFC 6750, section 2.1). Node joins
 * repeated headers with a comma, which no token contains.
 */
function bearerToken(header: string | undefined): string | undefined {
	if (header === undefined) return undefined;
	const scheme = header.slice(0, SCHEME.length);
	return scheme === SCHEME || scheme.toLowerCase() === SCHEME.toLowerCase()
		? header.slice(SCHEME.length).replace(SPACES_AND_TABS_BEFORE, '')
		: undefined;
}

/** RFC 6750, section 3.1: without a token, or with another scheme, the answer names the scheme but no error. */
function refuse(reply: FastifyReply, wasTokenSent: boolean, nowMs: number): FastifyReply {
	reply.header('www-authenticate', wasTokenSent ? 'Bearer error="invalid_token"' : 'Bearer');
	return sendFailure(reply, 'unauthorized', nowMs);
}
