import { isUtf8 } from 'node:buffer';
import { endpoints, normalizeUsername } from '@bursar/contract';
import type { Exchange, Reply } from '@bursar/testing/http-relay';
import type { Bugs } from '../support/bug.ts';
import {
	asFailure,
	ask,
	asSuccess,
	balanceOf,
	dataOf,
	isCallOf,
	isDuplicated,
	jsonOf,
	withToken,
} from '../support/differences.ts';
import type { Difference } from '../support/wrong-server.ts';

const { createSubUser, myInfo, viewSubUser } = endpoints;
const FEE_CENTS = 10;

/** Bugs in the cost of a create. */
export const feeBugs: Bugs = {
	'the fee is not charged on an invalid username': {
		failing: ['create-fee.invalid-username', 'spending.every-cent'],
		async call({ request, forward }) {
			const name = isCallOf(request, createSubUser) ? jsonOf(request)?.username : undefined;
			const isInvalid = typeof name === 'string' && normalizeUsername(name) === undefined;
			const isJson = request.headers['content-type'] === 'application/json';
			if (!isInvalid || !isJson || (await balanceOf(request, forward)) < FEE_CENTS) return forward(request);
			return asFailure(await forward(ask(request, myInfo)), 400, 'invalid_username');
		},
	},
	'the fee is not charged on a taken username': {
		failing: ['create-fee.taken-username', 'spending.every-cent'],
		perhaps: ['create.race'],
		async call({ request, forward }) {
			const username = isCallOf(request, createSubUser) ? jsonOf(request)?.username : undefined;
			if (typeof username !== 'string') return forward(request);
			const existing = await dataOf(ask(request, viewSubUser, { username }), forward);
			if (!existing || (await balanceOf(request, forward)) < FEE_CENTS) return forward(request);
			const answer = await forward(ask(request, myInfo));
			return asFailure(answer, 409, 'username_taken', 'that username is already registered');
		},
	},
	'the fee is charged on a create without a valid token': {
		failing: ['create-fee.unauthorized', 'order.token-before-body', 'spending.every-cent'],
		async after({ request, reply, forward, acme }) {
			const isRefused = isCallOf(request, createSubUser) && reply.status === 401;
			if (isRefused) await forward(withToken(ask(request, createSubUser, {}), acme.token));
			return reply;
		},
	},
	'the fee is charged twice on success': {
		failing: ['create-fee.success', 'create.race', 'spending.every-cent'],
		async after({ request, reply, forward }) {
			if (isCallOf(request, createSubUser) && reply.status === 200) await forward(ask(request, createSubUser, {}));
			return reply;
		},
	},
	'a create that cannot be read costs nothing': {
		failing: [
			'create-fee.array',
			'create-fee.duplicate-keys',
			'create-fee.no-body',
			'create-fee.no-json',
			'create-fee.no-username',
			'create-fee.null',
			'create-fee.null-username',
			'create-fee.number',
			'create-fee.object-as-username',
			'create-fee.size-before-type',
			'create-fee.too-large',
			'create-fee.type-before-json',
			'create-fee.username-of-another-type',
			'spending.every-cent',
		],
		async call({ request, forward }) {
			const isGood = typeof jsonOf(request)?.username === 'string' && !isDuplicated(request.body);
			if (!isCallOf(request, createSubUser) || (isGood && request.body.length < 10_000)) return forward(request);
			if ((await balanceOf(request, forward)) < FEE_CENTS) return forward(request);
			return asFailure(await forward(ask(request, myInfo)), 400, 'invalid_request');
		},
	},
	'a create whose body is JSON but not an object costs nothing': {
		failing: ['create-fee.array', 'create-fee.null', 'create-fee.number', 'spending.every-cent'],
		difference: () => freeCreate(({ body }) => ['[]', 'null', '5'].includes(body.toString())),
	},
	'a create with bytes that are not UTF-8 costs nothing': {
		failing: ['create-fee.no-utf-8', 'spending.every-cent'],
		difference: () => freeCreate(({ body }) => !isUtf8(body)),
	},
	'a create with null or an object as the username costs nothing': {
		failing: ['create-fee.null-username', 'create-fee.object-as-username', 'spending.every-cent'],
		difference: () => freeCreate((request) => typeof jsonOf(request)?.username === 'object'),
	},
	'a create with a body that is too large answers 400': {
		failing: ['create-fee.size-before-type', 'create-fee.too-large'],
		difference: onFailedCreate(413, (reply) => asFailure(reply, 400, 'invalid_request')),
	},
	'a create with a wrong content type answers 400': {
		failing: ['create-fee.content-type', 'create-fee.no-content-type', 'create-fee.type-before-json'],
		difference: onFailedCreate(415, (reply) => asFailure(reply, 400, 'invalid_request')),
	},
	'a create without JSON is answered as an invalid username': {
		failing: [
			'create-fee.array',
			'create-fee.duplicate-keys',
			'create-fee.no-body',
			'create-fee.no-json',
			'create-fee.no-username',
			'create-fee.no-utf-8',
			'create-fee.null',
			'create-fee.null-username',
			'create-fee.number',
			'create-fee.object-as-username',
			'create-fee.proto-key',
			'create-fee.username-of-another-type',
		],
		difference: onFailedCreate(400, (reply) => asFailure(reply, 400, 'invalid_username')),
	},
	'a create of a taken username answers 400': {
		failing: ['create-fee.taken-username'],
		difference: onFailedCreate(409, (reply) => asFailure(reply, 400, 'invalid_username')),
	},
	'PUT creates too': {
		failing: ['create-fee.other-methods', 'paths.wrong-method', 'spending.every-cent'],
		call: ({ request, forward }) =>
			forward(
				request.path === createSubUser.path && request.method === 'PUT' ? { ...request, method: 'POST' } : request,
			),
	},
	'the username is checked before the balance': {
		failing: ['create-fee.too-poor', 'spending.every-cent'],
		after({ request, reply }) {
			if (!isCallOf(request, createSubUser) || reply.status !== 402) return reply;
			const { username } = jsonOf(request) ?? {};
			const isInvalid = typeof username === 'string' && normalizeUsername(username) === undefined;
			return isInvalid ? asFailure(reply, 400, 'invalid_username') : reply;
		},
	},
	'a create without enough balance answers success': {
		failing: ['create-fee.last-ten-cents', 'create-fee.too-poor', 'spending.every-cent'],
		after({ request, reply }) {
			if (!isCallOf(request, createSubUser) || reply.status !== 402) return reply;
			return asSuccess(reply, { username: jsonOf(request)?.username, balance: 0 });
		},
	},
};

/** Refuses some creates without the fee, if the balance is enough. */
function freeCreate(isFree: (request: Exchange) => boolean): Difference {
	return {
		async call(request, forward) {
			if (!isCallOf(request, createSubUser) || !isFree(request)) return forward(request);
			if ((await balanceOf(request, forward)) < FEE_CENTS) return forward(request);
			return asFailure(await forward(ask(request, myInfo)), 400, 'invalid_request');
		},
	};
}

/** Changes the answer to a create that is refused with that status. */
function onFailedCreate(status: number, change: (reply: Reply) => Reply): Difference {
	return {
		async call(request, forward) {
			const reply = await forward(request);
			return isCallOf(request, createSubUser) && reply.status === status ? change(reply) : reply;
		},
	};
}
