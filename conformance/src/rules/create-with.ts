import { randomUUID } from 'node:crypto';
import { allEndpoints, CHANGE_ID_HEADER, CREATE_FEE_CENTS, LIMIT_NAMES } from '@bursar/contract';
import { accountIn, expectAccepted, expectEqual, expectFailure, expectFields, fieldOf, isAccepted } from '../expect.ts';
import type { Rule } from '../run/rule.ts';
import { type Session, whileHolding } from '../run/session.ts';
import type { CallOptions } from '../wire/wire.ts';
import { expectOffered } from './life.ts';

const CREATE_WITH = 'docs/api.md 11.10 Create with';
const { createSubUserWith, viewChange, viewDetails } = allEndpoints;
const FIELDS = ['username', 'balance', 'proxy_authkey', 'date_created', 'limits', 'note'];
const NO_LIMITS = Object.fromEntries(LIMIT_NAMES.map((name) => [name, null]));
const EXPIRES = '2099-12-31T23:00:00.000Z';

/** What is wrong with a request that costs nothing. */
const MALFORMED = [
	['invalid_request', {}],
	['invalid_request', { username: 5 }],
	['invalid_request', { amount_usd_cents: '1' }],
	['invalid_request', { limits: [] }],
	['invalid_request', { note: 5 }],
	['invalid_username', { username: 'no..body' }],
	['invalid_amount', { amount_usd_cents: 0 }],
	['invalid_limits', { limits: { day_bytes: 0 } }],
	['invalid_limits', { limits: { daybytes: 5 } }],
	['invalid_note', { note: 'two\nlines' }],
] as const;

