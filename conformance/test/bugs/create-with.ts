import { allEndpoints, endpoints } from '@bursar/contract';
import type { Exchange } from '@bursar/testing/http-relay';
import { type Bugs, onAnswer } from '../support/bug.ts';
import { asFailure, ask, dataOf, isCallOf, type Json, jsonOf, withJson, withToken } from '../support/differences.ts';

const { createSubUser, giveBalance, viewSubUser } = endpoints;
const { createSubUserWith, viewChange } = allEndpoints;
const isCreateWith = (request: Exchange) => isCallOf(request, createSubUserWith);

/** Bugs in `create_with`. */
export const createWithBugs: Bugs = {
	'the limits are forgotten': {
		failing: ['create-with.answer', 'create-with.malformed'],
		call: ({ request, forward }) => forward(changed(request, ({ limits: _, ...sent }) => sent)),
	},
	'the note is forgotten': {
		failing: ['create-with.answer', 'create-with.malformed'],
		call: ({ request, forward }) => forward(changed(request, ({ note: _, ...sent }) => sent)),
	},
	'the answer does not have the balance': {
		failing: ['create-with.answer'],
		difference: onAnswer(createSubUserWith, (data) => ({ ...data, balance: 0 })),
	},
	'a limit with an unknown name is ignored': {
		failing: ['create-with.malformed'],
		call: ({ request, forward }) =>
			forward(
				changed(request, (sent) =>
					sent.limits?.daybytes === undefined ? sent : { username: sent.username, limits: {} },
				),
			),
	},
	'a malformed request costs the fee': {
		failing: ['create-with.malformed', 'spending.every-cent'],
		async after({ request, reply, forward }) {
			if (isCreateWith(request) && reply.status === 400 && isOfReseller(request)) {
				await forward(ask(request, createSubUser, {}));
			}
			return reply;
		},
	},
	'no token is needed': {
		failing: ['create-with.without-token'],
		perhaps: ['spending.every-cent'],
		call({ request, forward, acme }) {
			const isOpen = isCreateWith(request) && !isOfReseller(request) && jsonOf(request)?.username !== undefined;
			return forward(isOpen ? withToken(request, acme.token) : request);
		},
	},
	'a taken name costs nothing': {
		failing: ['create-with.taken-username', 'create-with.too-poor', 'spending.every-cent'],
		async call({ request, forward }) {
			const { username } = (isCreateWith(request) && jsonOf(request)) || {};
			const isOwn = username !== undefined && (await dataOf(ask(request, viewSubUser, { username }), forward));
			if (!isOwn) return forward(request);
			return asFailure(await forward({ ...request, path: '/nothing' }), 409, 'username_taken');
		},
	},
	'a taken name that is the own one is given the balance': {
		failing: ['create-with.taken-username'],
		perhaps: ['spending.every-cent'],
		async after({ request, reply, forward }) {
			const isTaken = isCreateWith(request) && reply.headers['x-error-code'] === 'username_taken';
			if (isTaken) await forward(ask(request, giveBalance, jsonOf(request)));
			return reply;
		},
	},
	'it is a create and a give, and the create stays if the give fails': {
		failing: ['create-with.too-poor', 'spending.every-cent'],
		async after({ request, reply, forward }) {
			if (isCreateWith(request) && reply.status === 402) {
				await forward(ask(request, createSubUser, { username: jsonOf(request).username }));
			}
			return reply;
		},
	},
	'a repeat is done again': {
		failing: ['create-with.repeated'],
		after({ request, reply, forward }) {
			const { 'x-change-id': _id, ...headers } = request.headers;
			const isAgain = isCreateWith(request) && reply.headers['x-error-code'] === 'change_repeated';
			return isAgain ? forward({ ...request, headers }) : reply;
		},
	},
	'the look tells the fee': {
		failing: ['create-with.repeated'],
		difference: onAnswer(viewChange, (told) => (told?.kind === 'create_with' ? { ...told, amount: 10 } : told)),
	},
};

function changed(request: Exchange, change: (sent: Json) => unknown): Exchange {
	const sent = isCreateWith(request) ? jsonOf(request) : undefined;
	return sent ? withJson(request, change(sent)) : request;
}

function isOfReseller({ headers }: Exchange): boolean {
	return headers.authorization !== undefined;
}
