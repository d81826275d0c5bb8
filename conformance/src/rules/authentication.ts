import { randomBytes } from 'node:crypto';
import { type Endpoint, endpoints } from '@bursar/contract';
import { expectAccepted, expectFailure, expectThat, fieldOf, NotTestable } from '../expect.ts';
import type { Rule } from '../run/rule.ts';
import type { Session } from '../run/session.ts';
import type { CallOptions } from '../wire/wire.ts';

const { path } = endpoints.myInfo;
const ALL: readonly Endpoint[] = Object.values(endpoints);

/** Who may use the API. */
export const authenticationRules: readonly Rule[] = [
	{
		name: 'authentication.absent-token',
		basis: 'contract',
		guarantee: 'Without a token, every endpoint answers 401.',
		source: 'docs/api.md 5.1 The bearer token',
		async check({ wire }) {
			for (const { method, path } of ALL) {
				const answer = await wire.call(path, { method, ...(method === 'POST' && { body: { username: 'nobody' } }) });
				expectFailure(answer, 401, 'unauthorized');
			}
		},
	},
	{
		name: 'authentication.malformed-header',
		basis: 'contract',
		guarantee: 'Every endpoint refuses an Authorization header that is not exactly Bearer and one token.',
		source: 'docs/api.md 5.1 The bearer token',
		async check(session) {
			const { token } = session.api;
			await expectRefused(session, 'nobody', {
				'the scheme alone': 'Bearer',
				'the token alone': token,
				'no space after the scheme': `Bearer${token}`,
				'a colon after the scheme': `Bearer: ${token}`,
				'another scheme': `Token ${token}`,
				'the scheme Basic': `Basic ${token}`,
				'the token in quotation marks': `Bearer "${token}"`,
				'a word after the token': `Bearer ${token} x`,
				'a comma after the token': `Bearer ${token},`,
				'a word before the token': `Bearer x ${token}`,
			});
		},
	},
	{
		name: 'authentication.unknown-token',
		basis: 'contract',
		guarantee:
			'Every endpoint refuses a token that the service did not issue, even if it differs from a real one by one character.',
		source: 'docs/api.md 4.2 Status and code; docs/api.md 5.3 The form of a token',
		needs: ['sub-user'],
		async check(session) {
			const { token } = session.api;
			const start = token.startsWith('brs_') ? 'brs_'.length : 0;
			const random = token.slice(start);
			const swapped = token.slice(0, start) + swapCase(random);
			await expectRefused(session, session.subUser(), {
				'a random token': `Bearer brs_${randomBytes(23).toString('hex')}`,
				'the first random character changed': `Bearer ${token.slice(0, start)}${otherThan(random[0])}${random.slice(1)}`,
				'the last character changed': `Bearer ${token.slice(0, -1)}${otherThan(random.at(-1))}`,
				'the last character missing': `Bearer ${token.slice(0, -1)}`,
				'one more character': `Bearer ${token}0`,
				// The token of another service may have no letters.
				...(swapped !== token && { 'capitals and small letters swapped': `Bearer ${swapped}` }),
			});
		},
	},
	{
		name: 'authentication.challenge-without-a-token',
		basis: 'bursar',
		guarantee: 'If no token was sent, the challenge names no error.',
		source: 'docs/api.md 4.5 Challenges',
		async check({ wire }) {
			for (const { method, path } of ALL) {
				const answer = await wire.call(path, { method, ...(method === 'POST' && { body: { username: 'nobody' } }) });
				const challenge = answer.headers.get('www-authenticate');
				expectThat(
					challenge !== null && /^bearer(?:\s|$)/i.test(challenge) && !challenge.includes('error='),
					`WWW-Authenticate of ${answer.asked}`,
					'Bearer, without an error',
					challenge,
				);
			}
		},
	},
	{
		name: 'authentication.challenge-of-a-wrong-token',
		basis: 'bursar',
		guarantee: 'If a wrong token was sent, the challenge names the error invalid_token.',
		source: 'docs/api.md 4.5 Challenges',
		async check({ wire, api }) {
			const answer = await wire.call(path, { token: `${api.token}x` });
			expectFailure(answer, 401, 'unauthorized');
			const challenge = answer.headers.get('www-authenticate');
			expectThat(
				challenge !== null && /^bearer\s.*error="invalid_token"/i.test(challenge),
				`WWW-Authenticate of ${answer.asked}`,
				'Bearer error="invalid_token"',
				challenge,
			);
		},
	},
	{
		name: 'authentication.scheme-in-any-case',
		basis: 'bursar',
		guarantee: 'The scheme Bearer may be written in any case.',
		source: 'docs/api.md 5.1 The bearer token',
		async check({ wire, api }) {
			for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
				const answer = await wire.call(path, { headers: { authorization: `${scheme} ${api.token}` } });
				expectAccepted(answer, `the scheme written ${scheme}`);
			}
		},
	},
	{
		name: 'authentication.token-elsewhere',
		basis: 'contract',
		guarantee:
			'A token outside the Authorization header is ignored: in the query, a cookie, the body or another header.',
		source: 'docs/api.md 5.1 The bearer token',
		async check({ wire, api: { token } }) {
			const calls: Readonly<Record<string, [path: string, options: CallOptions]>> = {
				'in the query': [`${path}?token=${token}&access_token=${token}&api_key=${token}`, {}],
				'in a cookie': [path, { headers: { cookie: `token=${token}; access_token=${token}` } }],
				'in X-Api-Key': [path, { headers: { 'x-api-key': token, 'x-auth-token': token } }],
				'in Proxy-Authorization': [path, { headers: { 'proxy-authorization': `Bearer ${token}` } }],
				'in the body': [
					endpoints.viewSubUser.path,
					{ body: { username: 'nobody', token, access_token: token, authorization: `Bearer ${token}` } },
				],
			};
			for (const [what, [path, options]] of Object.entries(calls)) {
				expectFailure(await wire.call(path, options), 401, 'unauthorized', `a token ${what}`);
			}
		},
	},
	{
		name: 'authentication.auth-key-is-no-token',
		basis: 'contract',
		guarantee: 'The proxy auth keys of the reseller and of its sub-users do not work as bearer tokens.',
		source: 'docs/api.md 5.3 The form of a token',
		needs: ['sub-user'],
		async check(session) {
			const { api } = session;
			const own = fieldOf(expectAccepted(await api.myInfo()), 'proxy_authkey');
			const subUsers = fieldOf(expectAccepted(await api.viewSingle(session.subUser())), 'proxy_authkey');
			for (const key of [own, subUsers]) {
				const isSendable = typeof key === 'string' && /^[!-~]+$/.test(key);
				if (!isSendable) throw new NotTestable('no header can carry the auth key');
			}
			await expectRefused(session, session.subUser(), {
				"the reseller's auth key": `Bearer ${own}`,
				"a sub-user's auth key": `Bearer ${subUsers}`,
			});
		},
	},
	{
		name: 'authentication.rotation',
		basis: 'contract',
		guarantee: 'A rotated token works within five minutes, and the previous one stops working within the same window.',
		source: 'docs/api.md 5.4 Rotation',
		async check() {
			throw new NotTestable('tokens cannot be rotated through this API');
		},
	},
];

function otherThan(character: string | undefined): string {
	return character === '0' ? '1' : '0';
}

function swapCase(text: string): string {
	return text.replace(/[A-Za-z]/g, (letter) => {
		const capital = letter.toUpperCase();
		return letter === capital ? letter.toLowerCase() : capital;
	});
}

/** Every endpoint must refuse each header. */
async function expectRefused(
	{ wire }: Session,
	username: string,
	headers: Readonly<Record<string, string>>,
): Promise<void> {
	const body = { username, amount_usd_cents: 1 };
	for (const [what, authorization] of Object.entries(headers)) {
		for (const { method, path } of ALL) {
			const answer = await wire.call(path, { method, headers: { authorization }, ...(method === 'POST' && { body }) });
			expectFailure(answer, 401, 'unauthorized', what);
		}
	}
}
