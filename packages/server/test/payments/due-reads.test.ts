import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { eventually } from '@bursar/testing/eventually';
import { postgresEngine } from '../store/postgres-engine.ts';
import { sqliteEngine } from '../store/sqlite-engine.ts';
import { runAll } from '../store/suite/engine.ts';
import { askPaymentRead } from '../support/payment-commands.ts';
import { bookedReferences, openPayments } from '../support/payment-process.ts';
import { createProviderInMemory } from '../support/payment-provider-in-memory.ts';

const MINUTE_MS = 60_000;

for (const engine of [sqliteEngine, await postgresEngine()]) {
	test(`${engine.name}: a hint that comes while a read is under way causes another read`, async (t) => {
		const { stripe, start, until, ...opened } = await openPayments(t, engine);
		const service = start();
		const id = await service.begin();
		const slow = Promise.withResolvers<void>();
		stripe.slow = slow.promise;
		assert.equal(await service.hint(id), 'good');
		await eventually(async () => assert.equal(stripe.underWay, 1));
		stripe.pay(id);
		assert.equal(await service.hint(id), 'good');
		stripe.slow = undefined;
		slow.resolve();
		await until(id, { state: 'settled', bookedCents: 5_000 });
		const object = stripe.objectOf(id);
		assert.deepEqual(stripe.calls.slice(-2), [`read ${object}`, `read ${object}`]);
		assert.deepEqual(await bookedReferences(opened), [`stripe:${object}:1`]);
	});

	test(`${engine.name}: a reading that arrives late changes nothing that a newer one of another process has said`, async (t) => {
		const { stripe, start, until, clock, openAnother } = await openPayments(t, engine);
		const [one, other] = [start(), start({ store: await openAnother() })];
		const id = await one.begin();
		stripe.pay(id);
		const slow = Promise.withResolvers<void>();
		stripe.slow = slow.promise;
		await other.hint(id);
		await eventually(async () => assert.equal(stripe.underWay, 1));
		stripe.slow = undefined;
		stripe.refund(id, 2_000);
		// The lease is over.
		clock.nowMs += MINUTE_MS;
		await until(id, { bookedCents: 3_000 });
		slow.resolve();
		await eventually(async () => assert.equal([...one.counts, ...other.counts].length, 3));
		await until(id, { bookedCents: 3_000, refundedCents: 2_000, postings: 1 });
	});

	test(`${engine.name}: several processes read each payment once, and book it once`, async (t) => {
		const { stripe, start, until, openAnother, ...opened } = await openPayments(t, engine);
		const services = [start(), start({ store: await openAnother() })];
		const ids = await Promise.all(Array.from({ length: 20 }, () => services[0]?.begin() ?? ''));
		for (const id of ids) stripe.pay(id);
		await runAll(
			opened.store,
			ids.map((id) => askPaymentRead('acme', id)),
		);
		for (const id of ids) await until(id, { bookedCents: 5_000 });
		assert.equal(stripe.calls.filter((call) => call.startsWith('read')).length, 20);
		assert.equal(new Set(await bookedReferences(opened)).size, 20);
	});
}

test('a payment is read when it is due, booked, and logged with its reference and what does not fit', async (t) => {
	const { stripe, start, until, clock } = await openPayments(t, sqliteEngine);
	const service = start();
	const id = await service.begin();
	stripe.pay(id, 6_000);
	clock.nowMs += 10_000;
	await until(id, { bookedCents: 6_000 });
	stripe.refund(id, 1_000);
	clock.nowMs += 10 * MINUTE_MS;
	await until(id, { bookedCents: 5_000 });
	const lines = service.log.map(({ time: _, ...line }) => line);
	const about = { payment: id, reseller: 'acme', provider: 'stripe' };
	const booked = { level: 'info', ...about, msg: 'a payment was booked' };
	const object = stripe.objectOf(id);
	assert.deepEqual(lines, [
		{ ...booked, cents: 6_000, reference: `stripe:${object}:1` },
		{ level: 'warn', ...about, finding: 'overpaid', msg: 'something about a payment does not fit' },
		{ ...booked, cents: -1_000, reference: `stripe:${object}:2` },
	]);
	assert.deepEqual(service.counts, ['stripe found', 'stripe found', 'stripe found']);
});

test('an object whose create lost its answer is found; one that was refused is said so', async (t) => {
	const { stripe, start, until, clock } = await openPayments(t, sqliteEngine);
	const service = start();
	stripe.losesCreates = true;
	const lost = await service.begin();
	await until(lost, { state: 'creating', objectId: null });
	stripe.losesCreates = false;
	stripe.refuses = true;
	await until(await service.begin(), { state: 'not_made' });
	stripe.pay(lost);
	clock.nowMs += MINUTE_MS;
	await until(lost, { state: 'settled', bookedCents: 5_000, objectId: stripe.objectOf(lost) });
	assert.deepEqual(service.counts.slice(0, 3), ['stripe failed', 'stripe refused', 'stripe found']);
	const said = service.log.map(({ msg, err }) => [msg, (err as Error | undefined)?.message]);
	assert.deepEqual(said.slice(0, 2), [
		['the payment provider could not be asked, which is tried again', 'the answer was lost'],
		['the payment provider refused to make a payment', 'the amount is too small'],
	]);
});

