import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { resellerApi } from '@bursar/testing/api';
import { assertLedgerInOrder, type ServerProcess, startServer } from '@bursar/testing/bursar-process';
import { eventually } from '@bursar/testing/eventually';
import { printedSeed, randomFrom } from '@bursar/testing/random';
import { startTestService } from '@bursar/testing/service';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { readConfig } from '../../src/config.ts';
import { newToken } from '../../src/credentials.ts';
import type { Payment } from '../../src/domain/payments/payment.ts';
import { openStore } from '../../src/engine.ts';
import type { Store } from '../../src/store/store.ts';
import { runAll } from '../store/suite/engine.ts';
import { bothEngines } from '../support/both-engines.ts';
import { createReseller } from '../support/commands.ts';
import { PROVIDER_SECRETS, startPayers } from '../support/payers.ts';

const isLong = process.env.BURSAR_TEST_FAULTS === 'long';
const PAYMENTS = isLong ? 1_000 : 150;
/** No more than a reseller may have waiting. */
const PAYMENTS_OF_RESELLER = 15;
const PATIENCE_MS = 180_000;

for (const engine of await bothEngines()) {
	const processes = engine.name === 'SQLite' ? 1 : 2;
	const kills = isLong ? 20 : 8 / processes;
	test(`${engine.name}: with providers that fail and processes that are killed, each payment is booked exactly once`, async (t) => {
		const random = randomFrom(printedSeed(t));
		const payers = await startPayers(t, random);
		const folder = temporaryFolder(t);
		const environment = { ...payers.environment, ...(await engine.environment()) };
		const store = await openStore(readConfig({ BURSAR_DATA_DIR: folder, ...environment }));
		t.after(() => store.close());
		const resellers = await openResellers(store, PAYMENTS / PAYMENTS_OF_RESELLER);
		const start = () => startServer(t, folder, { environment });
		const servers = await Promise.all(Array.from({ length: processes }, start));
		const stopPayers = payers.start(() => servers.map(({ url }) => url));
		const progress = { begun: 0, isHopeless: false };
		const anyUrl = () => (servers[random.below(servers.length)] as ServerProcess).url;
		const clients = Promise.all(resellers.map(({ token }) => beginPayments(token, anyUrl, progress)));
		clients.catch(() => {
			progress.isHopeless = true;
		});
		for (let kill = 0; kill < kills; kill++) {
			const goOn = Promise.withResolvers<void>();
			const { stripe, btcpay } = payers;
			stripe.faults.isAway = kill % 7 === 3;
			btcpay.faults.refusal = kill % 7 === 5 ? 503 : undefined;
			for (const { faults } of [stripe, btcpay]) Object.assign(faults, { lostCreates: 1, lostReads: 2 });
			// Objects are made for a service that is dead before it hears of them.
			if (kill % 3 === 0) stripe.faults.held = btcpay.faults.held = goOn.promise;
			const wanted = ((kill + 1) * PAYMENTS) / (kills + 1);
			const isHeld = () => kill % 3 === 0 && countCreates(payers) > countMade(payers);
			await eventually(
				async () => assert.ok(progress.begun >= wanted || isHeld()),
				PATIENCE_MS,
				() => progress.isHopeless,
			);
			const index = random.below(servers.length);
			const ended = await servers[index]?.kill('SIGKILL');
			assert.equal(ended?.signal, 'SIGKILL');
			stripe.faults.held = btcpay.faults.held = undefined;
			goOn.resolve();
			for (const secret of PROVIDER_SECRETS) assert.ok(!`${ended.stdout}${ended.stderr}`.includes(secret));
			servers[index] = await start();
		}
		for (const { faults } of [payers.stripe, payers.btcpay]) {
			Object.assign(faults, { isAway: false, refusal: undefined, lostCreates: 0, lostReads: 0 });
		}
		await clients;
		await stopPayers();
		for (const server of servers) await server.kill('SIGKILL');

		// This one gets no hint, and finds by itself what is missing.
		const service = await startTestService(
			t,
			{ BURSAR_DATA_DIR: folder, ...environment },
			{ paymentLookMs: 50, paymentSweepMs: 5_000 },
		);
		const targets = payers.targets();
		const payments = await eventually(async () => {
			const all = await allPayments(store);
			const missing = all.filter(({ id, bookedCents }) => bookedCents !== (targets.get(id) ?? 0));
			assert.deepEqual(missing, []);
			return all;
		}, PATIENCE_MS);
		assert.equal(payments.length, PAYMENTS);
		assert.deepEqual([...new Set(targets.keys()).difference(new Set(payments.map(({ id }) => id)))], []);
		await assertBookedOnce(store, payments);
		for (const { reseller, token } of resellers) {
			const own = payments.filter((payment) => payment.reseller === reseller);
			const { balance } = (await resellerApi(service.url, token).myInfo()).data;
			assert.equal(balance, sumOf(own.map(({ id }) => targets.get(id) ?? 0)));
		}
		await service.stop();
		await assertLedgerInOrder(t, folder, { environment });
		tellWhatHappened(t, payments, payers);
	});
}

