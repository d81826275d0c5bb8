import { type Endpoint, type ErrorCode, endpoints, MAX_BODY_BYTES } from '@bursar/contract';
import { expectAccepted, expectEqual, expectFailure, showAnswer } from '../expect.ts';
import type { Rule } from '../run/rule.ts';
import type { Session } from '../run/session.ts';
import { freePosts } from '../wire/reseller-api.ts';

const BODIES = 'docs/api.md 2.3 Bodies';
const PADDING = 'p'.repeat(MAX_BODY_BYTES);
const OTHER_TYPES = [
	'text/plain',
	'application/x-www-form-urlencoded',
	'application/jsonp',
	'application/vnd.api+json',
	'application/json/x',
	'text/application/json',
	'json',
	';',
	null,
];
/** Additions to the fields of a good give that must not make the service refuse it. */
const IGNORED = [
	',"x":{"username":"nobody","amount_usd_cents":2}',
	',"x":[{"y":1},{"y":2}],"y":3',
	',"x":"\\",\\"username\\":\\"nobody","z":"{\\"username\\":1,\\"username\\":2}"',
	',"x":["username","username","__proto__"]',
	',"Username":"nobody","USERNAME":1',
	',"constructor":{"prototype":{"admin":true}},"hasOwnProperty":1,"toString":null',
];

