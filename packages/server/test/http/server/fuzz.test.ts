import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { test } from 'node:test';
import { allEndpoints, CREATE_FEE_CENTS, endpoints, ownEndpoints, type SubUser } from '@bursar/contract';
import { anyCharacter } from '@bursar/testing/any-character';
import { checkEnvelope, resellerApi } from '@bursar/testing/api';
import { printedSeed } from '@bursar/testing/random';
import { startTestService } from '@bursar/testing/service';
import fc from 'fast-check';
import { rawConnection } from '../../support/raw-socket.ts';

const RUNS = Number(process.env.TEST_RUNS ?? (process.env.BURSAR_TEST_FAULTS === 'long' ? 200 : 100));
const ENDPOINTS = Object.values(allEndpoints).map(({ method, path }) => ({
	method: method as string,
	path: path as string,
}));
const PATHS = ENDPOINTS.map(({ path }) => path);
/** Codes of a create that reached the rules and was charged. */
const CHARGED: readonly (string | null)[] = [
	null,
	'expectation_failed',
	'payload_too_large',
	'unsupported_media_type',
	'invalid_request',
	'invalid_username',
	'username_taken',
];

interface FuzzedRequest {
	readonly target: { readonly method: string; readonly path: string };
	readonly credentials: 'ours' | 'wrong' | 'none';
	readonly contentType: string;
	readonly headers: readonly (readonly [name: string, value: string])[];
	readonly body: string;
	readonly framing: 'length' | 'chunks' | 'broken chunks';
}

const oftenOneOf = <T>(usual: readonly T[], other: fc.Arbitrary<T>) =>
	fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: other });

const visible = fc.string({
	unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
	maxLength: 40,
});
const headerValue = fc.string({
	unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
	maxLength: 60,
});
const username = oftenOneOf<unknown>(
	['alice', 'ALICE', 'bob.1', 'acme', 'bolt', 'nobody', 'new_one'],
	fc.oneof(fc.string(), fc.jsonValue()),
);
const amount = oftenOneOf<unknown>([1, 5, 0, -1, 0.5, 1e15, 2 ** 53, '5', null], fc.oneof(fc.double(), fc.jsonValue()));
const jsonBody = fc
	.record({ username, amount_usd_cents: amount, change_id: username, extra: fc.jsonValue() }, { requiredKeys: [] })
	.map((body) => JSON.stringify(body));
const otherBody = fc.oneof(
	fc.string({ unit: anyCharacter, maxLength: 200 }),
	fc.json(),
	fc.constantFrom(
		'',
		'{',
		'[',
		'{"username":"alice","username":"bob.1"}',
		'{"__proto__":1}',
		'x'.repeat(17_000),
		'['.repeat(10_000),
	),
);

const method = oftenOneOf(['GET', 'POST'], fc.constantFrom(...METHODS.filter((name) => name !== 'CONNECT')));
const path = oftenOneOf(
	PATHS,
	fc.oneof(
		visible,
		visible.map((text) => `/${text}`),
		fc.tuple(fc.constantFrom(...PATHS), visible).map((parts) => parts.join('')),
	),
);
const request: fc.Arbitrary<FuzzedRequest> = fc.record({
	target: oftenOneOf(ENDPOINTS, fc.record({ method, path })),
	credentials: fc.constantFrom<FuzzedRequest['credentials']>('ours', 'ours', 'ours', 'wrong', 'none'),
	contentType: oftenOneOf(
		['application/json', 'application/json', 'application/json; charset=utf-8'],
		fc.oneof(fc.constant(''), headerValue),
	),
	headers: fc.array(
		fc.tuple(
			oftenOneOf(
				[
					'X-Request-Id',
					'X-Request-Expires',
					'X-Change-Id',
					'Cookie',
					'Expect',
					'Connection',
					'Upgrade',
					'Content-Encoding',
					'Accept',
					'Host',
					'Range',
					'If-Match',
					'X-HTTP-Method-Override',
					'__proto__',
				],
				fc.oneof(
					{ weight: 1, arbitrary: fc.constant('Expect') },
					{ weight: 9, arbitrary: fc.stringMatching(/^[a-zA-Z0-9_-]{1,20}$/) },
				),
			),
			oftenOneOf(['100-continue', 'close', 'gzip', 'DELETE', '*', '1', '99999999999', '0123456789abcdef'], headerValue),
		),
		{ maxLength: 3 },
	),
	body: fc.oneof({ weight: 3, arbitrary: jsonBody }, { weight: 1, arbitrary: otherBody }),
	framing: oftenOneOf<FuzzedRequest['framing']>(['length', 'chunks'], fc.constant('broken chunks')),
});

