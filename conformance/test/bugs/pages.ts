import { allEndpoints } from '@bursar/contract';
import { type Bug, type Bugs, ignoring, ignoringWrong, onAnswer } from '../support/bug.ts';
import { ask, asSuccess, dataOf, isCallOf, type Json, jsonOf, withJson, withToken } from '../support/differences.ts';
import type { Difference } from '../support/wrong-server.ts';

const { viewSubUserPage } = allEndpoints;

/** Bugs in the pages of sub-users. */
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
		['limit', 'after', 'prefix', 'state'].map((field): [string, Bug] => [
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
};

function onRows(change: (rows: readonly Json[]) => readonly Json[]): Difference {
	return onAnswer(viewSubUserPage, (data) => ({ ...data, sub_users: change(data.sub_users) }));
}
