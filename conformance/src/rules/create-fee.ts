import { CREATE_FEE_CENTS, type ErrorCode, endpoints, errors, MAX_BODY_BYTES } from '@bursar/contract';
import { expectAccepted, expectEqual, expectFailure, isAccepted } from '../expect.ts';
import type { Rule } from '../run/rule.ts';
import { type Session, whileHolding } from '../run/session.ts';
import type { CallOptions } from '../wire/wire.ts';

const FEE = 'docs/api.md 8.2 The fee';
const { path } = endpoints.createSubUser;

/** A create that fails and still costs the fee. */
interface ChargedFailure extends Pick<Rule, 'name' | 'mode' | 'needs'> {
	/** Set if the contract names the failure. The contract is silent about the others. */
	readonly basis?: 'contract';
	readonly what: string;
	readonly code: ErrorCode;
	options(session: Session): CallOptions;
}

const PADDING = 'p'.repeat(MAX_BODY_BYTES);

/** The table in docs/api.md 4.2 has a row for each of them. */
const FAILURES: readonly ChargedFailure[] = [
	{
		name: 'invalid-username',
		basis: 'contract',
		what: 'an invalid username',
		code: 'invalid_username',
		options: ({ subUsers }) => ({ body: { username: `.${subUsers.prefix}` } }),
	},
	{
		name: 'taken-username',
		basis: 'contract',
		what: 'a taken username',
		code: 'username_taken',
		needs: ['sub-user'],
		options: (session) => ({ body: { username: session.subUser() } }),
	},
	{
		name: 'username-of-another-type',
		what: 'a username that is not a string',
		code: 'invalid_request',
		options: () => ({ body: { username: 5 } }),
	},
	{ name: 'no-username', what: 'no username', code: 'invalid_request', options: () => ({ body: {} }) },
	{ name: 'no-body', what: 'an empty body', code: 'invalid_request', options: () => ({ body: '' }) },
	{
		name: 'no-json',
		what: 'a body that is not JSON',
		code: 'invalid_request',
		options: () => ({ body: '{"username":' }),
	},
	{ name: 'array', what: 'an array as its body', code: 'invalid_request', options: () => ({ body: '[]' }) },
	{ name: 'null', what: 'null as its body', code: 'invalid_request', options: () => ({ body: 'null' }) },
	{ name: 'number', what: 'a number as its body', code: 'invalid_request', options: () => ({ body: '5' }) },
	{
		name: 'no-utf-8',
		what: 'bytes that are not UTF-8',
		code: 'invalid_request',
		options: ({ subUsers }) => ({
			body: Buffer.from(JSON.stringify({ username: subUsers.freshName(), padding: '\xff' }), 'latin1'),
		}),
	},
	{
		name: 'null-username',
		what: 'null as the username',
		code: 'invalid_request',
		options: () => ({ body: { username: null } }),
	},
	{
		name: 'object-as-username',
		what: 'an object as the username',
		code: 'invalid_request',
		options: () => ({ body: { username: {} } }),
	},
	{
		name: 'duplicate-keys',
		what: 'a duplicate key',
		code: 'invalid_request',
		options({ subUsers }) {
			const field = `"username":"${subUsers.freshName()}"`;
			return { body: `{${field},${field}}` };
		},
	},
	{
		name: 'proto-key',
		what: 'a key __proto__',
		code: 'invalid_request',
		options: ({ subUsers }) => ({ body: `{"username":"${subUsers.freshName()}","__proto__":{}}` }),
	},
	{
		name: 'content-type',
		what: 'a wrong content type',
		code: 'unsupported_media_type',
		mode: 'strict',
		options: ({ subUsers }) => ({
			body: { username: subUsers.freshName() },
			headers: { 'content-type': 'text/plain' },
		}),
	},
	{
		name: 'no-content-type',
		what: 'no content type',
		code: 'unsupported_media_type',
		mode: 'strict',
		options: ({ subUsers }) => ({ body: { username: subUsers.freshName() }, headers: { 'content-type': null } }),
	},
	{
		name: 'too-large',
		what: 'a body larger than 16 KiB',
		code: 'payload_too_large',
		options: ({ subUsers }) => ({ body: { username: subUsers.freshName(), padding: PADDING } }),
	},
	{
		name: 'size-before-type',
		what: 'a body larger than 16 KiB and a wrong content type',
		code: 'payload_too_large',
		options: ({ subUsers }) => ({
			body: { username: subUsers.freshName(), padding: PADDING },
			headers: { 'content-type': 'text/plain' },
		}),
	},
	{
		name: 'type-before-json',
		what: 'a wrong content type and a body that is not JSON',
		code: 'unsupported_media_type',
		mode: 'strict',
		options: () => ({ body: '{"username":', headers: { 'content-type': 'text/plain' } }),
	},
];

