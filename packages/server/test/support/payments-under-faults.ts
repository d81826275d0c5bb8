import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { resellerApi } from '@bursar/testing/api';
import { assertLedgerInOrder, type ServerProcess, startServer } from '@bursar/testing/bursar-process';
import { eventually } from '@bursar/testing/eventually';
import { printedSeed, type Random, randomFrom } from '@bursar/testing/random';
import { startTestService } from '@bursar/testing/service';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { readConfig } from '../../src/config.ts';
import { newToken } from '../../src/credentials.ts';
import type { Payment } from '../../src/domain/payments/payment.ts';
import { openStore } from '../../src/engine.ts';
import type { Store } from '../../src/store/store.ts';
import { runAll } from '../store/suite/engine.ts';
import { createReseller } from './commands.ts';
import { type Payers, PROVIDER_SECRETS, startPayers } from './payers.ts';

/** No more than a reseller may have waiting. */
const PAYMENTS_OF_RESELLER = 15;
const PATIENCE_MS = 180_000;

interface FaultOptions {
	/** The settings of the store. */
	readonly environment: Readonly<Record<string, string>>;
	readonly processes: number;
	readonly payments: number;
	/** How often something happens while payments are begun. */
	readonly rounds: number;
	/** What happens beside the faults of the providers. Default: a process is killed, and another one is started. */
	readonly happen?: (round: number, random: Random) => Promise<void>;
}

/**
 * Begins payments at providers that fail, and lets things happen meanwhile. Throws unless in the end each payment is booked
 * exactly once, as its provider says, by a service that gets no hint.
 */
export async function bookPayments(t: TestContext, options: FaultOptions): Promise<void> {
	const { processes, payments: count, rounds } = options;
	const random = randomFrom(printedSeed(t));
	const payers = await startPayers(t, random);
	const folder = temporaryFolder(t);
	const environment = { ...payers.environment, ...options.environment };
	const store = await openStore(readConfig({ BURSAR_DATA_DIR: folder, ...environment }));
	t.after(() => store.close());
	const resellers = await openResellers(store, count / PAYMENTS_OF_RESELLER);
	const start = () => startServer(t, folder, { environment });
	const servers = await Promise.all(Array.from({ length: processes }, start));
	const urls = () => servers.map(({ url }) => url);
	const stopPayers = payers.start(urls);
	const progress = { begun: 0, isHopeless: false };
	const clients = Promise.all(resellers.map(({ token }) => beginPayments(token, urls, { progress, random })));
	clients.catch(() => {
		progress.isHopeless = true;
	});

	async function killOne(): Promise<void> {
		const index = random.below(servers.length);
		servers[index] = await killed(servers[index]).then(start);
	}

	for (let round = 0; round < rounds; round++) {
		const goOn = payers.fail(round);
		const wanted = ((round + 1) * count) / (rounds + 1);
		const { taken } = payers.hints();
		const hasHints = () => payers.hints().taken >= taken + 5 || payers.hints().waiting === 0;
		await eventually(
			async () => assert.ok(payers.isHolding() || (progress.begun >= wanted && hasHints())),
			PATIENCE_MS,
			() => progress.isHopeless,
		);
		const happening = options.happen ? options.happen(round, random) : killOne();
		goOn();
		await happening;
	}
	payers.fail(undefined);
	await clients;
	await stopPayers();
	for (const server of servers) await killed(server);

	// This one gets no hint, and finds by itself what is missing.
	const service = await startTestService(
		t,
		{ BURSAR_DATA_DIR: folder, ...environment },
		{ paymentLookMs: 50, paymentSweepMs: 5_000 },
	);
	const targets = payers.targets();
	const payments = await eventually(async () => {
		const all = await allPayments(store);
		assert.deepEqual(
			all.filter(({ id, bookedCents }) => bookedCents !== (targets.get(id) ?? 0)),
			[],
		);
		return all;
	}, PATIENCE_MS);
	assert.equal(payments.length, count);
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
}

/** The log of a process that is killed has no secret of a provider. */
async function killed(server: ServerProcess | undefined): Promise<void> {
	const ended = await server?.kill('SIGKILL');
	assert.equal(ended?.signal, 'SIGKILL');
	for (const secret of PROVIDER_SECRETS) assert.ok(!`${ended.stdout}${ended.stderr}`.includes(secret));
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
async function beginPayments(
	token: string,
	urls: () => readonly string[],
	{ progress, random }: { readonly progress: { begun: number }; readonly random: Random },
): Promise<void> {
	const api = () => resellerApi(urls()[random.below(urls().length)] ?? '', token);
	for (let count = 0; count < PAYMENTS_OF_RESELLER; count++) {
		const body = { provider: count % 3 === 0 ? 'btcpay' : 'stripe', amount_usd_cents: 1_000 + 37 * count };
		const headers = { 'x-change-id': `payment-${String(count).padStart(8, '0')}` };
		while (!(await isBegun(() => api().createTopUp(body, { headers })))) await setTimeout(20);
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
	const answers = Object.entries(
		Object.groupBy(
			hints.flatMap((hint) => hint.answers),
			String,
		),
	);
	const told = answers.map(([status, { length } = []]) => `${length} times ${status}`);
	t.diagnostic(`${hints.length} hints, which were answered ${told.join(', ')}`);
	assert.ok(sumOf(payments.map(({ bookedCents }) => bookedCents)) > 0);
}
