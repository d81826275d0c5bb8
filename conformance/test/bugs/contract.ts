import { endpoints } from '@bursar/contract';
import type { Exchange, Forward, Reply } from '@bursar/testing/http-relay';
import { type Bugs, onAmount, onAnswer, onAuthorization, onDay, onEnvelope, onName, onUsage } from '../support/bug.ts';
import { ask, dataOf, isCallOf, type Json, jsonOf, withData, withEnvelope, withToken } from '../support/differences.ts';
import type { Difference } from '../support/wrong-server.ts';

const { createSubUser, giveBalance, myInfo, resetAuthKey, takeBalance, viewAllSubUsers, viewSubUser, viewUsage } =
	endpoints;

/** Bugs in a service of the bare contract, and the rules of the contract that must find them. */
export const contractBugs: Bugs = {
	'the fee is not charged on a create that fails': {
		failing: ['create-fee.invalid-username', 'create-fee.taken-username', 'create.race', 'spending.every-cent'],
		async call({ request, forward }) {
			if (!isCallOf(request, createSubUser)) return forward(request);
			const { username } = jsonOf(request);
			const isTaken = (await dataOf(ask(request, viewSubUser, { username }), forward)) !== undefined;
			return isTaken || !/^\w+[.\w]+\w$/.test(username) ? refused(request, forward) : forward(request);
		},
	},
	'the fee is charged twice': {
		failing: ['create-fee.success', 'create.race', 'spending.every-cent'],
		difference: after(createSubUser, (request, forward) => forward(ask(request, createSubUser, {}))),
	},
	'the fee is charged on a create without a valid token': {
		failing: ['create-fee.unauthorized', 'spending.every-cent'],
		async after({ request, reply, forward, acme }) {
			if (!isCallOf(request, createSubUser) || reply.status !== 403) return reply;
			await forward(withToken(ask(request, createSubUser, {}), acme.token));
			return reply;
		},
	},
	'a create without enough balance is answered as a success': {
		failing: ['create-fee.last-ten-cents', 'create-fee.too-poor'],
		after({ reply }) {
			if (reply.status !== 423) return reply;
			return { ...reply, status: 201, body: reply.body.replace('"status":423', '"status":201') };
		},
	},
	'two creates of one name at the same time both succeed': {
		failing: ['create.race'],
		difference: () => {
			const underWay = new Set<string>();
			return {
				async call(request, forward) {
					if (!isCallOf(request, createSubUser)) return forward(request);
					const { username } = jsonOf(request);
					const isSecond = underWay.has(username);
					underWay.add(username);
					const reply = await forward(request);
					setTimeout(() => underWay.delete(username), 100);
					return isSecond && reply.status === 422
						? { ...reply, status: 201, body: reply.body.replace('"status":422', '"status":201') }
						: reply;
				},
			};
		},
	},
	'a give moves the amount twice': {
		failing: [
			'amounts.below-one',
			'amounts.fractions',
			'amounts.other-types',
			'amounts.unsafe-integers',
			'transfers.add-up-at-the-same-time',
			'transfers.beyond-the-sub-users-balance',
			'transfers.give',
			'transfers.racing-takes',
			'transfers.take',
		],
		difference: after(giveBalance, (request, forward) => forward(request)),
	},
	'a take moves the amount twice': {
		failing: ['transfers.take'],
		difference: after(takeBalance, (request, forward) => forward(request)),
	},
	'the answer to a give has the balance from before': {
		failing: ['transfers.give', 'transfers.racing-gives', 'transfers.whole-balance'],
		after({ request, reply }) {
			if (!isCallOf(request, giveBalance)) return reply;
			const { amount_usd_cents: amount } = jsonOf(request);
			return withEnvelope(reply, (envelope) => ({
				...envelope,
				data: { new_balance: envelope.data?.new_balance - amount },
			}));
		},
	},
	'an amount beyond the balance moves the whole balance': {
		failing: [
			'amounts.unsafe-integers',
			'transfers.beyond-the-resellers-balance',
			'transfers.beyond-the-sub-users-balance',
			'transfers.racing-gives',
			'transfers.racing-takes',
		],
		async after({ request, reply, forward }) {
			const isTransfer = isCallOf(request, giveBalance) || isCallOf(request, takeBalance);
			if (!isTransfer || reply.status !== 422) return reply;
			const { username, amount_usd_cents: amount } = jsonOf(request);
			const payer = isCallOf(request, giveBalance) ? ask(request, myInfo) : ask(request, viewSubUser, { username });
			const { balance } = await dataOf(payer, forward);
			if (!(amount > balance) || balance === 0) return reply;
			const { path, method } = request;
			return forward(ask(request, { path, method } as typeof giveBalance, { username, amount_usd_cents: balance }));
		},
	},
	'fractions and negative amounts are made whole and positive': {
		failing: ['amounts.below-one', 'amounts.fractions'],
		difference: onAmount((amount) =>
			typeof amount === 'number' ? Math.min(Math.abs(Math.ceil(amount)), 2 ** 53 - 1) : amount,
		),
	},
	'true counts as an amount of 1': {
		failing: ['amounts.other-types'],
		difference: onAmount((amount) => (amount === true ? 1 : amount)),
	},
	'amounts of 2^53 and more move a cent': {
		failing: ['amounts.unsafe-integers'],
		difference: onAmount((amount) => (typeof amount === 'number' && amount >= 2 ** 53 ? 1 : amount)),
	},
	"another reseller's sub-user can be viewed": {
		failing: ['isolation.foreign'],
		after({ request, reply, forward, bolt }) {
			if (!isCallOf(request, viewSubUser) || reply.status !== 400) return reply;
			return forward(withToken(request, bolt.token));
		},
	},
	'view_all shows the sub-users of all resellers': {
		failing: ['isolation.lists'],
		async after({ request, reply, forward, acme, bolt }) {
			if (!isCallOf(request, viewAllSubUsers) || reply.status !== 200) return reply;
			const all = [acme, bolt].map(({ token }) => dataOf(withToken(request, token), forward));
			const data = (await Promise.all(all)).flat();
			return withEnvelope(reply, (envelope) => ({ ...envelope, data }));
		},
	},
	'an unknown sub-user has an empty record of usage': {
		failing: ['isolation.foreign', 'isolation.ill-formed', 'isolation.unknown'],
		after({ request, reply }) {
			if (!isCallOf(request, viewUsage) || reply.status !== 400) return reply;
			return { ...reply, status: 200, body: reply.body.replace('"status":400', '"status":200') };
		},
	},
	'a name is taken for another reseller only': {
		failing: ['usernames.unique-over-resellers'],
		async after({ request, reply, forward, bolt }) {
			if (!isCallOf(request, createSubUser) || reply.status !== 422) return reply;
			const { username } = jsonOf(request);
			const foreign = await dataOf(withToken(ask(request, viewSubUser, { username }), bolt.token), forward);
			return foreign === undefined ? reply : { ...reply, status: 201, body: reply.body.replace('422', '201') };
		},
	},
	'a create of a taken name replaces the key of its owner': {
		failing: ['usernames.taken'],
		async after({ request, reply, forward }) {
			if (!isCallOf(request, createSubUser) || reply.status !== 422) return reply;
			await forward(ask(request, resetAuthKey, { username: String(jsonOf(request).username).toLowerCase() }));
			return reply;
		},
	},
	'a reset does not replace the key': {
		failing: ['auth-keys.reset-replaces'],
		call: ({ request, forward }) =>
			forward(isCallOf(request, resetAuthKey) ? { ...request, path: viewSubUser.path } : request),
	},
	'a reset takes a cent': {
		failing: ['auth-keys.reset-moves-nothing'],
		difference: after(resetAuthKey, (request, forward) =>
			forward(ask(request, takeBalance, { username: jsonOf(request).username, amount_usd_cents: 1 })),
		),
	},
	'view_single replaces the key': {
		failing: [
			'auth-keys.reset-moves-nothing',
			'auth-keys.reset-replaces',
			'isolation.foreign',
			'reads.change-nothing',
			'transfers.give',
			'transfers.take',
			'usernames.taken',
		],
		difference: after(viewSubUser, (request, forward) =>
			forward(ask(request, resetAuthKey, { username: jsonOf(request).username })),
		),
	},
	'names keep their capitals': {
		failing: ['usernames.lowercased'],
		after({ request, reply }) {
			const { username } = isCallOf(request, createSubUser) ? jsonOf(request) : {};
			if (reply.status !== 201) return reply;
			return withEnvelope(reply, (envelope) => ({ ...envelope, data: { ...envelope.data, username } }));
		},
	},
	'names are mended instead of refused': {
		failing: ['create-fee.invalid-username', 'usernames.adjacent', 'usernames.characters', 'usernames.length'],
		difference: onName(createSubUser, (name) =>
			name
				.replace(/[^\p{L}\p{N}._]/gu, 'x')
				.replace(/^[._]+|[._]+$/g, '')
				.replace(/([._])[._]+/g, '$1')
				.padEnd(4, '0')
				.slice(0, 32),
		),
	},
	'names may end with a period or an underscore': {
		failing: ['usernames.edges'],
		difference: onName(createSubUser, (name) => name.replace(/[._]+$/, 'x')),
	},
	'names of 32 characters are refused': {
		failing: ['usernames.shortest-and-longest'],
		difference: onName(createSubUser, (name) => (name.length === 32 ? '.' : name)),
	},
	'days begin at midnight of another time zone': {
		failing: ['usage.start-of-day'],
		// East of Greenwich. West of it, the newest record could be from the future, and another rule would find it too.
		difference: onUsage((records) =>
			records.map((record) => ({
				...record,
				timestamp: new Date(Date.parse(record.timestamp) - 2 * 3_600_000).toISOString(),
			})),
		),
	},
	'dates have the offset of another time zone': {
		failing: ['create.is-read-afterwards', 'reads.agree', 'reads.dates'],
		difference: onAnswer(viewSubUser, (data) => ({
			...data,
			date_created: data.date_created.replace('+00:00', '+02:00'),
		})),
	},
	'usage from before the window is shown, and a day has two records': {
		failing: ['usage.one-record-a-day', 'usage.window'],
		difference: onUsage((records) => [...records, records[0], onDay(records[0], -92)]),
	},
	'byte counts are text': {
		failing: ['usage.record'],
		difference: onUsage((records) =>
			records.map(({ bandwidth, ...rest }) => ({ ...rest, bandwidth: { ...bandwidth, up: `${bandwidth.up}` } })),
		),
	},
	'sub-users have no date': {
		failing: ['create.is-read-afterwards', 'reads.dates', 'reads.view-all', 'reads.view-single'],
		difference: () => {
			const without = ({ date_created: _date, ...rest }: Json) => rest;
			return {
				async call(request, forward) {
					const reply = await forward(request);
					if (isCallOf(request, viewSubUser)) return withData(reply, without);
					return isCallOf(request, viewAllSubUsers) ? withData(reply, (all: Json[]) => all.map(without)) : reply;
				},
			};
		},
	},
	'view_all has a sub-user with a wrong name, half a cent and no key': {
		failing: ['isolation.lists', 'reads.auth-keys', 'reads.balances', 'reads.usernames'],
		difference: () => {
			const date_created = new Date().toISOString();
			const odd = { username: 'Odd..one', balance: 0.5, proxy_authkey: '', date_created };
			return onAnswer(viewAllSubUsers, (all) => [...all, odd]);
		},
	},
	'my_info has no key': {
		failing: ['reads.auth-keys', 'reads.my-info'],
		difference: onAnswer(myInfo, ({ proxy_authkey: _key, ...data }) => data),
	},
	'view_all shows a sub-user twice, with other balances': {
		failing: ['create.is-read-afterwards', 'reads.agree', 'reads.view-all-once'],
		difference: onAnswer(viewAllSubUsers, (all) => [...all, ...all].map((entry: Json) => ({ ...entry, balance: 5 }))),
	},
	'no token is checked, except by my_info and create': {
		failing: [
			'authentication.absent-token',
			'authentication.auth-key-is-no-token',
			'authentication.malformed-header',
			'authentication.unknown-token',
		],
		call({ request, forward, acme, bolt }) {
			const { authorization = '' } = request.headers;
			const isKnown = [acme, bolt].some(({ token }) => authorization === `Bearer ${token}`);
			const isChecked = isCallOf(request, myInfo) || isCallOf(request, createSubUser);
			return forward(isKnown || isChecked ? request : withToken(request, acme.token));
		},
	},
	'a token may be in the query': {
		failing: ['authentication.token-elsewhere'],
		call({ request, forward }) {
			const [path = '', token] = request.path.split('?token=');
			return forward(token === undefined ? request : withToken({ ...request, path }, token.split('&')[0] ?? ''));
		},
	},
	'a token without the scheme is accepted': {
		failing: ['authentication.malformed-header'],
		difference: onAuthorization((header) => (header.includes(' ') ? header : `Bearer ${header}`)),
	},
	'failures are no JSON': {
		failing: ['every-answer.json-object'],
		after({ reply }) {
			return reply.status >= 400 ? { ...reply, body: 'Sorry.' } : reply;
		},
	},
	'the envelope has other values': {
		failing: [
			'every-answer.message',
			'every-answer.no-token',
			'every-answer.status-repeated',
			'every-answer.timestamp',
		],
		difference: ({ acme }) =>
			onEnvelope(({ data }) => ({ data, message: null, status: 'ok', timestamp: Date.now(), token: acme.token })),
	},
	'the envelope has no message': {
		failing: ['every-answer.four-fields', 'every-answer.message'],
		difference: onEnvelope(({ message: _message, ...envelope }) => envelope),
	},
};

/** Does more after each success of the endpoint. */
function after(
	endpoint: (typeof endpoints)[keyof typeof endpoints],
	more: (request: Exchange, forward: Forward) => Promise<unknown>,
): Difference {
	return {
		async call(request, forward) {
			const reply = await forward(request);
			if (isCallOf(request, endpoint) && reply.status < 300) await more(request, forward);
			return reply;
		},
	};
}

/** A refusal that did nothing. */
function refused(request: Exchange, forward: Forward): Promise<Reply> {
	return forward(ask(request, viewSubUser, { username: 'no.such.name' }));
}
