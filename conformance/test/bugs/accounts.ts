import { type Endpoint, endpoints, normalizeUsername } from '@bursar/contract';
import { type Bugs, onAnswer, onDay, onUsage } from '../support/bug.ts';
import {
	asFailure,
	ask,
	asSuccess,
	dataOf,
	isCallOf,
	type Json,
	jsonOf,
	withData,
	withToken,
} from '../support/differences.ts';
import type { Difference } from '../support/wrong-server.ts';

const { createSubUser, giveBalance, myInfo, resetAuthKey, takeBalance, viewAllSubUsers, viewSubUser, viewUsage } =
	endpoints;

/** Bugs in reads, and in who may read. */
export const accountBugs: Bugs = {
	"another reseller's sub-user can be viewed": {
		failing: ['isolation.foreign'],
		async after({ request, reply, forward, bolt }) {
			if (!isCallOf(request, viewSubUser) || reply.status !== 404) return reply;
			const leaked = await forward(withToken(request, bolt.token));
			return leaked.status === 200 ? leaked : reply;
		},
	},
	"money can be taken from another reseller's sub-user": {
		failing: ['isolation.foreign'],
		async after({ request, reply, forward, bolt }) {
			if (!isCallOf(request, takeBalance) || reply.status !== 404) return reply;
			const taken = await forward(withToken(request, bolt.token));
			return taken.status === 200 ? taken : reply;
		},
	},
	"another reseller's sub-user answers 403": {
		failing: ['every-answer.error-code', 'isolation.foreign'],
		async after({ request, reply, forward, bolt }) {
			if (!isCallOf(request, viewUsage) || reply.status !== 404) return reply;
			const { status } = await forward(withToken(request, bolt.token));
			return status === 200 ? asFailure(reply, 403, 'forbidden') : reply;
		},
	},
	'an invalid username answers differently from an unknown one': {
		failing: ['isolation.ill-formed', 'isolation.near-spellings'],
		after({ request, reply }) {
			if (!isCallOf(request, viewSubUser) || reply.status !== 404) return reply;
			if (normalizeUsername(jsonOf(request).username) !== undefined) return reply;
			return asFailure(reply, 400, 'invalid_username');
		},
	},
	'the reseller can view itself as a sub-user': {
		failing: ['isolation.itself'],
		async after({ request, reply, forward }) {
			if (!isCallOf(request, viewSubUser) || reply.status !== 404) return reply;
			const own = await dataOf(ask(request, myInfo), forward);
			return own.username === jsonOf(request).username ? asSuccess(reply, own) : reply;
		},
	},
	'view_all shows a sub-user twice': {
		failing: ['reads.view-all-once'],
		difference: onAnswer(viewAllSubUsers, (all) => [...all, all.at(-1)]),
	},
	'view_all does not yet show the newest sub-user': {
		failing: ['create.is-read-afterwards'],
		difference: onAnswer(viewAllSubUsers, (all) => {
			const dates = all.map(({ date_created }: { date_created: string }) => date_created).sort();
			return all.filter(({ date_created }: { date_created: string }) => date_created !== dates.at(-1));
		}),
	},
	'my_info has one more field': {
		failing: ['reads.my-info'],
		difference: onAnswer(myInfo, (data) => ({ ...data, sub_users: 3 })),
	},
	'dates have no milliseconds': {
		failing: ['reads.dates'],
		difference: onAnswer(myInfo, (data) => ({ ...data, date_created: data.date_created.replace(/\.\d+Z/, 'Z') })),
	},
	'auth keys have a hyphen': {
		failing: ['auth-keys.reset-answer', 'auth-keys.reset-replaces'],
		difference: onAnswer(resetAuthKey, (data) => ({ ...data, proxy_authkey: data.proxy_authkey.replace(/.$/, '-') })),
	},
	'a reset does not change the key': {
		failing: ['auth-keys.reset-replaces'],
		async call({ request, forward }) {
			if (!isCallOf(request, resetAuthKey)) return forward(request);
			const reply = await forward({ ...request, path: viewSubUser.path });
			return withData(reply, ({ username, proxy_authkey }) => ({ username, proxy_authkey }));
		},
	},
	'usage from before the window is shown': {
		failing: ['usage.window'],
		difference: onUsage((records) => [...records, onDay(records[0], -91)]),
	},
	'a day of usage has two records': {
		failing: ['usage.one-record-a-day'],
		difference: onUsage((records) => [...records.slice(1), records[1]]),
	},
	'usage has dates without a time': {
		failing: ['usage.start-of-day'],
		difference: onUsage((records) =>
			records.map((record) => ({ ...record, timestamp: record.timestamp.slice(0, 10) })),
		),
	},
	'byte counts of usage are text': {
		failing: ['usage.record'],
		difference: onUsage((records) =>
			records.map((record) => ({ ...record, bandwidth: { ...record.bandwidth, up: String(record.bandwidth.up) } })),
		),
	},
	'create uses the balance in its body': {
		failing: ['create.ignores-other-fields'],
		after({ request, reply }) {
			if (!isCallOf(request, createSubUser)) return reply;
			return withData(reply, (data) => ({ ...data, balance: jsonOf(request).balance ?? 0 }));
		},
	},
	'a reset empties the sub-user': {
		failing: ['auth-keys.reset-moves-nothing'],
		async after({ request, reply, forward }) {
			if (!isCallOf(request, resetAuthKey) || reply.status !== 200) return reply;
			const { username } = jsonOf(request);
			const { balance } = await dataOf(ask(request, viewSubUser, { username }), forward);
			if (balance > 0) await forward(ask(request, takeBalance, { username, amount_usd_cents: balance }));
			return reply;
		},
	},
	'view_single has one more field': {
		failing: ['create.answer', 'reads.view-single'],
		difference: onAnswer(viewSubUser, (data) => ({ ...data, reseller: 'acme' })),
	},
	'view_all has one field less': {
		failing: ['create.is-read-afterwards', 'reads.agree', 'reads.dates', 'reads.view-all'],
		difference: onAnswer(viewAllSubUsers, (all) => all.map(({ date_created: _date, ...entry }: Json) => entry)),
	},
	'view_all has balances as text': {
		failing: ['create.is-read-afterwards', 'reads.agree', 'reads.balances'],
		difference: onAnswer(viewAllSubUsers, (all) =>
			all.map((entry: Json) => ({ ...entry, balance: String(entry.balance) })),
		),
	},
	"the reseller's name is in capitals": {
		failing: ['reads.usernames'],
		difference: onAnswer(myInfo, (data) => ({ ...data, username: data.username.toUpperCase() })),
	},
	"the reseller's auth key is too long": {
		failing: ['reads.auth-keys'],
		difference: onAnswer(myInfo, (data) => ({ ...data, proxy_authkey: `${data.proxy_authkey}x` })),
	},
	'view_all shows the sub-users of all resellers': {
		failing: ['isolation.lists'],
		async after({ request, reply, forward, bolt }) {
			if (!isCallOf(request, viewAllSubUsers)) return reply;
			const others = (await dataOf(withToken(request, bolt.token), forward)) as Json[];
			const isMissing = (all: Json[], { username }: Json) => !all.some((entry) => entry.username === username);
			return withData(reply, (all) => [...all, ...others.filter((other) => isMissing(all, other))]);
		},
	},
	'view_all shows all resellers a sub-user that is older than the run': {
		failing: ['isolation.lists'],
		difference: onAnswer(viewAllSubUsers, (all) => [...all, { ...all[0], username: 'old.one' }]),
	},
	'view_all shows every balance as 0': {
		failing: ['reads.agree'],
		difference: onAnswer(viewAllSubUsers, (all) => all.map((entry: Json) => ({ ...entry, balance: 0 }))),
	},
	'view_all shows balances above 0 with one cent more': {
		failing: ['reads.agree'],
		difference: onAnswer(viewAllSubUsers, (all) =>
			all.map((entry: Json) => ({ ...entry, balance: entry.balance && entry.balance + 1 })),
		),
	},
	'view_all leaves out sub-users with names of 32 characters': {
		failing: ['reads.view-all-once'],
		alongside: ['usernames.shortest-and-longest'],
		difference: onAnswer(viewAllSubUsers, (all) => all.filter(({ username }: Json) => username.length < 32)),
	},
	'dates are eight hours behind': {
		failing: ['create.is-read-afterwards'],
		difference: onDate((date) => new Date(Date.parse(date) - 8 * 3_600_000).toISOString()),
	},
	'every date is the same': {
		failing: ['create.is-read-afterwards'],
		difference: onDate(() => '2026-01-01T00:00:00.000Z'),
	},
	'a give replaces the auth key': {
		failing: ['transfers.give'],
		difference: resettingAfter(giveBalance),
	},
	'a take replaces the auth key': {
		failing: ['transfers.take'],
		difference: resettingAfter(takeBalance),
	},
	'view_txs replaces the auth key': {
		failing: ['reads.change-nothing'],
		difference: resettingAfter(viewUsage),
	},
	'a give sets the date to now': {
		failing: ['transfers.give'],
		difference: () => {
			let givenAt: string | undefined;
			return {
				async call(request, forward) {
					const reply = await forward(request);
					if (isCallOf(request, giveBalance)) givenAt = new Date().toISOString();
					if (!isCallOf(request, viewSubUser)) return reply;
					return withData(reply, (data) => ({ ...data, date_created: givenAt ?? data.date_created }));
				},
			};
		},
	},
	"a reset replaces the keys of all the reseller's sub-users": {
		failing: ['auth-keys.reset-moves-nothing'],
		async call({ request, forward }) {
			if (!isCallOf(request, resetAuthKey)) return forward(request);
			const all: Json[] = await dataOf(ask(request, viewAllSubUsers), forward);
			for (const { username } of all) await forward(ask(request, resetAuthKey, { username }));
			return forward(request);
		},
	},
	'the usage of an unknown sub-user is empty': {
		failing: ['bodies.just-small-enough', 'isolation.unknown'],
		after({ request, reply }) {
			return isCallOf(request, viewUsage) && reply.status === 404 ? asSuccess(reply, []) : reply;
		},
	},
	'a day without usage has a record': {
		failing: ['usage.none'],
		difference: onAnswer(viewUsage, (records) =>
			records.length > 0 ? records : [{ bandwidth: { up: 0, down: 0 }, timestamp: '2026-11-21T00:00:00.000Z' }],
		),
	},
};

/** Changes the date of the sub-user in the answers of create and view_single, and of each one in view_all. */
function onDate(change: (date: string) => string): Difference {
	const changed = (account: Json) => ({ ...account, date_created: change(account.date_created) });
	return {
		async call(request, forward) {
			const reply = await forward(request);
			if (isCallOf(request, viewAllSubUsers)) return withData(reply, (all) => all.map(changed));
			const isOne = isCallOf(request, createSubUser) || isCallOf(request, viewSubUser);
			return isOne ? withData(reply, changed) : reply;
		},
	};
}

/** Replaces the auth key of the sub-user after each success of the endpoint. */
function resettingAfter(endpoint: Endpoint): Difference {
	return {
		async call(request, forward) {
			const reply = await forward(request);
			if (isCallOf(request, endpoint) && reply.status === 200) {
				await forward(ask(request, resetAuthKey, { username: jsonOf(request).username }));
			}
			return reply;
		},
	};
}
