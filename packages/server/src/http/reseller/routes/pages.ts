import { allEndpoints } from '@bursar/contract';
import type { FastifyInstance } from 'fastify';
import { toldOfWanted, type WantedPairs } from '../../../domain/pair-state.ts';
import type { SubUserInState } from '../../../store/tables/accounts/terms-reads.ts';
import type { StoredMovement } from '../../../store/tables/ledger/movements.ts';
import { movementView } from '../../movement-view.ts';
import { answerWith } from '../../server/answers.ts';
import { sendData, sendDataText, sendFailure } from '../../server/envelope.ts';
import { usableView } from '../../sub-user-limits.ts';
import type { ResellerDependencies } from '../dependencies.ts';
import { sendRewoundStatement } from '../refusals.ts';
import { readNewestFirst, readOldestFirst } from '../statement-page.ts';
import { readStatementPageRequest } from '../statement-requests.ts';
import { readSubUserPageRequest, type WantedSubUsers } from '../terms-requests.ts';
import { type PageRow, pageRowText } from '../views.ts';

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

	/** Each step has reads of its own, so that others have their turns between. */
	async function readPage(reseller: string, { after, limit, pairs, ...wanted }: WantedSubUsers) {
		const told = await readTold(reseller, pairs);
		const rows: PageRow[] = [];
		let next: string | null = after;
		for (let step = 0; step < STEPS_OF_A_PAGE && next !== null && rows.length < limit; step++) {
			const most = Math.min(ROWS_IN_A_STEP, limit - rows.length);
			const found = await store.listSubUsersInState({ ...wanted, reseller, told, after: next, limit: most });
			rows.push(...(await readRows(reseller, found.subUsers)));
			next = found.next;
		}
		return { rows, next };
	}

	/** What the wanted sub-users were told of themselves. `undefined`: all are wanted. */
	async function readTold(reseller: string, pairs: WantedPairs) {
		if (pairs.usable === undefined && pairs.reason === undefined) return undefined;
		const bounds = await store.readPairBounds({ reseller, usernames: [reseller], atMs: nowMs() });
		const own = bounds.get(reseller);
		if (!own) throw new Error('an authenticated reseller has no account');
		return toldOfWanted(pairs, own);
	}

	/** Those of the sub-users that exist still, with what holds of each now. */
	async function readRows(reseller: string, subUsers: readonly SubUserInState[]): Promise<readonly PageRow[]> {
		const atMs = nowMs();
		const usernames = subUsers.map(({ username }) => username);
		const [pairs, used] = await Promise.all([
			store.readPairBounds({ reseller, usernames, atMs }),
			store.readUsed({ reseller, usernames, atMs }),
		]);
		return subUsers.flatMap((subUser) => {
			const bounds = pairs.get(subUser.username);
			return bounds ? { subUser, usable: usableView(bounds, atMs), used: used.get(subUser.username) } : [];
		});
	}

	app.post(allEndpoints.viewSubUserPage.path, (request, reply) => {
		const wanted = readSubUserPageRequest(request, dependencies);
		if ('refused' in wanted) return void sendFailure(reply, wanted.refused, nowMs(), wanted.message);
		answerWith(reply, readPage(request.reseller, wanted), ({ rows, next }) => {
			const text = `{"sub_users":[${rows.map(pageRowText).join()}],"next":${JSON.stringify(next)}}`;
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
