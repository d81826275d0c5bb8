import { randomUUID } from 'node:crypto';
import {
	allEndpoints,
	CHANGE_ID_HEADER,
	CHANGE_ID_HONOURED,
	CREATE_FEE_CENTS,
	type Endpoint,
	endpoints,
} from '@bursar/contract';
import { expectAccepted, expectEqual, expectFailure, expectThat, fieldOf, isAccepted, NotTestable } from '../expect.ts';
import type { Rule } from '../run/rule.ts';
import type { Session } from '../run/session.ts';
import type { Answer } from '../wire/answer.ts';
import { rawRequest, sendAll } from '../wire/raw-request.ts';
import type { ResellerApi } from '../wire/reseller-api.ts';
import type { CallOptions } from '../wire/wire.ts';

const IDS = 'docs/api.md 10.5 Change ids';
const LOOK = 'docs/api.md 10.6 View change';
/** The time of a change and the time of its answer differ by less than this, also on another server. */
const AGREEING_S = 10;
const MALFORMED = ['', 'short', 'a'.repeat(15), 'a'.repeat(65), 'a.b.c.d.e.f.g.h.i', 'a b c d e f g h i'];
const { createSubUser, giveBalance, resetAuthKey, takeBalance } = endpoints;

/** `X-Change-Id`: a change is done once, and what it did can be read. */
export const changeIdRules: readonly Rule[] = [
	{
		name: 'change-ids.echo',
		basis: 'bursar',
		guarantee: 'An answer repeats a well-formed X-Change-Id, and otherwise says `honoured`.',
		source: IDS,
		async check(session) {
			const { api, wire, subUsers } = session;
			const id = await freshId(session);
			const unknown = { username: subUsers.freshName() };
			for (const [sent, shown] of [
				[id, id],
				[null, CHANGE_ID_HONOURED],
				['short', CHANGE_ID_HONOURED],
			] as const) {
				const headers = { [CHANGE_ID_HEADER]: sent };
				for (const answer of [
					await api.call(endpoints.myInfo, { headers }),
					await api.call(endpoints.viewSubUser, { headers, body: unknown }),
					await wire.call(endpoints.myInfo.path, { headers }),
					await wire.call('/reseller/nothing', { headers }),
				]) {
					const what = `${answer.asked}, sent with ${sent ?? 'no id'}: ${CHANGE_ID_HEADER}`;
					expectEqual(what, answer.headers.get(CHANGE_ID_HEADER), shown);
				}
			}
		},
	},
	{
		name: 'change-ids.repeated',
		basis: 'bursar',
		guarantee: 'A second change with the same X-Change-Id answers 409, whatever it asks for, and does nothing.',
		source: IDS,
		needs: ['sub-user'],
		balanceCents: 10,
		async check(session) {
			const { api, subUser } = session;
			const options = named(await freshId(session));
			const body = { username: subUser(), amount_usd_cents: 5 };
			expectAccepted(await api.call(giveBalance, { body, ...options }));
			const before = await sawOf(session);
			for (const endpoint of [giveBalance, takeBalance, resetAuthKey]) {
				expectFailure(await api.call(endpoint, { body, ...options }), 409, 'change_repeated');
				expectEqual('the sub-user', await sawOf(session), before);
			}
		},
	},
	{
		name: 'change-ids.told',
		basis: 'bursar',
		guarantee: 'The 409 to a repeated change has what the change did, as the look tells it.',
		source: IDS,
		needs: ['sub-user'],
		balanceCents: 5,
		creates: 2,
		async check(session) {
			const { api, subUser, subUsers } = session;
			for (const [endpoint, body, did] of [
				[
					giveBalance,
					{ username: subUser(), amount_usd_cents: 5 },
					{ kind: 'give_balance', amount: 5, balance: 5, error: null },
				],
				[
					createSubUser,
					{ username: 'no' },
					{ kind: 'create', amount: CREATE_FEE_CENTS, balance: null, error: 'invalid_username' },
				],
			] as const) {
				const options = named(await freshId(session));
				const answer = await api.call(endpoint, { body, ...options });
				const again = await api.call(endpoint, { body: { ...body, username: subUsers.freshName() }, ...options });
				expectFailure(again, 409, 'change_repeated');
				const change = fieldOf(again.data, 'change');
				const username = endpoint === createSubUser ? null : body.username;
				expectChange(`the change in the answer to a second ${answer.asked}`, answer, change, { ...did, username });
			}
		},
	},
	{
		name: 'change-ids.repeated-create',
		basis: 'bursar',
		guarantee: 'A second create with the same X-Change-Id answers 409, costs nothing, and makes no sub-user.',
		source: IDS,
		creates: 3,
		async check(session) {
			const { api, subUsers } = session;
			const options = named(await freshId(session));
			expectAccepted(await api.create({ username: subUsers.freshName() }, options));
			const username = subUsers.freshName();
			const before = await api.balance();
			expectFailure(await api.create({ username }, options), 409, 'change_repeated');
			expectFailure(await api.create('{', options), 409, 'change_repeated', 'with a body that is not JSON');
			expectEqual('cents that were charged', before - (await api.balance()), 0);
			expectEqual('whether the sub-user exists', isAccepted(await api.viewSingle(username)), false);
		},
	},
	{
		name: 'change-ids.refused',
		basis: 'bursar',
		guarantee: 'A change that was refused without cost can be sent again with the same X-Change-Id.',
		source: IDS,
		needs: ['sub-user'],
		balanceCents: 1,
		async check(session) {
			const { api, subUser } = session;
			const id = await freshId(session);
			const take = { body: { username: subUser(), amount_usd_cents: 1 }, ...named(id) };
			expectFailure(await api.call(takeBalance, take), 402, 'insufficient_balance');
			expectEqual('what the look tells', await look(api, id), null);
			expectAccepted(await api.give(subUser(), 1));
			expectAccepted(await api.call(takeBalance, take));
			expectThat((await look(api, id)) !== null, 'what the look tells', 'the change', null);
		},
	},
	{
		name: 'change-ids.look',
		basis: 'bursar',
		guarantee: 'The look tells what each kind of change did, without a key, and null if there is no such change.',
		source: LOOK,
		needs: ['sub-user'],
		balanceCents: 5,
		creates: 1,
		async check(session) {
			const { api, subUser, subUsers } = session;
			expectEqual('the look for an id that was never sent', await look(api, await freshId(session)), null);
			const username = subUsers.freshName();
			await expectRecorded(
				session,
				createSubUser,
				{ username },
				{ kind: 'create', amount: CREATE_FEE_CENTS, balance: 0 },
			);
			const body = { username: subUser(), amount_usd_cents: 5 };
			await expectRecorded(session, giveBalance, body, { kind: 'give_balance', amount: 5, balance: 5 });
			body.amount_usd_cents = 2;
			await expectRecorded(session, takeBalance, body, { kind: 'take_balance', amount: 2, balance: 3 });
			await expectRecorded(session, resetAuthKey, body, { kind: 'reset_auth_key', amount: null, balance: null });
		},
	},
	{
		name: 'change-ids.failed-create',
		basis: 'bursar',
		guarantee: 'The look tells that a create failed and cost its fee, and with which error.',
		source: LOOK,
		creates: 1,
		async check(session) {
			const id = await freshId(session);
			const answer = await session.api.create({ username: 'no' }, named(id));
			expectFailure(answer, 400, 'invalid_username');
			const recorded = await look(session.api, id);
			const fields = ['kind', 'username', 'amount', 'balance', 'error'].map((name) => fieldOf(recorded, name));
			expectEqual('what the look tells', fields, ['create', null, CREATE_FEE_CENTS, null, 'invalid_username']);
		},
	},
	{
		name: 'change-ids.of-resellers',
		basis: 'bursar',
		guarantee: 'A reseller is not told of the changes of another one, and may use the same X-Change-Id.',
		source: IDS,
		needs: ['sub-user', 'second-reseller'],
		async check(session) {
			const { api, subUser } = session;
			const id = await freshId(session);
			const second = session.second();
			expectAccepted(await api.call(resetAuthKey, { body: { username: subUser() }, ...named(id) }));
			expectEqual('what the look tells the other reseller', await look(second.api, id), null);
			const body = { username: second.subUser };
			expectAccepted(await second.api.call(resetAuthKey, { body, ...named(id) }));
			expectEqual('the sub-user in the look', fieldOf(await look(api, id), 'username'), subUser());
			expectEqual('the sub-user in the other look', fieldOf(await look(second.api, id), 'username'), second.subUser);
		},
	},
	{
		name: 'change-ids.malformed',
		basis: 'bursar',
		guarantee: 'A change with a malformed X-Change-Id answers 400, and nothing is done.',
		source: IDS,
		needs: ['sub-user'],
		balanceCents: MALFORMED.length,
		async check(session) {
			const { api, subUser } = session;
			await freshId(session);
			const before = await sawOf(session);
			const body = { username: subUser(), amount_usd_cents: 1 };
			for (const value of MALFORMED) {
				for (const endpoint of [giveBalance, takeBalance, resetAuthKey]) {
					const answer = await api.call(endpoint, { body, ...named(value) });
					expectFailure(answer, 400, 'invalid_request', `sent with ${value}`);
				}
			}
			expectEqual('the sub-user', await sawOf(session), before);
		},
	},
	{
		name: 'change-ids.malformed-create',
		basis: 'bursar',
		guarantee: 'A create with a malformed X-Change-Id answers 400, costs exactly 10 cents, and makes no sub-user.',
		source: `${IDS}; docs/api.md 8.2 The fee`,
		creates: 1,
		async check(session) {
			const { api, subUsers } = session;
			await freshId(session);
			const username = subUsers.freshName();
			const before = await api.balance();
			const answer = await api.create({ username }, named('short'));
			expectEqual('cents that were charged', before - (await api.balance()), CREATE_FEE_CENTS);
			expectEqual('whether the sub-user exists', isAccepted(await api.viewSingle(username)), false);
			expectFailure(answer, 400, 'invalid_request');
		},
	},
	{
		name: 'change-ids.doubled',
		basis: 'bursar',
		guarantee: 'A change with two X-Change-Id answers 400, even if both are equal, and nothing moves.',
		source: IDS,
		needs: ['sub-user'],
		balanceCents: 2,
		async check(session) {
			const { api, baseUrl, subUser } = session;
			const id = await freshId(session);
			const body = { username: subUser(), amount_usd_cents: 1 };
			for (const other of [id, randomUUID()]) {
				const headers = [id, other].map((value) => `${CHANGE_ID_HEADER}: ${value}`);
				const give = rawRequest(baseUrl, 'POST', giveBalance.path, { token: api.token, headers, body });
				const [answer] = await sendAll(session, [give]);
				expectThat(answer !== undefined, 'a give with two X-Change-Id', 'an answer', 'none: the connection ended');
				expectFailure(answer as Answer, 400, 'invalid_request');
			}
			expectEqual('the balance of the sub-user', await api.balanceOf(subUser()), 0);
		},
	},
	{
		name: 'change-ids.reads',
		basis: 'bursar',
		guarantee: 'Reads ignore X-Change-Id, whatever it is.',
		source: IDS,
		needs: ['sub-user'],
		async check(session) {
			const { api, subUser } = session;
			const id = await freshId(session);
			const body = { username: subUser(), change_id: id };
			for (const value of [id, id, ...MALFORMED]) {
				for (const endpoint of [
					endpoints.myInfo,
					endpoints.viewSubUser,
					endpoints.viewUsage,
					allEndpoints.viewChange,
				]) {
					const options = { ...(endpoint.method === 'POST' && { body }), ...named(value) };
					expectAccepted(await api.call(endpoint, options), `${endpoint.path}, sent with ${value}`);
				}
			}
		},
	},
	{
		name: 'change-ids.malformed-look',
		basis: 'bursar',
		guarantee: 'A look without a well-formed change_id answers 400.',
		source: LOOK,
		async check(session) {
			await freshId(session);
			for (const body of [{}, { change_id: 5 }, ...MALFORMED.map((change_id) => ({ change_id }))]) {
				expectFailure(await session.api.call(allEndpoints.viewChange, { body }), 400, 'invalid_request');
			}
		},
	},
];

