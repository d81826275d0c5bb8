import { allEndpoints, type Endpoint } from '@bursar/contract';
import {
	expectAccepted,
	expectArray,
	expectEqual,
	expectFailure,
	expectThat,
	fieldOf,
	isAccepted,
	NotTestable,
} from '../expect.ts';
import type { Rule } from '../run/rule.ts';
import type { Session } from '../run/session.ts';
import type { Answer } from '../wire/answer.ts';

const { suspendSubUser, resumeSubUser, setLimits, setNote, deleteSubUser, viewDetails } = allEndpoints;
const { viewSubUserPage, viewStatementPage } = allEndpoints;
const NO_LIMITS = { day_bytes: null, month_bytes: null, total_bytes: null, connections: null } as const;
const ALL_NULL = { ...NO_LIMITS, allowed_ips: null, expires_at: null };
/** More pages than this have no end. */
const MOST_PAGES = 10_000;

/** State, limits and end of a sub-user, and pages of lists. */
export const lifeRules: readonly Rule[] = [
	{
		name: 'life.suspend',
		basis: 'bursar',
		guarantee: 'suspend and resume set the state, as often as they are sent, and view_single stays as it is.',
		source: 'docs/api.md 11.1 Suspend and resume',
		needs: ['sub-user'],
		async check(session) {
			const call = await offered(session);
			const username = session.subUser();
			const before = expectAccepted(await session.api.viewSingle(username));
			try {
				for (let time = 0; time < 2; time++) {
					expectEqual('the answer', await call(suspendSubUser, {}), { username, state: 'suspended' });
				}
				expectEqual('the state in view_details', fieldOf(await call(viewDetails, {}), 'state'), 'suspended');
				expectEqual('the sub-user', expectAccepted(await session.api.viewSingle(username)), before);
			} finally {
				await call(resumeSubUser, {});
			}
			expectEqual('the answer', await call(resumeSubUser, {}), { username, state: 'active' });
		},
	},
	{
		name: 'life.limits',
		basis: 'bursar',
		guarantee: 'set_limits sets what it names, removes what is null, leaves the rest, and answers all limits.',
		source: 'docs/api.md 11.2 Set limits',
		needs: ['sub-user'],
		async check(session) {
			const call = await offered(session);
			const set = async (limits: object) => fieldOf(await call(setLimits, limits), 'limits');
			try {
				await set(ALL_NULL);
				expectEqual('the limits', await set({ day_bytes: 5 }), { ...ALL_NULL, day_bytes: 5 });
				const allowed_ips = ['192.0.2.7/24', '2001:DB8::7'];
				const expected = { ...ALL_NULL, day_bytes: 5, allowed_ips: ['192.0.2.0/24', '2001:db8::7'] };
				expectEqual('the limits', await set({ allowed_ips }), expected);
				expectEqual('the limits in view_details', fieldOf(await call(viewDetails, {}), 'limits'), expected);
				expectEqual('the limits', await set({ day_bytes: null }), { ...expected, day_bytes: null });
			} finally {
				await set(ALL_NULL);
			}
		},
	},
	{
		name: 'life.wrong-limits',
		basis: 'bursar',
		guarantee: 'A limit out of bounds or of another type answers 400, and no limit is changed.',
		source: 'docs/api.md 11.2 Set limits',
		needs: ['sub-user'],
		async check(session) {
			const call = await offered(session);
			await call(setLimits, ALL_NULL);
			for (const wrong of [
				...[{}, { day_bytes: 0 }, { month_bytes: -1 }, { day_bytes: 5, total_bytes: 1.5 }, { connections: '5' }],
				...[{ allowed_ips: [] }, { allowed_ips: ['nowhere'] }, { expires_at: 'soon' }, { expires_at: '2031-02-30' }],
			]) {
				const body = { username: session.subUser(), ...wrong };
				expectFailure(await session.api.call(setLimits, { body }), 400, 'invalid_limits', JSON.stringify(wrong));
			}
			expectEqual('the limits', fieldOf(await call(viewDetails, {}), 'limits'), ALL_NULL);
		},
	},
	{
		name: 'life.note',
		basis: 'bursar',
		guarantee: 'A note is kept as it was sent; one of several lines answers 400.',
		source: 'docs/api.md 11.3 Set note',
		needs: ['sub-user'],
		async check(session) {
			const call = await offered(session);
			const username = session.subUser();
			for (const note of ['ölga ✓', '']) {
				expectEqual('the answer', await call(setNote, { note }), { username, note });
				expectEqual('the note in view_details', fieldOf(await call(viewDetails, {}), 'note'), note);
			}
			const body = { username, note: 'two\nlines' };
			expectFailure(await session.api.call(setNote, { body }), 400, 'invalid_note');
		},
	},
	{
		name: 'life.unknown',
		basis: 'bursar',
		guarantee: 'Each of these calls answers 404 for a name that is not a sub-user of the reseller.',
		source: 'docs/api.md 4.4 Unknown sub-users',
		needs: ['second-reseller'],
		async check(session) {
			await offered(session);
			const names = [
				session.second().subUser,
				session.second().username,
				session.reseller,
				session.subUsers.freshName(),
			];
			for (const username of names) {
				const body = { username, day_bytes: 5, note: 'x' };
				for (const endpoint of [suspendSubUser, resumeSubUser, setLimits, setNote, deleteSubUser, viewDetails]) {
					expectFailure(await session.api.call(endpoint, { body }), 404, 'unknown_sub_user', username);
				}
			}
		},
	},
	{
		name: 'life.pages',
		basis: 'bursar',
		guarantee: 'The pages of sub-users together are view_all, each sub-user once, in the order of names.',
		source: 'docs/api.md 11.5 Page of sub-users',
		needs: ['sub-user'],
		async check(session) {
			await offered(session);
			const all = expectArray('view_all', expectAccepted(await session.api.viewAll()));
			const listed = await everyRow(session, viewSubUserPage, 'sub_users', { limit: 7 });
			const names = listed.map((row) => String(fieldOf(row, 'username')));
			expectEqual('the names in the pages', names, all.map((row) => String(fieldOf(row, 'username'))).sort());
			const prefix = session.subUsers.prefix;
			const own = await everyRow(session, viewSubUserPage, 'sub_users', { limit: 7, prefix });
			expectEqual('the names with the prefix', own.length, names.filter((name) => name.startsWith(prefix)).length);
			const body = { limit: 0 };
			expectFailure(await session.api.call(viewSubUserPage, { body }), 400, 'invalid_request');
		},
	},
	{
		name: 'life.statement',
		basis: 'bursar',
		guarantee: 'The statement begins with the newest movement, with its amount, its balances and its request.',
		source: 'docs/api.md 11.6 Page of the statement',
		needs: ['sub-user'],
		balanceCents: 5,
		async check(session) {
			await offered(session);
			const { api, subUser } = session;
			const give = await api.give(subUser(), 5);
			expectAccepted(give);
			const balances = { balance: await api.balance(), sub_user_balance: await api.balanceOf(subUser()) };
			const [newest] = await rowsOf(session, viewStatementPage, 'movements', { limit: 1 });
			const fields = ['kind', 'username', 'amount', 'balance', 'sub_user_balance', 'request_id'];
			expectEqual('the newest movement', Object.fromEntries(fields.map((name) => [name, fieldOf(newest, name)])), {
				kind: 'give',
				username: subUser(),
				amount: 5,
				...balances,
				request_id: give.headers.get('x-request-id'),
			});
		},
	},
	{
		name: 'life.delete',
		basis: 'bursar',
		guarantee: 'delete gives the rest of the balance back, and ends the sub-user; its name stays taken.',
		source: 'docs/api.md 11.7 Delete',
		creates: 2,
		balanceCents: 5,
		async check(session) {
			await offered(session);
			const { api, subUsers } = session;
			const username = subUsers.freshName();
			expectAccepted(await api.create({ username }));
			expectAccepted(await api.give(username, 5));
			const before = await api.balance();
			const answer = await api.call(deleteSubUser, { body: { username } });
			expectEqual('the answer', expectAccepted(answer), { username, amount_usd_cents: 5 });
			expectEqual('cents that came back', (await api.balance()) - before, 5);
			expectFailure(await api.viewSingle(username), 404, 'unknown_sub_user');
			expectFailure(await api.call(deleteSubUser, { body: { username } }), 404, 'unknown_sub_user');
			expectFailure(await api.create({ username }), 409, 'username_taken');
		},
	},
];

