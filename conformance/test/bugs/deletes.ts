import { allEndpoints, endpoints } from '@bursar/contract';
import { type Bugs, onAnswer, onName } from '../support/bug.ts';
import { ask, asSuccess, dataOf, isCallOf, jsonOf } from '../support/differences.ts';
import type { Difference } from '../support/wrong-server.ts';

const { createSubUser, giveBalance, viewSubUser } = endpoints;
const { deleteSubUser } = allEndpoints;

/** Bugs in deletes. */
export const deleteBugs: Bugs = {
	'a delete does not answer what went back': {
		failing: ['deletes.answer', 'deletes.race', 'deletes.race-with-transfers'],
		difference: onAnswer(deleteSubUser, (data) => ({ ...data, amount_usd_cents: 0 })),
	},
	'a delete loses a cent': {
		failing: ['deletes.answer', 'deletes.is-gone', 'deletes.race', 'deletes.race-with-transfers'],
		perhaps: ['spending.every-cent'],
		difference: losingACent(),
	},
	'a deleted sub-user can still be viewed': {
		failing: ['deletes.is-gone', 'deletes.name-stays-taken'],
		perhaps: ['spending.every-cent'],
		difference: () => {
			const seen = new Map<string, unknown>();
			return {
				async call(request, forward) {
					const name = jsonOf(request)?.username;
					if (isCallOf(request, deleteSubUser))
						seen.set(name, await dataOf(ask(request, viewSubUser, { username: name }), forward));
					const reply = await forward(request);
					const isGone = isCallOf(request, viewSubUser) && reply.status === 404 && seen.has(name);
					return isGone ? asSuccess(reply, seen.get(name)) : reply;
				},
			};
		},
	},
	'a second delete succeeds': {
		failing: ['deletes.is-gone', 'deletes.race'],
		after({ request, reply }) {
			if (!isCallOf(request, deleteSubUser) || reply.status !== 404) return reply;
			return asSuccess(reply, { username: jsonOf(request).username, amount_usd_cents: 0 });
		},
	},
	'the name of a deleted sub-user is free': {
		failing: ['deletes.name-stays-taken'],
		difference: () => {
			const deleted = new Set<string>();
			return {
				async call(request, forward) {
					const name = jsonOf(request)?.username;
					if (isCallOf(request, deleteSubUser)) deleted.add(name);
					const reply = await forward(request);
					if (!isCallOf(request, createSubUser) || !deleted.has(name)) return reply;
					const data = { username: name, balance: 0, proxy_authkey: '4fQ9sLw2ZbT7xKc1', date_created: '2026-11-21' };
					return asSuccess(reply, data);
				},
			};
		},
	},
	'a give to a sub-user that is being deleted is answered as done': {
		failing: ['deletes.is-gone'],
		perhaps: ['deletes.race-with-transfers'],
		after({ request, reply }) {
			if (!isCallOf(request, giveBalance) || reply.status !== 404) return reply;
			return asSuccess(reply, { username: jsonOf(request).username, balance: 3 });
		},
	},
	'capitals are not the same name for a delete': {
		failing: ['deletes.answer'],
		difference: onName(deleteSubUser, (name) => (name === name.toLowerCase() ? name : `${name}.no`)),
	},
};

/** Another sub-user gets a cent with each delete that returned something. */
function losingACent(): Difference {
	return {
		async call(request, forward) {
			const reply = await forward(request);
			if (!isCallOf(request, deleteSubUser) || reply.status !== 200) return reply;
			if (JSON.parse(reply.body).data.amount_usd_cents > 0)
				await forward(ask(request, giveBalance, { username: 'used.one', amount_usd_cents: 1 }));
			return reply;
		},
	};
}
