import { endpoints } from '@bursar/contract';
import { type Bug, onName } from '../support/bug.ts';
import { ask, asSuccess, isCallOf, jsonOf, withData, withEnvelope } from '../support/differences.ts';

const { createSubUser, giveBalance, resetAuthKey, viewSubUser, viewUsage } = endpoints;

/** Bugs about names. */
export const usernameBugs: readonly Bug[] = [
	{
		what: 'the Kelvin sign is folded to k',
		failing: ['usernames.unicode'],
		difference: () => onName(createSubUser, (name) => name.replaceAll('\u212a', 'k')),
	},
	{
		what: 'the Kelvin sign is folded to k when a sub-user is looked up',
		failing: ['isolation.near-spellings'],
		difference: () => onName(viewSubUser, (name) => name.replaceAll('\u212a', 'k')),
	},
	{
		what: 'wide letters are made narrow when the key of a sub-user is reset',
		failing: ['isolation.near-spellings'],
		difference: () => onName(resetAuthKey, (name) => name.normalize('NFKC')),
	},
	{
		what: 'spaces around a username are trimmed when a sub-user is looked up',
		failing: ['isolation.near-spellings'],
		difference: () => onName(viewUsage, (name) => name.trim()),
	},
	{
		what: 'a username ends at a null character when balance is given to it',
		failing: ['isolation.near-spellings'],
		difference: () => onName(giveBalance, (name) => name.split('\0')[0] ?? ''),
	},
	{
		what: 'spaces around a username are trimmed, and hyphens made periods',
		failing: ['usernames.characters'],
		difference: () => onName(createSubUser, (name) => name.trim().replaceAll('-', '.')),
	},
	{
		what: 'a new username keeps its capitals',
		failing: ['usernames.lowercased'],
		difference: () => ({
			async call(request, forward) {
				const reply = await forward(request);
				if (!isCallOf(request, createSubUser)) return reply;
				return withData(reply, (data) => ({ ...data, username: jsonOf(request).username }));
			},
		}),
	},
	{
		what: 'look-ups tell capitals from small letters',
		failing: ['usernames.look-up-in-any-case'],
		difference: () => onName(giveBalance, (name) => (name === name.toLowerCase() ? name : '.')),
	},
	{
		what: 'the message for a taken username is another one',
		failing: ['usernames.taken-message', 'usernames.unique-over-resellers'],
		difference: () => ({
			async call(request, forward) {
				const reply = await forward(request);
				if (reply.status !== 409) return reply;
				return withEnvelope(reply, (envelope) => ({ ...envelope, message: 'Username already taken.' }));
			},
		}),
	},
	{
		what: 'short usernames are made longer',
		failing: ['usernames.length'],
		difference: () => onName(createSubUser, (name) => (name.length === 3 ? `${name}000` : name)),
	},
	{
		what: 'periods and underscores around a username are cut off',
		failing: ['create-fee.invalid-username', 'usernames.edges'],
		difference: () => onName(createSubUser, (name) => name.replace(/^[._]+|[._]+$/g, '')),
	},
	{
		what: 'periods and underscores side by side become one',
		failing: ['usernames.adjacent'],
		difference: () => onName(createSubUser, (name) => name.replace(/([._])[._]+/g, '$1')),
	},
	{
		what: 'usernames of 32 characters are too long',
		failing: ['usernames.shortest-and-longest'],
		difference: () => onName(createSubUser, (name) => (name.length === 32 ? '.' : name)),
	},
	{
		what: 'a create of a taken username resets the key of who has it',
		failing: ['usernames.taken'],
		difference: () => ({
			async call(request, forward) {
				const reply = await forward(request);
				if (reply.status === 409) await forward(ask(request, resetAuthKey, { username: jsonOf(request).username }));
				return reply;
			},
		}),
	},
	{
		what: "a sub-user may have the reseller's name",
		failing: ['usernames.own-name'],
		difference: ({ acme }) => ({
			async call(request, forward) {
				const reply = await forward(request);
				const isOwn = reply.status === 409 && jsonOf(request).username === acme.username;
				return isOwn ? asSuccess(reply, { username: acme.username, balance: 0 }) : reply;
			},
		}),
	},
];
