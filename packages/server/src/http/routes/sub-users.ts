import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { endpoints, successEnvelope } from '@bursar/contract';
import type { FastifyInstance } from 'fastify';
import { newProxyAuthkey } from '../../credentials.ts';
import { type Account, isSubUser } from '../../domain/account.ts';
import type { AccountReader } from '../../store/store.ts';
import { JSON_TYPE, sendData, sendFailure } from '../answer.ts';
import type { AppDependencies } from '../app.ts';
import { sendRefusal } from '../refusal.ts';
import { readCreateRequest, readSubUserRequest } from '../sub-user-request.ts';
import { subUserView } from '../views.ts';

/** Few enough that reading and writing a page never holds the event loop for more than a few milliseconds. */
const PAGE_SIZE = 250;

/** A reseller's sub-users: create, list, view, and replace the proxy auth key. */
export function subUserRoutes(app: FastifyInstance, dependencies: AppDependencies): void {
	const { store, bank, nowMs } = dependencies;

	app.post(endpoints.createSubUser.path, async (request, reply) => {
		const outcome = await bank.submit({
			kind: 'create_sub_user',
			reseller: request.reseller,
			requestId: request.id,
			wish: readCreateRequest(request, dependencies),
			proxyAuthkey: newProxyAuthkey(),
		});
		if (!outcome.ok) return sendRefusal(reply, outcome, nowMs());
		return sendData(reply, subUserView(outcome.account), nowMs());
	});

	app.get(endpoints.viewAllSubUsers.path, async (request, reply) => {
		// Read before the answer begins, so that a store that cannot be read is still answered as such.
		const firstPage = await store.listSubUsers(request.reseller, '', PAGE_SIZE);
		const text = subUsersAsText(store, request.reseller, firstPage, nowMs());
		return reply.header('content-type', JSON_TYPE).send(Readable.from(text, { highWaterMark: 1 }));
	});

	app.post(endpoints.viewSubUser.path, async (request, reply) => {
		const wanted = readSubUserRequest(request, dependencies);
		if ('refused' in wanted) return sendFailure(reply, wanted.refused, nowMs());
		const account = await store.findAccount(request.reseller, wanted.username);
		if (!account || !isSubUser(account)) return sendFailure(reply, 'unknown_sub_user', nowMs());
		return sendData(reply, subUserView(account), nowMs());
	});

	app.post(endpoints.resetAuthKey.path, async (request, reply) => {
		const wanted = readSubUserRequest(request, dependencies);
		if ('refused' in wanted) return sendFailure(reply, wanted.refused, nowMs());
		const outcome = await bank.submit({
			kind: 'reset_auth_key',
			reseller: request.reseller,
			requestId: request.id,
			username: wanted.username,
			proxyAuthkey: newProxyAuthkey(),
		});
		if (!outcome.ok) return sendRefusal(reply, outcome, nowMs());
		return sendData(reply, { username: outcome.username, proxy_authkey: outcome.proxyAuthkey }, nowMs());
	});
}

/**
 * The envelope with all sub-users, page by page as the reader takes them. Each page is a query of its
 * own that begins behind the last name of the one before: nothing is held while the reader is slow,
 * and each sub-user stands in the list once, whatever is created meanwhile.
 */
async function* subUsersAsText(
	store: AccountReader,
	reseller: string,
	firstPage: readonly Account[],
	nowMs: number,
): AsyncGenerator<string> {
	const [head, tail] = listEnvelope(nowMs);
	let text = head;
	let page = firstPage;
	let isFirst = true;
	while (page.length > 0) {
		for (const account of page) {
			text += `${isFirst ? '' : ','}${JSON.stringify(subUserView(account))}`;
			isFirst = false;
		}
		yield text;
		text = '';
		// A fast reader may not keep everybody else waiting until it has it all.
		await setImmediate();
		page =
			page.length < PAGE_SIZE ? [] : await store.listSubUsers(reseller, (page.at(-1) as Account).username, PAGE_SIZE);
	}
	yield text + tail;
}

/** What stands before the elements of a list, and behind them. */
function listEnvelope(nowMs: number): [head: string, tail: string] {
	const [head, tail] = JSON.stringify(successEnvelope([], nowMs)).split('[]');
	return [`${head}[`, `]${tail}`];
}
