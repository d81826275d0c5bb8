import { endpoints } from '@bursar/contract';
import type { FastifyInstance } from 'fastify';
import { answerWith } from '../../server/answers.ts';
import { sendDataText, sendFailure } from '../../server/envelope.ts';
import type { ResellerDependencies } from '../dependencies.ts';
import { hasMalformedExpiry } from '../expiry.ts';
import { subUserText } from '../views.ts';

/** The reseller's own account. */
export function accountRoutes(
	app: FastifyInstance,
	{ store, nowMs }: Pick<ResellerDependencies, 'store' | 'nowMs'>,
): void {
	app.get(endpoints.myInfo.path, (request, reply) => {
		if (hasMalformedExpiry(request)) return void sendFailure(reply, 'invalid_request', nowMs());
		answerWith(reply, store.findAccount(request.reseller, request.reseller), (account) => {
			if (!account) throw new Error('an authenticated reseller has no account');
			sendDataText(reply, subUserText(account), nowMs());
		});
	});
}
