import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { sqliteEngine } from '../store/sqlite-engine.ts';
import { keepAll } from '../store/suite/engine.ts';
import { NOON_MS } from '../support/commands.ts';
import { openPayments } from '../support/payment-process.ts';

const MINUTE_MS = 60_000;
const SWEEP_MS = 5 * MINUTE_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Looks all the time, at the store's clock, whether a sweep is due. `setInterval` waits a millisecond at least. */
const SWEEPS = { sweepMs: SWEEP_MS, sweepLookMs: 10 };

const ofSweeps = (counts: readonly string[]) =>
	counts.filter((count) => count.includes('sweep')).map((count) => count.replace('stripe sweep ', ''));
const lists = (calls: readonly string[]) => calls.filter((call) => call.startsWith('list'));

test('what has changed is read although each hint was lost, from a quarter of an hour before the last sweep on', async (t) => {
	const { stripe, start, until, clock, store } = await openPayments(t, sqliteEngine);
	const service = start(SWEEPS);
	const id = await service.begin();
	stripe.pay(id);
	await service.hint(id);
	await until(id, { bookedCents: 5_000 });
	clock.nowMs += 4 * MINUTE_MS;
	stripe.refund(id, 1_000);
	await stripe.create(
		{ id: 'pay_of_others', reseller: 'x', amountCents: 1, returnUrl: '' },
		new AbortController().signal,
	);
	assert.deepEqual(lists(stripe.calls), []);
	clock.nowMs += MINUTE_MS;
	await until(id, { bookedCents: 4_000 });
	await eventually(async () => assert.equal(await store.readPaymentSweep('stripe'), NOON_MS + SWEEP_MS));
	assert.deepEqual(lists(stripe.calls), [`list ${NOON_MS - 15 * MINUTE_MS}`]);
	const slow = Promise.withResolvers<void>();
	stripe.slow = slow.promise;
	clock.nowMs += SWEEP_MS;
	await eventually(async () => assert.equal(lists(stripe.calls).length, 2));
	// It counts when the sweep began: what changed since may not be in the list.
	clock.nowMs += MINUTE_MS;
	stripe.slow = undefined;
	slow.resolve();
	await eventually(async () => assert.equal(await store.readPaymentSweep('stripe'), NOON_MS + 2 * SWEEP_MS));
	assert.equal(lists(stripe.calls).at(-1), `list ${NOON_MS - 10 * MINUTE_MS}`);
	await eventually(async () => assert.deepEqual(ofSweeps(service.counts), ['done', 'done']));
});

test('a sweep that breaks off is not recorded, and is repeated from where it began', async (t) => {
	const { stripe, start, until, clock, store } = await openPayments(t, sqliteEngine);
	const service = start(SWEEPS);
	const ids = [await service.begin(), await service.begin()] as const;
	for (const id of ids) stripe.pay(id);
	stripe.breaksLists = true;
	clock.nowMs += SWEEP_MS;
	await eventually(async () => assert.ok(lists(stripe.calls).length >= 2));
	assert.equal(await store.readPaymentSweep('stripe'), NOON_MS);
	// What came before it broke is read.
	await until(ids[0], { bookedCents: 5_000 });
	stripe.breaksLists = false;
	await until(ids[1], { bookedCents: 5_000 });
	await eventually(async () => assert.equal(await store.readPaymentSweep('stripe'), NOON_MS + SWEEP_MS));
	assert.deepEqual([...new Set(lists(stripe.calls))], [`list ${NOON_MS - 15 * MINUTE_MS}`]);
	await eventually(async () => assert.equal(ofSweeps(service.counts).at(-1), 'done'));
	const said = service.log.map(({ msg }) => msg).filter((msg) => String(msg).includes('list'));
	assert.deepEqual(said, [
		'the payment provider did not list what has changed, which is tried again',
		'the payment provider has listed what has changed again',
	]);
});

test('a provider that was never swept is swept since the first payment, or since now if there is none', async (t) => {
	const { stripe, start, clock, store } = await openPayments(t, sqliteEngine, { isNeverSwept: true });
	const swept = (toMs: number) => eventually(async () => assert.equal(await store.readPaymentSweep('stripe'), toMs));
	stripe.breaksLists = true;
	const service = start(SWEEPS);
	await swept(NOON_MS);
	assert.deepEqual(stripe.calls, [`list ${NOON_MS - 15 * MINUTE_MS}`]);
	await service.stop();
	const other = await openPayments(t, sqliteEngine, { isNeverSwept: true });
	const away = other.start();
	other.stripe.isAway = true;
	await away.begin();
	await away.stop();
	other.clock.nowMs += 60 * DAY_MS;
	other.stripe.isAway = false;
	other.start(SWEEPS);
	await eventually(async () => assert.equal(await other.store.readPaymentSweep('stripe'), other.clock.nowMs));
	assert.equal(lists(other.stripe.calls).at(-1), `list ${NOON_MS - 15 * MINUTE_MS}`);
	assert.equal(clock.nowMs, NOON_MS);
});

test('what one process has swept, no other one sweeps, and a clock that was set back stops no sweep', async (t) => {
	const { stripe, start, clock, store, openAnother } = await openPayments(t, sqliteEngine);
	start(SWEEPS);
	clock.nowMs += SWEEP_MS;
	await eventually(async () => assert.equal(await store.readPaymentSweep('stripe'), clock.nowMs));
	const calls = lists(stripe.calls).length;
	const other = start({ ...SWEEPS, store: await openAnother() });
	// It looks, because it reads what is due by the same clock.
	const id = await other.begin();
	stripe.pay(id);
	await other.hint(id);
	await eventually(async () => assert.equal((await store.findPayment(id))?.bookedCents, 5_000));
	assert.equal(lists(stripe.calls).length, calls);
	await keepAll(store, [{ kind: 'payments_swept', provider: 'stripe', toMs: clock.nowMs + 365 * DAY_MS }]);
	await eventually(async () => assert.ok(lists(stripe.calls).length > calls));
	assert.equal(lists(stripe.calls).at(-1), `list ${clock.nowMs - 15 * MINUTE_MS}`);
});
