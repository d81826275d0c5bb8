import { type Endpoint, endpoints } from '@bursar/contract';
import { accountIn, expectAccepted, expectArray, expectEqual, expectFailure, fieldOf, NotTestable } from '../expect.ts';
import type { Rule } from '../run/rule.ts';
import type { Session } from '../run/session.ts';
import type { Answer } from '../wire/answer.ts';
import { freePosts, type ResellerApi } from '../wire/reseller-api.ts';

const ALIKE = 'docs/api.md 4.4 Unknown sub-users';

/** A reseller sees only its own sub-users. */
export const isolationRules: readonly Rule[] = [
	{
		name: 'isolation.unknown',
		basis: 'contract',
		guarantee: 'An unused username answers 404 on every endpoint that names a sub-user.',
		source: ALIKE,
		async check({ api, subUsers }) {
			const username = subUsers.freshName();
			for (const endpoint of freePosts) expectFailure(await ask({ api }, endpoint, username), 404, 'unknown_sub_user');
		},
	},
	{
		name: 'isolation.ill-formed',
		basis: 'contract',
		guarantee: 'An invalid username answers like an unused one.',
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
		basis: 'bursar',
		guarantee: 'A look-up ignores only the case of ASCII letters. Any other spelling answers like an unused name.',
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
		basis: 'bursar',
		guarantee: "The reseller is not its own sub-user: the reseller's name answers like an unused one.",
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
		basis: 'contract',
		guarantee: 'Another reseller and its sub-users answer like unused names, and do not change.',
		source: ALIKE,
		needs: ['second-reseller'],
		async check(session) {
			const second = session.second();
			if ((await second.api.balance()) < 1) throw new NotTestable('the other reseller has no cent');
			// A wrong service could take it.
			expectAccepted(await second.api.give(second.subUser, 1));
			const look = async () => [
				accountIn(expectAccepted(await second.api.viewSingle(second.subUser))),
				accountIn(expectAccepted(await second.api.myInfo())),
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
		basis: 'contract',
		guarantee: 'view_all shows no sub-user of another reseller.',
		source: 'docs/api.md 7.2 View all',
		needs: ['sub-user', 'second-reseller'],
		async check(session) {
			const second = session.second();
			const own = new Set([session.subUser(), ...(await namesIn(session.api))]);
			const foreign = [second.subUser, ...(await namesIn(second.api))];
			const shared = foreign.filter((name) => own.has(name));
			expectEqual('sub-users that both resellers see', shared, []);
		},
	},
];

async function namesIn(api: ResellerApi): Promise<readonly unknown[]> {
	const all = expectArray('data of view_all', expectAccepted(await api.viewAll()));
	return all.map((entry) => fieldOf(entry, 'username'));
}

function ask({ api }: Pick<Session, 'api'>, endpoint: Endpoint, username: string): Promise<Answer> {
	const isTransfer = endpoint === endpoints.giveBalance || endpoint === endpoints.takeBalance;
	return api.call(endpoint, { body: { username, ...(isTransfer && { amount_usd_cents: 1 }) } });
}

/**
 * Each name must answer like an unused one, in status, code, message, data and the names of the headers. By the contract
 * it must only be refused.
 */
async function expectAlike(session: Session, names: Readonly<Record<string, string>>): Promise<void> {
	const unknown = session.subUsers.freshName();
	for (const endpoint of freePosts) {
		const expected = comparable(await ask(session, endpoint, unknown));
		for (const [what, username] of Object.entries(names)) {
			const answer = await ask(session, endpoint, username);
			if (session.heldTo === 'contract') expectFailure(answer, 404, 'unknown_sub_user', what);
			else expectEqual(`${answer.asked} for ${what}`, comparable(answer), expected);
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