test('a provider that is away is asked again later, and neither all the time nor never', async (t) => {
	const { stripe, start, until, clock } = await openPayments(t, sqliteEngine);
	const service = start();
	const [first, second] = [await service.begin(), await service.begin()];
	stripe.isAway = true;
	await service.hint(first);
	const { nextReadAtMs } = await until(first, { failedReads: 1 });
	assert.equal(nextReadAtMs, clock.nowMs + 5_000);
	// A look that comes later finds only the second one.
	await service.hint(second);
	await until(second, { failedReads: 1 });
	clock.nowMs += 5_000;
	await until(second, { failedReads: 2 });
	await until(first, { failedReads: 2 });
	assert.equal(service.counts.filter((count) => count === 'stripe failed').length, 4);
	stripe.isAway = false;
	stripe.pay(first);
	clock.nowMs += 10_000;
	await until(first, { failedReads: 0, bookedCents: 5_000 });
	const said = service.log.map(({ msg }) => msg).filter((msg) => String(msg).includes('asked'));
	assert.deepEqual(said, [
		'the payment provider could not be asked, which is tried again',
		'the payment provider can be asked again',
	]);
});

test('a payment of another mode, or of a provider that is off, is left alone, and holds up no other one', async (t) => {
	const { stripe, start, until, clock } = await openPayments(t, sqliteEngine);
	const inTests = createProviderInMemory({ isLive: false, nowMs: () => clock.nowMs });
	const btcpay = createProviderInMemory({ name: 'btcpay', nowMs: () => clock.nowMs });
	const before = start({ providers: [inTests, btcpay] });
	const alone = [
		...(await Promise.all(Array.from({ length: 10 }, () => before.begin()))),
		await before.begin(5_000, 'btcpay'),
	];
	await before.stop();
	const service = start();
	const id = await service.begin();
	stripe.pay(id);
	clock.nowMs += MINUTE_MS;
	await until(id, { bookedCents: 5_000 });
	assert.deepEqual(stripe.calls, [`create ${id}`, `read ${stripe.objectOf(id)}`]);
	for (const each of alone) await until(each, { readsBegun: 1 });
	assert.deepEqual(await service.readLag(), [['stripe', 0]]);
	clock.nowMs += 2 * MINUTE_MS;
	assert.deepEqual(await before.readLag(), [
		['stripe', 3 * MINUTE_MS - 10_000],
		['btcpay', 3 * MINUTE_MS - 10_000],
	]);
});

test('at most eight payments are read at once, and a provider that hangs holds up no other one', async (t) => {
	const { stripe, start, until, clock } = await openPayments(t, sqliteEngine);
	const btcpay = createProviderInMemory({ name: 'btcpay', nowMs: () => clock.nowMs });
	const service = start({ providers: [stripe, btcpay] });
	const ids = await Promise.all(Array.from({ length: 12 }, () => service.begin()));
	const ofBtcpay = await service.begin(5_000, 'btcpay');
	for (const id of ids) stripe.pay(id);
	btcpay.pay(ofBtcpay);
	const hanging = Promise.withResolvers<void>();
	stripe.slow = hanging.promise;
	clock.nowMs += 10_000;
	await until(ofBtcpay, { bookedCents: 5_000 });
	await eventually(async () => assert.equal(stripe.underWay, 8));
	// The others are looked at again and again.
	await service.hint(ofBtcpay, btcpay);
	await until(ofBtcpay, { lastRead: 3 });
	assert.equal(stripe.underWay, 8);
	stripe.slow = undefined;
	hanging.resolve();
	for (const id of ids) await until(id, { bookedCents: 5_000, readsBegun: 2 });
});

test('a service that stops cuts its calls, records that, and says nothing of the provider', async (t) => {
	const { stripe, start, until, clock } = await openPayments(t, sqliteEngine);
	const service = start({ stopMs: 1 });
	const id = await service.begin();
	stripe.slow = new Promise(() => {});
	const making = service.begin();
	clock.nowMs += 10_000;
	await eventually(async () => assert.equal(stripe.underWay, 2));
	await service.stop();
	assert.equal(stripe.underWay, 0);
	const payment = await until(id, { failedReads: 1, state: 'open' });
	assert.equal(payment.nextReadAtMs, clock.nowMs + 5_000);
	await until(await making, { failedReads: 1, state: 'creating' });
	assert.deepEqual([service.log, service.counts], [[], ['stripe found']]);
});

test('a payment that cannot be begun is looked at again at the next look, and not at once', async (t) => {
	const { stripe, start, clock, store } = await openPayments(t, sqliteEngine);
	const id = await start().begin();
	const refused: string[] = [];
	clock.nowMs += 10_000;
	const service = start({
		lookMs: 1e9,
		store,
		bank: (bank) => ({
			...bank,
			submit(command) {
				if (command.kind !== 'begin_payment_read') return bank.submit(command);
				refused.push(command.payment);
				return Promise.resolve({ ok: false, error: 'not_done' }) as never;
			},
		}),
	});
	stripe.isAway = true;
	await eventually(async () => assert.equal(service.log.length, 1));
	for (let turn = 0; turn < 50; turn++) await setImmediate();
	assert.deepEqual(refused, [id]);
	assert.match(JSON.stringify(service.log), /could not be begun: not_done/);
});
