import { routes } from '@bursar/contract';
import { allowedAddresses } from '@bursar/contract/allowed-ips';
import { ONE_TOKEN } from '@bursar/contract/routes';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Token } from '../../domain/token.ts';
import { bearerChallenge, bearerToken } from '../server/bearer-token.ts';
import type { ClientAddresses } from '../server/client-address.ts';
import { sendFailure } from '../server/envelope.ts';
import type { Authenticator } from './authenticator.ts';

declare module 'fastify' {
	interface FastifyRequest {
		/** Who asks: the username of the authenticated reseller. */
		reseller: string;
	}
}

interface RequireReseller {
	readonly authenticator: Authenticator;
	readonly addressOf: ClientAddresses;
	/** Unix milliseconds. */
	readonly nowMs: () => number;
}

/**
 * Lets only authenticated resellers through to the routes of this scope, and a further token only to what it may do. Only
 * the `Authorization` header can carry the token (docs/api.md 5.1). No body has been read yet.
 */
export function requireReseller(app: FastifyInstance, { authenticator, addressOf, nowMs }: RequireReseller): void {
	app.decorateRequest('reseller', '');

	function admit(request: FastifyRequest, reply: FastifyReply, token: Token | undefined, done: () => void): void {
		if (!token) return void sendUnauthorized(request, reply, nowMs());
		// Also for the log of a refusal.
		request.reseller = token.reseller;
		const { further } = token;
		if (further === null) {
			done();
			return;
		}
		const isFromThere =
			further.allowedIps === null || allowedAddresses(further.allowedIps)(addressOf(request.raw).text);
		if (!isFromThere) return void sendFailure(reply, 'address_not_allowed', nowMs());
		const lack = lackOfScope(request, further.scopes);
		if (!lack) {
			done();
			return;
		}
		reply.header('www-authenticate', `Bearer error="insufficient_scope"${lack.hint}`);
		return void sendFailure(reply, 'missing_scope', nowMs(), lack.message);
	}

	app.addHook('onRequest', (request, reply, done) => {
		const token = findToken(authenticator, request);
		if (!(token instanceof Promise)) return admit(request, reply, token, done);
		token.then((found) => admit(request, reply, found, done)).catch(done);
	});
}

const SCOPES = new Map(Object.values(routes).map(({ path, scopes }) => [path as string, scopes]));

/** What a further token lacks for a route: in words, and for the challenge. */
function lackOfScope({ routeOptions }: FastifyRequest, scopes: readonly string[]) {
	const needed = SCOPES.get(routeOptions.url ?? '') ?? ONE_TOKEN;
	if (needed === ONE_TOKEN) {
		return { hint: '', message: 'only the one token of the reseller may make this call, not a further one' };
	}
	const missing = needed.find((scope) => !scopes.includes(scope));
	return missing && { hint: `, scope="${missing}"`, message: `this token lacks the scope ${missing}` };
}

/** The token that the request carries, if it is valid now. Rejects with `StoreUnavailableError`. */
export function findToken(
	authenticator: Authenticator,
	{ headers }: FastifyRequest,
): ReturnType<Authenticator['find']> {
	const token = bearerToken(headers.authorization);
	return token === undefined ? undefined : authenticator.find(token);
}

/** Answers that the token is not valid. `nowMs` in Unix milliseconds. */
export function sendUnauthorized({ headers }: FastifyRequest, reply: FastifyReply, nowMs: number): FastifyReply {
	reply.header('www-authenticate', bearerChallenge(bearerToken(headers.authorization)));
	return sendFailure(reply, 'unauthorized', nowMs);
}