/** When a create costs the fee. */
export const createFeeRules: readonly Rule[] = [
	{
		name: 'create-fee.success',
		basis: 'contract',
		guarantee: 'A create that succeeds costs exactly 10 cents.',
		source: FEE,
		creates: 1,
		async check(session) {
			const username = session.subUsers.freshName();
			const before = await session.api.balance();
			expectAccepted(await session.api.create({ username }));
			expectEqual('cents that were charged', before - (await session.api.balance()), CREATE_FEE_CENTS);
		},
	},
	...FAILURES.map(({ name, basis = 'bursar' as const, what, code, options, ...rest }) => ({
		...rest,
		name: `create-fee.${name}`,
		basis,
		guarantee: `A create with ${what} answers ${errors[code].status}, costs exactly 10 cents, and makes no sub-user.`,
		source: `${FEE}; docs/api.md 4.2 Status and code`,
		creates: 1,
		check: (session: Session) => expectChargedFailure(session, options(session), code, what),
	})),
	{
		name: 'create-fee.unauthorized',
		basis: 'contract',
		guarantee: 'A create without a valid token costs nothing.',
		source: FEE,
		async check({ wire, api, subUsers }) {
			const before = await api.balance();
			const body = { username: subUsers.freshName() };
			for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: `Bearer ${api.token}x` }]) {
				expectFailure(await wire.call(path, { body, headers }), 401, 'unauthorized');
			}
			expectEqual('cents that were charged', before - (await api.balance()), 0);
		},
	},
	{
		name: 'create-fee.other-methods',
		basis: 'bursar',
		guarantee: 'A method other than POST on the path of create costs nothing.',
		source: FEE,
		async check({ wire, api, subUsers }) {
			const before = await api.balance();
			for (const method of ['PUT', 'PATCH', 'DELETE']) {
				const options = { method, token: api.token, body: { username: subUsers.freshName() } };
				expectFailure(await wire.call(path, options), 405, 'method_not_allowed');
			}
			expectEqual('cents that were charged', before - (await api.balance()), 0);
		},
	},
	{
		name: 'create-fee.too-poor',
		basis: 'contract',
		guarantee:
			'With less than 10 cents, every create answers 402, whatever its body is. It costs nothing and makes no sub-user.',
		source: FEE,
		needs: ['sub-user', 'whole-balance'],
		creates: FAILURES.length + 1,
		check: (session) =>
			whileHolding(session, CREATE_FEE_CENTS - 1, async () => {
				const { api } = session;
				const username = session.subUsers.freshName();
				for (const { basis, what, options } of FAILURES) {
					if (session.heldTo === 'contract' && basis === undefined) continue;
					expectFailure(await callCreate(session, options(session)), 402, 'insufficient_balance', what);
				}
				expectFailure(await api.create({ username }), 402, 'insufficient_balance', 'a good body');
				expectEqual("the reseller's balance", await api.balance(), CREATE_FEE_CENTS - 1);
				expectFailure(await api.viewSingle(username), 404, 'unknown_sub_user');
			}),
	},
	{
		name: 'create-fee.last-ten-cents',
		basis: 'contract',
		guarantee: 'The last 10 cents pay for only one create, even if two arrive at the same time.',
		source: FEE,
		needs: ['sub-user', 'whole-balance'],
		creates: 2,
		check: (session) =>
			whileHolding(session, CREATE_FEE_CENTS, async () => {
				const { api, subUsers } = session;
				const names = [subUsers.freshName(), subUsers.freshName()];
				const answers = await Promise.all(names.map((username) => api.create({ username })));
				const [refused] = answers.filter((answer) => !isAccepted(answer));
				expectEqual('creates that succeeded', answers.filter(isAccepted).length, 1);
				if (refused) expectFailure(refused, 402, 'insufficient_balance');
				expectEqual("the reseller's balance", await api.balance(), 0);
			}),
	},
];

/** Checks the answer last, because the cost and the missing sub-user matter more. */
async function expectChargedFailure(
	session: Session,
	options: CallOptions,
	code: ErrorCode,
	what: string,
): Promise<void> {
	const { api } = session;
	const before = await api.balance();
	const answer = await callCreate(session, options);
	expectEqual(`whether a create with ${what} succeeds`, isAccepted(answer), false);
	expectEqual('cents that were charged', before - (await api.balance()), CREATE_FEE_CENTS);
	const username = nameIn(options);
	if (username !== undefined && code !== 'username_taken') {
		expectEqual('whether the sub-user exists', isAccepted(await api.viewSingle(username)), false);
	}
	expectFailure(answer, errors[code].status, code, what);
}

function callCreate({ api }: Session, options: CallOptions) {
	return api.call(endpoints.createSubUser, options);
}

/** The username in the body, if there is one. */
function nameIn({ body }: CallOptions): string | undefined {
	const text = typeof body === 'string' || body instanceof Buffer ? body.toString() : JSON.stringify(body);
	return /"username":"([^"]+)"/.exec(text)?.[1];
}

/** The cost of the whole run. Tested last. */
export const spendingRules: readonly Rule[] = [
	{
		name: 'spending.every-cent',
		basis: 'contract',
		guarantee: 'After all balance is taken back, the reseller has lost exactly the fees of this run.',
		source: 'docs/api.md 8.2 The fee; docs/api.md 9 Other changes',
		async check({ api, spending, subUsers, openingBalanceCents }) {
			expectEqual('sub-users that still hold balance', await subUsers.takeBack(), []);
			const expectedCents = openingBalanceCents - spending.feesCentsOf(api.token);
			expectEqual("the reseller's balance", await api.balance(), expectedCents);
		},
	},
];
