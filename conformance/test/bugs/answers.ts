import { endpoints } from '@bursar/contract';
import { type Bugs, onAuthorization, onEnvelope, onReply } from '../support/bug.ts';
import {
	asFailure,
	ask,
	dataOf,
	isCallOf,
	jsonOf,
	withEnvelope,
	withHeader,
	withToken,
} from '../support/differences.ts';

const { createSubUser, myInfo, viewSubUser } = endpoints;

/** Bugs in the form of answers, and in authentication. */
export const answerBugs: Bugs = {
	'create answers 201': {
		failing: ['create.answer', 'every-answer.success-is-200'],
		after({ request, reply }) {
			if (!isCallOf(request, createSubUser) || reply.status !== 200) return reply;
			return { ...withEnvelope(reply, (envelope) => ({ ...envelope, status: 201 })), status: 201 };
		},
	},
	'the status in the envelope is always 200': {
		failing: ['every-answer.status-repeated'],
		difference: onEnvelope((envelope) => ({ ...envelope, status: 200 })),
	},
	'failures have data': {
		failing: ['every-answer.data-on-failure'],
		difference: onEnvelope((envelope) => ({ ...envelope, data: envelope.data ?? {} })),
	},
	'the envelope has one more field': {
		failing: ['every-answer.four-fields'],
		difference: onEnvelope((envelope) => ({ ...envelope, success: envelope.status === 200 })),
	},
	'the message of a success is null': {
		failing: ['every-answer.message'],
		difference: onEnvelope((envelope) => ({ ...envelope, message: envelope.message || null })),
	},
	'the timestamp is in milliseconds': {
		failing: ['every-answer.timestamp'],
		difference: onEnvelope((envelope) => ({ ...envelope, timestamp: envelope.timestamp * 1000 })),
	},
	'timestamps go back by a minute': {
		failing: ['every-answer.timestamp'],
		difference: () => {
			let answers = 0;
			return onEnvelope((envelope) => ({ ...envelope, timestamp: envelope.timestamp - (++answers > 1 ? 60 : 0) }));
		},
	},
	'a 404 is an HTML page': {
		failing: [
			'every-answer.error-code',
			'every-answer.expiry',
			'every-answer.change-id',
			'every-answer.json-object',
			'every-answer.no-store',
			'every-answer.request-id',
			'order.path-before-token',
			'paths.unknown',
		],
		after({ reply }) {
			if (reply.headers['x-error-code'] !== 'not_found') return reply;
			return { status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>Not Found</h1>' };
		},
	},
	'answers have no X-Request-Id': {
		failing: ['every-answer.request-id'],
		difference: onReply((reply) => withHeader(reply, 'x-request-id')),
	},
	'the request id of the client is repeated': {
		failing: ['every-answer.request-id'],
		after({ request, reply }) {
			const { 'x-request-id': sent } = request.headers;
			return sent === undefined ? reply : withHeader(reply, 'x-request-id', sent);
		},
	},
	'answers may be cached': {
		failing: ['every-answer.no-store'],
		after({ request, reply }) {
			return request.method === 'GET' ? withHeader(reply, 'cache-control', 'private, max-age=60') : reply;
		},
	},
	'a 404 has Retry-After': {
		failing: ['every-answer.retry-after'],
		after({ reply }) {
			return reply.status === 404 ? withHeader(reply, 'retry-after', '60') : reply;
		},
	},
	'a 401 has no challenge': {
		failing: [
			'authentication.challenge-of-a-wrong-token',
			'authentication.challenge-without-a-token',
			'every-answer.www-authenticate',
		],
		difference: onReply((reply) => withHeader(reply, 'www-authenticate')),
	},
	'a 405 has no Allow': {
		failing: ['every-answer.allow', 'paths.wrong-method'],
		difference: onReply((reply) => withHeader(reply, 'allow')),
	},
	'the scheme must be written Bearer': {
		failing: ['authentication.scheme-in-any-case'],
		difference: onAuthorization((header) => (/^Bearer /.test(header) ? header : 'Bearer wrong')),
	},
	'a read without a token is answered': {
		failing: ['authentication.absent-token', 'authentication.challenge-without-a-token'],
		perhaps: ['authentication.token-elsewhere', 'order.token-before-body'],
		call({ request, forward, acme }) {
			const isOpen = request.path === myInfo.path && request.headers.authorization === undefined;
			return forward(isOpen ? withToken(request, acme.token) : request);
		},
	},
	'a token without a scheme is accepted': {
		failing: ['authentication.malformed-header'],
		difference: onAuthorization((header) => (header.includes(' ') ? header : `Bearer ${header}`)),
	},
	'a token with text after it is accepted': {
		failing: [
			'authentication.challenge-of-a-wrong-token',
			'authentication.malformed-header',
			'authentication.unknown-token',
			'create-fee.unauthorized',
		],
		perhaps: ['spending.every-cent', 'order.token-before-body', 'every-answer.www-authenticate'],
		difference: ({ acme }) =>
			onAuthorization((header) => (header.startsWith(`Bearer ${acme.token}`) ? `Bearer ${acme.token}` : header)),
	},
	'every token is accepted, except by my_info and create': {
		failing: ['authentication.auth-key-is-no-token', 'authentication.unknown-token'],
		call({ request, forward, acme, bolt }) {
			const token = /^Bearer (\w+)$/.exec(request.headers.authorization ?? '')?.[1];
			const isKnown = token === undefined || token === acme.token || token === bolt.token;
			const isChecked = request.path === myInfo.path || request.path === createSubUser.path;
			return forward(isKnown || isChecked ? request : withToken(request, acme.token));
		},
	},
	'tokens are compared without case': {
		failing: ['authentication.unknown-token'],
		difference: ({ acme }) =>
			onAuthorization((header) =>
				header.toLowerCase() === `bearer ${acme.token}`.toLowerCase() ? `Bearer ${acme.token}` : header,
			),
	},
	'only the last ten characters of a token are compared': {
		failing: ['authentication.unknown-token'],
		difference: ({ acme }) =>
			onAuthorization((header) =>
				/^Bearer \S+$/.test(header) && header.endsWith(acme.token.slice(-10)) ? `Bearer ${acme.token}` : header,
			),
	},
	'a token in the query is accepted': {
		failing: ['authentication.token-elsewhere'],
		call({ request, forward }) {
			const token = /[?&]token=([^&]+)/.exec(request.path)?.[1];
			return forward(token === undefined ? request : withToken(request, token));
		},
	},
	'the content type is checked before the size': {
		failing: ['create-fee.size-before-type', 'order.size-before-type'],
		after({ request, reply }) {
			if (reply.status !== 413 || request.headers['content-type'] === 'application/json') return reply;
			return asFailure(reply, 415, 'unsupported_media_type');
		},
	},
	'any content type is accepted': {
		failing: [
			'bodies.content-type',
			'create-fee.content-type',
			'create-fee.no-content-type',
			'create-fee.type-before-json',
			'order.type-before-json',
		],
		call: ({ request, forward }) =>
			forward({ ...request, headers: { ...request.headers, 'content-type': 'application/json' } }),
	},
	'the sub-user is looked up before the amount is checked': {
		failing: ['order.fields-before-sub-user'],
		async after({ request, reply, forward }) {
			if (reply.headers['x-error-code'] !== 'invalid_amount') return reply;
			const { username } = jsonOf(request);
			const isKnown = (await dataOf(ask(request, viewSubUser, { username }), forward)) !== undefined;
			return isKnown ? reply : asFailure(reply, 404, 'unknown_sub_user');
		},
	},
	'failures have no message': {
		failing: ['every-answer.message-on-failure'],
		perhaps: ['usernames.taken-message', 'usernames.name-of-another-reseller'],
		difference: onEnvelope((envelope) => ({ ...envelope, message: '' })),
	},
	'the token is repeated in a header': {
		failing: ['every-answer.no-token'],
		difference: ({ acme }) => onReply((reply) => withHeader(reply, 'x-caller', `Bearer ${acme.token}`)),
	},
	'a path that cannot be decoded is answered without the envelope': {
		failing: ['every-answer.json-object', 'paths.undecodable'],
		after({ request, reply }) {
			return /%zz|%ff/.test(request.path) ? { ...reply, body: 'Bad Request' } : reply;
		},
	},
	'a proxy auth key is accepted as a token': {
		failing: ['authentication.auth-key-is-no-token'],
		difference: ({ acme }) =>
			onAuthorization((header) => (/^Bearer [0-9A-Za-z]{16}$/.test(header) ? `Bearer ${acme.token}` : header)),
	},
};
