import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printedSeed } from '@bursar/testing/random';
import fc from 'fast-check';
import type { ReadEnd } from '../../../src/commands/payments/record-read.ts';
import type { Command } from '../../../src/commands/registry.ts';
import type { Payment } from '../../../src/domain/payments/payment.ts';
import type { PaymentReading } from '../../../src/domain/payments/reading.ts';
import type { Store } from '../../../src/store/store.ts';
import {
	createReseller,
	createSubUser,
	giveBalance,
	NOON_MS,
	resumeReseller,
	suspendReseller,
} from '../../support/commands.ts';
import {
	askPaymentRead,
	beginPaymentRead,
	createTopUp,
	found,
	readingOf,
	recordPaymentRead,
} from '../../support/payment-commands.ts';
import { assertSoundLedger, balanceOf, type Engine, keepAll, type OpenedEngine, run, runAll } from './engine.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const LONG_RUNS = process.env.BURSAR_TEST_FAULTS === 'long' ? 100 : 8;

/** Tests that each payment through a provider is booked exactly once (docs/decisions/0093-payments.md). */
export function paymentSuite(engine: Engine): void {
	/** The reseller acme with a sub-user and no balance, and a payment of 50 USD that was just begun. */
	async function open(t: Parameters<Engine['open']>[0]) {
		const opened = await engine.open(t);
		const { store } = opened;
		await runAll(store, [createReseller('acme', 10), createSubUser('acme', 'alice'), createTopUp('acme', 5_000)]);
		return opened;
	}

	async function payment(store: Store, id = 'pay_1'): Promise<Payment> {
		const stored = await store.findPayment(id);
		assert.ok(stored);
		return stored;
	}

	async function begin(store: Store, id = 'pay_1', nowMs = NOON_MS): Promise<Payment> {
		const [outcome] = await run(store, [beginPaymentRead('acme', id)], nowMs);
		assert.ok(outcome?.ok && 'payment' in outcome);
		return outcome.payment;
	}

	/** Reads the payment at the provider, which says this. */
	async function read(store: Store, end: ReadEnd, id = 'pay_1', nowMs = NOON_MS): Promise<Payment> {
		const begun = await begin(store, id, nowMs);
		await runAll(store, [recordPaymentRead('acme', begun, end)], nowMs);
		return payment(store, id);
	}

	const changed = (changes: Partial<PaymentReading>): ReadEnd => found('pay_1', changes);

	async function movements({ transfers }: OpenedEngine) {
		return (await transfers('acme')).slice(2).map(({ kind, amountCents }) => `${kind} ${amountCents}`);
	}

	async function told(store: Store) {
		const log = await store.readEvents({ reseller: 'acme', after: 0, limit: 100 });
		return (log?.events ?? []).filter(({ type }) => type === 'reseller.credited').map(({ data }) => JSON.parse(data));
	}

	test('two partial refunds, a dispute, and its end: the difference to what was booked is booked each time', async (t) => {
		const opened = await open(t);
		const { store } = opened;
		assert.equal((await read(store, changed({ state: 'open', settledCents: 0 }))).state, 'open');
		await read(store, changed({}));
		for (const changes of [
			{ refundedCents: 1_000 },
			{ refundedCents: 1_500 },
			{ refundedCents: 1_500, disputedCents: 3_500 },
			{ refundedCents: 1_500 },
			{ refundedCents: 1_500 },
			// A refund has failed.
			{ refundedCents: 1_000 },
		]) {
			const { bookedCents, findings } = await read(store, changed(changes));
			assert.deepEqual([bookedCents, findings], [await balanceOf(store, 'acme', 'acme'), []]);
		}
		assert.deepEqual(await movements(opened), [
			...['top_up 5000', 'adjustment 1000', 'adjustment 500', 'adjustment 3500', 'top_up 3500', 'top_up 500'],
		]);
		const rows = await opened.rows('SELECT reference, amount_cents, payment FROM top_ups ORDER BY reference');
		assert.deepEqual(
			rows.map((row) => Object.values(row)),
			[5_000, -1_000, -500, -3_500, 3_500, 500].map((cents, n) => [`stripe:cs_pay_1:${n + 1}`, cents, 'pay_1']),
		);
		await assertSoundLedger(store);
	});

	test('a read that began before another one was recorded changes nothing', async (t) => {
		const opened = await open(t);
		const { store } = opened;
		const [old, late] = [await begin(store), await begin(store)];
		await runAll(store, [recordPaymentRead('acme', late, changed({ refundedCents: 4_000 }))]);
		await runAll(store, [recordPaymentRead('acme', old, changed({}))]);
		await runAll(store, [recordPaymentRead('acme', late, changed({ refundedCents: 4_000 }))]);
		assert.deepEqual([await balanceOf(store, 'acme', 'acme'), await movements(opened)], [1_000, ['top_up 1000']]);
	});

	test('a read that failed books nothing, and a read that is asked for meanwhile is still to come', async (t) => {
		const { store } = await open(t);
		await read(store, changed({}));
		const begun = await begin(store);
		await runAll(store, [askPaymentRead('acme', 'pay_1')], NOON_MS + 1);
		await runAll(store, [recordPaymentRead('acme', begun, { kind: 'failed' })], NOON_MS + 2);
		const { nextReadAtMs, failedReads, bookedCents } = await payment(store);
		assert.deepEqual([nextReadAtMs, failedReads, bookedCents], [NOON_MS + 1, 1, 5_000]);
		const due = await store.listDuePayments({ provider: 'stripe', isLive: true, nowMs: NOON_MS + 1, limit: 10 });
		assert.deepEqual(due, [{ id: 'pay_1', reseller: 'acme' }]);
		const again = await read(store, { kind: 'failed' }, 'pay_1', NOON_MS + 3);
		assert.equal(again.nextReadAtMs, NOON_MS + 3 + 10_000);
	});

	test('a read that is asked for when the lease of one under way has ended is still to come', async (t) => {
		const { store } = await open(t);
		const begun = await begin(store);
		const lateMs = NOON_MS + 60_001;
		await runAll(store, [askPaymentRead('acme', 'pay_1')], lateMs);
		await runAll(store, [recordPaymentRead('acme', begun, changed({ state: 'open', settledCents: 0 }))], lateMs + 1);
		const due = await store.listDuePayments({ provider: 'stripe', isLive: true, nowMs: lateMs + 1, limit: 10 });
		assert.deepEqual(due, [{ id: 'pay_1', reseller: 'acme' }]);
	});

	test('what a refund finds no balance for is owed, and the next payment pays it', async (t) => {
		const opened = await open(t);
		const { store } = opened;
		await read(store, changed({}));
		await runAll(store, [giveBalance('acme', 'alice', 4_000)]);
		const owing = await read(store, changed({ refundedCents: 5_000 }));
		assert.deepEqual([owing.bookedCents, owing.findings], [0, ['owed']]);
		assert.equal((await store.findDebt('acme'))?.cents, 4_000);
		await runAll(store, [createTopUp('acme', 6_000, 'pay_2')]);
		await read(store, { ...found('pay_2', { settledCents: 6_000 }) }, 'pay_2');
		assert.deepEqual([await balanceOf(store, 'acme', 'acme'), (await store.findDebt('acme'))?.cents], [2_000, 0]);
		assert.deepEqual((await read(store, changed({ refundedCents: 5_000 }))).findings, []);
		assert.deepEqual((await movements(opened)).slice(2), [
			...['adjustment 1000', 'refund_debt 4000', 'top_up 6000', 'debt_payment 4000'],
		]);
		await assertSoundLedger(store);
	});

	const CASES: readonly (readonly [what: string, Partial<PaymentReading>, booked: number, findings: string])[] = [
		['another currency', { currency: 'eur' }, 0, 'other_currency'],
		['a test at a live service', { isLive: false }, 0, 'other_mode'],
		['an object of another payment', { paymentId: 'pay_2' }, 0, 'other_payment'],
		['an object without a payment', { paymentId: undefined }, 0, 'other_payment'],
		['less than was asked for', { state: 'expired', settledCents: 4_999 }, 4_999, 'underpaid'],
		['more than was asked for', { settledCents: 5_001 }, 5_001, 'overpaid'],
		['after its end', { state: 'expired', isLate: true }, 5_000, 'paid_late'],
		['more back than was paid', { refundedCents: 3_000, disputedCents: 5_000 }, 0, 'returned_too_much'],
		['not paid in time', { state: 'expired', settledCents: 0 }, 0, ''],
		['not certain yet', { state: 'processing', settledCents: 0 }, 0, ''],
	];
	test('what does not fit about a payment is said, and money that arrived is booked', async (t) => {
		const { store } = await open(t);
		for (const [index, [what, changes, booked, findings]] of CASES.entries()) {
			const id = `pay_case${index}`;
			await runAll(store, [createTopUp('acme', 5_000, id)]);
			const after = await read(store, found(id, changes), id);
			assert.deepEqual([after.bookedCents, after.findings.join()], [booked, findings], what);
			// Once it fits, it counts.
			const fitting = await read(store, found(id), id);
			assert.deepEqual([fitting.bookedCents, fitting.findings], [5_000, []], what);
		}
		assert.equal(await balanceOf(store, 'acme', 'acme'), CASES.length * 5_000);
	});

	test('a suspended reseller begins no payment, and gets the money of those that it had begun', async (t) => {
		const { store } = await open(t);
		await runAll(store, [suspendReseller('acme')]);
		assert.deepEqual(await run(store, [createTopUp('acme', 5_000, 'pay_2')]), [{ ok: false, error: 'suspended' }]);
		const paid = await read(store, changed({}));
		assert.deepEqual([paid.bookedCents, paid.findings], [5_000, ['suspended']]);
		await runAll(store, [resumeReseller('acme')]);
		assert.deepEqual((await read(store, changed({}))).findings, []);
	});

	test('a balance that would be too large is booked later', async (t) => {
		const { store } = await open(t);
		const most = Number.MAX_SAFE_INTEGER;
		await runAll(store, [createReseller('rich', most), { ...createTopUp('rich', 100, 'pay_r') }]);
		const [begun] = await run(store, [beginPaymentRead('rich', 'pay_r')]);
		assert.ok(begun?.ok && 'payment' in begun);
		await runAll(store, [recordPaymentRead('rich', begun.payment, found('pay_r', { settledCents: 100 }))]);
		const { bookedCents, findings } = await payment(store, 'pay_r');
		assert.deepEqual([bookedCents, findings], [0, ['balance_limit']]);
	});

	test('an object counts for one payment, and an object that another payment has is not taken', async (t) => {
		const { store } = await open(t);
		await runAll(store, [createReseller('other', 0), createTopUp('other', 5_000, 'pay_o')]);
		await read(store, changed({}));
		const [begun] = await run(store, [beginPaymentRead('other', 'pay_o')]);
		assert.ok(begun?.ok && 'payment' in begun);
		const end: ReadEnd = { kind: 'found', objectId: 'cs_pay_1', reading: readingOf('pay_o') };
		await runAll(store, [recordPaymentRead('other', begun.payment, end)]);
		const other = await payment(store, 'pay_o');
		assert.deepEqual([other.objectId, other.bookedCents, other.findings], [null, 0, ['other_payment']]);
		// Another object of a payment that has one is not taken either.
		await read(store, { kind: 'found', objectId: 'cs_2', reading: readingOf('pay_1', { settledCents: 9_000 }) });
		assert.deepEqual([await balanceOf(store, 'acme', 'acme'), (await payment(store)).objectId], [5_000, 'cs_pay_1']);
		await assert.rejects(runAll(store, [beginPaymentRead('other', 'pay_1')]), /unknown_payment/);
	});

	test('a payment without an object is given up after an hour, and an object that turns up later counts', async (t) => {
		const { store } = await open(t);
		const hour = 3_600_000;
		const [begun] = [await payment(store)];
		await runAll(store, [recordPaymentRead('acme', begun, { kind: 'failed' })]);
		assert.equal((await read(store, { kind: 'absent' }, 'pay_1', NOON_MS + hour - 1)).state, 'creating');
		const given = await read(store, { kind: 'absent' }, 'pay_1', NOON_MS + hour);
		assert.deepEqual([given.state, given.findings], ['not_made', []]);
		assert.equal((await read(store, changed({}), 'pay_1', NOON_MS + 2 * hour)).bookedCents, 5_000);
		assert.deepEqual((await read(store, { kind: 'absent' })).findings, ['not_found']);
		assert.equal(await balanceOf(store, 'acme', 'acme'), 5_000);
	});

	test('a payment is due when its time has come; twenty wait, and a further one is refused', async (t) => {
		const { store } = await open(t);
		assert.deepEqual(await run(store, [{ ...beginPaymentRead('acme', 'pay_1'), evenIfNotDue: false }]), [
			{ ok: false, error: 'not_due' },
		]);
		const more = Array.from({ length: 19 }, (_, n) => createTopUp('acme', 5_000, `pay_${n + 2}`));
		await runAll(store, more);
		const further = createTopUp('acme', 5_000, 'pay_21');
		assert.deepEqual(await run(store, [further]), [{ ok: false, error: 'too_many_payments' }]);
		await read(store, changed({}));
		await runAll(store, [further]);
		for (const [amountCents, error] of [
			[0, 'invalid_amount'],
			[1.5, 'invalid_amount'],
			[1_000_001, 'amount_out_of_bounds'],
		] as const) {
			assert.deepEqual(await run(store, [createTopUp('acme', amountCents, 'pay_x')]), [{ ok: false, error }]);
		}
		const waiting = await store.listPayments({ reseller: 'acme', only: 'waiting', limit: 100 });
		assert.equal(waiting.length, 20);
	});

	test('payments that have waited for two days keep no reseller from a further one', async (t) => {
		const { store } = await open(t);
		const old = Array.from({ length: 19 }, (_, n) => createTopUp('acme', 5_000, `pay_${n + 2}`));
		await runAll(store, old);
		const begin = (id: number, atMs: number) => run(store, [createTopUp('acme', 5_000, `pay_${id}`)], atMs);
		const inTwoDaysMs = NOON_MS + 2 * DAY_MS;
		assert.deepEqual(await begin(21, inTwoDaysMs), [{ ok: false, error: 'too_many_payments' }]);
		for (let id = 21; id <= 40; id++) assert.equal((await begin(id, inTwoDaysMs + 1))[0]?.ok, true);
		assert.deepEqual(await begin(41, inTwoDaysMs + 1), [{ ok: false, error: 'too_many_payments' }]);
	});

	test('payments are listed the newest first in pages, and found by each of their names', async (t) => {
		const { store } = await open(t);
		await runAll(store, [createTopUp('acme', 5_000, 'pay_2')]);
		await runAll(store, [createTopUp('acme', 5_000, 'pay_3')], NOON_MS + 1);
		await read(store, changed({ settledCents: 6_000 }));
		const page = await store.listPayments({ limit: 2 });
		const next = await store.listPayments({ limit: 2, before: page[1] });
		assert.deepEqual(
			[...page, ...next].map(({ id }) => id),
			['pay_3', 'pay_2', 'pay_1'],
		);
		assert.deepEqual(await store.listPayments({ only: 'findings', limit: 9 }), next);
		assert.deepEqual(await store.listPayments({ backwards: true, before: next[0], limit: 1 }), page.slice(1));
		assert.deepEqual(await store.listPayments({ reseller: 'acme', only: 'waiting', limit: 9 }), page);
		assert.deepEqual(await store.listPayments({ reseller: 'acme', only: 'past', limit: 9 }), next);
		for (const name of [
			{ paymentId: 'pay_1', objectIds: [] },
			{ objectIds: ['x', 'cs_pay_1'] },
			{ objectIds: ['pi_pay_1'] },
		]) {
			const named = await store.findPaymentsNamed({ provider: 'stripe', ...name });
			assert.deepEqual(named, [{ id: 'pay_1', reseller: 'acme', state: 'settled' }]);
			assert.deepEqual(await store.findPaymentsNamed({ provider: 'btcpay', ...name }), []);
		}
	});

	test('payments that do not fit, and those that cannot be read again and again, are counted', async (t) => {
		const { store } = await open(t);
		const counts = () =>
			Promise.all([
				store.countPaymentsWithFindings({}),
				store.countPaymentsWithFindings({ reseller: 'acme', sinceMs: NOON_MS }),
				store.countPaymentsWithFindings({ sinceMs: NOON_MS + 1 }),
				store.countPaymentsWithFindings({ reseller: 'other' }),
				store.countFailingPayments(NOON_MS),
			]);
		for (let failed = 0; failed < 3; failed++) await read(store, { kind: 'failed' });
		assert.deepEqual(await counts(), [0, 0, 0, 0, 0]);
		await read(store, { kind: 'failed' });
		assert.deepEqual(await counts(), [0, 0, 0, 0, 1]);
		await read(store, changed({ settledCents: 6_000 }));
		assert.deepEqual(await counts(), [1, 1, 0, 0, 0]);
	});

	test('until when a provider was swept is kept, and goes back with the clock', async (t) => {
		const { store } = await open(t);
		const { provider } = await payment(store);
		assert.equal(await store.readPaymentSweep(provider), 0);
		for (const toMs of [NOON_MS, NOON_MS + 5, NOON_MS + 1]) {
			await keepAll(store, [{ kind: 'payments_swept', provider, toMs }]);
		}
		assert.deepEqual(
			[await store.readPaymentSweep(provider), await store.readPaymentSweep('btcpay')],
			[NOON_MS + 1, 0],
		);
	});

	test('the log of the reseller names the payment', async (t) => {
		const { store } = await open(t);
		await read(store, changed({}));
		await read(store, changed({ disputedCents: 5_000 }));
		assert.deepEqual(await told(store), [
			{ amount_usd_cents: 5_000, balance: 5_000, reference: 'stripe:cs_pay_1:1', payment: 'pay_1' },
			{ amount_usd_cents: -5_000, balance: 0, reference: 'stripe:cs_pay_1:2', payment: 'pay_1' },
		]);
	});

	test('any order of reads that begin, fail, are lost and arrive late ends with what the provider says', async (t) => {
		const stores = await Promise.all([engine.open(t)]);
		const [{ store }] = stores as [OpenedEngine];
		await runAll(store, [createReseller('acme', 10), createSubUser('acme', 'alice')]);
		let number = 0;
		const amounts = fc.record({
			settledCents: fc.integer({ min: 0, max: 9_000 }),
			refundedCents: fc.integer({ min: 0, max: 5_000 }),
			disputedCents: fc.integer({ min: 0, max: 5_000 }),
		});
		const steps = fc.array(
			fc.oneof(
				fc.record({ kind: fc.constant('changes' as const), amounts }),
				fc.record({ kind: fc.constant('begin' as const) }),
				fc.record({ kind: fc.constantFrom('arrive' as const, 'fail' as const, 'repeat' as const), which: fc.nat(5) }),
				fc.record({ kind: fc.constant('spend' as const), cents: fc.integer({ min: 1, max: 3_000 }) }),
			),
			{ maxLength: 25 },
		);
		const property = fc.asyncProperty(steps, async (all) => {
			const id = `pay_p${number++}`;
			await runAll(store, [createTopUp('acme', 5_000, id)]);
			let said = { settledCents: 0, refundedCents: 0, disputedCents: 0 };
			const underWay: { begun: Payment; end: ReadEnd }[] = [];
			const arrived: Command[] = [];
			for (const step of all) {
				if (step.kind === 'changes') said = step.amounts;
				if (step.kind === 'begin') underWay.push({ begun: await begin(store, id), end: found(id, said) });
				if (step.kind === 'arrive' || step.kind === 'fail') {
					const [one] = underWay.splice(step.which, 1);
					if (!one) continue;
					const command = recordPaymentRead('acme', one.begun, step.kind === 'fail' ? { kind: 'failed' } : one.end);
					arrived.push(command);
					await runAll(store, [command]);
				}
				if (step.kind === 'repeat') {
					const again = arrived[step.which];
					if (again?.kind === 'record_payment_read')
						await runAll(store, [recordPaymentRead('acme', again.payment, again.end)]);
				}
				if (step.kind === 'spend') await run(store, [giveBalance('acme', 'alice', step.cents)]);
			}
			const target = Math.max(0, said.settledCents - said.refundedCents - said.disputedCents);
			assert.equal((await read(store, found(id, said), id)).bookedCents, target);
			for (const { begun, end } of underWay) await runAll(store, [recordPaymentRead('acme', begun, end)]);
			assert.equal((await payment(store, id)).bookedCents, target);
			const [money] = (await stores[0].rows(
				`SELECT (SELECT CAST(COALESCE(sum(booked_cents), 0) AS bigint) FROM payments) + 10
					- (SELECT CAST(COALESCE(sum(amount_cents), 0) AS bigint) FROM transfers WHERE kind = 'create_fee')
					+ (SELECT debt_cents FROM accounts WHERE username = 'acme')
					- (SELECT CAST(sum(balance_cents) AS bigint) FROM accounts) AS missing`,
			)) as [{ missing: unknown }];
			assert.equal(Number(money.missing), 0, 'what was booked is held, or owed back');
		});
		await fc.assert(property, { seed: printedSeed(t), numRuns: LONG_RUNS });
		await assertSoundLedger(store);
	});
}
