import { endpoints, MAX_CENTS } from '@bursar/contract';
import type { Exchange } from '@bursar/testing/http-relay';
import type { Bugs } from '../support/bug.ts';
import { asFailure, asSuccess, isCallOf, jsonOf, withHeader, withJson } from '../support/differences.ts';

const { createSubUser, giveBalance, takeBalance, viewSubUser } = endpoints;

/** Bugs with paths and bodies, and in the order of checks. */
export const requestBugs: Bugs = {
	'a query changes the path': {
		failing: ['paths.query-is-ignored'],
		call: ({ request, forward }) =>
			forward(request.path.includes('?username=') ? { ...request, path: '/reseller/nothing' } : request),
	},
	'a proxy answers OPTIONS on every path': {
		failing: ['every-answer.json-object', 'every-answer.success-is-200', 'paths.unknown', 'paths.wrong-method'],
		after({ request, reply }) {
			return request.method === 'OPTIONS' ? { ...asSuccess(reply, null), status: 204, body: '' } : reply;
		},
	},
	'HEAD answers 404 on a path with POST': {
		failing: ['paths.wrong-method'],
		call: ({ request, forward }) =>
			forward(request.method === 'HEAD' ? { ...request, path: '/reseller/nothing' } : request),
	},
	'Allow names the methods of all paths': {
		failing: ['paths.wrong-method'],
		after({ reply }) {
			return reply.status === 405 ? withHeader(reply, 'allow', 'GET, HEAD, POST') : reply;
		},
	},
	'the balance is checked before the sub-user': {
		failing: ['order.sub-user-before-balance'],
		after({ request, reply }) {
			const amount = jsonOf(request)?.amount_usd_cents;
			if (reply.headers['x-error-code'] !== 'unknown_sub_user' || amount !== MAX_CENTS) return reply;
			const isTransfer = isCallOf(request, giveBalance) || isCallOf(request, takeBalance);
			return isTransfer ? asFailure(reply, 402, 'insufficient_balance') : reply;
		},
	},
	'bodies of any size are accepted': {
		failing: ['bodies.too-large', 'bodies.utf-8'],
		call({ request, forward }) {
			const body = jsonOf(request);
			const isPadded = body?.padding !== undefined && !isCallOf(request, createSubUser);
			return forward(isPadded ? withJson(request, { ...body, padding: '' }) : request);
		},
	},
	'bodies of 16,000 bytes are refused as too large': {
		failing: ['bodies.just-small-enough'],
		call: ({ request, forward }) =>
			forward(request.body.length > 16_000 ? { ...request, body: Buffer.alloc(20_000, ' ') } : request),
	},
	'application/json may have no parameters and no capitals': {
		failing: ['bodies.forms-of-the-content-type'],
		call({ request, forward }) {
			const type = request.headers['content-type'];
			const isOther = type !== undefined && type !== 'application/json';
			return forward(isOther ? { ...request, headers: { ...request.headers, 'content-type': 'text/plain' } } : request);
		},
	},
	'a chunked body is refused, because it has no Content-Length': {
		failing: ['bodies.in-chunks', 'every-answer.error-code'],
		async call({ request, forward }) {
			const reply = await forward(isChunked(request) ? { ...request, path: '/reseller/nothing' } : request);
			return isChunked(request) ? asFailure(reply, 411, 'invalid_request') : reply;
		},
	},
	'only the first chunk of a body is read': {
		failing: ['bodies.in-chunks'],
		perhaps: ['spending.every-cent'],
		call: ({ request, forward }) =>
			forward(isChunked(request) ? { ...request, body: request.body.subarray(0, request.body.length / 2) } : request),
	},
	'a body that is not JSON answers 422': {
		failing: ['amounts.no-json', 'bodies.no-json-object', 'every-answer.error-code'],
		after({ request, reply }) {
			const isRefused = reply.headers['x-error-code'] === 'invalid_request' && jsonOf(request) === undefined;
			return isRefused ? asFailure(reply, 422, 'invalid_request') : reply;
		},
	},
	'a number is accepted as a username': {
		failing: ['bodies.username-field'],
		call({ request, forward }) {
			const body = isCallOf(request, viewSubUser) ? jsonOf(request) : undefined;
			const isNumber = typeof body?.username === 'number';
			return forward(isNumber ? withJson(request, { ...body, username: String(body.username) }) : request);
		},
	},
	'a key __proto__ is ignored': {
		failing: ['bodies.proto-key', 'create-fee.proto-key'],
		call({ request, forward }) {
			const text = request.body.toString('latin1').replace(',"__proto__":{}', '');
			return forward({ ...request, body: Buffer.from(text, 'latin1') });
		},
	},
	'bytes that are not UTF-8 are replaced': {
		failing: ['bodies.utf-8'],
		call: ({ request, forward }) => forward({ ...request, body: Buffer.from(request.body.toString('utf8')) }),
	},
	'unknown fields are refused': {
		failing: ['bodies.extra-fields', 'bodies.just-small-enough', 'bodies.too-large'],
		async call({ request, forward }) {
			const { username: _name, amount_usd_cents: _amount, ...extra } = jsonOf(request) ?? {};
			const isRefused = isCallOf(request, giveBalance) && Object.keys(extra).length > 0;
			return forward(isRefused ? withJson(request, {}) : request);
		},
	},
};

function isChunked({ headers }: Exchange): boolean {
	return headers['transfer-encoding'] !== undefined;
}
