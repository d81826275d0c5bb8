import { randomUUID } from 'node:crypto';
import { allEndpoints, CHANGE_ID_HEADER, type Endpoint, ownEndpoints, REQUEST_EXPIRES_HEADER } from '@bursar/contract';
import { expectAccepted, expectEqual, expectFailure, fieldOf, NotTestable } from '../expect.ts';
import type { Rule } from '../run/rule.ts';
import type { Session } from '../run/session.ts';
import type { ResellerApi } from '../wire/reseller-api.ts';
import { expectOffered, newSubUser } from './life.ts';

const LIFE = 'docs/api.md 11 The life of a sub-user';
const ALIKE = 'docs/api.md 4.4 Unknown sub-users';
const { suspendSubUser, resumeSubUser, setLimits, setNote, setSignInIps, viewDetails, deleteSubUser, viewChange } =
	allEndpoints;
const ofLife = Object.entries(ownEndpoints).flatMap(([name, endpoint]): Endpoint[] =>
	// A create_with is about no sub-user that there is.
	name === 'viewChange' || name === 'createSubUserWith' ? [] : [endpoint],
);
/** What is sent with the name of a sub-user, so that the request is well formed. */
const FIELDS = { day_bytes: 5, note: 'foreign', sign_in_ips: [] };
const CHANGES = [suspendSubUser, resumeSubUser, setLimits, setNote, setSignInIps, deleteSubUser] as const;
const KINDS = [
	...['suspend_sub_user', 'resume_sub_user', 'set_limits', 'set_note', 'set_sign_in_ips', 'delete_sub_user'],
];

