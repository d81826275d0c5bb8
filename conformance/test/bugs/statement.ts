import { allEndpoints } from '@bursar/contract';
import type { Exchange } from '@bursar/testing/http-relay';
import { type Bug, type Bugs, ignoring, ignoringWrong, onAnswer } from '../support/bug.ts';
import {
	ask,
	asSuccess,
	dataOf,
	isCallOf,
	type Json,
	jsonOf,
	withData,
	withJson,
	withToken,
} from '../support/differences.ts';
import type { Difference } from '../support/wrong-server.ts';

const { giveBalance, takeBalance, viewStatementPage } = allEndpoints;
const REFERENCE = 'x-reference';

/** Bugs in the statement. */
export const statementBugs: Bugs = {
	'a give is told without the balance of the sub-user': {
		failing: ['statement.movements'],
		difference: onMovements((rows) => rows.map((row) => ({ ...row, sub_user_balance: null }))),
	},
	'the statement begins with the oldest': {
		failing: ['statement.movements', 'statement.pages'],
		async call({ request, forward }) {
			const reply = await forward(request);
			return isCallOf(request, viewStatementPage) && !isOldest(request) ? withData(reply, reversed) : reply;
		},
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
		['limit', 'after', 'from', 'to', 'order', 'reference'].map((field): [string, Bug] => [
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
	'ids of movements count over all resellers': {
		failing: ['statement.movements', 'statement.oldest-first'],
		difference: onMovements((rows) => rows.map((row) => ({ ...row, id: row.id * 2 }))),
	},
	'movements do not have the ids of their changes': {
		failing: ['statement.movements'],
		difference: onMovements((rows) => rows.map((row) => ({ ...row, change_id: null }))),
	},
	'the newest come first in any order': {
		failing: ['statement.oldest-first', 'statement.references'],
		async call({ request, forward }) {
			const reply = await forward(request);
			return isOldest(request) ? withData(reply, reversed) : reply;
		},
	},
	'the oldest first, next is null after the last movement': {
		failing: ['statement.oldest-first'],
		difference: onOldest((data) => ({ ...data, next: data.more ? data.next : null })),
	},
	'the oldest first, more is always said': {
		failing: ['statement.oldest-first'],
		difference: onOldest((data) => ({ ...data, more: true })),
	},
	'the oldest first, a place is not guarded': {
		failing: ['statement.oldest-first'],
		difference: onOldest((data) => ({ ...data, next: data.next.replace(/-.*/, '') })),
	},
	'the oldest first, the movement of the place is told again': {
		failing: ['statement.oldest-first'],
		perhaps: ['statement.wrong-fields'],
		call({ request, forward }) {
			const { after, ...others } = (isOldest(request) && jsonOf(request)) || {};
			const id = Number.parseInt(after, 10);
			return forward(id > 1 ? withJson(request, { ...others, after: id - 1 }) : request);
		},
	},
	'a place above the newest movement has none yet': {
		failing: ['statement.rewound'],
		async call({ request, forward }) {
			const reply = await forward(request);
			const { after } = jsonOf(request) ?? {};
			const isAbove = reply.headers['x-error-code'] === 'statement_rewound' && Number.isInteger(Number(after));
			return isAbove ? asSuccess(reply, { movements: [], next: String(after), more: false }) : reply;
		},
	},
	'the guard of a place is ignored': {
		failing: ['statement.rewound'],
		perhaps: ['statement.wrong-fields'],
		call({ request, forward }) {
			const { after, ...others } = (isOldest(request) && jsonOf(request)) || {};
			const isGuarded = typeof after === 'string' && /^[0-9]+-[0-9a-f]{16}$/.test(after);
			return forward(isGuarded ? withJson(request, { ...others, after: after.replace(/-.*/, '') }) : request);
		},
	},
	'a statement that was rewound does not tell the newest id': {
		failing: ['statement.rewound'],
		async call({ request, forward }) {
			const reply = await forward(request);
			const { 'x-statement-newest': _newest, ...headers } = reply.headers;
			return { ...reply, headers };
		},
	},
	'references are not stored': {
		failing: ['statement.references', 'statement.malformed-references'],
		difference: onReference(() => undefined),
	},
	'references are told with a space': {
		failing: ['statement.references'],
		difference: onMovements((rows) => rows.map((row) => ({ ...row, reference: row.reference && `${row.reference} ` }))),
	},
	'only the first characters of a reference are stored': {
		failing: ['statement.references', 'statement.malformed-references'],
		difference: onReference((reference) => reference.slice(0, 100) || undefined),
	},
	'of two references, the first one counts': {
		failing: ['statement.malformed-references'],
		difference: {
			bytes: (sent) => (text) =>
				/^x-reference: .*^x-reference: /ims.test(sent)
					? text.replace('x-error-code: invalid_request', 'x-error-code: bad_request')
					: text,
		},
	},
	'the reference of a take is lost': {
		failing: ['statement.references', 'statement.malformed-references'],
		difference: onReference((reference, request) => (isCallOf(request, takeBalance) ? undefined : reference)),
	},
	'the statement ignores the reference': {
		failing: ['statement.references', 'statement.wrong-fields'],
		difference: ignoring(viewStatementPage, 'reference'),
	},
	'the statement ignores the order': {
		failing: ['statement.oldest-first', 'statement.references', 'statement.rewound', 'statement.wrong-fields'],
		difference: ignoring(viewStatementPage, 'order'),
	},
};

function isLongStatement(request: Exchange): boolean {
	return isCallOf(request, viewStatementPage) && jsonOf(request)?.limit === 1000;
}

function isOldest(request: Exchange): boolean {
	return isCallOf(request, viewStatementPage) && jsonOf(request)?.order === 'oldest';
}

function reversed(data: Json): Json {
	return data.movements ? { ...data, movements: data.movements.toReversed() } : data;
}

function onOldest(change: (data: Json) => Json): Difference {
	return onAnswer(viewStatementPage, (data) => ('more' in data ? change(data) : data));
}

/** Replaces the reference of gives and takes; `undefined` removes it. */
function onReference(change: (reference: string, request: Exchange) => string | undefined): Difference {
	return {
		call(request, forward) {
			const { [REFERENCE]: sent, ...headers } = request.headers;
			const isMove = isCallOf(request, giveBalance) || isCallOf(request, takeBalance);
			if (sent === undefined || !isMove) return forward(request);
			const reference = change(sent, request);
			return forward({
				...request,
				headers: reference === undefined ? headers : { ...headers, [REFERENCE]: reference },
			});
		},
	};
}

function onMovements(change: (rows: readonly Json[]) => readonly Json[]): Difference {
	return onAnswer(viewStatementPage, (data) => ({ ...data, movements: change(data.movements) }));
}
