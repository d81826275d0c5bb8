import { endpoints } from '@bursar/contract';
import type { FastifyInstance } from 'fastify';
import { sendData, sendFailure } from '../../server/envelope.ts';
import type { ResellerDependencies } from '../dependencies.ts';
import { REFUSAL_CODES } from '../refusals.ts';
import { readTransferRequest } from '../sub-user-request.ts';

type BalanceDependencies = Pick<ResellerDependencies, 'bank' | 'nowMs' | 'lenient'>;

/** Moves balance between a reseller and its sub-users, in both directions. */
export function balanceRoutes(app: FastifyInstance, dependencies: BalanceDependencies): void {
	movement(app, endpoints.giveBalance.path, 'give_balance', dependencies);
	movement(app, endpoints.takeBalance.path, 'take_balance', dependencies);
}

function movement(
	app: FastifyInstance,
	path: string,
	kind: 'give_balance' | 'take_balance',
	dependencies: BalanceDependencies,
): void {
	const { bank, nowMs } = dependencies;
	app.post(path, async (request, reply) => {
		const wanted = readTransferRequest(request, dependencies);
		if ('refused' in wanted) return sendFailure(reply, wanted.refused, nowMs());
		const { reseller, id: requestId, expiresAtMs } = request;
		const outcome = await bank.submit({ kind, reseller, requestId, expiresAtMs, ...wanted });
		if (!outcome.ok) return sendFailure(reply, REFUSAL_CODES[outcome.error], nowMs());
		return sendData(reply, { username: outcome.username, balance: outcome.balanceCents }, nowMs());
	});
}
