import {
	OPERATOR_API,
	type OperatorOperation,
	operatorOpenApiDocument,
	operatorOperations,
} from '@bursar/contract/operator';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TokenUses } from '../../bank/token-uses.ts';
import { documentRoutes } from '../docs/document-routes.ts';
import type { ClientAddresses } from '../server/client-address.ts';
import { COMMON_LIMITS, type RequestTimeouts } from '../server/limits.ts';
import { createListener, type ListenerOptions } from '../server/listener.ts';
import type { RequestMetrics } from '../server/observation.ts';
import { OPERATOR_ANSWERS } from './answers.ts';
import { createCalls } from './calls.ts';
import type { OperatorDependencies } from './dependencies.ts';
import { requireToken } from './require-token.ts';
import { changeCalls } from './routes/changes.ts';
import { resellerCalls } from './routes/resellers.ts';

interface OperatorListenerDependencies extends OperatorDependencies, Pick<ListenerOptions, 'logger'> {
	readonly metrics: RequestMetrics;
	readonly addressOf: ClientAddresses;
	readonly uses: Pick<TokenUses, 'record'>;
	/** The time that the answers show, in Unix milliseconds. */
	readonly answersNowMs: () => number;
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
		const calls = createCalls(scope, { addressOf, nowMs });
		resellerCalls(calls, dependencies);
		changeCalls(calls, dependencies);
	});
	return app;
}

/** `operatorToken` is absent before authentication. */
function callerOf({ operatorToken }: { readonly operatorToken?: FastifyRequest['operatorToken'] }) {
	return { operatorToken: operatorToken?.name };
}
