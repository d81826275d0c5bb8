import { isWellFormedOperatorToken } from '@bursar/contract/secret-text';
import type { FastifyInstance, FastifyRequest } from 'fastify';
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
 * each time, so that an ended token counts nowhere any more. No body has been read yet.
 */
export function requireToken(app: FastifyInstance, { store, uses, nowMs }: RequireToken): void {
	app.decorateRequest('operatorToken', null);
	app.addHook('onRequest', async (request, reply) => {
		const text = bearerToken(request.headers.authorization);
		const token = text !== undefined && (await find(text));
		if (!token) {
			return sendFailure(reply.header('www-authenticate', bearerChallenge(text)), 'unauthorized', nowMs());
		}
		request.operatorToken = token;
		const { scope } = operationAt(request.routeOptions.url);
		if (scope === null || token.scopes.includes(scope)) return;
		reply.header('www-authenticate', `Bearer error="insufficient_scope", scope="${scope}"`);
		return sendFailure(reply, 'missing_scope', nowMs(), { message: `this token lacks the scope ${scope}` });
	});

	async function find(text: string): Promise<OperatorToken | undefined> {
		if (!isWellFormedOperatorToken(text)) return undefined;
		const token = await store.findOperatorToken(hashToken(text));
		const usedAtMs = nowMs();
		if (!token || token.expiresAtMs <= usedAtMs) return undefined;
		uses.record(token, usedAtMs);
		return token;
	}
}

/** The token that a request was authenticated with. */
export function tokenOf({ operatorToken }: FastifyRequest): OperatorToken {
	if (!operatorToken) throw new Error('a call of the operator was reached without a token');
	return operatorToken;
}
