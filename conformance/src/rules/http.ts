import { CREATE_FEE_CENTS, type ErrorCode, endpoints, errors } from '@bursar/contract';
import {
	expectAccepted,
	expectEqual,
	expectFailure,
	expectThat,
	fieldOf,
	NotTestable,
	RuleFailure,
} from '../expect.ts';
import type { Rule } from '../run/rule.ts';
import type { Session } from '../run/session.ts';
import type { Answer } from '../wire/answer.ts';
import { rawBytes, rawRequest, sendAll } from '../wire/raw-request.ts';
import type { RawRequest } from '../wire/wire.ts';

const { path } = endpoints.myInfo;
const GARBAGE: Readonly<Record<string, string | Uint8Array>> = {
	'(words that are not HTTP)': 'hello there\r\n\r\n',
	'(a header without a name)': 'GET / HTTP/1.1\r\nHost: localhost\r\n: y\r\n\r\n',
	'(a null byte in a header)': 'GET / HTTP/1.1\r\nHost: localhost\r\nX: a\0b\r\n\r\n',
	'(two different lengths)': 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc',
};
/** More than any server accepts by default. */
const HUGE_HEADER_CHARACTERS = 256 * 1024;
const SLOW_MS = 90_000;

/** Answers to input that does not reach an endpoint. */
export const httpRules: readonly Rule[] = [
	{
		name: 'http.no-http',
		basis: 'bursar',
		guarantee: 'Bytes that are not HTTP answer 400 in the envelope.',
		source: 'docs/api.md 3.1 The envelope; docs/api.md 4.2 Status and code',
		needs: ['direct'],
		async check(session) {
			for (const [what, bytes] of Object.entries(GARBAGE)) {
				expectEnveloped(await sendOne(session, rawBytes(what, bytes)), 400, 'bad_request');
			}
		},
	},
	{
		name: 'http.no-host',
		basis: 'bursar',
		guarantee: 'An HTTP/1.1 request without Host answers 400 in the envelope.',
		source: 'docs/api.md 2.1 HTTP',
		needs: ['direct'],
		async check(session) {
			const request = rawRequest(session.baseUrl, 'GET', path, { token: session.api.token, withoutHost: true });
			expectEnveloped(await sendOne(session, request), 400, 'bad_request');
		},
	},
	{
		name: 'http.large-headers',
		basis: 'bursar',
		guarantee: 'Headers that are too large answer 431 in the envelope.',
		source: 'docs/api.md 4.2 Status and code; docs/api.md 15 Limits',
		needs: ['direct'],
		async check(session) {
			const headers = [`X-Large: ${'x'.repeat(HUGE_HEADER_CHARACTERS)}`];
			const answer = await sendOne(session, rawRequest(session.baseUrl, 'GET', '/reseller/nothing', { headers }));
			if (answer.status === 404) throw new NotTestable('the service accepts headers of 256 KiB');
			expectEnveloped(answer, 431, 'headers_too_large');
		},
	},
	{
		name: 'http.unmet-expectation',
		basis: 'bursar',
		guarantee: 'An expectation other than 100-continue answers 417 in the envelope.',
		source: 'docs/api.md 2.1 HTTP',
		needs: ['direct'],
		async check(session) {
			const options = { token: session.api.token, headers: ['Expect: money'] };
			const answer = await sendOne(session, rawRequest(session.baseUrl, 'GET', path, options));
			if (answer.status === 200) throw new NotTestable('the service ignores expectations, as HTTP allows');
			expectEnveloped(answer, 417, 'expectation_failed');
		},
	},
	{
		name: 'http.unmet-expectation-of-create',
		basis: 'bursar',
		guarantee: 'A create that is refused for its expectation still costs the fee.',
		source: 'docs/api.md 8.2 The fee',
		needs: ['direct'],
		creates: 1,
		async check(session) {
			const { api, subUsers, baseUrl } = session;
			const before = await api.balance();
			const options = { token: api.token, headers: ['Expect: money'], body: { username: subUsers.freshName() } };
			const answer = await sendOne(session, rawRequest(baseUrl, 'POST', endpoints.createSubUser.path, options));
			if (answer.status === 200) throw new NotTestable('the service ignores expectations, as HTTP allows');
			expectEnveloped(answer, 417, 'expectation_failed');
			expectEqual('cents that were charged', before - (await api.balance()), CREATE_FEE_CENTS);
		},
	},
	{
		name: 'http.connect',
		basis: 'bursar',
		guarantee: 'CONNECT is refused without a body.',
		source: 'docs/api.md 2.1 HTTP',
		needs: ['direct'],
		async check(session) {
			const request = rawBytes(
				'(to another host)',
				'CONNECT localhost:1 HTTP/1.1\r\nHost: localhost:1\r\n\r\n',
				'CONNECT',
			);
			const answer = await sendOne(session, request);
			expectThat(answer.status >= 400, 'CONNECT to another host', 'a status of 400 or more', answer.status);
			const length = answer.headers.get('content-length');
			expectThat(length === null || length === '0', 'the length of its body', 'none', length);
		},
	},
	{
		name: 'http.late-headers',
		basis: 'bursar',
		guarantee: 'A request whose headers do not arrive in time answers 408 in the envelope.',
		source: 'docs/api.md 4.2 Status and code; docs/api.md 15 Limits',
		needs: ['direct', 'slow'],
		async check(session) {
			const request = rawBytes(path, `GET ${path} HTTP/1.1\r\nHost: ${session.baseUrl.host}\r\n`, 'GET');
			expectEnveloped(await sendLate(session, request), 408, 'request_timeout');
		},
	},
	{
		name: 'http.late-body',
		basis: 'bursar',
		guarantee: 'A create whose body does not arrive in time answers 408 in the envelope, and costs nothing.',
		source: 'docs/api.md 8.2 The fee',
		needs: ['direct', 'slow'],
		creates: 1,
		async check(session) {
			const { api, baseUrl, subUsers } = session;
			const before = await api.balance();
			const options = { token: api.token, body: { username: subUsers.freshName() } };
			const whole = rawRequest(baseUrl, 'POST', endpoints.createSubUser.path, options);
			const answer = await sendLate(session, { ...whole, text: whole.text.slice(0, -1) });
			expectEnveloped(answer, 408, 'request_timeout');
			expectEqual('cents that were charged', before - (await api.balance()), 0);
		},
	},
];

