import { endpoints } from '@bursar/contract';
import { type Bug, onName } from '../support/bug.ts';
import { ask, asSuccess, dataOf, isCallOf, jsonOf, withData, withEnvelope, withToken } from '../support/differences.ts';

const { createSubUser, giveBalance, resetAuthKey, viewSubUser, viewUsage } = endpoints;

/** Bugs with usernames. */
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
		what: 'wide letters become narrow in reset_auth_key',
		failing: ['isolation.near-spellings'],
		difference: () => onName(resetAuthKey, (name) => name.normalize('NFKC')),
	},
	{
		what: 'spaces around a username are trimmed when a sub-user is looked up',
		failing: ['isolation.near-spellings'],
		difference: () => onName(viewUsage, (name) => name.trim()),
	},
	{
		what: 'a username ends at a null character in give_balance',
		failing: ['isolation.near-spellings'],
		difference: () => onName(giveBalance, (name) => name.split('\0')[0] ?? ''),
	},
	{
		what: 'spaces around a username are trimmed, and hyphens become periods',
		failing: ['usernames.characters'],
		difference: () => onName(createSubUser, (name) => name.trim().replaceAll('-', '.')),
	},
	{
		what: 'spaces after a new username are cut off',
		failing: ['usernames.characters'],
		difference: () => onName(createSubUser, (name) => name.replace(/ +$/, '')),
	},
	{
		what: 'spaces before a new username are cut off',
		failing: ['usernames.characters'],
		difference: () => onName(createSubUser, (name) => name.replace(/^ +/, '')),
	},
	{
		what: 'characters that stand between Z and a in ASCII are accepted',
		failing: ['usernames.characters'],
		difference: () => onName(createSubUser, (name) => name.replace(/[[\\\]^`]/g, 'x')),
	},
	{
		what: 'only a few of the printable characters are refused',
		failing: ['usernames.characters'],
		difference: () =>
			onName(createSubUser, (name) => name.replace(/[!-~]/g, (one) => (/[\w.@+^-]/.test(one) ? one : 'x'))),
	},
	{
		what: 'a plus sign is accepted',
		failing: ['usernames.characters'],
		difference: () => onName(createSubUser, (name) => name.replaceAll('+', 'x')),
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
		what: 'look-ups are case-sensitive',
		failing: ['usernames.look-up-in-any-case'],
		difference: () => onName(giveBalance, (name) => (name === name.toLowerCase() ? name : '.')),
	},
	{
		what: 'the message for a taken username differs',
		failing: ['usernames.name-of-another-reseller', 'usernames.taken-message'],
		difference: () => ({
			async call(request, forward) {
				const reply = await forward(request);
				if (reply.status !== 409) return reply;
				return withEnvelope(reply, (envelope) => ({ ...envelope, message: 'Username already taken.' }));
			},
		}),
	},
	{
		what: 'short usernames are padded',
		failing: ['usernames.length'],
		difference: () => onName(createSubUser, (name) => (name.length === 3 ? `${name}000` : name)),
	},
	{
		what: 'a name is made up for an empty username',
		failing: ['usernames.length'],
		difference: () => onName(createSubUser, (name) => name || `made.up.${Date.now()}`),
	},
	{
		what: 'long usernames are cut off',
		failing: ['usernames.length'],
		difference: () => onName(createSubUser, (name) => (name.length > 33 ? name.slice(0, 32) : name)),
	},
	{
		what: 'periods and underscores around a username are trimmed',
		failing: ['create-fee.invalid-username', 'usernames.edges'],
		difference: () => onName(createSubUser, (name) => name.replace(/^[._]+|[._]+$/g, '')),
	},
	{
		what: 'adjacent periods and underscores become one',
		failing: ['usernames.adjacent'],
		difference: () => onName(createSubUser, (name) => name.replace(/([._])[._]+/g, '$1')),
	},
	{
		what: 'three adjacent periods are accepted',
		failing: ['usernames.adjacent'],
		difference: () => onName(createSubUser, (name) => name.replace('...', '.')),
	},
	{
		what: 'usernames of 32 characters are refused as too long',
		failing: ['usernames.shortest-and-longest'],
		difference: () => onName(createSubUser, (name) => (name.length === 32 ? '.' : name)),
	},
	{
		what: 'a create of a taken username resets the key of its owner',
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
		what: "a sub-user may have the name of another reseller's sub-user",
		failing: ['usernames.unique-over-resellers'],
		difference: ({ bolt }) => ({
			async call(request, forward) {
				const reply = await forward(request);
				if (reply.status !== 409) return reply;
				const { username } = jsonOf(request);
				const foreign = await dataOf(withToken(ask(request, viewSubUser, { username }), bolt.token), forward);
				return foreign === undefined ? reply : asSuccess(reply, { username, balance: 0 });
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
