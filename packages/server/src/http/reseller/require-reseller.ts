import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { bearerChallenge, bearerToken } from '../server/bearer-token.ts';
import { sendFailure } from '../server/envelope.ts';
import type { Authenticator } from './authenticator.ts';

declare module 'fastify' {
	interface FastifyRequest {
		/** Who asks: the username of the authenticated reseller. */
		reseller: string;
	}
}

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
		const reseller = findReseller(authenticator, request);
		if (typeof reseller === 'string') {
			request.reseller = reseller;
			done();
			return;
		}
		Promise.resolve(reseller).then((found) => {
			if (found === undefined) return void sendUnauthorized(request, reply, nowMs());
			request.reseller = found;
			done();
		}, done);
	});
}

/** The reseller whose token the request carries, if it is valid now. Rejects with `StoreUnavailableError`. */
export function findReseller(
	authenticator: Authenticator,
	{ headers }: FastifyRequest,
): ReturnType<Authenticator['resellerOf']> {
	const token = bearerToken(headers.authorization);
	return token === undefined ? undefined : authenticator.resellerOf(token);
}

/** Answers that the token is not valid. `nowMs` in Unix milliseconds. */
export function sendUnauthorized({ headers }: FastifyRequest, reply: FastifyReply, nowMs: number): FastifyReply {
	reply.header('www-authenticate', bearerChallenge(bearerToken(headers.authorization)));
	return sendFailure(reply, 'unauthorized', nowMs);
}
