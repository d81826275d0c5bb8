import { endpoints, USERNAME_MAX_LENGTH } from '@bursar/contract';
import {
	accountIn,
	expectAccepted,
	expectEqual,
	expectFailure,
	expectThat,
	fieldOf,
	isAccepted,
	showAnswer,
} from '../expect.ts';
import type { Rule } from '../run/rule.ts';
import type { Session } from '../run/session.ts';

const USERNAMES = 'docs/api.md 6.1 Usernames';
/** Deployed clients of this API compare it. */
const TAKEN_MESSAGE = 'that username is already registered';

/** The printable characters of ASCII that no other name here has. A try for each would cost too many fees. */
const OTHER_ASCII = '!"#$%&\'()*,/:;<=>?[\\]`{|}~';

/** Names that create must refuse. Each try costs a fee. */
const REFUSED: readonly Pick<RefusedNames, 'name' | 'basis' | 'guarantee' | 'source' | 'names'>[] = [
	{
		name: 'usernames.length',
		basis: 'contract',
		guarantee: 'A username of less than 4 or more than 32 characters is refused.',
		source: USERNAMES,
		names: (prefix) => [
			'',
			prefix.slice(-3),
			prefix.padEnd(USERNAME_MAX_LENGTH + 1, 'x'),
			prefix.padEnd(USERNAME_MAX_LENGTH * 2, 'x'),
		],
	},
	{
		name: 'usernames.edges',
		basis: 'contract',
		guarantee: 'A username that begins or ends with a period or an underscore is refused.',
		source: USERNAMES,
		names: (prefix) => [`.${prefix}`, `${prefix}.`, `_${prefix}`, `${prefix}_`],
	},
	{
		name: 'usernames.adjacent',
		basis: 'contract',
		guarantee: 'A username with two or more adjacent periods or underscores is refused.',
		source: USERNAMES,
		names: (prefix) => ['..', '__', '._', '_.', '...'].map((adjacent) => `${prefix}${adjacent}x`),
	},
	{
		name: 'usernames.characters',
		basis: 'contract',
		guarantee: 'A username with a character other than letters, digits, periods and underscores is refused.',
		source: USERNAMES,
		names: (prefix) => [
			...['-x', ' x', '@x', '+x', '^x', '\n', ' '].map((end) => `${prefix}${end}`),
			` ${prefix}`,
			`${prefix.slice(-2)}${OTHER_ASCII}x`,
		],
	},
	{
		name: 'usernames.unicode',
		basis: 'bursar',
		guarantee:
			'A username with a letter outside ASCII is refused, even if it folds to one of ASCII, like the Kelvin sign.',
		source: USERNAMES,
		names: (prefix) => ['\u0430', '\u212a', '\u0130', '\u017f', '\uff41'].map((letter) => `${prefix}.${letter}1`),
	},
];

interface RefusedNames extends Rule {
	readonly names: (prefix: string) => readonly string[];
}