/** An id that was never sent. Throws `NotTestable` if the answers of the service lack the header. */
async function freshId({ api }: Session): Promise<string> {
	if (!(await api.myInfo()).headers.has(CHANGE_ID_HEADER)) {
		throw new NotTestable(`the service does not offer it: its answers have no ${CHANGE_ID_HEADER}`);
	}
	return randomUUID();
}

function named(id: string): CallOptions {
	return { headers: { [CHANGE_ID_HEADER]: id } };
}

/** What the look tells about a change: an object, or null. */
async function look(api: ResellerApi, id: string): Promise<unknown> {
	return expectAccepted(await api.call(allEndpoints.viewChange, { body: { change_id: id } }));
}

/** What the reseller sees of the sub-user, as text. */
async function sawOf({ api, subUser }: Session): Promise<string> {
	return JSON.stringify(expectAccepted(await api.viewSingle(subUser())));
}

/** Makes a change, and compares the look with it. */
async function expectRecorded(
	session: Session,
	endpoint: Endpoint,
	body: { readonly username: string },
	did: { readonly kind: string; readonly amount: number | null; readonly balance: number | null },
): Promise<void> {
	const id = await freshId(session);
	const answer = await session.api.call(endpoint, { body, ...named(id) });
	expectAccepted(answer);
	const recorded = await look(session.api, id);
	expectChange(`the look for ${answer.asked}`, answer, recorded, { username: body.username, ...did, error: null });
}

/** Compares what a change did with its answer. */
function expectChange(what: string, answer: Answer, recorded: unknown, did: object): void {
	expectThat(typeof recorded === 'object' && recorded !== null, what, 'the change', recorded);
	const { timestamp, ...rest } = recorded as Record<string, unknown>;
	const [change_id, request_id] = [CHANGE_ID_HEADER, 'x-request-id'].map((name) => answer.headers.get(name));
	expectEqual(what, sortedText(rest), sortedText({ change_id, ...did, request_id }));
	const isNear = Math.abs(Date.parse(String(timestamp)) / 1000 - Number(answer.envelope?.timestamp)) <= AGREEING_S;
	expectThat(isNear, `the timestamp in ${what}`, 'the time of the change', timestamp);
}

function sortedText(fields: Readonly<Record<string, unknown>>): string {
	return JSON.stringify(Object.entries(fields).sort());
}
