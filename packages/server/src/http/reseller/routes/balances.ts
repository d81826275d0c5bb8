import { endpoints } from '@bursar/contract';
import type { FastifyInstance } from 'fastify';
import { answerWith } from '../../server/answers.ts';
import { sendDataText, sendFailure } from '../../server/envelope.ts';
import { askingProgram } from '../asking-program.ts';
import type { ResellerDependencies } from '../dependencies.ts';
import { sendRefusal } from '../refusals.ts';
import { readTransferRequest } from '../sub-user-request.ts';
import { balanceText } from '../views.ts';

type BalanceDependencies = Pick<ResellerDependencies, 'store' | 'bank' | 'addressOf' | 'nowMs' | 'lenient'>;

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
	const { bank, addressOf, nowMs } = dependencies;
	app.post(path, (request, reply) => {
		const wanted = readTransferRequest(request, dependencies);
		if ('refused' in wanted) return void sendFailure(reply, wanted.refused, nowMs(), wanted.message);
		const { reseller, id: requestId, expiresAtMs, changeId, reference } = request;
		const { username, amountCents } = wanted;
		const program = askingProgram(request, addressOf);
		const command = { kind, reseller, requestId, expiresAtMs, changeId, program, username, amountCents, reference };
		answerWith(reply, bank.submit(command), (outcome) => {
			if (!outcome.ok) return sendRefusal(request, reply, outcome, dependencies);
			return sendDataText(reply, balanceText(outcome.username, outcome.balanceCents), nowMs());
		});
	});
}
