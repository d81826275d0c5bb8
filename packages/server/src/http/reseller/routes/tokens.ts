import { allEndpoints } from '@bursar/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hashToken, newToken, newTokenId } from '../../../credentials.ts';
import { MADE_BY_PROGRAM } from '../../../domain/token.ts';
import { furtherTokensView, furtherTokenView } from '../../further-token-view.ts';
import { answerWith } from '../../server/answers.ts';
import { bearerToken } from '../../server/bearer-token.ts';
import { sendData, sendFailure } from '../../server/envelope.ts';
import { askingProgram } from '../asking-program.ts';
import type { ResellerDependencies } from '../dependencies.ts';
import { sendRefusal } from '../refusals.ts';
import { sendUnauthorized } from '../require-reseller.ts';
import { readBody } from '../sub-user-request.ts';
import { readCreateToken, readTokenChange } from '../token-requests.ts';

type TokenDependencies = Pick<
	ResellerDependencies,
	'store' | 'bank' | 'authenticator' | 'addressOf' | 'nowMs' | 'lenient'
>;

/** The further tokens of a reseller (docs/api.md 5.6). */
export function tokenRoutes(app: FastifyInstance, dependencies: TokenDependencies): void {
	const { store, bank, authenticator, addressOf, nowMs } = dependencies;

	/** What a command says of the request that gives it. */
	const changing = (request: FastifyRequest) => ({
		reseller: request.reseller,
		requestId: request.id,
		expiresAtMs: request.expiresAtMs,
		changeId: request.changeId,
		program: askingProgram(request, addressOf),
		askedWith: hashToken(bearerToken(request.headers.authorization) ?? ''),
	});

	app.post(allEndpoints.createToken.path, (request, reply) => {
		const wanted = readCreateToken(request, dependencies);
		if ('refused' in wanted) return void sendFailure(reply, wanted.refused, nowMs(), wanted.message);
		const { token, ...made } = newToken();
		const making = { id: newTokenId(), ...made, madeBy: MADE_BY_PROGRAM };
		const command = { kind: 'create_token', ...changing(request), ...wanted, ...making } as const;
		answerWith(reply, bank.submit(command), (outcome) => {
			if (outcome.ok) return sendData(reply, { ...furtherTokenView(outcome.token, null), token }, nowMs());
			if (outcome.error === 'unauthorized') return sendUnauthorized(request, reply, nowMs());
			return sendRefusal(request, reply, outcome, dependencies);
		});
	});

	app.post(allEndpoints.viewAllTokens.path, (request, reply) => {
		const body = readBody(request, dependencies);
		if ('refused' in body) return void sendFailure(reply, body.refused, nowMs(), body.message);
		answerWith(reply, store.listTokens(request.reseller), (tokens) =>
			sendData(reply, furtherTokensView(tokens), nowMs()),
		);
	});

	app.post(allEndpoints.endToken.path, (request, reply) => {
		const wanted = readTokenChange(request, dependencies);
		if ('refused' in wanted) return void sendFailure(reply, wanted.refused, nowMs(), wanted.message);
		answerWith(reply, bank.submit({ kind: 'end_token', ...changing(request), ...wanted }), (outcome) => {
			// This process has changed a token.
			authenticator.forget();
			if (outcome.ok) return sendData(reply, wanted, nowMs());
			if (outcome.error === 'unauthorized') return sendUnauthorized(request, reply, nowMs());
			return sendRefusal(request, reply, outcome, dependencies);
		});
	});
}
