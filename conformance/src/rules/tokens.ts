import { randomBytes } from 'node:crypto';
import { allEndpoints, type Endpoint } from '@bursar/contract';
import {
	expectAccepted,
	expectArray,
	expectEqual,
	expectFailure,
	expectFields,
	expectForm,
	expectThat,
	fieldOf,
	isAccepted,
	NotTestable,
} from '../expect.ts';
import type { Rule } from '../run/rule.ts';
import type { Session } from '../run/session.ts';
import type { Answer } from '../wire/answer.ts';
import { createResellerApi } from '../wire/reseller-api.ts';

const SOURCE = 'docs/api.md 5.6 Further tokens';
const { createSubUser, createToken, endToken, viewAccount, viewAllTokens } = allEndpoints;
const ALL: readonly Endpoint[] = Object.values(allEndpoints);
const SCOPES = ['read', 'sub_users', 'money'] as const;
/** What a list tells of a token. */
const FIELDS = [
	...['id', 'name', 'scopes', 'allowed_ips', 'tail', 'made_by'],
	...['expires_at', 'last_used', 'date_created'],
];
/** For documentation: no run comes from there. */
const NOWHERE = ['192.0.2.1', '2001:db8::/32'];

/** Further tokens of a reseller. */
export const tokenRules: readonly Rule[] = [
	{
		name: 'tokens.scopes',
		basis: 'bursar',
		guarantee:
			'A further token makes the calls of its scopes. Each other call is 403 missing_scope, which names the scope, before the body is looked at, and costs nothing.',
		source: `${SOURCE}; docs/api.md 4.5 Challenges`,
		// Of those that need one scope, and of those that need two.
		creates: SCOPES.length - 1 + SCOPES.length,
		async check(session) {
			for (const scope of SCOPES) {
				await withToken(session, { scopes: [scope] }, async ({ call }) => {
					const before = await session.api.balance();
					for (const endpoint of ALL) {
						const needed = endpoint.scopes === 'one_token' ? undefined : endpoint.scopes;
						const mayDo = needed?.every((each) => each === scope) ?? false;
						// A create that it may make would cost its fee.
						if (mayDo && endpoint === createSubUser) continue;
						const answer = await call(endpoint, endpoint.method === 'POST' ? { body: [] } : {});
						if (mayDo) {
							expectThat(
								![401, 403].includes(answer.status),
								`${answer.asked} with ${scope}`,
								'no refusal',
								answer.status,
							);
							continue;
						}
						expectFailure(answer, 403, 'missing_scope', `with the scope ${scope}`);
						const missing = needed?.find((each) => each !== scope);
						const challenge = `Bearer error="insufficient_scope"${missing === undefined ? '' : `, scope="${missing}"`}`;
						expectEqual(`the challenge of ${answer.asked}`, answer.headers.get('www-authenticate'), challenge);
						const isNamed = missing === undefined || String(answer.envelope?.message).includes(missing);
						expectThat(isNamed, `the message of ${answer.asked}`, `the scope ${missing}`, answer.envelope?.message);
					}
					expectEqual('the balance afterwards', await session.api.balance(), before);
				});
			}
		},
	},
	{
		name: 'tokens.life',
		basis: 'bursar',
		guarantee:
			'A further token is told once, is listed without it, and is unauthorized once it is ended; the one token stays.',
		source: SOURCE,
		async check(session) {
			const { api } = session;
			await withToken(session, { scopes: ['read'] }, async ({ call, id, token }) => {
				expectForm('the token', token, /^brs_[0-9A-Za-z]{46}$/, 'brs_ and 46 letters and digits');
				expectAccepted(await call(viewAccount, { body: {} }));
				const list = await api.call(viewAllTokens, { body: {} });
				const listed = expectArray(list.asked, expectAccepted(list));
				const own = listed.find((each) => fieldOf(each, 'id') === id);
				expectFields('the token in the list', own, FIELDS);
				expectThat(!JSON.stringify(listed).includes(token), 'the list', 'no token', 'the token');
				const ended = await api.call(endToken, { body: { id } });
				expectEqual(ended.asked, expectAccepted(ended), { id });
				expectFailure(await call(viewAccount, { body: {} }), 401, 'unauthorized', 'with a token that was ended');
				expectFailure(await api.call(endToken, { body: { id } }), 404, 'unknown_token', 'a second time');
				expectAccepted(await api.myInfo());
			});
		},
	},
	{
		name: 'tokens.addresses',
		basis: 'bursar',
		guarantee: 'A further token with addresses is refused from each other address.',
		source: SOURCE,
		async check(session) {
			await withToken(session, { scopes: [...SCOPES], allowed_ips: NOWHERE }, async ({ call }) => {
				expectFailure(await call(viewAccount, { body: {} }), 403, 'address_not_allowed');
			});
		},
	},
	{
		name: 'tokens.wrong-fields',
		basis: 'bursar',
		guarantee: 'A token without a name, a known scope or an end in the next 366 days is not made.',
		source: SOURCE,
		async check({ api }) {
			await expectOffered(api.call(viewAllTokens, { body: {} }));
			const good = { name: newName(), scopes: ['read'], expires_at: inDays(1) };
			for (const wrong of [
				...[{ name: '' }, { name: 'x'.repeat(41) }, { scopes: [] }, { scopes: ['all'] }, { scopes: ['read', 'read'] }],
				...[{ expires_at: inDays(-1) }, { expires_at: inDays(367) }, { allowed_ips: [] }, { allowed_ips: ['here'] }],
			]) {
				const answer = await api.call(createToken, { body: { ...good, ...wrong } });
				const what = JSON.stringify(wrong);
				if (isAccepted(answer)) await api.call(endToken, { body: { id: fieldOf(answer.data, 'id') } });
				expectFailure(answer, 400, 'invalid_token', what);
			}
			for (const missing of ['name', 'scopes', 'expires_at']) {
				const body = Object.fromEntries(Object.entries(good).filter(([name]) => name !== missing));
				expectFailure(await api.call(createToken, { body }), 400, 'invalid_request', `without ${missing}`);
			}
		},
	},
];

interface MadeToken {
	readonly id: string;
	readonly token: string;
	/** Calls with this token. */
	readonly call: ReturnType<typeof createResellerApi>['call'];
}

/** Makes a further token for the work, and ends it afterwards. */
async function withToken(
	{ wire, api }: Session,
	wanted: { readonly scopes: readonly string[]; readonly allowed_ips?: readonly string[] },
	work: (made: MadeToken) => Promise<void>,
): Promise<void> {
	const body = { name: newName(), expires_at: inDays(1), ...wanted };
	const made = await expectOffered(api.call(createToken, { body }));
	const { id, token } = expectFields('the new token', expectAccepted(made), [...FIELDS, 'token']);
	try {
		await work({ id: String(id), token: String(token), call: createResellerApi(wire, String(token)).call });
	} finally {
		await api.call(endToken, { body: { id } });
	}
}

/** Throws `NotTestable` if the service does not offer further tokens, or the reseller has as many as it can have. */
async function expectOffered(asked: Promise<Answer>): Promise<Answer> {
	const answer = await asked;
	const isAbsent = answer.errorCode !== 'internal_error' && [404, 405, 410, 501].includes(answer.status);
	if (isAbsent || answer.errorCode === 'too_many_tokens') {
		throw new NotTestable(`the service does not offer it: ${answer.asked} was answered ${answer.status}`);
	}
	return answer;
}

function newName(): string {
	return `conformance ${randomBytes(6).toString('hex')}`;
}

function inDays(days: number): string {
	return new Date(Date.now() + days * 86_400_000).toISOString();
}