/** The forms of a username, and who owns it. */
export const usernameRules: readonly Rule[] = [
	...REFUSED.map(({ names, ...rule }) => ({
		...rule,
		creates: names('').length,
		check: async ({ api, subUsers }: Session) => {
			for (const username of names(subUsers.prefix)) {
				const what = `the username ${JSON.stringify(username)}`;
				expectFailure(await api.create({ username }), 400, 'invalid_username', what);
			}
		},
	})),
	{
		name: 'usernames.shortest-and-longest',
		basis: 'contract',
		guarantee: 'Usernames of 4 and of 32 characters are accepted.',
		source: USERNAMES,
		creates: 2,
		async check({ api, subUsers }) {
			const shortest = subUsers.prefix.slice(-4);
			const longest = `${subUsers.freshName()}_`.padEnd(USERNAME_MAX_LENGTH, 'x');
			for (const username of [shortest, longest]) {
				const answer = await api.create({ username });
				// Another account may already have the short name. `username_taken` still means that it is valid.
				const isGood = isAccepted(answer) || answer.errorCode === 'username_taken';
				expectThat(isGood, `create of a username of ${username.length} characters`, 'a success', showAnswer(answer));
			}
		},
	},
	{
		name: 'usernames.lowercased',
		basis: 'contract',
		guarantee: 'A create converts the username to lowercase.',
		source: USERNAMES,
		creates: 1,
		async check({ api, subUsers }) {
			const username = subUsers.freshName();
			const data = expectAccepted(await api.create({ username: username.toUpperCase() }));
			expectEqual('the username of the new sub-user', fieldOf(data, 'username'), username);
			const read = expectAccepted(await api.viewSingle(username), 'view_single with the name in lowercase');
			expectEqual('the username in view_single', fieldOf(read, 'username'), username);
		},
	},
	{
		name: 'usernames.look-up-in-any-case',
		basis: 'bursar',
		guarantee: 'Every endpoint finds a sub-user by its name in upper or lower case, and answers it in lowercase.',
		source: USERNAMES,
		needs: ['sub-user'],
		balanceCents: 10,
		async check({ api, subUser }) {
			const spelling = subUser().toUpperCase();
			const answers = [
				await api.viewSingle(spelling),
				await api.give(spelling, 1),
				await api.take(spelling, 1),
				await api.resetAuthKey(spelling),
			];
			for (const answer of answers) {
				const data = expectAccepted(answer, `${answer.asked} in capitals`);
				expectEqual(`the username in ${answer.asked}`, fieldOf(data, 'username'), subUser());
			}
			expectAccepted(await api.viewTxs(spelling), `POST ${endpoints.viewUsage.path} in capitals`);
		},
	},
	{
		name: 'usernames.taken',
		basis: 'contract',
		guarantee: 'A create of an existing name, in upper or lower case, answers 409 and does not change the sub-user.',
		source: `${USERNAMES}; docs/api.md 4.2 Status and code`,
		needs: ['sub-user'],
		creates: 2,
		async check({ api, subUser }) {
			const before = accountIn(expectAccepted(await api.viewSingle(subUser())));
			for (const username of [subUser(), subUser().toUpperCase()]) {
				expectFailure(await api.create({ username }), 409, 'username_taken', `the username ${username}`);
			}
			expectEqual('the sub-user afterwards', accountIn(expectAccepted(await api.viewSingle(subUser()))), before);
		},
	},
	{
		name: 'usernames.taken-message',
		basis: 'bursar',
		guarantee: `The message for a taken username is exactly "${TAKEN_MESSAGE}".`,
		source: 'docs/api.md 4.2 Status and code',
		needs: ['sub-user'],
		creates: 1,
		async check({ api, subUser }) {
			const answer = await api.create({ username: subUser() });
			expectFailure(answer, 409, 'username_taken');
			expectEqual('the message', answer.envelope?.message, TAKEN_MESSAGE);
		},
	},
	{
		name: 'usernames.own-name',
		basis: 'bursar',
		guarantee: "The reseller's own name is taken, because names are unique across resellers and sub-users.",
		source: USERNAMES,
		creates: 1,
		async check({ api, reseller }) {
			expectFailure(await api.create({ username: reseller }), 409, 'username_taken', "the reseller's own name");
		},
	},
	{
		name: 'usernames.unique-over-resellers',
		basis: 'contract',
		guarantee: "The name of another reseller's sub-user is taken.",
		source: USERNAMES,
		needs: ['second-reseller'],
		creates: 1,
		async check(session) {
			const answer = await session.api.create({ username: session.second().subUser });
			expectFailure(answer, 409, 'username_taken', "the name of another reseller's sub-user");
		},
	},
	{
		name: 'usernames.name-of-another-reseller',
		basis: 'bursar',
		guarantee: 'The name of another reseller is taken, and the message says nothing else.',
		source: USERNAMES,
		needs: ['second-reseller'],
		creates: 1,
		async check(session) {
			const answer = await session.api.create({ username: session.second().username });
			expectFailure(answer, 409, 'username_taken', 'the name of another reseller');
			expectEqual('the message', answer.envelope?.message, TAKEN_MESSAGE);
		},
	},
];
