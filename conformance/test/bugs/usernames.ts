import { endpoints } from '@bursar/contract';
import { type Bugs, onName } from '../support/bug.ts';
import { ask, asSuccess, dataOf, isCallOf, jsonOf, withData, withEnvelope, withToken } from '../support/differences.ts';

const { createSubUser, giveBalance, resetAuthKey, viewSubUser, viewUsage } = endpoints;

/** Bugs with usernames. */
export const usernameBugs: Bugs = {
	'the Kelvin sign is folded to k': {
		failing: ['usernames.unicode'],
		difference: onName(createSubUser, (name) => name.replaceAll('\u212a', 'k')),
	},
	'the Kelvin sign is folded to k when a sub-user is looked up': {
		failing: ['isolation.near-spellings'],
		difference: onName(viewSubUser, (name) => name.replaceAll('\u212a', 'k')),
	},
	'wide letters become narrow in reset_auth_key': {
		failing: ['isolation.near-spellings'],
		difference: onName(resetAuthKey, (name) => name.normalize('NFKC')),
	},
	'spaces around a username are trimmed when a sub-user is looked up': {
		failing: ['isolation.near-spellings'],
		difference: onName(viewUsage, (name) => name.trim()),
	},
	'a username ends at a null character in give_balance': {
		failing: ['isolation.near-spellings'],
		difference: onName(giveBalance, (name) => name.split('\0')[0] ?? ''),
	},
	'spaces around a username are trimmed, and hyphens become periods': {
		failing: ['usernames.characters'],
		difference: onName(createSubUser, (name) => name.trim().replaceAll('-', '.')),
	},
	'spaces after a new username are cut off': {
		failing: ['usernames.characters'],
		difference: onName(createSubUser, (name) => name.replace(/ +$/, '')),
	},
	'spaces before a new username are cut off': {
		failing: ['usernames.characters'],
		difference: onName(createSubUser, (name) => name.replace(/^ +/, '')),
	},
	'characters that stand between Z and a in ASCII are accepted': {
		failing: ['usernames.characters'],
		difference: onName(createSubUser, (name) => name.replace(/[[\\\]^`]/g, 'x')),
	},
	'only a few of the printable characters are refused': {
		failing: ['usernames.characters'],
		difference: onName(createSubUser, (name) => name.replace(/[!-~]/g, (one) => (/[\w.@+^-]/.test(one) ? one : 'x'))),
	},
	'a plus sign is accepted': {
		failing: ['usernames.characters'],
		difference: onName(createSubUser, (name) => name.replaceAll('+', 'x')),
	},
	'a new username keeps its capitals': {
		failing: ['usernames.lowercased'],
		after({ request, reply }) {
			if (!isCallOf(request, createSubUser)) return reply;
			return withData(reply, (data) => ({ ...data, username: jsonOf(request).username }));
		},
	},
	'look-ups are case-sensitive': {
		failing: ['usernames.look-up-in-any-case'],
		difference: onName(giveBalance, (name) => (name === name.toLowerCase() ? name : '.')),
	},
	'the message for a taken username differs': {
		failing: ['usernames.name-of-another-reseller', 'usernames.taken-message'],
		after({ reply }) {
			if (reply.status !== 409) return reply;
			return withEnvelope(reply, (envelope) => ({ ...envelope, message: 'Username already taken.' }));
		},
	},
	'short usernames are padded': {
		failing: ['usernames.length'],
		difference: onName(createSubUser, (name) => (name.length === 3 ? `${name}000` : name)),
	},
	'a name is made up for an empty username': {
		failing: ['usernames.length'],
		difference: onName(createSubUser, (name) => name || `made.up.${Date.now()}`),
	},
	'long usernames are cut off': {
		failing: ['usernames.length'],
		difference: onName(createSubUser, (name) => (name.length > 33 ? name.slice(0, 32) : name)),
	},
	'periods and underscores around a username are trimmed': {
		failing: ['create-fee.invalid-username', 'usernames.edges'],
		difference: onName(createSubUser, (name) => name.replace(/^[._]+|[._]+$/g, '')),
	},
	'adjacent periods and underscores become one': {
		failing: ['usernames.adjacent'],
		difference: onName(createSubUser, (name) => name.replace(/([._])[._]+/g, '$1')),
	},
	'three adjacent periods are accepted': {
		failing: ['usernames.adjacent'],
		difference: onName(createSubUser, (name) => name.replace('...', '.')),
	},
	'usernames of 32 characters are refused as too long': {
		failing: ['usernames.shortest-and-longest'],
		difference: onName(createSubUser, (name) => (name.length === 32 ? '.' : name)),
	},
	'a create of a taken username resets the key of its owner': {
		failing: ['usernames.taken'],
		async after({ request, reply, forward }) {
			if (reply.status === 409) await forward(ask(request, resetAuthKey, { username: jsonOf(request).username }));
			return reply;
		},
	},
	"a sub-user may have the name of another reseller's sub-user": {
		failing: ['usernames.unique-over-resellers'],
		async after({ request, reply, forward, bolt }) {
			if (reply.status !== 409) return reply;
			const { username } = jsonOf(request);
			const foreign = await dataOf(withToken(ask(request, viewSubUser, { username }), bolt.token), forward);
			return foreign === undefined ? reply : asSuccess(reply, { username, balance: 0 });
		},
	},
	"a sub-user may have the reseller's name": {
		failing: ['usernames.own-name'],
		after({ request, reply, acme }) {
			const isOwn = reply.status === 409 && jsonOf(request).username === acme.username;
			return isOwn ? asSuccess(reply, { username: acme.username, balance: 0 }) : reply;
		},
	},
};
