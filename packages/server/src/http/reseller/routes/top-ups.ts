import { allEndpoints } from '@bursar/contract';
import type { FastifyInstance } from 'fastify';
import { answerWith } from '../../server/answers.ts';
import { sendData, sendFailure } from '../../server/envelope.ts';
import { readTopUpPage } from '../../top-up-page.ts';
import { topUpView } from '../../top-up-view.ts';
import { askingProgram } from '../asking-program.ts';
import type { ResellerDependencies } from '../dependencies.ts';
import { sendRefusal } from '../refusals.ts';
import { WRONG_AFTER } from '../terms-requests.ts';
import { readCreateTopUp, readTopUpPageRequest } from '../top-up-requests.ts';

/** Payments through a payment provider (docs/api.md 14). */
export function topUpRoutes(
	app: FastifyInstance,
	dependencies: Pick<ResellerDependencies, 'store' | 'topUps' | 'addressOf' | 'nowMs' | 'lenient'>,
): void {
	const { store, topUps, addressOf, nowMs } = dependencies;

	app.post(allEndpoints.createTopUp.path, (request, reply) => {
		const wanted = readCreateTopUp(request, dependencies);
		if ('refused' in wanted) return void sendFailure(reply, wanted.refused, nowMs(), wanted.message);
		const { reseller, id: requestId, expiresAtMs, changeId } = request;
		const asked = { ...wanted, reseller, requestId, expiresAtMs, changeId, program: askingProgram(request, addressOf) };
		answerWith(reply, topUps.begin(asked), (outcome) => {
			if (!outcome.ok) return sendRefusal(request, reply, outcome, dependencies);
			return sendData(reply, topUpView(outcome.payment), nowMs());
		});
	});

	app.post(allEndpoints.viewTopUpPage.path, (request, reply) => {
		const wanted = readTopUpPageRequest(request, dependencies);
		if ('refused' in wanted) return void sendFailure(reply, wanted.refused, nowMs(), wanted.message);
		answerWith(reply, readTopUpPage(store, { ...wanted, reseller: request.reseller }), (page) => {
			if (!page) return sendFailure(reply, WRONG_AFTER.refused, nowMs(), WRONG_AFTER.message);
			return sendData(reply, { top_ups: page.payments.map(topUpView), next: page.next }, nowMs());
		});
	});
}