type Call = (endpoint: Endpoint, fields: object) => Promise<unknown>;

/** Calls an endpoint for the shared sub-user. Throws `NotTestable` if the service has no such endpoints. */
async function offered({ api, subUsers, subUser }: Session): Promise<Call> {
	const probe: Answer = await api.call(viewDetails, { body: { username: subUsers.freshName() } });
	if (!isAccepted(probe) && probe.errorCode !== 'unknown_sub_user') {
		throw new NotTestable(`the service does not offer it: ${viewDetails.path} answers ${probe.status}`);
	}
	return async (endpoint, fields) =>
		expectAccepted(await api.call(endpoint, { body: { username: subUser(), ...fields } }));
}

async function rowsOf({ api }: Session, endpoint: Endpoint, name: string, body: object): Promise<readonly unknown[]> {
	return expectArray(name, fieldOf(expectAccepted(await api.call(endpoint, { body })), name));
}

/** The rows of all pages. */
async function everyRow(session: Session, endpoint: Endpoint, name: string, body: object): Promise<readonly unknown[]> {
	const rows: unknown[] = [];
	let after: unknown = null;
	for (let page = 0; page < MOST_PAGES; page++) {
		const data = expectAccepted(await session.api.call(endpoint, { body: { ...body, after } }));
		rows.push(...expectArray(name, fieldOf(data, name)));
		after = fieldOf(data, 'next');
		if (after === null) return rows;
	}
	expectThat(false, 'the pages', 'an end', `${MOST_PAGES} pages`);
	return rows;
}
