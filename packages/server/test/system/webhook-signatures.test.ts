import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { newWebhookSecret, signedHeaders } from '@bursar/terminal/webhooks';
import { run } from '@bursar/testing/packed';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { verifyWebhook } from '../../../client/src/verify-webhook.ts';
import { pythonWithWebhooks } from '../support/python.ts';

const EXAMPLES = join(import.meta.dirname, '../../../../docs/examples');
const EVENT = {
	id: 'evt_0123456789ABCDEFGHIJKL',
	number: 1,
	type: 'reseller.credited',
	at: '2026-11-20T23:59:59.000Z',
	data: { amount_usd_cents: 500, balance: 700, reference: 'ü' },
};
const BODY = JSON.stringify(EVENT);

/** Prints what the package and the example say of each webhook in a file: its event, or the class of the error. */
const VERIFY = `
import json, sys
from standardwebhooks.webhooks import Webhook
from verify_webhook import verify_webhook

def outcome(verify):
    try:
        return verify()
    except Exception as error:
        return type(error).__name__

print(json.dumps([
    [
        outcome(lambda: Webhook(sent["secret"]).verify(sent["body"], sent["headers"])),
        outcome(lambda: verify_webhook(sent["body"].encode(), sent["headers"], sent["secret"])),
    ]
    for sent in json.load(open(sys.argv[1], encoding="utf-8"))
]))
`;

/** Prints the signature that the package makes. */
const SIGN = `
import json, sys
from datetime import datetime, timezone
from standardwebhooks.webhooks import Webhook

sent = json.load(open(sys.argv[1], encoding="utf-8"))
at = datetime.fromtimestamp(sent["seconds"], tz=timezone.utc)
print(json.dumps(Webhook(sent["secret"]).sign(sent["id"], at, sent["body"])))
`;

/** Runs a script in an environment that has the package and the example. Resolves with the JSON that it prints. */
type Python = (script: string, input: unknown) => Promise<unknown>;

async function startPython(t: TestContext): Promise<Python> {
	const folder = temporaryFolder(t);
	const python = await pythonWithWebhooks(t);
	return async (script, input) => {
		const file = join(folder, 'input.json');
		writeFileSync(file, JSON.stringify(input));
		const environment = { PYTHONPATH: EXAMPLES, PYTHONDONTWRITEBYTECODE: '1' };
		const { code, output } = await run([python, '-c', script, file], folder, environment);
		assert.equal(code, 0, output);
		return JSON.parse(output);
	};
}

test('standardwebhooks of PyPI and the example for Python verify what is signed, and the client what it signs', async (t) => {
	const python = await startPython(t);
	const [secret, previous, other] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()];
	const atMs = Date.now();
	const headers = (secrets = [secret], ms = atMs) => signedHeaders({ id: EVENT.id, atMs: ms, body: BODY, secrets });

	await t.test('good webhooks give the event, with the new and with the previous secret', async () => {
		const webhooks = [
			{ secret, body: BODY, headers: headers() },
			{ secret, body: BODY, headers: headers([secret, previous]) },
			{ secret: previous, body: BODY, headers: headers([secret, previous]) },
			{ secret, body: BODY, headers: headers([secret], atMs - 240_000) },
		];
		const outcomes = await python(VERIFY, webhooks);
		assert.deepEqual(
			outcomes,
			webhooks.map(() => [EVENT, EVENT]),
		);
	});

	await t.test('bad webhooks are refused', async () => {
		const { 'webhook-signature': _, ...unsigned } = headers();
		const webhooks = [
			{ secret: other, body: BODY, headers: headers() },
			{ secret, body: `${BODY} `, headers: headers() },
			{ secret, body: BODY, headers: { ...headers(), 'webhook-id': 'evt_2' } },
			{ secret, body: BODY, headers: { ...headers(), 'webhook-timestamp': String(Math.floor(atMs / 1_000) + 1) } },
			{ secret, body: BODY, headers: { ...headers(), 'webhook-signature': 'v1,AAAA v2,x' } },
			{ secret, body: BODY, headers: { ...headers(), 'webhook-timestamp': 'x' } },
			{ secret, body: BODY, headers: headers([secret], atMs - 360_000) },
			{ secret, body: BODY, headers: headers([secret], atMs + 360_000) },
			{ secret, body: BODY, headers: unsigned },
			{ secret, body: BODY, headers: {} },
		];
		const outcomes = await python(VERIFY, webhooks);
		assert.deepEqual(
			outcomes,
			webhooks.map(() => ['WebhookVerificationError', 'ValueError']),
		);
	});

	await t.test('the client verifies what standardwebhooks of PyPI signs', async () => {
		const seconds = Math.floor(atMs / 1_000);
		const signature = await python(SIGN, { secret, id: EVENT.id, seconds, body: BODY });
		const sent = {
			'webhook-id': EVENT.id,
			'webhook-timestamp': String(seconds),
			'webhook-signature': String(signature),
		};
		const { id, data } = await verifyWebhook(BODY, sent, secret, { now: new Date(atMs) });
		assert.deepEqual(
			[id, data],
			[EVENT.id, { amountCents: 500, balanceCents: 700, reference: 'ü', payment: undefined }],
		);
	});
});
