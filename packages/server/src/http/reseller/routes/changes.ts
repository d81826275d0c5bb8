import { allEndpoints } from '@bursar/contract';
import type { FastifyInstance } from 'fastify';
import { answerWith } from '../../server/answers.ts';
import { sendData, sendFailure } from '../../server/envelope.ts';
import type { ResellerDependencies } from '../dependencies.ts';
import { readChangeRequest } from '../sub-user-request.ts';
import { changeView } from '../views.ts';

/** What a change with an id did. */
export function changeRoutes(
	app: FastifyInstance,
	dependencies: Pick<ResellerDependencies, 'store' | 'nowMs' | 'lenient'>,
): void {
	const { store, nowMs } = dependencies;
	app.post(allEndpoints.viewChange.path, (request, reply) => {
		const wanted = readChangeRequest(request, dependencies);
		if ('refused' in wanted) return void sendFailure(reply, wanted.refused, nowMs(), wanted.message);
		answerWith(reply, store.findChange(request.reseller, wanted.changeId), (change) =>
			sendData(reply, change ? changeView(change) : null, nowMs()),
		);
	});
}
