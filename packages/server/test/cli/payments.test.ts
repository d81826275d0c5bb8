import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { test } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { callBursar } from '@bursar/testing/bursar-in-process';
import {
	STRIPE_KEY,
	STRIPE_TEST_KEY,
	STRIPE_WEBHOOK_SECRET,
	startStripe,
	stripeEnvironment,
} from '@bursar/testing/payment-providers/stripe';
import { startTestService } from '@bursar/testing/service';
import { openStore } from '../../src/engine.ts';
import { bothEngines } from '../support/both-engines.ts';
import { createTopUp } from '../support/payment-commands.ts';

for (const engine of await bothEngines()) {
	test(`on ${engine.name}, a payment is read beside the service, booked once, and that is recorded`, async (t) => {
		const stripe = await startStripe(t);
		const environment = { ...(await engine.environment()), ...stripeEnvironment(stripe) };
		// Only the command reads.
		const { url, config, openReseller } = await startTestService(t, environment, { paymentLookMs: 2 ** 31 - 1 });
		const run = (...args: string[]) => callBursar(config.dataDir, ['payments', ...args], { environment });
		const json = async (...args: string[]) => {
			const { code, stdout, stderr } = await run(...args, '--json');
			assert.equal(code, 0, stderr);
			return JSON.parse(stdout);
		};
		const api = resellerApi(url, (await openReseller('acme', 0)).token);
		await openReseller('other', 0);
		const { id } = (await api.createTopUp({ provider: 'stripe', amount_usd_cents: 5_000 })).data;
		const session = stripe.sessionOf(id);
		await stripe.pay(session);

		const read = await json('read', id);
		assert.deepEqual(
			[read.id, read.reseller, read.state, read.booked_cents, read.booked_now_cents, read.findings, read.object_id],
			[id, 'acme', 'settled', 5_000, 5_000, [], session.id],
		);
		assert.equal((await api.myInfo()).data.balance, 5_000);
		assert.equal((await json('read', id)).booked_now_cents, 0);
		await stripe.refund(session, 2_000);
		const { stdout } = await run('read', id);
		assert.match(stdout, /^id +pay_\w+\n.*^booked +30\.00 USD\n.*^findings +-\n.*^booked_now +-20\.00 USD\n$/ms);
		assert.equal((await api.myInfo()).data.balance, 3_000);

		assert.deepEqual(
			(await json('list')).payments.map(({ id: listed }: { id: string }) => listed),
			[id],
		);
		assert.deepEqual(await json('list', '--reseller', 'other'), { payments: [], more: false });
		assert.deepEqual((await json('list', '--waiting')).payments, []);
		assert.deepEqual((await json('list', '--findings', '--reseller', 'acme')).payments, []);
		const table = (await run('list')).stdout;
		assert.match(table, /^TIME +PAYMENT +RESELLER +PROVIDER +STATE +USD +BOOKED +FINDINGS\n/);
		assert.match(table, new RegExp(`\\n\\S+ +${id} +acme +stripe +settled +50\\.00 +30\\.00 +-\\n$`));

		const store = await openStore(config);
		const { rows } = await store.searchActsAfter({ after: 0, limit: 100 });
		await store.close();
		assert.deepEqual(
			rows
				.filter(({ kind }) => kind === 'ask_payment_read')
				.map(({ target, reseller, systemUser }) => [target, reseller, systemUser]),
			Array(3).fill([id, 'acme', userInfo().username]),
		);
	});
}

test('what cannot be read is refused, without a secret, and nothing is booked', async (t) => {
	const stripe = await startStripe(t);
	const settings = stripeEnvironment(stripe);
	const { config, openReseller, submit } = await startTestService(t);
	await openReseller('acme', 0);
	const id = 'pay_1';
	await submit(createTopUp('acme', 5_000, id));
	const refused = async (environment: Readonly<Record<string, string>>, ...args: string[]) => {
		const { code, stderr } = await callBursar(config.dataDir, ['payments', ...args, '--json'], { environment });
		for (const secret of [STRIPE_KEY, STRIPE_TEST_KEY, STRIPE_WEBHOOK_SECRET]) assert.ok(!stderr.includes(secret));
		return [code, JSON.parse(stderr).error.code];
	};
	assert.deepEqual(await refused(settings, 'read', 'pay_2'), [1, 'unknown_payment']);
	assert.deepEqual(await refused({}, 'read', id), [1, 'provider_off']);
	assert.deepEqual(await refused({ ...settings, BURSAR_STRIPE_KEY: STRIPE_TEST_KEY }, 'read', id), [1, 'other_mode']);
	assert.deepEqual(await refused({ ...settings, BURSAR_STRIPE_KEY: `${STRIPE_KEY}0` }, 'read', id), [
		1,
		'provider_failed',
	]);
	stripe.faults.isAway = true;
	assert.deepEqual(await refused(settings, 'read', id), [1, 'provider_failed']);
	assert.deepEqual(await refused(settings, 'list', '--reseller', 'nobody'), [1, 'unknown_reseller']);
	assert.deepEqual(await refused(settings, 'list', '--waiting', '--findings'), [2, 'usage']);
	const { stdout } = await callBursar(config.dataDir, ['payments', 'list', '--json']);
	const [{ booked_cents, failed_reads }] = JSON.parse(stdout).payments;
	assert.deepEqual([booked_cents, failed_reads], [0, 2]);
});
