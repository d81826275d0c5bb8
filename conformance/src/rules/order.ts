import { type Endpoint, endpoints, MAX_BODY_BYTES, MAX_CENTS } from '@bursar/contract';
import { expectEqual, expectFailure, expectThat, showAnswer } from '../expect.ts';
import type { Rule } from '../run/rule.ts';
import { freePosts } from '../wire/reseller-api.ts';
import type { CallOptions } from '../wire/wire.ts';

const ORDER = 'docs/api.md 4.2 Status and code';
const TOO_LARGE = `{"username":"${'x'.repeat(MAX_BODY_BYTES)}"}`;
const TRANSFERS = [endpoints.giveBalance, endpoints.takeBalance] as const;
const ALL: readonly Endpoint[] = Object.values(endpoints);
/** Bodies that must not matter, because an earlier check fails. */
const BODIES: Readonly<Record<string, CallOptions>> = {
	'a body that is too large': { body: TOO_LARGE },
	'a wrong content type': { body: '{}', headers: { 'content-type': 'text/plain' } },
	'a body that is not JSON': { body: '{' },
	'a good body': { body: { username: 'nobody', amount_usd_cents: 1 } },
};

/** Which failure is answered if a request has several faults. */
export const orderRules: readonly Rule[] = [
	{
		name: 'order.path-before-token',
		basis: 'bursar',
		guarantee: 'An unknown path answers 404 and a wrong method 405, with any token and any body.',
		source: ORDER,
		async check({ wire }) {
			for (const token of [undefined, 'wrong']) {
				for (const options of Object.values(BODIES)) {
					expectFailure(await wire.call('/reseller/nothing', { ...options, token }), 404, 'not_found');
					expectFailure(await wire.call(endpoints.myInfo.path, { ...options, token }), 405, 'method_not_allowed');
				}
				expectFailure(await wire.call(endpoints.createSubUser.path, { token }), 405, 'method_not_allowed');
			}
		},
	},
	{
		name: 'order.token-before-body',
		basis: 'bursar',
		guarantee: 'Without a valid token, every endpoint answers 401 with any body, and create costs nothing.',
		source: ORDER,
		async check({ wire, api }) {
			const before = await api.balance();
			for (const { method, path } of ALL) {
				if (method === 'GET') continue;
				for (const [what, options] of Object.entries(BODIES)) {
					expectFailure(await wire.call(path, options), 401, 'unauthorized', what);
				}
			}
			expectEqual("the reseller's balance afterwards", await api.balance(), before);
		},
	},
	{
		name: 'order.size-before-type',
		basis: 'bursar',
		guarantee: 'A body that is too large answers 413, even if its content type is wrong.',
		source: ORDER,
		async check({ api }) {
			for (const endpoint of freePosts) {
				const answer = await api.call(endpoint, { body: TOO_LARGE, headers: { 'content-type': 'text/plain' } });
				expectFailure(answer, 413, 'payload_too_large');
			}
		},
	},
	{
		name: 'order.type-before-json',
		basis: 'bursar',
		guarantee: 'A wrong content type answers 415, even if the body is not JSON.',
		source: ORDER,
		mode: 'strict',
		async check({ api }) {
			for (const endpoint of freePosts) {
				const answer = await api.call(endpoint, { body: '{', headers: { 'content-type': 'text/plain' } });
				expectFailure(answer, 415, 'unsupported_media_type');
			}
		},
	},
	{
		name: 'order.fields-before-sub-user',
		basis: 'bursar',
		guarantee: 'A missing field or an invalid amount answers 400, even if the sub-user is unknown.',
		source: ORDER,
		async check({ api, subUsers }) {
			const unknown = subUsers.freshName();
			for (const endpoint of TRANSFERS) {
				const ask = (body: unknown) => api.call(endpoint, { body });
				expectFailure(await ask({ amount_usd_cents: 1 }), 400, 'invalid_request', 'without a username');
				expectFailure(
					await ask({ username: unknown }),
					400,
					['invalid_request', 'invalid_amount'],
					'without an amount, for an unknown sub-user',
				);
				const what = 'the amount 0 for an unknown sub-user';
				expectFailure(await ask({ username: unknown, amount_usd_cents: 0 }), 400, 'invalid_amount', what);
				const illFormed = 'the amount 0 for an invalid username';
				expectFailure(await ask({ username: '..', amount_usd_cents: 0 }), 400, 'invalid_amount', illFormed);
				const untyped = 'the amount 0 for a username that is not a string';
				expectFailure(await ask({ username: 5, amount_usd_cents: 0 }), 400, 'invalid_request', untyped);
			}
		},
	},
	{
		name: 'order.sub-user-before-balance',
		basis: 'bursar',
		guarantee: 'An unknown sub-user answers 404, even if the amount is larger than any balance.',
		source: ORDER,
		async check({ api, subUsers }) {
			const body = { username: subUsers.freshName(), amount_usd_cents: MAX_CENTS };
			for (const endpoint of TRANSFERS) expectFailure(await api.call(endpoint, { body }), 404, 'unknown_sub_user');
		},
	},
];

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'] as const;

/** Paths and their methods. */
export const pathRules: readonly Rule[] = [
	{
		name: 'paths.unknown',
		basis: 'bursar',
		guarantee: 'An unknown path answers 404 to every method.',
		source: 'docs/api.md 2.2 Paths and methods',
		async check({ wire, api: { token } }) {
			for (const path of ['/reseller/nothing', '/reseller/sub_users', '/reseller/my_info/', '/Reseller/my_info']) {
				for (const method of METHODS) {
					expectFailure(await wire.call(path, { method, token }), 404, 'not_found');
				}
			}
		},
	},
	{
		name: 'paths.wrong-method',
		basis: 'bursar',
		guarantee: 'A wrong method answers 405, and Allow names exactly the right ones: GET and HEAD, or POST.',
		source: 'docs/api.md 2.2 Paths and methods',
		async check({ wire, api: { token } }) {
			for (const { method: own, path } of ALL) {
				for (const method of METHODS) {
					// A path with GET also has HEAD.
					if (method === own || (method === 'HEAD' && own === 'GET')) continue;
					const answer = await wire.call(path, { method, token });
					expectFailure(answer, 405, 'method_not_allowed');
					const allow = answer.headers.get('allow');
					const allowed = (allow ?? '').split(',').map((name) => name.trim());
					expectEqual(`Allow of ${answer.asked}`, allowed.sort(), own === 'GET' ? ['GET', 'HEAD'] : [own]);
				}
			}
		},
	},
	{
		name: 'paths.undecodable',
		basis: 'bursar',
		guarantee: 'A path with a broken percent-escape answers 400 or 404 in the envelope.',
		source: 'docs/api.md 2.2 Paths and methods',
		async check({ wire, api: { token } }) {
			for (const path of ['/reseller/my_info%zz', '/reseller/%ff']) {
				const answer = await wire.call(path, { token });
				const isRefused =
					[400, 404].includes(answer.status) && answer.errorCode !== null && answer.envelope !== undefined;
				expectThat(isRefused, answer.asked, '400 or 404 in the envelope, with its code', showAnswer(answer));
			}
		},
	},
	{
		name: 'paths.query-is-ignored',
		basis: 'bursar',
		guarantee: 'A query after the path is ignored.',
		source: 'docs/api.md 2.2 Paths and methods',
		async check({ wire, api: { token } }) {
			const answer = await wire.call(`${endpoints.myInfo.path}?username=nobody&balance=1`, { token });
			expectEqual(`the status of ${answer.asked}`, answer.status, 200);
		},
	},
];
