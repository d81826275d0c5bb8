import { CREATE_FEE_CENTS, type Endpoint, EXPIRY_HONOURED, endpoints, REQUEST_EXPIRES_HEADER } from '@bursar/contract';
import { expectAccepted, expectEqual, expectFailure, expectThat, fieldOf, isAccepted, NotTestable } from '../expect.ts';
import type { Rule } from '../run/rule.ts';
import type { Session } from '../run/session.ts';
import type { Answer } from '../wire/answer.ts';
import { rawRequest, sendAll } from '../wire/raw-request.ts';
import { freePosts } from '../wire/reseller-api.ts';
import type { CallOptions } from '../wire/wire.ts';

const EXPIRY = 'docs/api.md 10.3 Expiry';
const LIVE_S = 120;
/** The clocks of several processes behind one address differ by less than this. */
const AGREEING_S = 1;
const MALFORMED = ['', '-1', '+1', '1.5', '1e9', '0x10', '1, 2', 'soon', EXPIRY_HONOURED, '1795271340000'];
const READS = [endpoints.myInfo, endpoints.viewAllSubUsers, endpoints.viewSubUser, endpoints.viewUsage] as const;

/** `X-Request-Expires`: until when the service may begin a request. */
export const expiryRules: readonly Rule[] = [
	{
		name: 'expiry.echo',
		basis: 'bursar',
		guarantee: 'An answer repeats a well-formed X-Request-Expires, and otherwise says `honoured`.',
		source: 'docs/api.md 10.4 Expiry in answers',
		async check(session) {
			const { api, wire, subUsers } = session;
			const live = String((await serviceSeconds(session)) + LIVE_S);
			const unknown = { username: subUsers.freshName() };
			for (const [sent, shown] of [
				[live, live],
				['1', '1'],
				[null, EXPIRY_HONOURED],
				['soon', EXPIRY_HONOURED],
			] as const) {
				const headers = { [REQUEST_EXPIRES_HEADER]: sent };
				for (const answer of [
					await api.call(endpoints.myInfo, { headers }),
					await api.call(endpoints.viewSubUser, { headers, body: unknown }),
					await wire.call(endpoints.myInfo.path, { headers }),
					await wire.call('/reseller/nothing', { headers }),
				]) {
					const what = `${answer.asked}, sent with ${sent ?? 'no expiry'}: ${REQUEST_EXPIRES_HEADER}`;
					expectEqual(what, answer.headers.get(REQUEST_EXPIRES_HEADER), shown);
				}
			}
		},
	},
	{
		name: 'expiry.expired-create',
		basis: 'bursar',
		guarantee: 'An expired create answers 503 with Retry-After, costs nothing, and makes no sub-user.',
		source: EXPIRY,
		creates: 4,
		async check(session) {
			const { api, subUsers } = session;
			const username = subUsers.freshName();
			const nowSeconds = await serviceSeconds(session);
			const before = await api.balance();
			for (const atSeconds of [0, nowSeconds - LIVE_S, nowSeconds - AGREEING_S]) {
				expectFailure(await api.create({ username }, expiring(atSeconds)), 503, 'unavailable');
			}
			expectFailure(await api.create('{', expiring(1)), 503, 'unavailable', 'with a body that is not JSON');
			expectEqual('cents that were charged', before - (await api.balance()), 0);
			expectEqual('whether the sub-user exists', isAccepted(await api.viewSingle(username)), false);
		},
	},
	{
		name: 'expiry.expired-give',
		basis: 'bursar',
		guarantee: 'An expired give answers 503 with Retry-After, and moves nothing.',
		source: EXPIRY,
		needs: ['sub-user'],
		balanceCents: 10,
		check: (session) => expectNothingMoved(session, endpoints.giveBalance),
	},
	{
		name: 'expiry.expired-take',
		basis: 'bursar',
		guarantee: 'An expired take answers 503 with Retry-After, and moves nothing.',
		source: EXPIRY,
		needs: ['sub-user'],
		balanceCents: 10,
		check: (session) => expectNothingMoved(session, endpoints.takeBalance),
	},
	{
		name: 'expiry.expired-reset',
		basis: 'bursar',
		guarantee: 'An expired reset answers 503 with Retry-After, and does not change the key.',
		source: EXPIRY,
		needs: ['sub-user'],
		async check(session) {
			const key = async () => fieldOf(expectAccepted(await session.api.viewSingle(session.subUser())), 'proxy_authkey');
			const before = await key();
			await expectExpired(session, endpoints.resetAuthKey);
			expectThat((await key()) === before, 'the key of the sub-user', 'the previous one', 'another one');
		},
	},
	{
		name: 'expiry.live',
		basis: 'bursar',
		guarantee: 'A change that has not expired is done.',
		source: EXPIRY,
		needs: ['sub-user'],
		balanceCents: 1,
		creates: 1,
		async check(session) {
			const { api, subUser, subUsers } = session;
			const options = expiring((await serviceSeconds(session)) + LIVE_S);
			const body = { username: subUser(), amount_usd_cents: 1 };
			for (const endpoint of [endpoints.giveBalance, endpoints.takeBalance, endpoints.resetAuthKey]) {
				expectAccepted(await api.call(endpoint, { body, ...options }));
			}
			const username = subUsers.freshName();
			expectAccepted(await api.create({ username }, options));
			expectAccepted(await api.viewSingle(username));
		},
	},
	{
		name: 'expiry.reads',
		basis: 'bursar',
		guarantee: 'A read is answered even if its X-Request-Expires is over.',
		source: EXPIRY,
		needs: ['sub-user'],
		async check(session) {
			await serviceSeconds(session);
			const body = { username: session.subUser() };
			for (const endpoint of READS) {
				const options = { ...(endpoint.method === 'POST' && { body }), ...expiring(1) };
				expectAccepted(await session.api.call(endpoint, options));
			}
		},
	},
	{
		name: 'expiry.malformed',
		basis: 'bursar',
		guarantee: 'An X-Request-Expires that is not 1 to 12 digits answers 400 on every endpoint, and nothing is done.',
		source: EXPIRY,
		needs: ['sub-user'],
		balanceCents: MALFORMED.length,
		async check(session) {
			const { api, subUser } = session;
			await serviceSeconds(session);
			const body = { username: subUser(), amount_usd_cents: 1 };
			for (const value of MALFORMED) {
				for (const endpoint of [endpoints.myInfo, endpoints.viewAllSubUsers]) {
					expectFailure(await api.call(endpoint, expiring(value)), 400, 'invalid_request', `sent with ${value}`);
				}
				for (const endpoint of freePosts) {
					const answer = await api.call(endpoint, { body, ...expiring(value) });
					expectFailure(answer, 400, 'invalid_request', `sent with ${value}`);
				}
			}
			expectEqual('the balance of the sub-user', await api.balanceOf(subUser()), 0);
		},
	},
	{
		name: 'expiry.malformed-create',
		basis: 'bursar',
		guarantee:
			'A create with a malformed X-Request-Expires answers 400, costs exactly 10 cents, and makes no sub-user.',
		source: `${EXPIRY}; docs/api.md 8.2 The fee`,
		creates: 1,
		async check(session) {
			const { api, subUsers } = session;
			await serviceSeconds(session);
			const username = subUsers.freshName();
			const before = await api.balance();
			const answer = await api.create({ username }, expiring('soon'));
			expectEqual('cents that were charged', before - (await api.balance()), CREATE_FEE_CENTS);
			expectEqual('whether the sub-user exists', isAccepted(await api.viewSingle(username)), false);
			expectFailure(answer, 400, 'invalid_request');
		},
	},
	{
		name: 'expiry.repeated',
		basis: 'bursar',
		guarantee: 'A request with two X-Request-Expires answers 400, even if both are equal, and nothing moves.',
		source: EXPIRY,
		needs: ['sub-user'],
		balanceCents: 2,
		async check(session) {
			const { api, baseUrl, subUser } = session;
			const live = (await serviceSeconds(session)) + LIVE_S;
			const body = { username: subUser(), amount_usd_cents: 1 };
			for (const other of [live, live + 1]) {
				const headers = [live, other].map((value) => `${REQUEST_EXPIRES_HEADER}: ${value}`);
				const give = rawRequest(baseUrl, 'POST', endpoints.giveBalance.path, { token: api.token, headers, body });
				const [answer] = await sendAll(session, [give]);
				expectThat(
					answer !== undefined,
					'a give with two X-Request-Expires',
					'an answer',
					'none: the connection ended',
				);
				expectFailure(answer as Answer, 400, 'invalid_request');
			}
			expectEqual('the balance of the sub-user', await api.balanceOf(subUser()), 0);
		},
	},
];

