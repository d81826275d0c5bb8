import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { startStripe, stripeEnvironment } from '@bursar/testing/payment-providers/stripe';
import { bursarctlFor, saidIn } from './support/bursarctl.ts';
import { startMiddle } from './support/middle.ts';
import { openShop } from './support/shop.ts';

const FIFTY = ['top-up', 'create', '50.00', '--provider', 'stripe'] as const;

async function openWithStripe(t: TestContext) {
	const stripe = await startStripe(t);
	return { stripe, ...(await openShop(t, 0, stripeEnvironment(stripe))) };
}

describe('top-up', { concurrency: 2 }, () => {
	test('a payment is begun, shown with its address, and listed', async (t) => {
		const { bursarctl } = await openWithStripe(t);
		const { id, url, expires_at, timestamp, change_id, ...rest } = await bursarctl.json(...FIFTY);
		assert.deepEqual(rest, {
			...{ provider: 'stripe', state: 'open', amount_usd_cents: 5_000, credited_usd_cents: 0 },
			...{ refunded_usd_cents: 0, disputed_usd_cents: 0, confirmed_by: 'answer' },
		});
		const listed = { id, url, expires_at, timestamp, change_id, ...rest, confirmed_by: undefined };
		assert.deepEqual(await bursarctl.json('top-up', 'list'), [JSON.parse(JSON.stringify(listed))]);
		assert.match(
			await bursarctl.print(...FIFTY),
			/^Payment +pay_\w{22}\nState +open\nUSD +50\.00\nPay at +http\S+\nUntil +\S+Z\n$/,
		);
		const table = await bursarctl.print('top-up', 'list', '--waiting');
		assert.match(table, /^WHEN +PAYMENT +PROVIDER +STATE +USD +CREDITED +PAY AT\n/);
		assert.match(table, new RegExp(`\\n\\S+ +${id} +stripe +open +50\\.00 +0\\.00 +http\\S+\\n$`));
		const csv = await bursarctl.print('top-up', 'list', '--csv');
		assert.match(csv, /^id,provider,state,amount_usd,credited_usd,/);
		assert.ok(csv.includes(`${id},stripe,open,50.00,0.00,`));
	});

	test('a payment without a page yet is done, and says so', async (t) => {
		const { stripe, bursarctl } = await openWithStripe(t);
		stripe.faults.isAway = true;
		assert.match(await bursarctl.print(...FIFTY), /State +creating\nUSD +50\.00\nPay at +no address yet\n$/);
	});

	test('a lost answer begins one payment', async (t) => {
		const { service, stripe, token } = await openWithStripe(t);
		const middle = await startMiddle(t, service.url);
		let lost = 0;
		middle.fateOf = (path) => (path === '/reseller/top_ups/create' && lost++ === 0 ? 'lose_answer' : 'pass');
		const { confirmed_by, id } = await bursarctlFor(t, middle.url, token).json(...FIFTY);
		assert.equal(confirmed_by, 'look');
		assert.equal(stripe.sessionOf(id).amount_total, 5_000);
		assert.equal(stripe.sessions.size, 1);
	});

	test('what is refused has its code, and what is wrong is not sent', async (t) => {
		const { stripe, bursarctl } = await openWithStripe(t);
		for (const [args, code, error] of [
			[['9.99', '--provider', 'stripe'], 5, 'amount_out_of_bounds'],
			[['50.00', '--provider', 'btcpay'], 5, 'provider_off'],
			[['50', '--provider', 'stripe'], 2, 'usage'],
			[['0.00', '--provider', 'stripe'], 2, 'usage'],
			[['50.00', '--provider', 'paypal'], 2, 'usage'],
			[['50.00'], 2, 'usage'],
		] as const) {
			const { code: exitCode, stderr } = await bursarctl.run('top-up', 'create', ...args, '--json');
			assert.deepEqual([exitCode, saidIn(stderr).error.code], [code, error], args.join(' '));
		}
		assert.equal(stripe.sessions.size, 0);
		for (let count = 0; count < 20; count++) await bursarctl.print(...FIFTY);
		const further = await bursarctl.run(...FIFTY, '--json');
		assert.deepEqual([further.code, saidIn(further.stderr).error.code], [5, 'too_many_payments']);
		assert.equal((await bursarctl.run('top-up', 'list', '--csv', '--json')).code, 2);
	});

	test('a service that takes no payments says so', async (t) => {
		const { bursarctl } = await openShop(t);
		const { code, stderr } = await bursarctl.run(...FIFTY, '--json');
		assert.deepEqual([code, saidIn(stderr).error.code], [5, 'provider_off']);
		assert.deepEqual(await bursarctl.json('top-up', 'list'), []);
	});
});
