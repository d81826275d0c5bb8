import { isWellFormedOperatorToken } from '@bursar/contract/secret-text';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TokenUses } from '../../bank/token-uses.ts';
import { hashToken } from '../../credentials.ts';
import type { OperatorToken } from '../../domain/operators/operator-token.ts';
import type { OperatorTokenReads } from '../../store/tables/tokens/operator-tokens.ts';
import { bearerChallenge, bearerToken } from '../server/bearer-token.ts';
import { sendFailure } from './answers.ts';
import { operationAt } from './operations-by-path.ts';

declare module 'fastify' {
	interface FastifyRequest {
		/** The token of the program that asks. Only on the operator's listener, after authentication. */
		operatorToken: OperatorToken | null;
	}
}

interface RequireToken {
	readonly store: Pick<OperatorTokenReads, 'findOperatorToken'>;
	readonly uses: Pick<TokenUses, 'record'>;
	/** The store's time, in Unix milliseconds. */
	readonly nowMs: () => number;
}

/**
 * Lets only programs of the operator through to the routes of this scope, and only to what their tokens may do. Asks the store
 * each time, so that an ended token counts nowhere any more. No body has been read yet; before a change, it asks again.
 */
export function requireToken(app: FastifyInstance, { store, uses, nowMs }: RequireToken): void {
	app.decorateRequest('operatorToken', null);
	app.addHook('onRequest', async (request, reply) => {
		const text = bearerToken(request.headers.authorization);
		const token = text !== undefined && isWellFormedOperatorToken(text) && (await findLive(hashToken(text)));
		if (!token) return sendUnauthorized(request, reply);
		uses.record(token, nowMs());
		request.operatorToken = token;
		const { scope } = operationAt(request.routeOptions.url);
		if (scope === null || token.scopes.includes(scope)) return;
		reply.header('www-authenticate', `Bearer error="insufficient_scope", scope="${scope}"`);
		return sendFailure(reply, 'missing_scope', nowMs(), { message: `this token lacks the scope ${scope}` });
	});

	// A body may take half a minute. Whoever ends a token that leaked must not find a change by it afterwards.
	app.addHook('preHandler', async (request, reply) => {
		const { isChange } = operationAt(request.routeOptions.url);
		if (isChange && !(await findLive(tokenOf(request).hash))) return sendUnauthorized(request, reply);
	});

	async function findLive(hash: string): Promise<OperatorToken | undefined> {
		const token = await store.findOperatorToken(hash);
		return token && token.expiresAtMs > nowMs() ? token : undefined;
	}

	function sendUnauthorized({ headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
		const challenge = bearerChallenge(bearerToken(headers.authorization));
		return sendFailure(reply.header('www-authenticate', challenge), 'unauthorized', nowMs());
	}
}

/** The token that a request was authenticated with. */
export function tokenOf({ operatorToken }: FastifyRequest): OperatorToken {
	if (!operatorToken) throw new Error('a call of the operator was reached without a token');
	return operatorToken;
}
