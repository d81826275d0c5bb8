import { allEndpoints, CHANGE_ID_HEADER, endpoints, isChangeId } from '@bursar/contract';
import type { Exchange } from '@bursar/testing/http-relay';
import { type Bug, onAnswer, onReply } from '../support/bug.ts';
import { asFailure, ask, asSuccess, isCallOf, withHeader, withToken } from '../support/differences.ts';

const { createSubUser, giveBalance, resetAuthKey, takeBalance } = endpoints;
const { viewChange } = allEndpoints;
const CHANGES = [createSubUser, giveBalance, resetAuthKey, takeBalance];
const HEADER = CHANGE_ID_HEADER.toLowerCase();

/** Bugs with `X-Change-Id`. */
export const changeIdBugs: readonly Bug[] = [
	{
		what: 'a proxy removes X-Change-Id',
		failing: [
			...['echo', 'failed-create', 'look', 'malformed', 'malformed-create', 'of-resellers', 'refused'],
			...['repeated', 'repeated-create'],
		].map((name) => `change-ids.${name}`),
		difference: () => ({ call: (request, forward) => forward(withoutId(request)) }),
	},
	{
		what: 'a repeated change is done again',
		failing: ['change-ids.repeated', 'change-ids.repeated-create'],
		difference: () => ({
			async call(request, forward) {
				const reply = await forward(request);
				return isRepeated(reply) ? forward(withoutId(request)) : reply;
			},
		}),
	},
	{
		what: 'a repeated create costs the fee',
		failing: ['change-ids.repeated-create', 'spending.every-cent'],
		difference: () => ({
			async call(request, forward) {
				const reply = await forward(request);
				if (isCallOf(request, createSubUser) && isRepeated(reply)) await forward(ask(request, createSubUser, {}));
				return reply;
			},
		}),
	},
	{
		what: 'a refused change uses up its id',
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
	{
		what: 'a look finds nothing',
		failing: ['failed-create', 'look', 'of-resellers', 'refused'].map((name) => `change-ids.${name}`),
		difference: () => onAnswer(viewChange, () => null),
	},
	{
		what: 'a look tells the wrong balance',
		failing: ['change-ids.look'],
		difference: () => onAnswer(viewChange, (told) => told && { ...told, balance: told.balance && told.balance + 1 }),
	},
	{
		what: 'a look shows a key',
		failing: ['change-ids.look'],
		difference: () => onAnswer(viewChange, (told) => told && { ...told, proxy_authkey: '4fQ9sLw2ZbT7xKc1' }),
	},
	{
		what: 'a look does not tell the error of a create',
		failing: ['change-ids.failed-create'],
		difference: () => onAnswer(viewChange, (told) => told && { ...told, error: null }),
	},
	{
		what: 'a look tells of the changes of another reseller',
		failing: ['change-ids.of-resellers'],
		difference: ({ acme }) => ({
			call: (request, forward) =>
				forward(isCallOf(request, viewChange) ? withToken(request, `Bearer ${acme.token}`) : request),
		}),
	},
	{
		what: 'a malformed id is ignored',
		failing: ['change-ids.malformed', 'change-ids.malformed-create'],
		difference: () => ({
			call: (request, forward) => forward(isChangeId(request.headers[HEADER] ?? '') ? request : withoutId(request)),
		}),
	},
	{
		what: 'a create with a malformed id costs nothing',
		failing: ['change-ids.malformed-create', 'spending.every-cent'],
		difference: () => ({
			async call(request, forward) {
				const isFree = isCallOf(request, createSubUser) && hasMalformedId(request);
				return isFree
					? asFailure(await forward({ ...request, path: '/nothing' }), 400, 'invalid_request')
					: forward(request);
			},
		}),
	},
	{
		what: 'of two ids the first one counts',
		failing: ['change-ids.doubled'],
		perhaps: ['spending.every-cent'],
		difference: () => ({
			bytes: (sent) => (text) =>
				isDoubled(sent) ? text.replace('x-error-code: invalid_request', 'x-error-code: bad_request') : text,
		}),
	},
	{
		what: 'a read with a malformed id is refused',
		failing: ['change-ids.reads'],
		difference: () => ({
			async call(request, forward) {
				const reply = await forward(request);
				const isRead = !CHANGES.some((endpoint) => isCallOf(request, endpoint));
				const isRefused = isRead && hasMalformedId(request) && reply.status === 200;
				return isRefused && isCallOf(request, viewChange) ? asFailure(reply, 400, 'invalid_request') : reply;
			},
		}),
	},
	{
		what: 'a look takes any text',
		failing: ['change-ids.malformed-look'],
		difference: () => ({
			async call(request, forward) {
				const reply = await forward(request);
				const isRefused = isCallOf(request, viewChange) && reply.headers['x-error-code'] === 'invalid_request';
				return isRefused ? asSuccess(reply, null) : reply;
			},
		}),
	},
	{
		what: 'an answer says honoured whatever was sent',
		failing: ['change-ids.echo'],
		difference: () => onReply((reply) => withHeader(reply, HEADER, 'honoured')),
	},
	{
		what: 'failures do not have the header',
		failing: ['every-answer.change-id', 'change-ids.echo'],
		difference: () => onReply((reply) => (reply.status >= 400 ? withHeader(reply, HEADER) : reply)),
	},
];

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
