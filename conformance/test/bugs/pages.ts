import { allEndpoints, type Endpoint } from '@bursar/contract';
import type { Exchange } from '@bursar/testing/http-relay';
import { type Bug, type Bugs, onAnswer } from '../support/bug.ts';
import { ask, asSuccess, dataOf, isCallOf, type Json, jsonOf, withJson, withToken } from '../support/differences.ts';
import type { Difference } from '../support/wrong-server.ts';

const { viewStatementPage, viewSubUserPage } = allEndpoints;

/** Bugs in the pages of sub-users and of the statement. */
export const pageBugs: Bugs = {
	'the last sub-user of a page is left out': {
		failing: ['pages.walk', 'pages.all', 'pages.states'],
		difference: onRows((rows) => rows.slice(0, -1)),
	},
	'a page begins with the last sub-user of the one before': {
		failing: ['pages.walk'],
		call({ request, forward }) {
			const sent = isCallOf(request, viewSubUserPage) ? jsonOf(request) : undefined;
			const isNext = typeof sent?.after === 'string' && sent.limit === 2;
			return forward(isNext ? withJson(request, { ...sent, after: sent.after.slice(0, -1) }) : request);
		},
	},
	'a page ends too early': {
		failing: ['pages.walk', 'pages.all'],
		difference: onAnswer(viewSubUserPage, (data) => ({ ...data, next: null })),
	},
	'sub-users are in another order': {
		failing: ['pages.walk', 'pages.all', 'pages.states'],
		difference: onRows((rows) => rows.toReversed()),
	},
	'a row is without its state': {
		failing: ['pages.walk', 'pages.states'],
		difference: onRows((rows) => rows.map(({ state: _state, ...row }) => row)),
	},
	'a page does not know capitals in a prefix': {
		failing: ['pages.walk'],
		async call({ request, forward }) {
			const { prefix = '' } = (isCallOf(request, viewSubUserPage) && jsonOf(request)) || {};
			const reply = await forward(request);
			return /^[A-Z0-9.]*[A-Z]/.test(prefix) ? asSuccess(reply, { sub_users: [], next: null }) : reply;
		},
	},
	'a row says nothing of its use': {
		failing: ['pages.walk'],
		difference: onRows((rows) => rows.map(({ used: _used, ...row }) => row)),
	},
	'a row of a refused sub-user is usable': {
		failing: ['pages.walk'],
		difference: onRows((rows) => rows.map((row) => ({ ...row, usable: true, reason: 'exhausted' }))),
	},
	'a page ignores whether they are usable': {
		failing: ['pages.usable', 'pages.wrong-fields'],
		difference: ignoring(viewSubUserPage, 'usable'),
	},
	'a page ignores the reason': {
		failing: ['pages.usable', 'pages.wrong-fields'],
		difference: ignoring(viewSubUserPage, 'reason'),
	},
	'a page ignores the state': {
		failing: ['pages.states', 'pages.wrong-fields'],
		difference: ignoring(viewSubUserPage, 'state'),
	},
	'a suspended sub-user that is expired too is among the expired': {
		failing: ['pages.states'],
		async call({ request, forward }) {
			const sent = isCallOf(request, viewSubUserPage) ? jsonOf(request) : undefined;
			if (sent?.state !== 'expired' || sent.after) return forward(request);
			const { sub_users } = await dataOf(ask(request, viewSubUserPage, { ...sent, state: 'suspended' }), forward);
			return asSuccess(await forward(request), { sub_users, next: null });
		},
	},
	...Object.fromEntries(
		['limit', 'after', 'prefix', 'state', 'usable', 'reason'].map((field): [string, Bug] => [
			`a wrong ${field} of a page is ignored`,
			{
				failing: ['pages.wrong-fields'],
				difference: ignoringWrong(viewSubUserPage, field),
			},
		]),
	),
	'a page shows another reseller': {
		failing: ['pages.foreign'],
		async call({ request, forward, bolt }) {
			const { prefix, limit } = (isCallOf(request, viewSubUserPage) && jsonOf(request)) || {};
			const isForeign = prefix !== undefined && limit === 1;
			const data = isForeign && (await dataOf(withToken(request, bolt.token), forward));
			const reply = await forward(request);
			return data && data.sub_users.length > 0 ? asSuccess(reply, data) : reply;
		},
	},
	'a give is told without the balance of the sub-user': {
		failing: ['statement.movements'],
		difference: onMovements((rows) => rows.map((row) => ({ ...row, sub_user_balance: null }))),
	},
	'the statement begins with the oldest': {
		failing: ['statement.movements', 'statement.pages'],
		difference: onMovements((rows) => rows.toReversed()),
	},
	'fees are not in the statement': {
		failing: ['statement.movements'],
		difference: onMovements((rows) => rows.filter(({ kind }) => kind !== 'create_fee')),
	},
	'movements have request ids of their own': {
		failing: ['statement.movements'],
		difference: onMovements((rows) => rows.map((row) => ({ ...row, request_id: `movement-${row.request_id}` }))),
	},
	'a next page of the statement leaves one out': {
		failing: ['statement.pages'],
		async call({ request, forward }) {
			const sent = isCallOf(request, viewStatementPage) ? jsonOf(request) : undefined;
			if (typeof sent?.after !== 'string') return forward(request);
			const data = await dataOf(ask(request, viewStatementPage, { ...sent, limit: 1 }), forward);
			return forward(data ? withJson(request, { ...sent, after: data.next }) : request);
		},
	},
	'the last day is not included': {
		failing: ['statement.days'],
		perhaps: ['statement.wrong-fields'],
		call({ request, forward }) {
			const sent = isCallOf(request, viewStatementPage) ? jsonOf(request) : undefined;
			const lastMs = Date.parse(sent?.to) - 86_400_000;
			if (Number.isNaN(lastMs) || sent.to.length !== 10) return forward(request);
			return forward(withJson(request, { ...sent, to: new Date(lastMs).toISOString().slice(0, 10) }));
		},
	},
	'the first day is ignored': {
		failing: ['statement.days', 'statement.wrong-fields'],
		difference: ignoring(viewStatementPage, 'from'),
	},
	...Object.fromEntries(
		['limit', 'after', 'from', 'to'].map((field): [string, Bug] => [
			`a wrong ${field} of the statement is ignored`,
			{
				failing: ['statement.wrong-fields'],
				difference: ignoringWrong(viewStatementPage, field),
			},
		]),
	),
	'the statement shows another reseller': {
		failing: ['statement.foreign'],
		difference: ({ bolt }) => ({
			call: (request, forward) => forward(isLongStatement(request) ? withToken(request, bolt.token) : request),
		}),
	},
};

function isLongStatement(request: Exchange): boolean {
	return isCallOf(request, viewStatementPage) && jsonOf(request)?.limit === 1000;
}

function onRows(change: (rows: readonly Json[]) => readonly Json[]): Difference {
	return onAnswer(viewSubUserPage, (data) => ({ ...data, sub_users: change(data.sub_users) }));
}

function onMovements(change: (rows: readonly Json[]) => readonly Json[]): Difference {
	return onAnswer(viewStatementPage, (data) => ({ ...data, movements: change(data.movements) }));
}

/** The field counts as absent, whatever it is. */
function ignoring(endpoint: Endpoint, field: string): Difference {
	return {
		call: (request, forward) => forward(isCallOf(request, endpoint) ? without(field, request) : request),
	};
}

/** The field counts as absent if it is refused. */
function ignoringWrong(endpoint: Endpoint, field: string): Difference {
	return {
		async call(request, forward) {
			const reply = await forward(request);
			return isCallOf(request, endpoint) && reply.status === 400 ? forward(without(field, request)) : reply;
		},
	};
}

function without(field: string, request: Exchange): Exchange {
	const { [field]: _ignored, ...others } = jsonOf(request) ?? {};
	return withJson(request, others);
}
