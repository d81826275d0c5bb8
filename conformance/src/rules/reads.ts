import { endpoints, normalizeUsername } from '@bursar/contract';
import {
	ACCOUNT_FIELDS,
	accountIn,
	expectAccepted,
	expectArray,
	expectEqual,
	expectFields,
	expectForm,
	expectThat,
	fieldOf,
	NotTestable,
} from '../expect.ts';
import type { Rule } from '../run/rule.ts';
import type { Session } from '../run/session.ts';
import { CLOCK_TOLERANCE_S } from './every-answer.ts';

const ACCOUNT = 'docs/api.md 6.5 The account';
const LIST = 'docs/api.md 7.2 View all';
const EXACT_DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** ISO 8601 in UTC, in each form that clients can read. */
export const UTC_DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]00:?00)$/;

/** The form of accounts in reads. */
export const readRules: readonly Rule[] = [
	{
		name: 'reads.my-info',
		basis: 'contract',
		guarantee: 'my_info answers exactly the four fields of an account.',
		source: `docs/api.md 7.1 My info; ${ACCOUNT}`,
		async check({ api, heldTo }) {
			const answer = await api.myInfo();
			expectFields(`data of ${answer.asked}`, expectAccepted(answer), ACCOUNT_FIELDS, heldTo);
		},
	},
	{
		name: 'reads.view-single',
		basis: 'contract',
		guarantee: 'view_single answers exactly the four fields of the requested sub-user.',
		source: `docs/api.md 7.3 View single; ${ACCOUNT}`,
		needs: ['sub-user'],
		async check({ api, subUser, heldTo }) {
			const answer = await api.viewSingle(subUser());
			const data = expectFields(`data of ${answer.asked}`, expectAccepted(answer), ACCOUNT_FIELDS, heldTo);
			expectEqual('the username', data.username, subUser());
		},
	},
	{
		name: 'reads.view-all',
		basis: 'contract',
		guarantee: 'view_all answers an array with exactly four fields for each sub-user.',
		source: `${LIST}; ${ACCOUNT}`,
		needs: ['sub-user'],
		async check(session) {
			const all = await viewAll(session);
			expectThat(all.length > 0, 'the sub-users in view_all', 'at least one', all.length);
			for (const entry of all) expectFields('a sub-user in view_all', entry, ACCOUNT_FIELDS, session.heldTo);
		},
	},
	{
		name: 'reads.view-all-once',
		basis: 'contract',
		guarantee: "view_all shows each of the reseller's sub-users exactly once, and not the reseller itself.",
		source: LIST,
		needs: ['sub-user'],
		async check(session) {
			const names = (await viewAll(session)).map((entry) => fieldOf(entry, 'username'));
			const repeated = names.filter((name, index) => names.indexOf(name) !== index);
			expectEqual('names that view_all shows more than once', repeated, []);
			const shown = new Set(names);
			const missing = session.spending.namesMadeBy(session.api.token).filter((name) => !shown.has(name));
			expectEqual('sub-users of this run that view_all does not show', missing, []);
			expectThat(!names.includes(session.reseller), 'the reseller itself', 'not in view_all', 'in view_all');
		},
	},
	{
		name: 'reads.agree',
		basis: 'contract',
		guarantee: 'view_all and view_single show a sub-user in the same way.',
		source: 'docs/api.md 7.3 View single',
		needs: ['sub-user'],
		balanceCents: 7,
		async check(session) {
			// Different from the balance of a new sub-user.
			expectAccepted(await session.api.give(session.subUser(), 7));
			const entry = (await viewAll(session)).find((entry) => fieldOf(entry, 'username') === session.subUser());
			if (entry === undefined) throw new NotTestable('view_all does not show the sub-user of this run');
			const single = expectAccepted(await session.api.viewSingle(session.subUser()));
			expectEqual('the sub-user', accountIn(entry), accountIn(single));
		},
	},
	{
		name: 'reads.change-nothing',
		basis: 'contract',
		guarantee: 'A read changes neither the sub-user nor the reseller.',
		source: 'docs/api.md 7 Reads',
		needs: ['sub-user'],
		balanceCents: 7,
		async check({ api, subUser }) {
			expectAccepted(await api.give(subUser(), 7));
			const read = {
				my_info: () => api.myInfo(),
				view_all: () => api.viewAll(),
				view_single: () => api.viewSingle(subUser()),
				view_txs: () => api.viewTxs(subUser()),
			};
			const look = async () => [
				accountIn(expectAccepted(await read.view_single())),
				accountIn(expectAccepted(await read.my_info())),
			];
			const before = await look();
			for (const [name, call] of Object.entries(read)) {
				expectAccepted(await call());
				expectEqual(`the sub-user and the reseller after ${name}`, await look(), before);
			}
		},
	},
	{
		name: 'reads.usernames',
		basis: 'contract',
		guarantee: 'Every username in a read is valid and in lowercase.',
		source: 'docs/api.md 6.1 Usernames',
		needs: ['sub-user'],
		check: (session) =>
			onEachAccount(session, (what, { username }) => {
				// The contract has rules for the names of sub-users only.
				if (session.heldTo === 'contract' && what === MY_INFO) return;
				const isGood = typeof username === 'string' && normalizeUsername(username) === username;
				expectThat(isGood, `the username in ${what}`, 'a username in lowercase', username);
			}),
	},
	{
		name: 'reads.balances',
		basis: 'contract',
		guarantee: 'Every balance is an integer of cents, 0 or more.',
		source: 'docs/api.md 6.2 Amounts and balances',
		needs: ['sub-user'],
		check: (session) =>
			onEachAccount(session, (what, { balance }) => {
				const isGood = Number.isSafeInteger(balance) && (balance as number) >= 0;
				expectThat(isGood, `the balance in ${what}`, 'an integer of 0 or more', balance);
			}),
	},
	{
		name: 'reads.auth-keys',
		basis: 'contract',
		guarantee: 'Every proxy auth key is 16 ASCII letters and digits.',
		source: 'docs/api.md 6.3 Proxy auth keys',
		needs: ['sub-user'],
		check: (session) =>
			onEachAccount(session, (what, { proxy_authkey: key }) => {
				const [pattern, form] =
					session.heldTo === 'contract'
						? ([/./, 'text that is not empty'] as const)
						: ([/^[0-9A-Za-z]{16}$/, '16 of 0-9 A-Z a-z'] as const);
				expectForm(`the auth key in ${what}`, key, pattern, form);
			}),
	},
	{
		name: 'reads.dates',
		basis: 'contract',
		guarantee: 'Every date_created is a UTC time like 2026-11-21T00:00:00.000Z, and not in the future.',
		source: 'docs/api.md 6.4 Dates',
		needs: ['sub-user'],
		check: (session) =>
			onEachAccount(session, (what, { date_created: date }) => {
				const pattern = session.heldTo === 'contract' ? UTC_DATE : EXACT_DATE;
				expectForm(`the date in ${what}`, date, pattern, 'a time like 2026-11-21T00:00:00.000Z');
				const atMs = Date.parse(date as string);
				const isPast = atMs > 0 && atMs < Date.now() + CLOCK_TOLERANCE_S * 1000;
				expectThat(isPast, `the date in ${what}`, 'a time that is not in the future', date);
			}),
	},
	{
		name: 'reads.broken-list',
		basis: 'bursar',
		guarantee: 'If a list fails after its status 200, the connection breaks; the list never ends as valid JSON.',
		source: 'docs/api.md 3.3 Streaming',
		async check() {
			throw new NotTestable('a client cannot provoke a failure in the middle of an answer');
		},
	},
];

const MY_INFO = 'my_info';

async function viewAll({ api }: Session): Promise<readonly unknown[]> {
	return expectArray(`data of GET ${endpoints.viewAllSubUsers.path}`, expectAccepted(await api.viewAll()));
}

/** Checks the reseller, one sub-user, and each sub-user in the list. */
async function onEachAccount(
	session: Session,
	check: (what: string, account: Readonly<Record<string, unknown>>) => void,
): Promise<void> {
	const { api } = session;
	const accounts = [
		[MY_INFO, expectAccepted(await api.myInfo())],
		['view_single', expectAccepted(await api.viewSingle(session.subUser()))],
		...(await viewAll(session)).map((entry) => ['view_all', entry] as const),
	] as const;
	for (const [what, account] of accounts) check(what, (account ?? {}) as Record<string, unknown>);
}
