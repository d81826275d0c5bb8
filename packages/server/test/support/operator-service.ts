import type { TestContext } from 'node:test';
import type { OperatorScope } from '@bursar/contract/scopes';
import { type Answer, type CallOptions, operatorApi } from '@bursar/testing/api';
import { startTestService } from '@bursar/testing/service';
import type { ServiceParts } from '../../src/service.ts';
import { describedApi } from './described-api.ts';

type CallOperator = ReturnType<typeof operatorApi>;

/** A service with the operator's API. Each answer must be as the document of the service describes it. */
export async function startOperatorService(
	t: TestContext,
	environment: Readonly<Record<string, string>> = {},
	parts: ServiceParts = {},
) {
	const service = await startTestService(t, { BURSAR_OPERATOR_PORT: '0', ...environment }, parts);
	const operatorUrl = service.operatorUrl as string;
	// biome-ignore lint/suspicious/noExplicitAny: the document is untyped JSON, as for a client
	const document = (await (await fetch(`${operatorUrl}/openapi.json`)).json()) as any;
	const described = describedApi(document);

	/** The calls of a program of the operator. Default: with all scopes. */
	async function openProgram(name: string, scopes?: readonly OperatorScope[]): Promise<CallOperator> {
		const call = operatorApi(operatorUrl, await service.openOperatorToken(name, scopes));
		return async (operation, body, options?: CallOptions): Promise<Answer> => {
			const answer = await call(operation, body, options);
			described.assertDescribed(operation, answer);
			return answer;
		};
	}

	return {
		...service,
		operatorUrl,
		document,
		codes: described.codes,
		openProgram,
		operator: await openProgram('shop'),
	};
}

/** The header of a change with this id. */
export function withChangeId(name: string): CallOptions {
	return { headers: { 'x-change-id': name.padEnd(16, '0') } };
}
