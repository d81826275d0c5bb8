import { CREATE_FEE_CENTS, type ErrorCode, endpoints, errors } from '@bursar/contract';
import type { Answer } from '../answer.ts';
import { NotTestable, RuleFailure } from '../check-errors.ts';
import { expectEqual, expectFailure, expectThat } from '../expect.ts';
import { rawBytes, rawRequest } from '../raw-request.ts';
import type { Rule } from '../rule.ts';
import { sendAll } from '../send-all.ts';
import type { Session } from '../session.ts';
import type { RawRequest } from '../wire.ts';

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
		guarantee: 'Headers that are too large answer 431 in the envelope.',
		source: 'docs/api.md 4.2 Status and code; docs/api.md 11 Limits',
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
		guarantee: 'A request whose headers do not arrive in time answers 408 in the envelope.',
		source: 'docs/api.md 4.2 Status and code; docs/api.md 11 Limits',
		needs: ['direct', 'slow'],
		async check(session) {
			const request = rawBytes(path, `GET ${path} HTTP/1.1\r\nHost: ${session.baseUrl.host}\r\n`, 'GET');
			expectEnveloped(await sendLate(session, request), 408, 'request_timeout');
		},
	},
	{
		name: 'http.late-body',
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
