import { endpoints } from '@bursar/contract';
import type { FastifyInstance } from 'fastify';
import { sendData, sendFailure } from '../../server/envelope.ts';
import type { ResellerDependencies } from '../dependencies.ts';
import { hasMalformedExpiry } from '../expiry.ts';
import { subUserView } from '../views.ts';

/** The reseller's own account. */
export function accountRoutes(
	app: FastifyInstance,
	{ store, nowMs }: Pick<ResellerDependencies, 'store' | 'nowMs'>,
): void {
	app.get(endpoints.myInfo.path, async (request, reply) => {
		if (hasMalformedExpiry(request)) return sendFailure(reply, 'invalid_request', nowMs());
		const account = await store.findAccount(request.reseller, request.reseller);
		if (!account) throw new Error('an authenticated reseller has no account');
		return sendData(reply, subUserView(account), nowMs());
	});
}