/** The forms of a body, and how the service reads them. */
export const bodyRules: readonly Rule[] = [
	{
		name: 'bodies.too-large',
		basis: 'bursar',
		guarantee: 'A body larger than 16 KiB answers 413.',
		source: BODIES,
		check: ({ api, subUsers }) =>
			onEach(async (endpoint) => {
				const body = paddedTo(MAX_BODY_BYTES + 1, subUsers.freshName());
				expectFailure(await api.call(endpoint, { body }), 413, 'payload_too_large');
			}),
	},
	{
		name: 'bodies.just-small-enough',
		basis: 'bursar',
		guarantee: 'A body of exactly 16 KiB is accepted.',
		source: BODIES,
		check: ({ api, subUsers }) =>
			onEach(async (endpoint) => {
				const body = paddedTo(MAX_BODY_BYTES, subUsers.freshName());
				expectFailure(await api.call(endpoint, { body }), 404, 'unknown_sub_user');
			}),
	},
	{
		name: 'bodies.content-type',
		basis: 'bursar',
		guarantee: 'A body that is not sent as application/json answers 415.',
		source: BODIES,
		mode: 'strict',
		check: ({ api, subUsers }) =>
			onEach(async (endpoint) => {
				const body = { username: subUsers.freshName(), amount_usd_cents: 1 };
				for (const type of OTHER_TYPES) {
					const options = { body, headers: { 'content-type': type } };
					const what = `sent ${type === null ? 'without a type' : `as ${type}`}`;
					expectFailure(await api.call(endpoint, options), 415, 'unsupported_media_type', what);
				}
			}),
	},
	{
		name: 'bodies.any-content-type',
		basis: 'bursar',
		guarantee: 'In lenient mode, a POST may have any content type, or none.',
		source: 'docs/api.md 2.4 Leniency',
		mode: 'lenient',
		needs: ['sub-user'],
		balanceCents: 1,
		async check({ api, subUser }) {
			for (const type of [
				'application/x-www-form-urlencoded',
				'multipart/form-data; boundary=x',
				'nonsense',
				';',
				null,
			]) {
				const options = { body: { username: subUser(), amount_usd_cents: 1 }, headers: { 'content-type': type } };
				// The order is give before take, so that there is balance to take.
				for (const endpoint of freePosts.toSorted(byPath)) {
					expectAccepted(
						await api.call(endpoint, options),
						`a body sent ${type === null ? 'without a type' : `as ${type}`}`,
					);
				}
			}
		},
	},
	{
		name: 'bodies.forms-of-the-content-type',
		basis: 'bursar',
		guarantee: 'The content type application/json is accepted in upper or lower case, and with parameters.',
		source: BODIES,
		needs: ['sub-user'],
		async check(session) {
			for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON', 'Application/Json ;x="y;z"']) {
				const options = { body: { username: session.subUser() }, headers: { 'content-type': type } };
				expectAccepted(await session.api.call(endpoints.viewSubUser, options), `a body sent as ${type}`);
			}
		},
	},
	{
		name: 'bodies.in-chunks',
		basis: 'bursar',
		guarantee: 'Every POST answers a chunked body in the same way as a body with a Content-Length.',
		source: 'RFC 9112, section 7.1',
		needs: ['sub-user'],
		balanceCents: 3,
		creates: 1,
		async check({ api, subUser, subUsers }) {
			const isChunked = true;
			const good = { username: subUser(), amount_usd_cents: 1 };
			const bodies = { 'a good body': good, 'not JSON': '{', 'too large': { ...good, padding: PADDING } };
			// The order is give before take, so that there is balance to take.
			for (const endpoint of freePosts.toSorted(byPath)) {
				expectAccepted(await api.call(endpoint, { body: good, isChunked }));
				for (const [what, body] of Object.entries(bodies)) {
					const expected = showAnswer(await api.call(endpoint, { body }));
					const answer = await api.call(endpoint, { body, isChunked });
					expectEqual(`${answer.asked}, ${what} in chunks`, showAnswer(answer), expected);
				}
			}
			const username = subUsers.freshName();
			expectAccepted(await api.create({ username }, { isChunked }));
			expectAccepted(await api.viewSingle(username));
		},
	},
	{
		name: 'bodies.no-json-object',
		basis: 'bursar',
		guarantee: 'A body that is not a JSON object answers 400.',
		source: BODIES,
		check: ({ api }) =>
			onEach(async (endpoint) => {
				for (const body of [
					'',
					' ',
					'{',
					'[]',
					'null',
					'5',
					'"x"',
					'true',
					"{'username':'nobody'}",
					'{"username":"nobody"}x',
					'{"username":"nobody",}',
				]) {
					expectFailure(await api.call(endpoint, { body }), 400, 'invalid_request', `the body ${body}`);
				}
			}),
	},
	{
		name: 'bodies.utf-8',
		basis: 'bursar',
		guarantee: 'A body that is not valid UTF-8 answers 400, even if the wrong bytes are in an ignored field.',
		source: BODIES,
		needs: ['sub-user'],
		async check({ api, subUser }) {
			const body = JSON.stringify({ username: subUser(), padding: '\xff' });
			for (const endpoint of [endpoints.viewSubUser, endpoints.viewUsage]) {
				expectAccepted(await api.call(endpoint, { body }));
				const answer = await api.call(endpoint, { body: Buffer.from(body, 'latin1') });
				expectFailure(answer, 400, 'invalid_request', 'a body in Latin-1');
			}
		},
	},
	{
		name: 'bodies.username-field',
		basis: 'bursar',
		guarantee: 'A username that is missing or not a string answers 400.',
		source: BODIES,
		check: ({ api }) =>
			onEach(async (endpoint) => {
				for (const fields of [
					{},
					{ username: 5 },
					{ username: null },
					{ username: ['nobody'] },
					{ Username: 'nobody' },
					{ constructor: { username: 'nobody' } },
				]) {
					const body = { amount_usd_cents: 1, ...fields };
					expectFailure(await api.call(endpoint, { body }), 400, 'invalid_request', JSON.stringify(fields));
				}
			}),
	},
	{
		name: 'bodies.duplicate-keys',
		basis: 'bursar',
		guarantee: 'A duplicate key in one object is refused, even if it is spelled with escapes, and nothing moves.',
		source: BODIES,
		needs: ['sub-user'],
		balanceCents: 10,
		check: (session) =>
			expectRefusedGives(session, [
				',"amount_usd_cents":2',
				',"amount_usd_cents":1',
				',"\\u0061mount_usd_cents":2',
				',"username":"nobody"',
				',"x":{"y":1,"y":2}',
				',"x":[{"y":1,"y":1}]',
				',"x":{"y":{"z":"}"},"y":1}',
				',"":1,"":2',
				',"a\\"b":1,"a\\u0022b":2',
				',"\\/":1,"/":2',
			]),
	},
	{
		name: 'bodies.proto-key',
		basis: 'bursar',
		guarantee: 'A key __proto__ is refused at any depth, and nothing moves.',
		source: BODIES,
		needs: ['sub-user'],
		balanceCents: 10,
		check: (session) =>
			expectRefusedGives(session, [
				',"__proto__":{}',
				',"__proto__":null',
				',"\\u005f_proto__":{"x":1}',
				',"x":{"__proto__":{"y":1}}',
				',"x":[[{"__proto__":[]}]]',
			]),
	},
	{
		name: 'bodies.extra-fields',
		basis: 'bursar',
		guarantee: 'Unknown fields are ignored, whatever their values are.',
		source: BODIES,
		needs: ['sub-user'],
		balanceCents: 10,
		async check({ api, subUser }) {
			const body = {
				username: subUser(),
				amount_usd_cents: 1,
				balance: 1_000_000,
				reseller: 'nobody',
				proxy_authkey: 'x',
				nested: { deep: [null], amount_usd_cents: 7 },
			};
			expectAccepted(await api.call(endpoints.giveBalance, { body }));
			const start = `{"username":${JSON.stringify(subUser())},"amount_usd_cents":1`;
			for (const addition of IGNORED) {
				const answer = await api.call(endpoints.giveBalance, { body: `${start}${addition}}` });
				expectAccepted(answer, `${answer.asked} with ${addition.slice(1)}`);
			}
			expectEqual('the balance of the sub-user', await api.balanceOf(subUser()), 1 + IGNORED.length);
		},
	},
];

function byPath({ path }: Endpoint, other: Endpoint): number {
	return path < other.path ? -1 : 1;
}

async function onEach(check: (endpoint: Endpoint) => Promise<void>): Promise<void> {
	for (const endpoint of freePosts) await check(endpoint);
}

/** A body of exactly that many bytes, with correct fields. */
function paddedTo(bytes: number, username: string): string {
	const body = { username, amount_usd_cents: 1, padding: '' };
	return JSON.stringify({ ...body, padding: 'p'.repeat(bytes - JSON.stringify(body).length) });
}

async function expectRefusedGives(session: Session, additions: readonly string[]): Promise<void> {
	const { api } = session;
	const rest = `"username":${JSON.stringify(session.subUser())},"amount_usd_cents":1`;
	const before = await api.balance();
	const refusal: ErrorCode = 'invalid_request';
	for (const addition of additions) {
		const answer = await api.call(endpoints.giveBalance, { body: `{${rest}${addition}}` });
		expectFailure(answer, 400, refusal, `with ${addition.slice(1)}`);
	}
	expectEqual('the balance of the sub-user', await api.balanceOf(session.subUser()), 0);
	expectEqual("the reseller's balance", await api.balance(), before);
}
