import { allEndpoints } from '@bursar/contract';
import {
	expectAccepted,
	expectArray,
	expectEqual,
	expectFailure,
	expectFields,
	expectThat,
	fieldOf,
} from '../expect.ts';
import type { Rule } from '../run/rule.ts';
import type { Session } from '../run/session.ts';
import type { Answer } from '../wire/answer.ts';
import type { ResellerApi } from '../wire/reseller-api.ts';
import { expectOffered } from './life.ts';

const PAGE = 'docs/api.md 11.5 Page of sub-users';
const MOST_ROWS = 1000;
const { deleteSubUser, setLimits, suspendSubUser, viewDetails, viewSubUserPage } = allEndpoints;
/** Values that neither page accepts. */
export const WRONG_PAGES: readonly object[] = [
	...[0, -1, 1001, 1.5, '5', null, true].map((limit) => ({ limit })),
	...[5, {}, ['x'], 'no/name', 'x'.repeat(65)].map((after) => ({ after })),
];

/** `view_page` of sub-users. */
export const pageRules: readonly Rule[] = [
	{
		name: 'pages.walk',
		basis: 'bursar',
		guarantee:
			'Pages walk all sub-users that begin with the prefix, each once, in the order of their names, with what the details say.',
		source: PAGE,
		creates: 3,
		check: (session) =>
			withThree(session, async (names, prefix) => {
				const { api } = session;
				const expected: object[] = [];
				for (const name of names) expected.push(await rowOf(api, name));
				for (const limit of [1, 2, 3, MOST_ROWS]) {
					for (const sent of [prefix, prefix.toUpperCase()]) {
						const found = await walk(api, { prefix: sent, limit });
						expectEqual(`pages of ${limit} with the prefix ${sent}`, found, expected);
					}
				}
				expectEqual('pages of a longer prefix', await walk(api, { prefix: `${prefix}b` }), expected.slice(1));
				expectEqual('pages after a name', await walk(api, { prefix, after: names[0] }), expected.slice(1));
			}),
	},
	{
		name: 'pages.all',
		basis: 'bursar',
		guarantee: 'Without a prefix, pages begin with the first of all sub-users, and are as long as limit says.',
		source: PAGE,
		needs: ['sub-user'],
		async check({ api }) {
			await expectOffered(api);
			const all = expectArray('data of view_all', expectAccepted(await api.viewAll()));
			const names = all.map((each) => fieldOf(each, 'username')).sort();
			for (const fields of [{}, { limit: 1 }, { limit: MOST_ROWS }, { after: null, limit: 2 }]) {
				const { limit = 100 } = fields as { readonly limit?: number };
				const { rows, next } = pageIn(await api.call(viewSubUserPage, { body: fields }));
				const what = `the page with ${JSON.stringify(fields)}`;
				expectEqual(
					what,
					rows.map((row) => fieldOf(row, 'username')),
					names.slice(0, limit),
				);
				expectThat(next !== null || names.length <= limit, `the next of ${what}`, 'a text', next);
			}
		},
	},
	{
		name: 'pages.states',
		basis: 'bursar',
		guarantee: 'With a state, pages have exactly the sub-users that are in it.',
		source: PAGE,
		creates: 3,
		check: (session) =>
			withThree(session, async ([first, second, third], prefix) => {
				const { api } = session;
				expectAccepted(await api.call(suspendSubUser, { body: { username: first } }));
				for (const username of [first, second])
					expectAccepted(await api.call(setLimits, { body: { username, expires_at: '2020-01-01T00:00:00Z' } }));
				const states = { suspended: first, expired: second, active: third };
				for (const [state, username] of Object.entries(states)) {
					const found = await walk(api, { prefix, state, limit: 1 });
					const shown = found.map((row) => [fieldOf(row, 'username'), fieldOf(row, 'state')]);
					expectEqual(`pages of ${state}`, shown, [[username, state]]);
				}
				const shown = (await walk(api, { prefix })).map((row) => fieldOf(row, 'state'));
				expectEqual('the states in pages of all', shown, ['suspended', 'expired', 'active']);
			}),
	},
	{
		name: 'pages.usable',
		basis: 'bursar',
		guarantee: 'Pages have exactly the sub-users that the proxies accept, or refuse, or refuse for a reason.',
		source: PAGE,
		creates: 3,
		check: (session) =>
			withThree(session, async ([suspended, expired, other], prefix) => {
				const { api } = session;
				expectAccepted(await api.call(suspendSubUser, { body: { username: suspended } }));
				for (const username of [suspended, expired])
					expectAccepted(await api.call(setLimits, { body: { username, expires_at: '2020-01-01T00:00:00Z' } }));
				// Without a balance, it is usable if bandwidth costs nothing.
				const isUsable = fieldOf(await rowOf(api, other as string), 'usable') === true;
				const namesWith = async (filter: object) =>
					(await walk(api, { prefix, limit: 1, ...filter })).map((row) => fieldOf(row, 'username'));
				expectEqual('pages of suspended', await namesWith({ reason: 'suspended' }), [suspended]);
				expectEqual('pages of expired', await namesWith({ reason: 'expired' }), [expired]);
				expectEqual('pages of exhausted', await namesWith({ reason: 'exhausted' }), isUsable ? [] : [other]);
				expectEqual('pages of limit_reached', await namesWith({ reason: 'limit_reached' }), []);
				expectEqual('pages of usable', await namesWith({ usable: true }), isUsable ? [other] : []);
				const refused = [suspended, expired, ...(isUsable ? [] : [other])];
				expectEqual('pages of unusable', await namesWith({ usable: false }), refused);
				expectEqual('expired and usable', await namesWith({ usable: true, reason: 'expired' }), []);
				expectEqual('expired and suspended', await namesWith({ state: 'suspended', reason: 'expired' }), []);
			}),
	},
	{
		name: 'pages.wrong-fields',
		basis: 'bursar',
		guarantee: 'A page with a field of another type or out of bounds answers 400.',
		source: PAGE,
		async check({ api }) {
			await expectOffered(api);
			const prefixes = [5, null, ['x'], 'a/b', '%', 'a*'].map((prefix) => ({ prefix }));
			const states = [5, null, 'gone', 'ACTIVE', ''].map((state) => ({ state }));
			const usables = [5, null, 'true', 'no'].map((usable) => ({ usable }));
			const reasons = [5, null, 'active', 'EXPIRED', ''].map((reason) => ({ reason }));
			for (const body of [...WRONG_PAGES, ...prefixes, ...states, ...usables, ...reasons]) {
				const what = `sent with ${JSON.stringify(body).slice(0, 40)}`;
				expectFailure(await api.call(viewSubUserPage, { body }), 400, 'invalid_request', what);
			}
		},
	},
	{
		name: 'pages.foreign',
		basis: 'bursar',
		guarantee: 'Pages show no sub-user of another reseller, and no reseller.',
		source: PAGE,
		needs: ['sub-user', 'second-reseller'],
		async check(session) {
			const { api, reseller } = session;
			await expectOffered(api);
			const { subUser, username } = session.second();
			for (const prefix of [subUser, username, reseller]) {
				// This sub-user would be the first of them.
				const { rows } = pageIn(await api.call(viewSubUserPage, { body: { prefix, limit: 1 } }));
				const isShown = rows.some((row) => fieldOf(row, 'username') === prefix);
				expectEqual(`whether ${prefix} is in a page`, isShown, false);
			}
		},
	},
];

