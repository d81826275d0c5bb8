import { endpoints } from '@bursar/contract';
import type { Answer } from '../answer.ts';
import { NotTestable } from '../check-errors.ts';
import { expectAccepted, expectEqual, expectThat, fieldOf } from '../expect.ts';
import { rawRequest } from '../raw-request.ts';
import type { Rule } from '../rule.ts';
import { sendAll } from '../send-all.ts';

const { path } = endpoints.myInfo;

/** Connections with several requests. */
export const connectionRules: readonly Rule[] = [
	{
		name: 'connections.head',
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
			const balances = [0, 2, 4].map((place) => fieldOf(answers[place]?.data, 'balance'));
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
