import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { run } from '@bursar/testing/packed';
import { endProcess } from '@bursar/testing/processes';
import { createStripe } from '../../src/payments/providers/stripe.ts';

const MODULE = 'github.com/stripe/stripe-mock@v0.203.0';
const NEEDS =
	'This test builds stripe-mock with Go 1.22.1 or newer: https://go.dev/doc/install. The golang-go of Debian 12 is older.';
const KEY = 'sk_test_123';
const PAYMENT = { id: 'payment-1', reseller: 'acme', amountCents: 2_500, returnUrl: 'https://bursar.example/back' };
const { signal } = new AbortController();

test("every request to Stripe, and what is read of its answers, agrees with Stripe's own description of its API", async (t) => {
	const url = await startStripeMock(t);
	const provider = createStripe({ key: KEY, webhookSecret: 'whsec_123', url });

	await t.test('a session is made and read, with its refunds and disputes', async () => {
		const { objectId, reading } = await provider.create(PAYMENT, signal);
		assert.match(objectId, /^cs_test_/);
		assert.deepEqual([reading.state, reading.isLive, reading.settledCents], ['open', false, 0]);
		assert.match(reading.pageUrl ?? '', /^https:\/\/checkout\.stripe\.com\//);
		const read = (await provider.read(objectId, signal)) ?? assert.fail('the session is not found');
		assert.match(read.intentId ?? '', /^pi_/);
		// The same refund and the same dispute, an inquiry, belong to all payments there.
		assert.deepEqual([read.refundedCents, read.disputedCents], [100, 0]);
	});

	await t.test('sessions, events, refunds and disputes are listed', async () => {
		assert.equal(await provider.find({ id: PAYMENT.id, createdAtMs: Date.now() }, signal), undefined);
		let parts = 0;
		for await (const names of provider.listChanged(0, signal)) parts += Array.isArray(names) ? 1 : 0;
		assert.equal(parts, 3);
	});

	await t.test('each thing that the service needs can be asked for', () => provider.check(signal));

	await t.test('a parameter that Stripe does not know is found', async () => {
		const refused = await fetch(`${url}/v1/refunds?payment=pi_1`, { headers: { authorization: `Bearer ${KEY}` } });
		assert.equal(refused.status, 400);
		await refused.body?.cancel();
	});
});

/** Builds stripe-mock once, and starts it. Resolves with the address of its API. */
async function startStripeMock(t: TestContext): Promise<string> {
	const folder = resolve(import.meta.dirname, '../../../../node_modules/.bursar-stripe-mock');
	mkdirSync(folder, { recursive: true });
	// Go of go.dev comes before an older one of Debian.
	const environment = { GOBIN: folder, PATH: `/usr/local/go/bin:${process.env.PATH}` };
	const built = await run(['go', 'install', MODULE], folder, environment).catch(({ message }) =>
		assert.fail(`${NEEDS} ${message}`),
	);
	assert.equal(built.code, 0, `${NEEDS}\n${built.output}`);
	// It would also serve HTTPS on a port for all addresses.
	const addresses = ['-http-addr', '127.0.0.1:0', '-https-addr', '127.0.0.1:0'];
	const child = spawn(join(folder, 'stripe-mock'), addresses, { stdio: ['ignore', 'pipe', 'inherit'] });
	t.after(() => endProcess(child, 'SIGKILL'));
	for await (const line of createInterface(child.stdout)) {
		const [, address] = /^Listening for HTTP at address: (\S+)$/.exec(line) ?? [];
		if (address !== undefined) return `http://${address}`;
	}
	return assert.fail('stripe-mock has ended');
}
