import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import {
	type ResellerEvent,
	type VerifyWebhookOptions,
	verifyWebhook,
	type WebhookHeaders,
	WebhookVerificationError,
} from '../src/index.ts';

const secretOf = (letter: string, bytes = 32) => `whsec_${Buffer.alloc(bytes, letter).toString('base64')}`;
const SECRET = secretOf('s');
const OTHER_SECRET = secretOf('o');
const AT = new Date('2026-11-21T00:00:00Z');
const SENT = {
	id: 'evt_0123456789ABCDEFGHIJKL',
	number: 7,
	type: 'reseller.credited',
	at: '2026-11-20T23:59:59.000Z',
	data: { amount_usd_cents: 500, balance: 700, reference: 'ü' },
	change_id: 'change-0123456789',
};
const BODY = JSON.stringify(SENT);
const EVENT: ResellerEvent = {
	id: SENT.id,
	number: 7,
	type: 'reseller.credited',
	at: new Date(SENT.at),
	username: undefined,
	data: { amountCents: 500, balanceCents: 700, reference: 'ü', payment: undefined },
	requestId: undefined,
	changeId: SENT.change_id,
	next: `7-${SENT.id}`,
};

/** What `standardwebhooks` of npm signs. */
function signed(body = BODY, { at = AT, secrets = [SECRET] } = {}): Record<string, string> {
	return {
		'webhook-id': EVENT.id,
		'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
		'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(EVENT.id, at, body)).join(' '),
	};
}

function verify(
	headers: WebhookHeaders,
	{
		body = BODY,
		secret = SECRET,
		...options
	}: VerifyWebhookOptions & { body?: string | Uint8Array | ArrayBuffer; secret?: string | readonly string[] } = {},
) {
	return verifyWebhook(body, headers, secret, { now: AT, ...options });
}

async function isRefused(verification: Promise<unknown>, message: RegExp, what = ''): Promise<void> {
	await assert.rejects(
		verification,
		(error: Error) => {
			assert.ok(error instanceof WebhookVerificationError, String(error));
			assert.equal(error.name, 'WebhookVerificationError');
			assert.match(error.message, message);
			assert.doesNotMatch(error.message, /whsec_|c3Nz/);
			return true;
		},
		what,
	);
}

test('what standardwebhooks of npm signs is accepted, as text and as bytes, and the event is returned', async () => {
	assert.deepEqual(await verify(signed()), EVENT);
	const bytes = Buffer.from(`before${BODY}after`).subarray(6, -5);
	assert.deepEqual(await verify(signed(), { body: bytes }), EVENT);
	const { buffer } = new TextEncoder().encode(BODY);
	assert.deepEqual(await verify(signed(), { body: buffer }), EVENT);
	const headers = signed(BODY, { at: new Date() });
	assert.deepEqual(await verifyWebhook(BODY, headers, SECRET), EVENT);
});

test('headers are those of a web request, those of Node, or have any case', async () => {
	const headers = signed();
	const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
	const listed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
	const others = { host: 'x', 'set-cookie': ['a', 'b'], 'x-nothing': undefined };
	for (const form of [new Headers(headers), upper, listed, { ...others, ...headers }]) {
		assert.deepEqual(await verify(form), EVENT);
	}
});

test('one good signature among several is enough, with one secret among several', async () => {
	const both = signed(BODY, { secrets: [OTHER_SECRET, SECRET] });
	assert.deepEqual(await verify(both), EVENT);
	assert.deepEqual(await verify(signed(), { secret: [OTHER_SECRET, SECRET] }), EVENT);
	const [good] = [signed()['webhook-signature']];
	for (const further of [
		'v1a,AAAA',
		'v2,x',
		'v1,',
		'v1,####',
		'',
		',',
		`v1,${'A'.repeat(42)}==`,
		`v1,${'A'.repeat(43)}=`,
	]) {
		assert.deepEqual(await verify({ ...signed(), 'webhook-signature': `${further} ${good}` }), EVENT, further);
	}
});

test('secrets of every length that Standard Webhooks allows are accepted', async () => {
	for (const bytes of [24, 25, 26, 32, 64]) {
		const secret = secretOf('s', bytes);
		assert.deepEqual(await verify(signed(BODY, { secrets: [secret] }), { secret }), EVENT);
	}
});

test('another secret, or any changed byte, is refused', async () => {
	const noMatch = /^no signature in webhook-signature is one of this body with this secret$/;
	await isRefused(verify(signed(), { secret: OTHER_SECRET }), noMatch);
	await isRefused(verify(signed(), { secret: [OTHER_SECRET, secretOf('t')] }), noMatch);
	await isRefused(verify(signed(), { body: `${BODY} ` }), noMatch);
	await isRefused(verify(signed(), { body: BODY.replace('credited', 'creditee') }), noMatch);
	await isRefused(verify(signed(), { body: BODY.replace('ü', '\ufffd') }), noMatch);
	await isRefused(verify(signed(), { body: '' }), noMatch);
	await isRefused(verify({ ...signed(), 'webhook-id': 'evt_2' }), noMatch);
	const second = String(AT.getTime() / 1_000 + 1);
	await isRefused(verify({ ...signed(), 'webhook-timestamp': second }), noMatch);
	for (let index = 0; index < BODY.length; index += 7) {
		const bytes = Buffer.from(BODY);
		bytes[index] = (bytes[index] ?? 0) ^ 1;
		await isRefused(verify(signed(), { body: bytes }), noMatch, String(index));
	}
});

