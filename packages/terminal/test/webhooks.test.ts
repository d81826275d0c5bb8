import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newWebhookSecret, signedHeaders } from '@bursar/terminal/webhooks';
import { Webhook } from 'standardwebhooks';

const EVENT = { id: 'evt_0123456789ABCDEFGHIJKL', data: { note: 'ü\u2028"' } };
const BODY = JSON.stringify(EVENT);

test('a secret is whsec_ and 32 random bytes', () => {
	const secrets = Array.from({ length: 100 }, newWebhookSecret);
	assert.equal(new Set(secrets).size, 100);
	for (const secret of secrets) assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
});

test('the headers are those of Standard Webhooks, with the seconds of the try', () => {
	const secret = `whsec_${Buffer.alloc(32, 'k').toString('base64')}`;
	assert.deepEqual(signedHeaders({ id: 'evt_1', atMs: 1_700_000_000_999, body: '{"a":1}', secrets: [secret] }), {
		'webhook-id': 'evt_1',
		'webhook-timestamp': '1700000000',
		// printf 'evt_1.1700000000.{"a":1}' | openssl dgst -sha256 -hmac kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk -binary | base64
		'webhook-signature': 'v1,xsrKrSc6Z9cAn/br4kO7TvhjtnkMIFoZTCPnw3cDwF4=',
	});
});

test('standardwebhooks of npm verifies what is signed, with each of the secrets', () => {
	const secrets = [newWebhookSecret(), newWebhookSecret()];
	const headers = { ...signedHeaders({ id: EVENT.id, atMs: Date.now(), body: BODY, secrets }) };
	for (const secret of secrets) {
		assert.deepEqual(new Webhook(secret).verify(BODY, headers), EVENT);
		assert.throws(() => new Webhook(secret).verify(`${BODY} `, headers), /No matching signature/);
		assert.throws(
			() => new Webhook(secret).verify(BODY, { ...headers, 'webhook-id': 'evt_2' }),
			/No matching signature/,
		);
	}
	assert.throws(() => new Webhook(newWebhookSecret()).verify(BODY, headers), /No matching signature/);
});

test('nothing is signed without a secret, with a wrong one, or for an id that could be read in two ways', () => {
	const sign = (id: string, secrets: readonly string[]) => signedHeaders({ id, atMs: 0, body: BODY, secrets });
	assert.throws(() => sign('evt_1', []), assert.AssertionError);
	for (const id of ['', 'evt.1', 'evt 1', 'evt_1\r\nX: y']) {
		assert.throws(() => sign(id, [newWebhookSecret()]), assert.AssertionError, id);
	}
	const short = Buffer.alloc(31, 'k').toString('base64');
	for (const wrong of [`whsec_${short}`, newWebhookSecret().slice(6), `whpk_${newWebhookSecret().slice(6)}`]) {
		assert.throws(
			() => sign('evt_1', [wrong]),
			({ message }: Error) => message === 'this is no secret of a webhook',
		);
	}
});