/** A sub-user as a page should have it. */
async function rowOf(api: ResellerApi, username: string): Promise<object> {
	const { state, usable, reason, used } = expectFields(
		'the details',
		expectAccepted(await api.call(viewDetails, { body: { username } })),
		[
			...['username', 'state', 'usable', 'reason', 'limits', 'used', 'sign_in_ips', 'note'],
			...['last_seen', 'last_refusal', 'refusals'],
		],
	);
	const { connections: _, ...bytes } = used as Record<string, unknown>;
	return { ...(expectAccepted(await api.viewSingle(username)) as object), state, usable, reason, used: bytes };
}

/** Three new sub-users whose names begin with the prefix, in their order. They are deleted afterwards. */
async function withThree(
	{ api, subUsers }: Session,
	work: (names: readonly string[], prefix: string) => Promise<void>,
): Promise<void> {
	await expectOffered(api);
	const prefix = `${subUsers.freshName()}.`;
	const names = ['a', 'b', 'b.a'].map((end) => prefix + end);
	for (const username of names.toReversed()) expectAccepted(await api.create({ username }));
	try {
		await work(names, prefix);
	} finally {
		for (const username of names) await api.call(deleteSubUser, { body: { username } });
	}
}

/** The rows of a page, and its `next`. */
function pageIn(answer: Answer): { readonly rows: readonly unknown[]; readonly next: string | null } {
	const what = `data of ${answer.asked}`;
	const { sub_users, next } = expectFields(what, expectAccepted(answer), ['sub_users', 'next']);
	expectThat(next === null || typeof next === 'string', `the next in ${what}`, 'a text or null', next);
	return { rows: expectArray(`sub_users in ${what}`, sub_users), next: next as string | null };
}

/** The rows of all pages, from the first one to the one without a next one. */
async function walk(api: ResellerApi, fields: object): Promise<readonly unknown[]> {
	const all: unknown[] = [];
	let body: object = fields;
	for (;;) {
		const { rows, next } = pageIn(await api.call(viewSubUserPage, { body }));
		const { limit = 100 } = fields as { readonly limit?: number };
		expectThat(rows.length <= limit, 'the rows of a page', `${limit} at most`, rows.length);
		all.push(...rows);
		if (next === null) return all;
		const isFurther = (body as { readonly after?: string }).after !== next;
		expectThat(isFurther, 'the next of a page', 'another one than before', next);
		body = { ...fields, after: next };
	}
}