async function sendOne(session: Session, request: RawRequest, timeoutMs?: number): Promise<Answer> {
	const [answer] = await sendAll(session, [request], timeoutMs);
	if (!answer)
		throw new RuleFailure(`${request.method} ${request.path}`.trim(), 'an answer', 'none: the connection ended');
	return answer;
}

/** A service may close the connection without an answer; then the rule is not testable. */
async function sendLate(session: Session, request: RawRequest): Promise<Answer> {
	const [answer] = await sendAll(session, [request], SLOW_MS);
	if (!answer) throw new NotTestable('the service closes the connection without an answer');
	return answer;
}

function expectEnveloped(answer: Answer, status: number, code: ErrorCode): void {
	expectFailure(answer, status, code);
	const { envelope } = answer;
	const isEnvelope = envelope?.status === errors[code].status && 'data' in envelope && 'timestamp' in envelope;
	expectThat(isEnvelope, `the body for ${answer.asked}`, 'the envelope', answer.text);
}

/** Connections with several requests. */
export const connectionRules: readonly Rule[] = [
	{
		name: 'connections.head',
		basis: 'bursar',
		guarantee: 'HEAD answers with the status and the error code of GET, and without a body.',
		source: 'docs/api.md 2.1 HTTP',
		async check(session) {
			const { api, baseUrl } = session;
			for (const [path, token] of [
				[endpoints.myInfo.path, api.token],
				[endpoints.myInfo.path, undefined],
				['/reseller/nothing', api.token],
			] as const) {
				const options = token === undefined ? {} : { token };
				// If a HEAD answer wrongly has a body, the body would look like the answer to the next request.
				const requests = [rawRequest(baseUrl, 'HEAD', path, options), rawRequest(baseUrl, 'GET', path, options)];
				const answers = await sendAll(session, requests);
				const isSplit = isClosedEarly(answers, 2);
				const [head, get] = isSplit ? [...answers, ...(await sendAll(session, requests.slice(1)))] : answers;
				expectThat(get !== undefined, `HEAD and then GET ${path}`, 'two answers', 'one');
				expectEqual(`HEAD ${path}`, shown(head), shown(get));
			}
		},
	},
	{
		name: 'connections.kept-connection',
		basis: 'bursar',
		guarantee: 'The service answers each request on a kept connection.',
		source: 'RFC 9112, section 9.3',
		async check(session) {
			const { api, baseUrl } = session;
			const get = rawRequest(baseUrl, 'GET', path, { token: api.token });
			const answers = await sendAll(session, [get, get, get]);
			if (isClosedEarly(answers, 3))
				throw new NotTestable('the service closes the connection after each answer, as HTTP allows');
			for (const answer of answers) expectAccepted(answer);
			expectEqual('answers', answers.length, 3);
		},
	},
	{
		name: 'connections.pipelining',
		basis: 'bursar',
		guarantee: 'Pipelined requests take effect and are answered in their order.',
		source: 'RFC 9112, section 9.3.2',
		needs: ['sub-user'],
		balanceCents: 6,
		async check(session) {
			const { api, baseUrl } = session;
			const give = (amount: number) =>
				rawRequest(baseUrl, 'POST', endpoints.giveBalance.path, {
					token: api.token,
					body: { username: session.subUser(), amount_usd_cents: amount },
				});
			const nothing = rawRequest(baseUrl, 'GET', '/reseller/nothing', { token: api.token });
			const answers = await sendAll(session, [give(1), nothing, give(2), nothing, give(3)]);
			if (isClosedEarly(answers, 5))
				throw new NotTestable('the service closes the connection after each answer, as HTTP allows');
			const statuses = answers.map(({ status }) => status);
			expectEqual('the statuses of give, nothing, give, nothing, give', statuses, [200, 404, 200, 404, 200]);
			const balances = [0, 2, 4].map((index) => fieldOf(answers[index]?.data, 'balance'));
			expectEqual('the balances in the answers to the gives', balances, [1, 3, 6]);
		},
	},
];

