import {
	type ErrorDescription,
	EXPIRY_FORM,
	EXPIRY_HONOURED,
	errors,
	REQUEST_EXPIRES_HEADER,
	REQUEST_ID_HEADER,
} from '@bursar/contract';
import type { AnswerRule } from '../answer-watch.ts';

const FIELDS = 'data, message, status, timestamp';
/** The clocks of this machine and of the service may differ; a figure in milliseconds is further off than that. */
const CLOCK_TOLERANCE_S = 600;
const ENVELOPE = 'docs/api.md 3.1 The envelope';
const HEADERS = 'docs/api.md 3.2 Headers';

/** What holds for every single answer. */
export const answerRules: readonly AnswerRule[] = [
	{
		name: 'json-object',
		guarantee: 'Every answer on every path is a JSON object, and says so in Content-Type.',
		source: ENVELOPE,
		violation({ hasBody, envelope, headers, status }) {
			if (!hasBody) return undefined;
			const type = headers.get('content-type');
			if (envelope && /^application\/json\s*(?:;|$)/i.test(type ?? '')) return undefined;
			return {
				expected: 'a JSON object, sent as application/json',
				actual: `${status} with ${envelope ? 'a JSON object' : 'a body that is no JSON object'}, sent as ${type ?? 'nothing'}`,
			};
		},
	},
	{
		name: 'four-fields',
		guarantee: 'The envelope has exactly the four fields status, message, timestamp and data.',
		source: ENVELOPE,
		violation({ envelope }) {
			const actual = envelope && Object.keys(envelope).sort().join(', ');
			return actual === undefined || actual === FIELDS ? undefined : { expected: FIELDS, actual };
		},
	},
	{
		name: 'status-repeated',
		guarantee: 'The status in the envelope is the HTTP status, as an integer.',
		source: ENVELOPE,
		violation: ({ envelope, status }) =>
			envelope && envelope.status !== status
				? { expected: String(status), actual: JSON.stringify(envelope.status) ?? 'nothing' }
				: undefined,
	},
	{
		name: 'success-is-200',
		guarantee: 'Every success is HTTP 200.',
		source: ENVELOPE,
		violation: ({ status, asked }) =>
			(status > 200 && status < 400) || (status < 200 && status !== 100)
				? { expected: '200, or the status of a failure', actual: `${status} for ${asked}` }
				: undefined,
	},
	{
		name: 'message-on-success',
		guarantee: 'The message of a success is text: commonly empty, otherwise a warning.',
		source: ENVELOPE,
		violation: ({ envelope, status }) =>
			envelope && status < 300 && typeof envelope.message !== 'string'
				? { expected: 'text', actual: JSON.stringify(envelope.message) ?? 'nothing' }
				: undefined,
	},
	{
		name: 'message-on-failure',
		guarantee: 'The message of a failure is text for people.',
		source: ENVELOPE,
		violation: ({ envelope, status }) =>
			envelope && status >= 400 && (typeof envelope.message !== 'string' || envelope.message.trim() === '')
				? { expected: 'a sentence', actual: JSON.stringify(envelope.message) ?? 'nothing' }
				: undefined,
	},
	{
		name: 'data-on-failure',
		guarantee: 'The data of a failure is null.',
		source: ENVELOPE,
		violation: ({ envelope, status }) =>
			envelope && status >= 400 && envelope.data !== null
				? { expected: 'null', actual: JSON.stringify(envelope.data) ?? 'nothing' }
				: undefined,
	},
	{
		name: 'timestamp',
		guarantee: 'The timestamp of the envelope is the time of the response in whole Unix seconds.',
		source: ENVELOPE,
		violation({ envelope }, { nowMs }) {
			if (!envelope) return undefined;
			const { timestamp } = envelope;
			const nowSeconds = Math.floor(nowMs / 1000);
			const isNear = Number.isInteger(timestamp) && Math.abs((timestamp as number) - nowSeconds) <= CLOCK_TOLERANCE_S;
			if (isNear) return undefined;
			return {
				expected: `an integer within ${CLOCK_TOLERANCE_S} of ${nowSeconds}`,
				actual: JSON.stringify(timestamp) ?? 'nothing',
			};
		},
	},
	{
		name: 'request-id',
		guarantee: 'Every answer carries X-Request-Id, and no two carry the same.',
		source: HEADERS,
		violation({ headers }, { requestIds }) {
			const requestId = headers.get(REQUEST_ID_HEADER);
			if (!requestId) return { expected: 'an X-Request-Id', actual: 'none' };
			return requestIds.has(requestId)
				? { expected: 'a request id of its own', actual: `${requestId}, as another answer before it` }
				: undefined;
		},
	},
	{
		name: 'expiry',
		guarantee: 'X-Request-Expires stands on every answer, with digits or `honoured`, or on none.',
		source: 'docs/api.md 10.4 Expiry in answers',
		violation({ headers, status }, { isExpiryOffered }) {
			const value = headers.get(REQUEST_EXPIRES_HEADER);
			const isForm = value !== null && (value === EXPIRY_HONOURED || EXPIRY_FORM.test(value));
			if (status < 200 || (isExpiryOffered ? isForm : value === null)) return undefined;
			const expected = isExpiryOffered
				? `${REQUEST_EXPIRES_HEADER} with digits or ${EXPIRY_HONOURED}`
				: 'none, as before';
			return { expected, actual: value ?? `none on ${status}` };
		},
	},
	{
		name: 'no-store',
		guarantee: 'Every answer carries Cache-Control: no-store.',
		source: HEADERS,
		violation({ headers }) {
			const directives = (headers.get('cache-control') ?? '').split(',').map((text) => text.trim().toLowerCase());
			return directives.includes('no-store')
				? undefined
				: { expected: 'Cache-Control: no-store', actual: headers.get('cache-control') ?? 'no Cache-Control' };
		},
	},
	{
		name: 'error-code',
		guarantee: 'Every failure carries a code of the table in X-Error-Code, with the status that belongs to it.',
		source: 'docs/api.md 4.1 The form of a failure; docs/api.md 4.2 Status and code',
		violation({ errorCode, status }) {
			if (status < 400) return errorCode === null ? undefined : { expected: 'no X-Error-Code', actual: errorCode };
			if (errorCode === null) return { expected: 'an X-Error-Code', actual: `${status} without one` };
			const known: Readonly<Record<string, ErrorDescription>> = errors;
			if (known[errorCode]?.status === status) return undefined;
			return { expected: `a code of status ${status}`, actual: errorCode };
		},
	},
	{
		name: 'www-authenticate',
		guarantee: 'WWW-Authenticate: Bearer stands on each 401, and on nothing else.',
		source: 'docs/api.md 4.5 Challenges',
		violation({ headers, status }) {
			const challenge = headers.get('www-authenticate');
			const isThere = challenge !== null && /^bearer(?:\s|$)/i.test(challenge);
			if (status === 401 ? isThere : challenge === null) return undefined;
			return {
				expected: status === 401 ? 'WWW-Authenticate: Bearer' : `no WWW-Authenticate on ${status}`,
				actual: challenge ?? 'none',
			};
		},
	},
	{
		name: 'allow',
		guarantee: 'Allow stands on each 405.',
		source: 'docs/api.md 2.2 Paths and methods',
		violation: ({ headers, status }) =>
			status === 405 && !headers.get('allow')
				? { expected: 'Allow with the methods of the path', actual: 'none' }
				: undefined,
	},
	{
		name: 'retry-after',
		guarantee: 'Retry-After stands exactly on the answers that say `unavailable`: certainly nothing was done.',
		source: 'docs/api.md 4.6 Unavailable',
		violation({ headers, errorCode, asked, status }) {
			const isExpected = errorCode === 'unavailable';
			if (headers.has('retry-after') === isExpected) return undefined;
			return {
				expected: `${isExpected ? 'Retry-After' : 'no Retry-After'} on ${status} for ${asked}`,
				actual: headers.get('retry-after') ?? 'none',
			};
		},
	},
	{
		name: 'no-token',
		guarantee: 'No answer repeats the bearer token, in its headers or in its body.',
		source: HEADERS,
		violation({ headers, text }, { tokens }) {
			const whole = Array.from(headers, ([, value]) => value).join('\n') + text;
			return tokens.some((token) => whole.includes(token))
				? { expected: 'no token in the answer', actual: 'the token stands in it' }
				: undefined;
		},
	},
];
