import { type Endpoint, endpoints } from '@bursar/contract';
import type { Answer } from '../answer.ts';
import { expectAccepted, expectArray, expectEqual, expectFailure, expectThat, fieldOf } from '../expect.ts';
import { freePosts } from '../reseller-api.ts';
import type { Rule } from '../rule.ts';
import type { Session } from '../session.ts';

const ALIKE = 'docs/api.md 4.4 Unknown sub-users';

/** A reseller has its own sub-users, and learns nothing of others. */
export const isolationRules: readonly Rule[] = [
	{
		name: 'isolation.unknown',
		guarantee: 'A username that nobody has answers 404 wherever a sub-user is named.',
		source: ALIKE,
		async check({ api, subUsers }) {
			const username = subUsers.freshName();
			for (const endpoint of freePosts) expectFailure(await ask({ api }, endpoint, username), 404, 'unknown_sub_user');
		},
	},
	{
		name: 'isolation.ill-formed',
		guarantee: 'A username that can be none answers like one that nobody has.',
		source: ALIKE,
		check: (session) =>
			expectAlike(session, {
				'empty text': '',
				'a period': '.',
				'three characters': 'abc',
				'periods side by side': 'no..body',
				'the Kelvin sign': 'no\u212abody',
				'very long text': 'x'.repeat(5000),
				'a null character': 'nobody\u0000',
				'a slash': 'no/body',
				'an at sign': '@fees',
				'a quotation mark': "' OR 1=1 --",
			}),
	},
	{
		name: 'isolation.near-spellings',
		guarantee: 'A look-up folds capitals of ASCII only, and cuts nothing off: any other spelling is nobody.',
		source: `docs/api.md 6.1 Usernames; ${ALIKE}`,
		needs: ['sub-user'],
		async check(session) {
			const name = session.subUser();
			await expectAlike(session, {
				'its name with the Kelvin sign for k': name.replaceAll('k', '\u212a'),
				'its name with a wide letter for k': name.replaceAll('k', '\uff4b'),
				'its name and a space': `${name} `,
				'a space and its name': ` ${name}`,
				'its name and a line break': `${name}\n`,
				'its name and a null character': `${name}\0`,
			});
		},
	},
	{
		name: 'isolation.itself',
		guarantee: 'The reseller is no sub-user of its own: its name answers like one that nobody has.',
		source: ALIKE,
		async check(session) {
			await expectAlike(session, {
				'the reseller itself': session.reseller,
				'the reseller itself in capitals': session.reseller.toUpperCase(),
			});
		},
	},
	{
		name: 'isolation.foreign',
		guarantee:
			"Another reseller's sub-user, and that reseller, answer like a name that nobody has, and stay as they are.",
		source: ALIKE,
		needs: ['second-reseller'],
		async check(session) {
			const second = session.second();
			const look = async () => [
				expectAccepted(await second.api.viewSingle(second.subUser)),
				expectAccepted(await second.api.myInfo()),
			];
			const before = await look();
			const own = await session.api.balance();
			await expectAlike(session, {
				"another reseller's sub-user": second.subUser,
				"another reseller's sub-user in capitals": second.subUser.toUpperCase(),
				'another reseller': second.username,
			});
			expectEqual('what the other reseller has', await look(), before);
			expectEqual("the reseller's balance", await session.api.balance(), own);
		},
	},
	{
		name: 'isolation.lists',
		guarantee: 'view_all shows no sub-user of another reseller.',
		source: 'docs/api.md 7.2 View all',
		needs: ['sub-user', 'second-reseller'],
		async check(session) {
			const second = session.second();
			for (const [api, foreign] of [
				[session.api, second.subUser],
				[second.api, session.subUser()],
			] as const) {
				const all = expectArray('data of view_all', expectAccepted(await api.viewAll()));
				const isThere = all.some((entry) => fieldOf(entry, 'username') === foreign);
				expectThat(!isThere, "another reseller's sub-user", 'not to stand in view_all', 'it does');
			}
		},
	},
];

function ask({ api }: Pick<Session, 'api'>, endpoint: Endpoint, username: string): Promise<Answer> {
	const isTransfer = endpoint === endpoints.giveBalance || endpoint === endpoints.takeBalance;
	return api.call(endpoint, { body: { username, ...(isTransfer && { amount_usd_cents: 1 }) } });
}

/** Each of the names is answered as one that nobody has: status, code, message, data and the headers that are there. */
async function expectAlike(session: Session, names: Readonly<Record<string, string>>): Promise<void> {
	const unknown = session.subUsers.freshName();
	for (const endpoint of freePosts) {
		const expected = comparable(await ask(session, endpoint, unknown));
		for (const [what, username] of Object.entries(names)) {
			const answer = await ask(session, endpoint, username);
			expectEqual(`${answer.asked} for ${what}`, comparable(answer), expected);
		}
	}
}

function comparable({ status, errorCode, envelope, headers }: Answer) {
	return {
		status,
		errorCode,
		message: envelope?.message,
		data: envelope?.data,
		headers: Array.from(headers.keys()).sort().join(', '),
	};
}
