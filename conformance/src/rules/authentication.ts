import { randomBytes } from 'node:crypto';
import { endpoints } from '@bursar/contract';
import { NotTestable } from '../check-errors.ts';
import { expectAccepted, expectEqual, expectFailure, expectThat, fieldOf } from '../expect.ts';
import type { Rule } from '../rule.ts';
import type { Session } from '../session.ts';
import type { CallOptions } from '../wire.ts';

const { path } = endpoints.myInfo;

/** Who may ask. */
export const authenticationRules: readonly Rule[] = [
	{
		name: 'authentication.absent-token',
		guarantee: 'Without a token every endpoint answers 401, and the challenge names no error.',
		source: 'docs/api.md 5.1 The bearer token; docs/api.md 4.5 Challenges',
		async check({ wire }) {
			for (const { method, path } of Object.values(endpoints)) {
				const answer = await wire.call(path, { method, ...(method === 'POST' && { body: { username: 'nobody' } }) });
				expectFailure(answer, 401, 'unauthorized');
				const challenge = answer.headers.get('www-authenticate');
				expectThat(
					challenge !== null && /^bearer(?:\s|$)/i.test(challenge) && !challenge.includes('error='),
					`WWW-Authenticate of ${answer.asked}`,
					'Bearer, without an error, where no token was sent',
					challenge,
				);
			}
		},
	},
	{
		name: 'authentication.malformed-header',
		guarantee: 'An Authorization header that is not Bearer and one token is refused.',
		source: 'docs/api.md 5.1 The bearer token',
		async check(session) {
			const { token } = session.api;
			await expectRefused(session, {
				'the scheme alone': 'Bearer',
				'the token alone': token,
				'no space behind the scheme': `Bearer${token}`,
				'a colon behind the scheme': `Bearer: ${token}`,
				'another scheme': `Token ${token}`,
				'the scheme Basic': `Basic ${token}`,
				'the token in quotation marks': `Bearer "${token}"`,
				'a word behind the token': `Bearer ${token} x`,
				'a comma behind the token': `Bearer ${token},`,
				'a word before the token': `Bearer x ${token}`,
			});
		},
	},
	{
		name: 'authentication.unknown-token',
		guarantee: 'A token that the service did not give out is refused, however near to one that it did.',
		source: 'docs/api.md 4.2 Status and code; docs/api.md 5.3 The form of a token',
		async check(session) {
			const { token } = session.api;
			const other = token.endsWith('0') ? '1' : '0';
			await expectRefused(session, {
				'a random token': `Bearer brs_${randomBytes(23).toString('hex')}`,
				'the last character changed': `Bearer ${token.slice(0, -1)}${other}`,
				'the last character missing': `Bearer ${token.slice(0, -1)}`,
				'one character more': `Bearer ${token}0`,
			});
		},
	},
	{
		name: 'authentication.challenge-of-a-wrong-token',
		guarantee: 'The challenge names the error invalid_token where a token was sent.',
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
		guarantee:
			'A token anywhere but in the Authorization header is ignored: in the query, a cookie, a body, other headers.',
		source: 'docs/api.md 5.1 The bearer token',
		async check({ wire, api: { token } }) {
			const places: Readonly<Record<string, [path: string, options: CallOptions]>> = {
				'in the query': [`${path}?token=${token}&access_token=${token}&api_key=${token}`, {}],
				'in a cookie': [path, { headers: { cookie: `token=${token}; access_token=${token}` } }],
				'in X-Api-Key': [path, { headers: { 'x-api-key': token, 'x-auth-token': token } }],
				'in Proxy-Authorization': [path, { headers: { 'proxy-authorization': `Bearer ${token}` } }],
				'in the body': [
					endpoints.viewSubUser.path,
					{ body: { username: 'nobody', token, access_token: token, authorization: `Bearer ${token}` } },
				],
			};
			for (const [place, [path, options]] of Object.entries(places)) {
				// The path is not shown: the token may stand in it.
				const answer = await wire.call(path, options);
				expectEqual(`the status where the token stands ${place}`, answer.status, 401);
			}
		},
	},
	{
		name: 'authentication.auth-key-is-no-token',
		guarantee: 'The proxy auth keys of the reseller and of its sub-users are no bearer tokens.',
		source: 'docs/api.md 5.3 The form of a token',
		needs: ['sub-user'],
		async check(session) {
			const { api } = session;
			const own = fieldOf(expectAccepted(await api.myInfo()), 'proxy_authkey');
			const subUsers = fieldOf(expectAccepted(await api.viewSingle(session.subUser())), 'proxy_authkey');
			for (const key of [own, subUsers]) {
				const isSendable = typeof key === 'string' && /^[!-~]+$/.test(key);
				expectThat(isSendable, 'an auth key', 'one that can stand in a header', 'one that cannot');
			}
			await expectRefused(session, {
				"the reseller's auth key": `Bearer ${own}`,
				"a sub-user's auth key": `Bearer ${subUsers}`,
			});
		},
	},
	{
		name: 'authentication.rotation',
		guarantee: 'A rotated token works within five minutes, and the previous one stops working within the same window.',
		source: 'docs/api.md 5.4 Rotation',
		async check() {
			throw new NotTestable('tokens are rotated outside of this API');
		},
	},
];

async function expectRefused({ wire }: Session, headers: Readonly<Record<string, string>>): Promise<void> {
	for (const [what, authorization] of Object.entries(headers)) {
		expectFailure(await wire.call(path, { headers: { authorization } }), 401, 'unauthorized', what);
	}
}
