import {
	OPERATOR_API,
	type OperatorOperation,
	operatorOpenApiDocument,
	operatorOperations,
} from '@bursar/contract/operator';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TokenUses } from '../../bank/token-uses.ts';
import { documentRoutes } from '../docs/document-routes.ts';
import { COMMON_LIMITS, type RequestTimeouts } from '../server/limits.ts';
import { createListener, type ListenerOptions } from '../server/listener.ts';
import type { RequestMetrics } from '../server/observation.ts';
import { OPERATOR_ANSWERS } from './answers.ts';
import { createCalls } from './calls.ts';
import type { OperatorDependencies } from './dependencies.ts';
import { requireToken } from './require-token.ts';
import { changeCalls } from './routes/changes.ts';
import { edgeCalls } from './routes/edges.ts';
import { moneyCalls } from './routes/money.ts';
import { peopleCalls } from './routes/people.ts';
import { resellerCalls } from './routes/resellers.ts';
import { statementCalls } from './routes/statement.ts';
import { subUserCalls } from './routes/sub-users.ts';
import { tokenCalls } from './routes/tokens.ts';
import { topUpCalls } from './routes/top-ups.ts';
import { usageCalls } from './routes/usage.ts';

interface OperatorListenerDependencies extends OperatorDependencies, Pick<ListenerOptions, 'logger'> {
	readonly metrics: RequestMetrics;
	readonly uses: Pick<TokenUses, 'record'>;
	/** Of the software. */
	readonly version: string;
	/** For tests. */
	readonly requestTimeouts?: RequestTimeouts | undefined;
}

export const OPERATOR_LIMITS = {
	...COMMON_LIMITS,
	/** @bound Connections of programs of the operator: further ones are refused. */
	connections: 256,
};

/** The listener of the operator's programs. Only bearer tokens count here, and only those of the operator. */
export function createOperatorListener(dependencies: OperatorListenerDependencies): FastifyInstance {
	const { logger, metrics, addressOf, answersNowMs: nowMs, version, requestTimeouts } = dependencies;
	const app = createListener({
		limits: { ...OPERATOR_LIMITS, ...requestTimeouts },
		answers: OPERATOR_ANSWERS,
		logger,
		observation: { metrics, addressOf, callerOf },
		nowMs,
	});
	app.decorateRequest('expiresAtMs', undefined);
	app.decorateRequest('changeId', undefined);
	void app.register(documentRoutes, {
		title: 'Bursar operator API',
		openApi: operatorOpenApiDocument(version),
		routes: Object.fromEntries(
			Object.entries<OperatorOperation>(operatorOperations).map(([name, { path }]) => [
				name,
				{ path: OPERATOR_API + path },
			]),
		),
	});
	void app.register(async (scope) => {
		requireToken(scope, dependencies);
		const calls = createCalls(scope, dependencies);
		resellerCalls(calls, dependencies);
		moneyCalls(calls);
		topUpCalls(calls, dependencies);
		tokenCalls(calls, dependencies);
		peopleCalls(calls, dependencies);
		edgeCalls(calls, dependencies);
		subUserCalls(calls, dependencies);
		statementCalls(calls, dependencies);
		usageCalls(calls, dependencies);
		changeCalls(calls, dependencies);
	});
	return app;
}

/** `operatorToken` is absent before authentication. */
function callerOf({ operatorToken }: { readonly operatorToken?: FastifyRequest['operatorToken'] }) {
	return { operatorToken: operatorToken?.name };
}
