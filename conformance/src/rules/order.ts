import { type Endpoint, endpoints, MAX_BODY_BYTES, MAX_CENTS } from '@bursar/contract';
import { expectEqual, expectFailure } from '../expect.ts';
import { freePosts } from '../reseller-api.ts';
import type { Rule } from '../rule.ts';
import type { CallOptions } from '../wire.ts';

const ORDER = 'docs/api.md 4.2 Status and code';
const TOO_LARGE = `{"username":"${'x'.repeat(MAX_BODY_BYTES)}"}`;
const TRANSFERS = [endpoints.giveBalance, endpoints.takeBalance] as const;
const ALL: readonly Endpoint[] = Object.values(endpoints);
/** Wrong in every way that is looked at behind the token. */
const BODIES: Readonly<Record<string, CallOptions>> = {
	'a body that is too large': { body: TOO_LARGE },
	'a wrong content type': { body: '{}', headers: { 'content-type': 'text/plain' } },
	'a body that is no JSON': { body: '{' },
	'a good body': { body: { username: 'nobody', amount_usd_cents: 1 } },
};

/** What is decided first where several things are wrong. */
export const orderRules: readonly Rule[] = [
	{
		name: 'order.path-before-token',
		guarantee: 'An unknown path answers 404 and a wrong method 405, whatever the token and the body are.',
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
		guarantee: 'Without a good token every endpoint answers 401, whatever the body is, and create costs nothing.',
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
		guarantee: 'A body that is too large answers 413, also where its content type is wrong.',
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
		guarantee: 'A wrong content type answers 415, also where the body is no JSON.',
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
		guarantee: 'A missing field or an amount that is none answers 400, also where the sub-user is unknown.',
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
				const illFormed = 'the amount 0 for a name that can be none';
				expectFailure(await ask({ username: '..', amount_usd_cents: 0 }), 400, 'invalid_amount', illFormed);
				const untyped = 'the amount 0 for a username that is no string';
				expectFailure(await ask({ username: 5, amount_usd_cents: 0 }), 400, 'invalid_request', untyped);
			}
		},
	},
	{
		name: 'order.sub-user-before-balance',
		guarantee: 'An unknown sub-user answers 404, also where the amount is beyond every balance.',
		source: ORDER,
		async check({ api, subUsers }) {
			const body = { username: subUsers.freshName(), amount_usd_cents: MAX_CENTS };
			for (const endpoint of TRANSFERS) expectFailure(await api.call(endpoint, { body }), 404, 'unknown_sub_user');
		},
	},
];