function bytesOf({ target, contentType, headers, framing, ...rest }: FuzzedRequest, token: string): Buffer {
	const body = Buffer.from(rest.body);
	const lines = [`${target.method} ${target.path} HTTP/1.1`, 'Host: localhost'];
	if (rest.credentials !== 'none')
		lines.push(`Authorization: Bearer ${rest.credentials === 'ours' ? token : `${token}x`}`);
	if (contentType) lines.push(`Content-Type: ${contentType}`);
	for (const [name, value] of headers) lines.push(`${name}: ${value}`);
	lines.push(framing === 'length' ? `Content-Length: ${body.length}` : 'Transfer-Encoding: chunked');
	const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
	if (framing === 'length') return Buffer.concat([head, body]);
	if (framing === 'broken chunks') return Buffer.concat([head, body, Buffer.from('\r\n\r\n')]);
	const chunk = body.length > 0 ? [Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')] : [];
	return Buffer.concat([head, ...chunk, Buffer.from('0\r\n\r\n')]);
}

test('any request gets the envelope and never a 500, and balances change only by the rules', async (t) => {
	const seed = printedSeed(t);
	const timeouts = { requestTimeouts: { requestMs: 2_000, headersMs: 1_000, checkMs: 100 } };
	const { url, openReseller } = await startTestService(t, {}, timeouts);
	const { token } = await openReseller('acme', 10_000_000);
	const [ours, theirs] = [resellerApi(url, token), resellerApi(url, (await openReseller('bolt', 1000)).token)];
	await ours.create({ username: 'alice' });
	await theirs.create({ username: 'bob.1' });
	await theirs.give({ username: 'bob.1', amount_usd_cents: 100 });
	const balancesOf = async (api: typeof ours): Promise<number[]> => {
		const accounts = [(await api.myInfo()).data, ...(await api.viewAll()).data] as SubUser[];
		return accounts.toSorted((a, b) => a.username.localeCompare(b.username)).map(({ balance }) => balance);
	};
	const sum = (cents: readonly number[]) => cents.reduce((total, balance) => total + balance, 0);
	const untouched = await balancesOf(theirs);
	let before = await balancesOf(ours);
	const seen = new Map<string, number>();

	await fc.assert(
		fc.asyncProperty(request, async (fuzzed) => {
			const connection = await rawConnection(t, url, { methods: [fuzzed.target.method] });
			connection.write(bytesOf(fuzzed, token));
			const first = (await connection.answers(1))[0];
			const answer = first?.status === 100 ? (await connection.answers(2))[1] : first;
			connection.socket.destroy();
			assert.ok(answer);
			const { status, headers, body } = answer;
			const isExpired = Number(headers.get('x-request-expires')) < Date.now() / 1000;
			assert.ok(status < 500 || (isExpired && headers.get('x-error-code') === 'unavailable'), `${status}`);
			if (fuzzed.target.method !== 'HEAD') checkEnvelope(status, headers, body);
			const code = headers.get('x-error-code');
			seen.set(`${status} ${code ?? ''}`, (seen.get(`${status} ${code ?? ''}`) ?? 0) + 1);

			const after = await balancesOf(ours);
			const { method, path } = fuzzed.target;
			const isAsked = method === 'POST' && fuzzed.credentials === 'ours';
			const isCreateWith = path.includes(ownEndpoints.createSubUserWith.path);
			const isCreate = !isCreateWith && path.includes(endpoints.createSubUser.path);
			// A wrong body of a `create_with` costs nothing.
			const costs = isCreateWith ? [null, 'username_taken'] : isCreate ? CHARGED : [];
			const isCharged = isAsked && costs.includes(code);
			assert.equal(sum(after), sum(before) - (isCharged ? CREATE_FEE_CENTS : 0), 'the total changes only by the fee');
			if (status !== 200) assert.equal(after.filter((cents, i) => cents !== before[i]).length, isCharged ? 1 : 0);
			before = after;
			assert.deepEqual(await balancesOf(theirs), untouched, 'no balance of another reseller changes');
		}),
		{ seed, numRuns: RUNS, interruptAfterTimeLimit: 18_000, markInterruptAsFailure: false },
	);
	t.diagnostic(JSON.stringify(Object.fromEntries([...seen].sort())));
	assert.ok(seen.size >= 6, 'there are too few kinds of answers');
});
