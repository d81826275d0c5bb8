import { endpoints, REQUEST_EXPIRES_HEADER } from '@bursar/contract';
import type { Exchange, Reply } from '@bursar/testing/http-relay';
import { type Bugs, onReply } from '../support/bug.ts';
import { asFailure, ask, isCallOf, withHeader } from '../support/differences.ts';
import type { Difference } from '../support/wrong-server.ts';

const { createSubUser, giveBalance, resetAuthKey, takeBalance } = endpoints;
const CHANGES = [createSubUser, giveBalance, resetAuthKey, takeBalance];
const HEADER = REQUEST_EXPIRES_HEADER.toLowerCase();
const EXPIRED = ['expired-create', 'expired-give', 'expired-reset', 'expired-take'].map((name) => `expiry.${name}`);

/** Bugs with `X-Request-Expires`. */
export const expiryBugs: Bugs = {
	'a proxy removes X-Request-Expires': {
		failing: [...EXPIRED, 'expiry.echo', 'expiry.malformed', 'expiry.malformed-create'],
		call: ({ request, forward }) => forward(withExpiry(request)),
	},
	'an expired change is done, and answered as if it were not': {
		failing: [...EXPIRED, 'spending.every-cent'],
		async after({ request, reply, forward }) {
			if (isRefusedAsExpired(request, reply)) await forward(withExpiry(request));
			return reply;
		},
	},
	'an expired create costs the fee': {
		failing: ['expiry.expired-create', 'spending.every-cent'],
		async after({ request, reply, forward }) {
			const isCharged = isCallOf(request, createSubUser) && isRefusedAsExpired(request, reply);
			if (isCharged) await forward(ask(request, createSubUser, {}));
			return reply;
		},
	},
	'a change expires five seconds too late': {
		failing: EXPIRED,
		difference: onExpiry((text) => (/^\d{1,12}$/.test(text) ? String(Number(text) + 5) : text)),
	},
	'an expired change is answered as a conflict': {
		failing: EXPIRED,
		perhaps: ['spending.every-cent'],
		after({ request, reply }) {
			return isRefusedAsExpired(request, reply) ? asFailure(reply, 409, 'rotation_pending') : reply;
		},
	},
	'no change with an expiry is done': {
		failing: ['expiry.live'],
		call: ({ request, forward }) => forward(isChange(request) ? onlyDigits(request, '1') : request),
	},
	'a read that has expired is refused': {
		failing: ['expiry.reads'],
		after({ request, reply }) {
			const isRefused = !isChange(request) && request.headers[HEADER] === '1' && reply.status < 400;
			return isRefused ? withHeader(asFailure(reply, 503, 'unavailable'), 'retry-after', '1') : reply;
		},
	},
	'a malformed expiry is ignored': {
		failing: ['expiry.malformed', 'expiry.malformed-create'],
		call: ({ request, forward }) =>
			forward(/^\d{1,12}$/.test(request.headers[HEADER] ?? '') ? request : withExpiry(request)),
	},
	'an expiry in milliseconds is accepted as a time far ahead': {
		failing: ['every-answer.expiry', 'expiry.malformed'],
		difference: onExpiry((text) => (/^\d{13,}$/.test(text) ? '999999999999' : text)),
	},
	'a create with a malformed expiry costs nothing': {
		failing: ['expiry.malformed-create', 'spending.every-cent'],
		async call({ request, forward }) {
			const isFree = isCallOf(request, createSubUser) && !/^\d*$/.test(request.headers[HEADER] ?? '');
			return isFree
				? asFailure(await forward({ ...request, path: '/nothing' }), 400, 'invalid_request')
				: forward(request);
		},
	},
	'of two expiries the first one counts': {
		failing: ['expiry.repeated'],
		perhaps: ['spending.every-cent'],
		difference: {
			bytes: (sent) => (text) =>
				isRepeated(sent) ? text.replace('x-error-code: invalid_request', 'x-error-code: bad_request') : text,
		},
	},
	'an answer says honoured whatever was sent': {
		failing: ['expiry.echo'],
		difference: onReply((reply) => withHeader(reply, HEADER, 'honoured')),
	},
	'an answer repeats what was sent, whatever it is': {
		failing: ['every-answer.expiry', 'expiry.echo'],
		after({ request, reply }) {
			return withHeader(reply, HEADER, request.headers[HEADER] ?? 'honoured');
		},
	},
	'failures do not have the header': {
		failing: ['every-answer.expiry', 'expiry.echo'],
		difference: onReply((reply) => (reply.status >= 400 ? withHeader(reply, HEADER) : reply)),
	},
};

/** Changes every expiry in requests. */
function onExpiry(change: (text: string) => string): Difference {
	return {
		async call(request, forward) {
			const text = request.headers[HEADER];
			if (text === undefined) return forward(request);
			const reply = await forward(withExpiry(request, change(text)));
			const isShown = reply.headers[HEADER] === change(text);
			return isShown ? withHeader(reply, HEADER, text) : reply;
		},
	};
}

function isChange(request: Exchange): boolean {
	return CHANGES.some((endpoint) => isCallOf(request, endpoint));
}

function isRefusedAsExpired(request: Exchange, reply: Reply): boolean {
	return isChange(request) && request.headers[HEADER] !== undefined && reply.headers['x-error-code'] === 'unavailable';
}

/** The request with that header, or without it if there is no value. */
function withExpiry(request: Exchange, value?: string): Exchange {
	const { [HEADER]: _before, ...headers } = request.headers;
	return { ...request, headers: value === undefined ? headers : { ...headers, [HEADER]: value } };
}

/** The request with that expiry, if it has a well-formed one. */
function onlyDigits(request: Exchange, value: string): Exchange {
	return /^\d{1,12}$/.test(request.headers[HEADER] ?? '') ? withExpiry(request, value) : request;
}

function isRepeated(sent: string): boolean {
	return sent.toLowerCase().split(`\r\n${HEADER}:`).length > 2;
}