/** Requests about the state, limits and note of a sub-user: wrong ones, and repeated ones. */
export const lifeRequestRules: readonly Rule[] = [
	{
		name: 'life.without-token',
		basis: 'bursar',
		guarantee: 'Each endpoint of the life of sub-users answers 401 without a token.',
		source: `docs/api.md 5.1 The bearer token; ${LIFE}`,
		needs: ['sub-user'],
		async check({ api, wire, subUser }) {
			await expectOffered(api);
			const before = await lookAt(api, subUser());
			for (const { path } of ofLife)
				expectFailure(await wire.call(path, { body: { username: subUser(), ...FIELDS } }), 401, 'unauthorized');
			expectEqual('the sub-user', await lookAt(api, subUser()), before);
		},
	},
	{
		name: 'life.no-json-object',
		basis: 'bursar',
		guarantee: 'Each endpoint of the life of sub-users answers 400 if the body is no JSON object, or has a key twice.',
		source: `docs/api.md 2.3 Bodies; ${LIFE}`,
		needs: ['sub-user'],
		async check({ api, subUser }) {
			await expectOffered(api);
			const doubled = `{"username":"${subUser()}","username":"${subUser()}","day_bytes":5,"note":"x","sign_in_ips":[],"limit":1}`;
			for (const endpoint of ofLife) {
				for (const body of ['', '{', '[]', 'null', '"x"', doubled]) {
					const what = `with the body ${body.slice(0, 20)}`;
					expectFailure(await api.call(endpoint, { method: 'POST', body }), 400, 'invalid_request', what);
				}
			}
		},
	},
	{
		name: 'life.unknown',
		basis: 'bursar',
		guarantee: 'A name that is no sub-user of the reseller answers 404 on each endpoint of the life of sub-users.',
		source: `${ALIKE}; ${LIFE}`,
		async check({ api, subUsers, reseller }) {
			await expectOffered(api);
			for (const name of [subUsers.freshName(), reseller, 'no..body', '@fees', 'x'.repeat(5000), ''])
				await expectUnknown(api, name);
			for (const endpoint of [...CHANGES, viewDetails]) {
				for (const username of [undefined, null, 5, ['x']])
					expectFailure(await api.call(endpoint, { body: { username, ...FIELDS } }), 400, 'invalid_request');
			}
		},
	},
	{
		name: 'life.foreign',
		basis: 'bursar',
		guarantee: 'A sub-user of another reseller answers like an unknown name, and nothing of it changes.',
		source: `${ALIKE}; ${LIFE}`,
		needs: ['second-reseller'],
		async check(session) {
			const { api } = session;
			await expectOffered(api);
			const second = session.second();
			const before = await lookAt(second.api, second.subUser);
			for (const name of [second.subUser, second.subUser.toUpperCase(), second.username])
				await expectUnknown(api, name);
			expectEqual('what the other reseller sees', await lookAt(second.api, second.subUser), before);
		},
	},
	{
		name: 'life.repeated-change',
		basis: 'bursar',
		guarantee: 'A change of the life of a sub-user is done once for each X-Change-Id, and the look tells of it.',
		source: `docs/api.md 10.5 Change ids; ${LIFE}`,
		creates: 1,
		balanceCents: 3,
		async check(session) {
			const { api } = session;
			const username = await subUserFor(session, CHANGE_ID_HEADER);
			expectAccepted(await api.give(username, 3));
			for (const [index, endpoint] of CHANGES.entries()) {
				const change_id = randomUUID();
				const options = { headers: { [CHANGE_ID_HEADER]: change_id } };
				const answer = await api.call(endpoint, { body: { username, ...FIELDS }, ...options });
				expectAccepted(answer);
				for (const again of [
					{ username, ...FIELDS },
					{ username, day_bytes: 6, note: 'again', sign_in_ips: [] },
				])
					expectFailure(await api.call(endpoint, { body: again, ...options }), 409, 'change_repeated');
				const recorded = expectAccepted(await api.call(viewChange, { body: { change_id } }));
				const seen = ['kind', 'username', 'amount', 'error', 'request_id'].map((name) => fieldOf(recorded, name));
				const amount = endpoint === deleteSubUser ? 3 : null;
				const expected = [KINDS[index], username, amount, null, answer.headers.get('x-request-id')];
				expectEqual(`the look for ${answer.asked}`, seen, expected);
				if (endpoint === deleteSubUser) return;
				const details = expectAccepted(await api.call(viewDetails, { body: { username } }));
				if (endpoint === setNote) expectEqual('the note', fieldOf(details, 'note'), FIELDS.note);
				if (endpoint === setLimits)
					expectEqual('the limit', fieldOf(fieldOf(details, 'limits'), 'day_bytes'), FIELDS.day_bytes);
			}
		},
	},
	{
		name: 'life.expired-change',
		basis: 'bursar',
		guarantee: 'An expired change of the life of a sub-user answers 503 with Retry-After, and nothing is done.',
		source: `docs/api.md 10.3 Expiry; ${LIFE}`,
		creates: 1,
		async check(session) {
			const { api } = session;
			const username = await subUserFor(session, REQUEST_EXPIRES_HEADER);
			const before = await lookAt(api, username);
			for (const endpoint of CHANGES) {
				const headers = { [REQUEST_EXPIRES_HEADER]: '1' };
				expectFailure(await api.call(endpoint, { body: { username, ...FIELDS }, headers }), 503, 'unavailable');
			}
			expectEqual('the sub-user', await lookAt(api, username), before);
			expectAccepted(await api.call(deleteSubUser, { body: { username } }));
		},
	},
];

async function expectUnknown(api: ResellerApi, username: string): Promise<void> {
	for (const endpoint of [...CHANGES, viewDetails])
		expectFailure(await api.call(endpoint, { body: { username, ...FIELDS } }), 404, 'unknown_sub_user');
}

/** A sub-user of its own. Throws `NotTestable` if the answers of the service lack the header. */
async function subUserFor(session: Session, header: string): Promise<string> {
	if (!(await session.api.myInfo()).headers.has(header)) throw new NotTestable(`the answers have no ${header}`);
	return newSubUser(session);
}

/** What a reseller sees of a sub-user. */
async function lookAt(api: ResellerApi, username: string): Promise<readonly unknown[]> {
	const details = expectAccepted(await api.call(viewDetails, { body: { username } }));
	return [expectAccepted(await api.viewSingle(username)), details];
}
