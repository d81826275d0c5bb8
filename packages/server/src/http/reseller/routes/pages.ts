import { allEndpoints } from '@bursar/contract';
import type { FastifyInstance } from 'fastify';
import type { SubUserInState } from '../../../store/tables/accounts/terms-reads.ts';
import type { StoredMovement } from '../../../store/tables/ledger/movements.ts';
import { answerWith } from '../../server/answers.ts';
import { sendData, sendDataText, sendFailure } from '../../server/envelope.ts';
import type { ResellerDependencies } from '../dependencies.ts';
import { sendRewoundStatement } from '../refusals.ts';
import { readNewestFirst, readOldestFirst } from '../statement-page.ts';
import { readStatementPageRequest } from '../statement-requests.ts';
import { readSubUserPageRequest, type WantedSubUsers } from '../terms-requests.ts';
import { movementView } from '../terms-views.ts';
import { subUserInStateText } from '../views.ts';

/**
 * How many rows one read of the store has: about a millisecond of an embedded one.
 * @bound Sub-users of a page that are read at once: the next step has the rest.
 */
const ROWS_IN_A_STEP = 100;
/**
 * A page ends after so many steps, however few rows it has: it looks at 10,000 names at most.
 * @bound Steps of a page of sub-users: the page ends, and the next one goes on.
 */
const STEPS_OF_A_PAGE = 10;

/** Pages of sub-users and of the statement. */
export function pageRoutes(
	app: FastifyInstance,
	dependencies: Pick<ResellerDependencies, 'store' | 'nowMs' | 'lenient'>,
): void {
	const { store, nowMs } = dependencies;

	/** Each step is a read of its own, so that others have their turns between. */
	async function readPage(reseller: string, { after, limit, ...wanted }: WantedSubUsers) {
		const subUsers: SubUserInState[] = [];
		let next: string | null = after;
		for (let step = 0; step < STEPS_OF_A_PAGE && next !== null && subUsers.length < limit; step++) {
			const most = Math.min(ROWS_IN_A_STEP, limit - subUsers.length);
			const found = await store.listSubUsersInState({ ...wanted, reseller, after: next, limit: most });
			subUsers.push(...found.subUsers);
			next = found.next;
		}
		return { subUsers, next };
	}

	app.post(allEndpoints.viewSubUserPage.path, (request, reply) => {
		const wanted = readSubUserPageRequest(request, dependencies);
		if ('refused' in wanted) return void sendFailure(reply, wanted.refused, nowMs(), wanted.message);
		answerWith(reply, readPage(request.reseller, wanted), ({ subUsers, next }) => {
			const text = `{"sub_users":[${subUsers.map(subUserInStateText).join()}],"next":${JSON.stringify(next)}}`;
			return sendDataText(reply, text, nowMs());
		});
	});

	app.post(allEndpoints.viewStatementPage.path, (request, reply) => {
		const wanted = readStatementPageRequest(request, dependencies);
		if ('refused' in wanted) return void sendFailure(reply, wanted.refused, nowMs(), wanted.message);
		const { reseller } = request;
		if ('before' in wanted) {
			answerWith(reply, readNewestFirst(store, reseller, wanted), ({ rows, nextBefore }) =>
				sendData(reply, { movements: viewsOf(rows), next: nextBefore === null ? null : String(nextBefore) }, nowMs()),
			);
			return;
		}
		answerWith(reply, readOldestFirst(store, reseller, wanted), (page) => {
			if ('refused' in page) return sendRewoundStatement(reply, page, nowMs());
			return sendData(reply, { movements: viewsOf(page.rows), next: page.next, more: page.more }, nowMs());
		});
	});
}

function viewsOf(rows: readonly StoredMovement[]) {
	return rows.map(movementView);
}
