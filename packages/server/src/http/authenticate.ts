import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendFailure } from './answer.ts';
import type { Authenticator } from './authenticator.ts';

declare module 'fastify' {
	interface FastifyRequest {
		/** Who asks: the username of the authenticated reseller. */
		reseller: string;
	}
}

/** The scheme is case-insensitive (RFC 9110, section 11.1); one or more spaces follow it (RFC 6750). */
const BEARER = /^bearer +([^\s]+) *$/i;

/**
 * Lets only authenticated resellers through to the routes of this scope. Contract, Authentication 1
 * and 2: the token is taken from the `Authorization` header and from nowhere else.
 */
export function requireReseller(
	app: FastifyInstance,
	{ authenticator, nowMs }: { readonly authenticator: Authenticator; readonly nowMs: () => number },
): void {
	app.decorateRequest('reseller', '');
	app.addHook('onRequest', (request, reply, done) => {
		const header = request.headers.authorization;
		const token = header === undefined ? undefined : BEARER.exec(header)?.[1];
		if (token === undefined) return void refuse(reply, header !== undefined, nowMs());
		const admit = (reseller: string | undefined) => {
			if (reseller === undefined) return void refuse(reply, true, nowMs());
			(request as FastifyRequest).reseller = reseller;
			done();
		};
		const reseller = authenticator.resellerOf(token);
		if (reseller instanceof Promise) reseller.then(admit, done);
		else admit(reseller);
	});
}

/** RFC 6750, section 3.1: a request that sent no credentials is told the scheme and no error. */
function refuse(reply: FastifyReply, wasTokenSent: boolean, nowMs: number): FastifyReply {
	reply.header('www-authenticate', wasTokenSent ? 'Bearer error="invalid_token"' : 'Bearer');
	return sendFailure(reply, 'unauthorized', nowMs);
}