/** The Unix time in the answer of the service. Throws `NotTestable` if its answers lack the header. */
async function serviceSeconds({ api }: Session): Promise<number> {
	const answer = await api.myInfo();
	if (!answer.headers.has(REQUEST_EXPIRES_HEADER)) {
		throw new NotTestable(`the service does not offer it: its answers have no ${REQUEST_EXPIRES_HEADER}`);
	}
	const timestamp = answer.envelope?.timestamp;
	expectThat(Number.isSafeInteger(timestamp), `the timestamp in ${answer.asked}`, 'Unix seconds', timestamp);
	return timestamp as number;
}

function expiring(atSeconds: number | string): CallOptions {
	return { headers: { [REQUEST_EXPIRES_HEADER]: String(atSeconds) } };
}

async function expectExpired(session: Session, endpoint: Endpoint): Promise<void> {
	const nowSeconds = await serviceSeconds(session);
	const body = { username: session.subUser(), amount_usd_cents: 1 };
	for (const atSeconds of [0, nowSeconds - LIVE_S, nowSeconds - AGREEING_S]) {
		const what = `expired ${nowSeconds - atSeconds} seconds ago`;
		expectFailure(await session.api.call(endpoint, { body, ...expiring(atSeconds) }), 503, 'unavailable', what);
	}
}

async function expectNothingMoved(session: Session, endpoint: Endpoint): Promise<void> {
	const { api, subUser } = session;
	expectAccepted(await api.give(subUser(), 5));
	const before = await api.balance();
	await expectExpired(session, endpoint);
	expectEqual('the balance of the sub-user', await api.balanceOf(subUser()), 5);
	expectEqual("the reseller's balance", await api.balance(), before);
}
