import { allEndpoints, endpoints } from '@bursar/contract';
import type { FastifyInstance } from 'fastify';
import { newProxyAuthkey } from '../../../credentials.ts';
import { isSubUser } from '../../../domain/account.ts';
import { answerWith, sendStream } from '../../server/answers.ts';
import { JSON_TYPE, sendData, sendDataText, sendFailure } from '../../server/envelope.ts';
import { hasMalformedExpiry, MALFORMED_EXPIRY } from '../../server/expiry.ts';
import { askingProgram } from '../asking-program.ts';
import type { ResellerDependencies } from '../dependencies.ts';
import { sendRefusal } from '../refusals.ts';
import { createSubUserList } from '../sub-user-list.ts';
import { readCreateRequest, readSubUserChange, readSubUserRequest } from '../sub-user-request.ts';
import { readCreateWithRequest } from '../terms-requests.ts';
import { subUserText, subUserWithTermsText } from '../views.ts';

/** Creates, lists and shows sub-users, and replaces their proxy auth keys. */
export function subUserRoutes(
	app: FastifyInstance,
	dependencies: Pick<ResellerDependencies, 'store' | 'bank' | 'addressOf' | 'nowMs' | 'lenient'>,
): void {
	const { store, bank, addressOf, nowMs } = dependencies;
	const listSubUsers = createSubUserList(store);

	app.post(endpoints.createSubUser.path, (request, reply) => {
		// A request without a usable username costs the fee too, so the bank decides before the answer.
		const wanted = readCreateRequest(request, dependencies);
		const command = {
			kind: 'create_sub_user',
			reseller: request.reseller,
			requestId: request.id,
			expiresAtMs: request.expiresAtMs,
			changeId: request.changeId,
			program: askingProgram(request, addressOf),
			...('refused' in wanted ? { username: undefined, unusableAs: wanted.refused } : wanted),
			proxyAuthkey: newProxyAuthkey(),
		} as const;
		answerWith(reply, bank.submit(command), (outcome) => {
			if (outcome.ok) return sendDataText(reply, subUserText(outcome.account), nowMs());
			const isUnusable = outcome.error === 'no_usable_username' && 'refused' in wanted;
			if (isUnusable) return sendFailure(reply, wanted.refused, nowMs(), wanted.message);
			return sendRefusal(request, reply, outcome, dependencies);
		});
	});

	app.post(allEndpoints.createSubUserWith.path, (request, reply) => {
		const wanted = readCreateWithRequest(request, dependencies);
		if ('refused' in wanted) return void sendFailure(reply, wanted.refused, nowMs(), wanted.message);
		const command = {
			kind: 'create_sub_user_with',
			reseller: request.reseller,
			requestId: request.id,
			expiresAtMs: request.expiresAtMs,
			changeId: request.changeId,
			program: askingProgram(request, addressOf),
			reference: request.reference,
			...wanted,
			proxyAuthkey: newProxyAuthkey(),
		} as const;
		answerWith(reply, bank.submit(command), (outcome) => {
			if (!outcome.ok) return sendRefusal(request, reply, outcome, dependencies);
			return sendDataText(reply, subUserWithTermsText(outcome.account, outcome.terms), nowMs());
		});
	});

	app.get(endpoints.viewAllSubUsers.path, async (request, reply) => {
		if (hasMalformedExpiry(request)) return sendFailure(reply, 'invalid_request', nowMs(), MALFORMED_EXPIRY);
		const list = await listSubUsers(request.reseller, reply.raw, nowMs());
		return sendStream(reply.header('content-type', JSON_TYPE), list);
	});

	app.post(endpoints.viewSubUser.path, (request, reply) => {
		const wanted = readSubUserRequest(request, dependencies);
		if ('refused' in wanted) return void sendFailure(reply, wanted.refused, nowMs(), wanted.message);
		answerWith(reply, store.findAccount(request.reseller, wanted.username), (account) => {
			if (!account || !isSubUser(account)) return sendFailure(reply, 'unknown_sub_user', nowMs());
			return sendDataText(reply, subUserText(account), nowMs());
		});
	});

	app.post(endpoints.resetAuthKey.path, (request, reply) => {
		const wanted = readSubUserChange(request, dependencies);
		if ('refused' in wanted) return void sendFailure(reply, wanted.refused, nowMs(), wanted.message);
		const command = {
			kind: 'reset_auth_key',
			reseller: request.reseller,
			requestId: request.id,
			expiresAtMs: request.expiresAtMs,
			changeId: request.changeId,
			program: askingProgram(request, addressOf),
			username: wanted.username,
			proxyAuthkey: newProxyAuthkey(),
		} as const;
		answerWith(reply, bank.submit(command), (outcome) => {
			if (!outcome.ok) return sendRefusal(request, reply, outcome, dependencies);
			return sendData(reply, { username: outcome.username, proxy_authkey: outcome.proxyAuthkey }, nowMs());
		});
	});
}