function isClosedEarly(answers: readonly Answer[], count: number): boolean {
	return answers.length < count && answers.at(-1)?.headers.get('connection')?.toLowerCase() === 'close';
}

function shown(answer: Answer | undefined) {
	return answer && { status: answer.status, code: answer.errorCode, challenge: answer.headers.get('www-authenticate') };
}

/** Answers that the service may give at any time, and that no request can provoke. */
export const faultRules: readonly Rule[] = [
	{
		name: 'faults.unavailable',
		basis: 'bursar',
		guarantee: 'If the service knows that nothing was done, it answers 503 with Retry-After.',
		source: 'docs/api.md 4.6 Unavailable',
		check: cannotBeProvoked,
	},
	{
		name: 'faults.outcome-unknown',
		basis: 'bursar',
		guarantee: 'If the service does not know the outcome, it answers 503 without Retry-After.',
		source: 'docs/api.md 4.7 Outcome unknown',
		check: cannotBeProvoked,
	},
	{
		name: 'faults.internal-error',
		basis: 'bursar',
		guarantee: 'A bug in the service answers 500, and nothing was done.',
		source: 'docs/api.md 4.2 Status and code',
		check: cannotBeProvoked,
	},
	{
		name: 'faults.balance-limit',
		basis: 'bursar',
		guarantee: 'A change that would raise a balance above 2^53-1 cents is refused, and nothing is done.',
		source: 'docs/api.md 4.3 Exceptions to the order; docs/api.md 6.2 Amounts and balances',
		async check() {
			throw new NotTestable('this would need more money than one reseller can hold');
		},
	},
];

async function cannotBeProvoked(): Promise<void> {
	throw new NotTestable('a client cannot provoke a fault of the service');
}
