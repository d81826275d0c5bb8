import type { FastifyInstance } from 'fastify';
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
		const token = bearerToken(request.headers.authorization);
		const reseller = token === undefined ? undefined : authenticator.resellerOf(token);
		if (typeof reseller === 'string') {
			request.reseller = reseller;
			done();
			return;
		}
		Promise.resolve(reseller).then((found) => {
			if (found === undefined) {
				reply.header('www-authenticate', bearerChallenge(token));
				return void sendFailure(reply, 'unauthorized', nowMs());
			}
			request.reseller = found;
			done();
		}, done);
	});
}
