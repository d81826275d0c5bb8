import { endpoints } from '@bursar/contract';
import type { FastifyInstance } from 'fastify';
import { isSubUser } from '../../../domain/account.ts';
import { usageShownDays } from '../../../domain/usage.ts';
import { sendData, sendFailure } from '../../server/envelope.ts';
import type { ResellerDependencies } from '../dependencies.ts';
import { readSubUserRequest } from '../sub-user-request.ts';
import { bandwidthView } from '../views.ts';

/** The daily bandwidth of a sub-user. */
export function usageRoutes(
	app: FastifyInstance,
	dependencies: Pick<ResellerDependencies, 'store' | 'nowMs' | 'lenient'>,
): void {
	const { store, nowMs } = dependencies;
	app.post(endpoints.viewUsage.path, async (request, reply) => {
		const wanted = readSubUserRequest(request, dependencies);
		if ('refused' in wanted) return sendFailure(reply, wanted.refused, nowMs(), wanted.message);
		const account = await store.findAccount(request.reseller, wanted.username);
		if (!account || !isSubUser(account)) return sendFailure(reply, 'unknown_sub_user', nowMs());
		const { firstDay, lastDay } = usageShownDays(nowMs());
		const days = await store.listUsageDays(account.reseller, account.username, firstDay, lastDay);
		return sendData(reply, days.map(bandwidthView), nowMs());
	});
}
