import { allEndpoints, CHANGE_ID_HEADER, endpoints, isChangeId } from '@bursar/contract';
import type { Exchange } from '@bursar/testing/http-relay';
import { type Bugs, onAnswer, onReply } from '../support/bug.ts';
import { asFailure, ask, asSuccess, isCallOf, withEnvelope, withHeader, withToken } from '../support/differences.ts';

const { createSubUser, giveBalance, resetAuthKey, takeBalance } = endpoints;
const { viewChange } = allEndpoints;
const CHANGES = [createSubUser, giveBalance, resetAuthKey, takeBalance];
const HEADER = CHANGE_ID_HEADER.toLowerCase();

/** Bugs with `X-Change-Id`. */
export const changeIdBugs: Bugs = {
	'a proxy removes X-Change-Id': {
		failing: [
			...['echo', 'failed-create', 'look', 'malformed', 'malformed-create', 'of-resellers', 'refused'],
			...['repeated', 'repeated-create', 'told'],
		].map((name) => `change-ids.${name}`),
		call: ({ request, forward }) => forward(withoutId(request)),
	},
	'a repeated change is done again': {
		failing: ['change-ids.repeated', 'change-ids.repeated-create', 'change-ids.told'],
		after({ request, reply, forward }) {
			return isRepeated(reply) ? forward(withoutId(request)) : reply;
		},
	},
	'a repeated change does not tell what was done': {
		failing: ['change-ids.told'],
		after({ reply }) {
			return isRepeated(reply) ? withEnvelope(reply, (envelope) => ({ ...envelope, data: null })) : reply;
		},
	},
	'a repeated create costs the fee': {
		failing: ['change-ids.repeated-create', 'spending.every-cent'],
		async after({ request, reply, forward }) {
			if (isCallOf(request, createSubUser) && isRepeated(reply)) await forward(ask(request, createSubUser, {}));
			return reply;
		},
	},
	'a refused change uses up its id': {
		failing: ['change-ids.refused'],
		difference: () => {
			const refused = new Set<string | undefined>();
			return {
				async call(request, forward) {
					const id = request.headers[HEADER];
					if (refused.has(id)) return asFailure(await forward(withoutId(request)), 409, 'change_repeated');
					const reply = await forward(request);
					if (id !== undefined && reply.status === 402) refused.add(id);
					return reply;
				},
			};
		},
	},
	'a look finds nothing': {
		failing: ['failed-create', 'look', 'of-resellers', 'refused'].map((name) => `change-ids.${name}`),
		difference: onAnswer(viewChange, () => null),
	},
	'a look tells the wrong balance': {
		failing: ['change-ids.look'],
		difference: onAnswer(
			viewChange,
			(recorded) => recorded && { ...recorded, balance: recorded.balance && recorded.balance + 1 },
		),
	},
	'a look shows a key': {
		failing: ['change-ids.look'],
		difference: onAnswer(viewChange, (recorded) => recorded && { ...recorded, proxy_authkey: '4fQ9sLw2ZbT7xKc1' }),
	},
	'a look does not tell the error of a create': {
		failing: ['change-ids.failed-create'],
		difference: onAnswer(viewChange, (recorded) => recorded && { ...recorded, error: null }),
	},
	'a look tells of the changes of another reseller': {
		failing: ['change-ids.of-resellers'],
		difference: ({ acme }) => ({
			call: (request, forward) =>
				forward(isCallOf(request, viewChange) ? withToken(request, `Bearer ${acme.token}`) : request),
		}),
	},
	'a malformed id is ignored': {
		failing: ['change-ids.malformed', 'change-ids.malformed-create'],
		call: ({ request, forward }) => forward(isChangeId(request.headers[HEADER] ?? '') ? request : withoutId(request)),
	},
	'a create with a malformed id costs nothing': {
		failing: ['change-ids.malformed-create', 'spending.every-cent'],
		async call({ request, forward }) {
			const isFree = isCallOf(request, createSubUser) && hasMalformedId(request);
			return isFree
				? asFailure(await forward({ ...request, path: '/nothing' }), 400, 'invalid_request')
				: forward(request);
		},
	},
	'of two ids the first one counts': {
		failing: ['change-ids.doubled'],
		perhaps: ['spending.every-cent'],
		difference: {
			bytes: (sent) => (text) =>
				isDoubled(sent) ? text.replace('x-error-code: invalid_request', 'x-error-code: bad_request') : text,
		},
	},
	'a read with a malformed id is refused': {
		failing: ['change-ids.reads'],
		after({ request, reply }) {
			const isRead = !CHANGES.some((endpoint) => isCallOf(request, endpoint));
			const isRefused = isRead && hasMalformedId(request) && reply.status === 200;
			return isRefused && isCallOf(request, viewChange) ? asFailure(reply, 400, 'invalid_request') : reply;
		},
	},
	'a look takes any text': {
		failing: ['change-ids.malformed-look'],
		after({ request, reply }) {
			const isRefused = isCallOf(request, viewChange) && reply.headers['x-error-code'] === 'invalid_request';
			return isRefused ? asSuccess(reply, null) : reply;
		},
	},
	'an answer says honoured whatever was sent': {
		failing: ['change-ids.echo'],
		difference: onReply((reply) => withHeader(reply, HEADER, 'honoured')),
	},
	'failures do not have the header': {
		failing: ['every-answer.change-id', 'change-ids.echo'],
		difference: onReply((reply) => (reply.status >= 400 ? withHeader(reply, HEADER) : reply)),
	},
};

function withoutId(request: Exchange): Exchange {
	const { [HEADER]: _id, ...headers } = request.headers;
	return { ...request, headers };
}

function hasMalformedId({ headers }: Exchange): boolean {
	const id = headers[HEADER];
	return id !== undefined && !isChangeId(id);
}

function isRepeated({ headers }: { readonly headers: Readonly<Record<string, string>> }): boolean {
	return headers['x-error-code'] === 'change_repeated';
}

function isDoubled(sent: string): boolean {
	return sent.toLowerCase().split(`\r\n${HEADER}:`).length > 2;
}