/** A sub-user that is made with balance, limits and note. */
export const createWithRules: readonly Rule[] = [
	{
		name: 'create-with.answer',
		basis: 'bursar',
		guarantee:
			'A create_with makes a sub-user with this balance, these limits and this note, for 10 cents and the balance.',
		source: CREATE_WITH,
		creates: 1,
		balanceCents: 7,
		async check(session) {
			const { api } = session;
			const username = await freshName(session);
			const before = await api.balance();
			const limits = { total_bytes: 5_000, connections: null, allowed_ips: ['192.0.2.9/24'], expires_at: EXPIRES };
			const body = { username: username.toUpperCase(), amount_usd_cents: 7, limits, note: 'order 7' };
			const answer = await api.call(createSubUserWith, { body });
			const data = expectFields(`data of ${answer.asked}`, expectAccepted(answer), FIELDS);
			expectEqual('cents that were charged and given', before - (await api.balance()), CREATE_FEE_CENTS + 7);
			const seen = accountIn(expectAccepted(await api.viewSingle(username)));
			expectEqual('the sub-user in the answer', accountIn(data), seen);
			expectEqual('its name and balance', [seen.username, seen.balance], [username, 7]);
			const expected = { ...NO_LIMITS, ...limits, allowed_ips: ['192.0.2.0/24'] };
			const details = expectAccepted(await api.call(viewDetails, { body: { username } }));
			for (const [where, shown] of [
				['the answer', data],
				['the details', details],
			] as const) {
				expectEqual(`the limits in ${where}`, fieldOf(shown, 'limits'), expected);
				expectEqual(`the note in ${where}`, fieldOf(shown, 'note'), 'order 7');
			}
		},
	},
	{
		name: 'create-with.malformed',
		basis: 'bursar',
		guarantee:
			'A create_with that is malformed, in which a limit has an unknown name, too, answers 400 and costs nothing.',
		source: CREATE_WITH,
		creates: MALFORMED.length,
		async check(session) {
			const { api } = session;
			const username = await freshName(session);
			const before = await api.balance();
			for (const [code, fields] of MALFORMED) {
				const body = code === 'invalid_request' && Object.keys(fields).length === 0 ? {} : { username, ...fields };
				const what = `sent with ${JSON.stringify(fields)}`;
				expectFailure(await api.call(createSubUserWith, { body }), 400, code, what);
			}
			expectEqual('cents that were charged', before - (await api.balance()), 0);
			expectEqual('whether the sub-user exists', isAccepted(await api.viewSingle(username)), false);
		},
	},
	{
		name: 'create-with.without-token',
		basis: 'bursar',
		guarantee: 'A create_with without a token answers 401, and makes no sub-user.',
		source: `docs/api.md 5.1 The bearer token; ${CREATE_WITH}`,
		async check(session) {
			const { api, wire } = session;
			const username = await freshName(session);
			const before = await api.balance();
			expectFailure(await wire.call(createSubUserWith.path, { body: { username } }), 401, 'unauthorized');
			expectEqual('cents that were charged', before - (await api.balance()), 0);
			expectEqual('whether the sub-user exists', isAccepted(await api.viewSingle(username)), false);
		},
	},
	{
		name: 'create-with.taken-username',
		basis: 'bursar',
		guarantee: 'A create_with of a taken username answers 409, costs exactly 10 cents, and gives and limits nothing.',
		source: CREATE_WITH,
		needs: ['sub-user'],
		creates: 1,
		balanceCents: 5,
		async check(session) {
			const { api, subUser } = session;
			await freshName(session);
			const details = () => api.call(viewDetails, { body: { username: subUser() } });
			const [before, known] = [await api.balance(), expectAccepted(await details())];
			const body = { username: subUser(), amount_usd_cents: 5, limits: { connections: 1 }, note: 'taken' };
			expectFailure(await api.call(createSubUserWith, { body }), 409, 'username_taken');
			expectEqual('cents that were charged', before - (await api.balance()), CREATE_FEE_CENTS);
			expectEqual('the balance of the sub-user', await api.balanceOf(subUser()), 0);
			expectEqual('the details of the sub-user', expectAccepted(await details()), known);
		},
	},
	{
		name: 'create-with.too-poor',
		basis: 'bursar',
		guarantee:
			'If the balance is not there for fee and amount together, a create_with answers 402, whatever its name, and costs nothing.',
		source: CREATE_WITH,
		needs: ['sub-user', 'whole-balance'],
		creates: 2,
		async check(session) {
			const username = await freshName(session);
			await whileHolding(session, CREATE_FEE_CENTS + 4, async () => {
				const { api, subUser } = session;
				for (const name of [username, subUser()]) {
					const body = { username: name, amount_usd_cents: 5 };
					expectFailure(await api.call(createSubUserWith, { body }), 402, 'insufficient_balance');
				}
				expectEqual("the reseller's balance", await api.balance(), CREATE_FEE_CENTS + 4);
				expectEqual('whether the sub-user exists', isAccepted(await api.viewSingle(username)), false);
			});
		},
	},
	{
		name: 'create-with.repeated',
		basis: 'bursar',
		guarantee: 'A create_with is done once for each X-Change-Id, and the look tells what was given.',
		source: `docs/api.md 10.5 Change ids; ${CREATE_WITH}`,
		creates: 2,
		balanceCents: 5,
		async check(session) {
			const { api } = session;
			const [username, other] = [await freshName(session), await freshName(session)];
			const change_id = randomUUID();
			const options: CallOptions = { headers: { [CHANGE_ID_HEADER]: change_id } };
			const call = (name: string) =>
				api.call(createSubUserWith, { body: { username: name, amount_usd_cents: 5 }, ...options });
			const answer = await call(username);
			expectAccepted(answer);
			const before = await api.balance();
			expectFailure(await call(other), 409, 'change_repeated');
			expectEqual('cents that were charged and given again', before - (await api.balance()), 0);
			expectEqual('whether the other sub-user exists', isAccepted(await api.viewSingle(other)), false);
			const told = expectAccepted(await api.call(viewChange, { body: { change_id } }));
			const seen = ['kind', 'username', 'amount', 'balance', 'error'].map((name) => fieldOf(told, name));
			expectEqual(`the look for ${answer.asked}`, seen, ['create_with', username, 5, 5, null]);
		},
	},
];

/** A name for a sub-user whose balance the run takes back. */
async function freshName({ api, subUsers }: Session): Promise<string> {
	await expectOffered(api);
	const username = subUsers.freshName();
	subUsers.hold(api, username);
	return username;
}