interface Reseller {
	readonly reseller: string;
	readonly token: string;
}

async function openResellers(store: Store, count: number): Promise<readonly Reseller[]> {
	await store.startWriting?.();
	const opened = Array.from({ length: Math.ceil(count) }, (_, index) => ({
		reseller: `reseller${index}`,
		...newToken(),
	}));
	await runAll(
		store,
		opened.map(({ reseller, token: _, ...token }) => ({ ...createReseller(reseller), ...token })),
		store.nowMs(),
	);
	return opened;
}

/** Begins the payments of a reseller, one after the other. One whose answer is lost is asked for again, with its change id. */
async function beginPayments(token: string, anyUrl: () => string, progress: { begun: number }): Promise<void> {
	for (let count = 0; count < PAYMENTS_OF_RESELLER; count++) {
		const body = { provider: count % 3 === 0 ? 'btcpay' : 'stripe', amount_usd_cents: 1_000 + 37 * count };
		const headers = { 'x-change-id': `payment-${String(count).padStart(8, '0')}` };
		while (!(await isBegun(() => resellerApi(anyUrl(), token).createTopUp(body, { headers })))) await setTimeout(20);
		progress.begun++;
	}
}

async function isBegun(create: () => ReturnType<ReturnType<typeof resellerApi>['createTopUp']>): Promise<boolean> {
	const answer = await create().catch((error: Error) => {
		if (error instanceof assert.AssertionError) throw error;
		// The process was killed.
		return undefined;
	});
	if (answer === undefined || answer.status === 503) return false;
	assert.ok(answer.status === 200 || answer.errorCode === 'change_repeated', answer.text);
	return true;
}

type Payers = Awaited<ReturnType<typeof startPayers>>;

function countCreates({ stripe, btcpay }: Payers): number {
	return [...stripe.requests, ...btcpay.requests].filter(({ method }) => method === 'POST').length;
}

function countMade({ stripe, btcpay }: Payers): number {
	return stripe.sessions.size + btcpay.invoices.size;
}

async function allPayments(store: Store): Promise<readonly Payment[]> {
	const all: Payment[] = [];
	for (;;) {
		const page = await store.listPayments({ before: all.at(-1), limit: 500 });
		if (page.length === 0) return all;
		all.push(...page);
	}
}

/** What resellers were told of each payment adds up to what is booked of it, and each reference stands once. */
async function assertBookedOnce(store: Store, payments: readonly Payment[]): Promise<void> {
	const bookings: { readonly payment: string; readonly reference: string; readonly amount_usd_cents: number }[] = [];
	for (const reseller of new Set(payments.map((payment) => payment.reseller))) {
		const log = await store.readEvents({ reseller, after: 0, limit: 500 });
		const credited = (log?.events ?? []).filter(({ type }) => type === 'reseller.credited');
		bookings.push(...credited.map(({ data }) => JSON.parse(data)));
	}
	assert.equal(new Set(bookings.map(({ reference }) => reference)).size, bookings.length);
	for (const { id, provider, objectId, bookedCents, postings } of payments) {
		const own = bookings.filter(({ payment }) => payment === id);
		assert.equal(sumOf(own.map((booking) => booking.amount_usd_cents)), bookedCents);
		assert.deepEqual(
			own.map(({ reference }) => reference),
			Array.from({ length: postings }, (_, index) => `${provider}:${objectId}:${index + 1}`),
		);
	}
}

function sumOf(numbers: readonly number[]): number {
	return numbers.reduce((sum, number) => sum + number, 0);
}

function tellWhatHappened(t: TestContext, payments: readonly Payment[], payers: Payers): void {
	const states = Object.entries(Object.groupBy(payments, ({ state }) => state));
	const hints = [...payers.stripe.hints, ...payers.btcpay.hints];
	t.diagnostic(states.map(([state, { length }]) => `${length} ${state}`).join(', '));
	t.diagnostic(`${hints.length} hints, ${hints.filter(({ answers }) => answers.includes(200)).length} of them taken`);
	assert.ok(sumOf(payments.map(({ bookedCents }) => bookedCents)) > 0);
}
