import { randomUUID } from 'node:crypto';
import {
	CHANGE_ID_FORM,
	CHANGE_ID_HEADER,
	CHANGE_ID_HONOURED,
	type ErrorDescription,
	EXPIRY_FORM,
	EXPIRY_HONOURED,
	endpoints,
	errors,
	MAX_BODY_BYTES,
	MAX_CENTS,
	REQUEST_EXPIRES_HEADER,
	REQUEST_ID_HEADER,
} from '@bursar/contract';
import { RuleFailure } from '../expect.ts';
import type { Rule } from '../run/rule.ts';
import type { Session } from '../run/session.ts';
import type { AnswerRule } from '../wire/answer-watch.ts';

const FIELDS = ['data', 'message', 'status', 'timestamp'];
/** The clocks of this machine and of the service may differ. A time in milliseconds is still much further off. */
export const CLOCK_TOLERANCE_S = 600;
/** An answer may arrive late, and the processes of a service may have slightly different clocks. */
const DRIFT_TOLERANCE_S = 30;
const ENVELOPE = 'docs/api.md 3.1 The envelope';
const HEADERS = 'docs/api.md 3.2 Headers';

/** Rules that hold for each single answer. */
export const answerRules: readonly AnswerRule[] = [
	{
		name: 'json-object',
		basis: 'contract',
		guarantee: 'Every answer on every path is a JSON object, sent as application/json.',
		source: ENVELOPE,
		violation({ hasBody, envelope, headers, status, heldTo }) {
			if (!hasBody) return undefined;
			const type = headers.get('content-type');
			const isTyped = heldTo === 'contract' || /^application\/json\s*(?:;|$)/i.test(type ?? '');
			if (envelope && isTyped) return undefined;
			return {
				expected: 'a JSON object, sent as application/json',
				actual: `${status} with ${envelope ? 'a JSON object' : 'a body that is not a JSON object'}, sent ${type === null ? 'without Content-Type' : `as ${type}`}`,
			};
		},
	},
	{
		name: 'four-fields',
		basis: 'contract',
		guarantee: 'The envelope has exactly the four fields status, message, timestamp and data.',
		source: ENVELOPE,
		violation({ envelope, heldTo }) {
			if (!envelope) return undefined;
			const actual = Object.keys(envelope).sort();
			const judged = heldTo === 'contract' ? actual.filter((name) => FIELDS.includes(name)) : actual;
			if (judged.join() === FIELDS.join()) return undefined;
			return { expected: FIELDS.join(', '), actual: actual.join(', ') };
		},
	},
	{
		name: 'status-repeated',
		basis: 'contract',
		guarantee: 'The status in the envelope equals the HTTP status, as an integer.',
		source: ENVELOPE,
		violation: ({ envelope, status }) =>
			envelope && envelope.status !== status
				? { expected: String(status), actual: JSON.stringify(envelope.status) ?? 'nothing' }
				: undefined,
	},
	{
		name: 'success-is-200',
		basis: 'bursar',
		guarantee: 'Every success has the HTTP status 200.',
		source: ENVELOPE,
		violation: ({ status, asked }) =>
			(status > 200 && status < 400) || (status < 200 && status !== 100)
				? { expected: '200, or the status of a failure', actual: `${status} for ${asked}` }
				: undefined,
	},
	{
		name: 'message',
		basis: 'contract',
		guarantee: 'The message of every answer is text. On success it is empty, or a warning.',
		source: ENVELOPE,
		violation: ({ envelope }) =>
			envelope && typeof envelope.message !== 'string'
				? { expected: 'text', actual: JSON.stringify(envelope.message) ?? 'nothing' }
				: undefined,
	},
	{
		name: 'message-on-failure',
		basis: 'bursar',
		guarantee: 'The message of a failure is not empty.',
		source: ENVELOPE,
		violation: ({ envelope, status }) =>
			envelope && status >= 400 && String(envelope.message).trim() === ''
				? { expected: 'text that is not empty', actual: JSON.stringify(envelope.message) }
				: undefined,
	},
	{
		name: 'data-on-failure',
		basis: 'bursar',
		guarantee: 'The data of a failure is null, except for a repeated change.',
		source: ENVELOPE,
		violation: ({ envelope, status, errorCode }) =>
			envelope && status >= 400 && errorCode !== 'change_repeated' && envelope.data !== null
				? { expected: 'null', actual: JSON.stringify(envelope.data) ?? 'nothing' }
				: undefined,
	},
	{
		name: 'timestamp',
		basis: 'contract',
		guarantee:
			'The timestamp in the envelope is the time of the answer in whole Unix seconds, always by the same clock.',
		source: ENVELOPE,
		violation({ envelope }, { nowMs, clockDifferenceS }) {
			if (!envelope) return undefined;
			const { timestamp } = envelope;
			const nowSeconds = Math.floor(nowMs / 1000);
			const isNear = Number.isInteger(timestamp) && Math.abs((timestamp as number) - nowSeconds) <= CLOCK_TOLERANCE_S;
			const actual = JSON.stringify(timestamp) ?? 'nothing';
			if (!isNear) return { expected: `an integer within ${CLOCK_TOLERANCE_S} of ${nowSeconds}`, actual };
			const byFirst = Math.round(nowMs / 1000 + clockDifferenceS);
			if (Math.abs((timestamp as number) - byFirst) <= DRIFT_TOLERANCE_S) return undefined;
			return { expected: `within ${DRIFT_TOLERANCE_S} of ${byFirst}, by the clock of the first answer`, actual };
		},
	},
	{
		name: 'request-id',
		basis: 'bursar',
		guarantee: 'Every answer has its own X-Request-Id, whatever id the client sends.',
		source: HEADERS,
		violation({ headers }, { requestIds }) {
			const requestId = headers.get(REQUEST_ID_HEADER);
			if (!requestId) return { expected: 'an X-Request-Id', actual: 'none' };
			return requestIds.has(requestId)
				? { expected: 'a new request id', actual: `${requestId}, the same as an earlier answer` }
				: undefined;
		},
	},
	{
		name: 'expiry',
		basis: 'bursar',
		guarantee: 'Either every answer has X-Request-Expires, with digits or `honoured`, or no answer has it.',
		source: 'docs/api.md 10.4 Expiry in answers',
		violation({ headers, status }, { isExpiryOffered }) {
			const value = headers.get(REQUEST_EXPIRES_HEADER);
			const isForm = value !== null && (value === EXPIRY_HONOURED || EXPIRY_FORM.test(value));
			if (status < 200 || (isExpiryOffered ? isForm : value === null)) return undefined;
			const expected = isExpiryOffered
				? `${REQUEST_EXPIRES_HEADER} with digits or ${EXPIRY_HONOURED}`
				: 'none, like the first answer';
			return { expected, actual: value ?? `none on ${status}` };
		},
	},
	{
		name: 'change-id',
		basis: 'bursar',
		guarantee: 'Either every answer has X-Change-Id, with an id or `honoured`, or no answer has it.',
		source: 'docs/api.md 10.5 Change ids',
		violation({ headers, status }, { isChangeIdOffered }) {
			const value = headers.get(CHANGE_ID_HEADER);
			const isForm = value !== null && (value === CHANGE_ID_HONOURED || CHANGE_ID_FORM.test(value));
			if (status < 200 || (isChangeIdOffered ? isForm : value === null)) return undefined;
			const expected = isChangeIdOffered
				? `${CHANGE_ID_HEADER} with an id or ${CHANGE_ID_HONOURED}`
				: 'none, like the first answer';
			return { expected, actual: value ?? `none on ${status}` };
		},
	},
	{
		name: 'no-store',
		basis: 'bursar',
		guarantee: 'Every answer has Cache-Control: no-store.',
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
		basis: 'bursar',
		guarantee: 'Every failure has a known code in X-Error-Code, and the HTTP status of that code.',
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
		basis: 'bursar',
		guarantee: 'Every 401 and every missing_scope has WWW-Authenticate: Bearer, and no other answer has it.',
		source: 'docs/api.md 4.5 Challenges',
		violation({ headers, status, errorCode }) {
			const isOfToken = status === 401 || errorCode === 'missing_scope';
			const challenge = headers.get('www-authenticate');
			const isThere = challenge !== null && /^bearer(?:\s|$)/i.test(challenge);
			if (isOfToken ? isThere : challenge === null) return undefined;
			return {
				expected: isOfToken ? 'WWW-Authenticate: Bearer' : `no WWW-Authenticate on ${status}`,
				actual: challenge ?? 'none',
			};
		},
	},
	{
		name: 'allow',
		basis: 'bursar',
		guarantee: 'Every 405 has Allow.',
		source: 'docs/api.md 2.2 Paths and methods',
		violation: ({ headers, status }) =>
			status === 405 && !headers.get('allow')
				? { expected: 'Allow with the methods of the path', actual: 'none' }
				: undefined,
	},
	{
		name: 'retry-after',
		basis: 'bursar',
		guarantee: 'Every `unavailable` has Retry-After, and no other answer has it.',
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
		basis: 'contract',
		guarantee: 'No answer repeats the bearer token in its headers or its body.',
		source: HEADERS,
		violation({ headers, text }, { tokens }) {
			const whole = Array.from(headers, ([, value]) => value).join('\n') + text;
			return tokens.some((token) => whole.includes(token))
				? { expected: 'no token in the answer', actual: 'the answer contains the token' }
				: undefined;
		},
	},
];
/** Rules for every answer of a run, including the answers to all other rules. */
export const everyAnswerRules: readonly Rule[] = answerRules.map(({ name, basis, guarantee, source }) => ({
	name: `every-answer.${name}`,
	basis,
	guarantee,
	source,
	async check(session) {
		const asking = asked.get(session) ?? askForEachKind(session);
		asked.set(session, asking);
		await asking.catch(() => {});
		const found = session.watch.firstViolation(name);
		// If no answer breaks the rule but some answers are missing, the rule must not pass.
		if (!found) return asking;
		const others = found.count > 1 ? `, and ${found.count - 1} more answers` : '';
		throw new RuleFailure(`${found.asked}${others}`, found.expected, found.actual);
	},
}));