test('a signature of another form is none, and never an error of another class', async () => {
	const [, base64 = ''] = (signed()['webhook-signature'] ?? '').split(',');
	for (const text of [
		...[base64, `v1${base64}`, `v1, ${base64}`, `V1,${base64}`, `v1a,${base64}`, `v2,${base64}`, `v1,${base64}v1`],
		...[`v1,${base64.slice(0, -1)}`, `v1,${base64}=`, `v1,${base64.slice(1)}`, `v1,\u0000`, 'v1', ',', ' '],
		`v1,${base64.replace(/[A-Za-z0-9]/, '-')}`,
	]) {
		await isRefused(verify({ ...signed(), 'webhook-signature': text }), /^no signature/, text);
	}
});

test('each header is needed, once', async () => {
	for (const name of Object.keys(signed())) {
		const { [name]: value = '', ...rest } = signed();
		for (const headers of [rest, new Headers(rest), { ...rest, [name]: '' }, { ...rest, [name]: [] }]) {
			await isRefused(verify(headers), new RegExp(`^the header ${name} is missing$`));
		}
		for (const headers of [
			{ ...rest, [name]: [value, value] },
			{ ...rest, [name]: value, [name.toUpperCase()]: value },
		]) {
			await isRefused(verify(headers), new RegExp(`^the header ${name} was sent more than once$`));
		}
	}
	await isRefused(verify({}), /^the header webhook-id is missing$/);
});

test('a time that is more than five minutes old or new is refused', async () => {
	const at = (seconds: number) => new Date(AT.getTime() + seconds * 1_000);
	for (const seconds of [-300, -1, 0, 1, 300]) assert.deepEqual(await verify(signed(), { now: at(seconds) }), EVENT);
	await isRefused(verify(signed(), { now: at(301) }), /^webhook-timestamp is too old$/);
	await isRefused(verify(signed(), { now: at(-301) }), /^webhook-timestamp is too new$/);
	assert.deepEqual(await verify(signed(), { now: at(301), toleranceSeconds: 301 }), EVENT);
	await isRefused(verify(signed(), { now: at(2), toleranceSeconds: 1 }), /too old/);
	// Never accepted by mistake.
	await isRefused(verify(signed(), { toleranceSeconds: Number.NaN }), /too/);
	await isRefused(verify(signed(), { now: new Date(Number.NaN) }), /too/);
	for (const text of ['x', '-1', '1.5', '1e9', ' 1700000000', '0x10', '9'.repeat(13)]) {
		await isRefused(verify({ ...signed(), 'webhook-timestamp': text }), /^webhook-timestamp is no number of seconds$/);
	}
});

test('what is too large is refused before anything is computed from it', async () => {
	const largest = JSON.stringify({ ...SENT, data: { ...SENT.data, reference: 'x'.repeat(1024 ** 2) } });
	const fitting = largest.replace('x'.repeat(largest.length - 1024 ** 2), '');
	assert.equal(fitting.length, 1024 ** 2);
	assert.equal((await verify(signed(fitting), { body: fitting })).id, EVENT.id);
	for (const body of [largest, Buffer.from(largest), `${fitting} `, fitting.replace('x', 'ü')]) {
		await isRefused(verify(signed(), { body }), /^the body is larger than 1 MiB$/);
	}
	for (const name of Object.keys(signed())) {
		const headers = { ...signed(), [name]: '1'.repeat(8_193) };
		await isRefused(verify(headers), new RegExp(`^the header ${name} is too long$`));
	}
	const false16 = `v1,${'A'.repeat(43)}= `.repeat(16);
	await isRefused(
		verify({ ...signed(), 'webhook-signature': false16 + signed()['webhook-signature'] }),
		/^no signature/,
	);
});

test('a body that is signed and is no event is refused', async () => {
	for (const body of [
		...['', 'null', '[]', '"x"', '{', '{}', BODY.slice(0, -1)],
		...['id', 'number', 'type', 'at', 'data'].map((name) => JSON.stringify({ ...SENT, [name]: undefined })),
		JSON.stringify({ ...SENT, number: '7' }),
		JSON.stringify({ ...SENT, data: [] }),
	]) {
		await isRefused(verify(signed(body), { body }), /^the body is signed, but is no event$/, body);
	}
});

test('an argument of the wrong kind is a TypeError, without the secret', async () => {
	for (const secret of [
		...['', 'whsec_', 'whsec_#', SECRET.slice(6), `${SECRET}=`, ` ${SECRET}`, SECRET.replace('whsec_', 'whpk_')],
		...[[], [SECRET, ''], undefined, null, [undefined]],
	]) {
		const verification = verifyWebhook(BODY, signed(), secret as string, { now: AT });
		await assert.rejects(verification, (error: Error) => {
			assert.ok(error instanceof TypeError, String(secret));
			assert.match(error.message, /^secret must /);
			assert.doesNotMatch(error.message, /c3Nz/);
			return true;
		});
	}
	for (const body of [EVENT, undefined, null, 7]) {
		await assert.rejects(verifyWebhook(body as unknown as string, signed(), SECRET, { now: AT }), {
			name: 'TypeError',
			message: 'body must be the raw text or bytes as they came, not what was parsed from them',
		});
	}
});