const asked = new WeakMap<Session, Promise<void>>();

/**
 * Asks once in a run for each kind of answer that costs nothing. Without this, a run of few rules would lack some kinds.
 */
async function askForEachKind(session: Session): Promise<void> {
	const { api, wire, subUsers } = session;
	const unknown = { username: subUsers.freshName(), amount_usd_cents: MAX_CENTS };
	// Twice, because a service that repeats the id of the client then answers the same id twice.
	const ownId = { headers: { [REQUEST_ID_HEADER]: randomUUID() } };
	await api.call(endpoints.myInfo, ownId);
	await api.call(endpoints.myInfo, ownId);
	await api.viewAll();
	await wire.call(endpoints.myInfo.path);
	await wire.call(endpoints.myInfo.path, { token: `${api.token}x` });
	await api.call(endpoints.viewSubUser, { body: unknown });
	await api.call(endpoints.giveBalance, { body: { ...unknown, amount_usd_cents: 0 } });
	// The contract names no other.
	if (session.heldTo === 'contract') return;
	await wire.call('/reseller/nothing', { token: api.token });
	await wire.call('/nothing');
	await api.call(endpoints.myInfo, { method: 'DELETE' });
	await api.call(endpoints.viewSubUser, { body: unknown, headers: { 'content-type': 'text/plain' } });
	await api.call(endpoints.viewSubUser, { body: '{' });
	await api.call(endpoints.viewSubUser, { body: 'x'.repeat(MAX_BODY_BYTES + 1) });
}
