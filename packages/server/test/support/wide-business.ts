import assert from 'node:assert/strict';
import { USAGE_STEP } from '../../src/bank/usage-commit.ts';
import { demoBusiness } from '../../src/cli/demo/business.ts';
import type { Command, Outcome } from '../../src/commands/registry.ts';
import type { Config } from '../../src/config.ts';
import { newId, newProxyAuthkey } from '../../src/credentials.ts';
import type { PaymentReading } from '../../src/domain/payments/reading.ts';
import { openStore } from '../../src/engine.ts';
import type { Store } from '../../src/store/store.ts';
import { runInStore } from './business-steps.ts';
import { createReseller, creditReseller, reading } from './commands.ts';
import { readingOf } from './payment-commands.ts';
import { edgeUse, refusedOnEdge } from './records.ts';

/** Names as long as they may be: with characters at which a line may break, and without. */
export const LONG_NAME = 'scraper_pool.frankfurt_residents';
const WHOLE_NAME = 'marketresearchcampaignnordamerik';
export const LONG_RESELLER = 'northern.lights.residential_ltd1';
const LONG_EDGE = 'edge-17.residential.frankfurt-am-main.eu-central.example.net';
const NOTE =
	'Customer since 2019, pays by invoice within thirty days, wants mail to billing@long-customer-name.example before anything is suspended';
/** Cents. */
const LARGE = 98_765_432_10;
const DAY_MS = 86_400_000;
/** Long enough for the demo to have a price. */
const DAYS = 16;
const LIMITS = {
	dayBytes: 123_456_789_012,
	monthBytes: 9_876_543_210_987,
	connections: 250_000,
	bytesPerSecond: 123_456_789_012,
	allowedIps: ['192.0.2.0/24', '2001:db8:1234:5678:9abc:def0:1234:5678', '198.51.100.17'],
};

/** The begin of a reseller, so that it has people before it has business. */
export function openWideReseller(config: Config, reseller: string): Promise<void> {
	return runInStore(
		config,
		[createReseller(reseller), createReseller(LONG_RESELLER, LARGE)],
		Date.now() - DAYS * DAY_MS,
	);
}

/** Weeks of the demo's business for this reseller, and in each list something as long as it may be. */
export async function wideBusiness(config: Config, reseller: string): Promise<void> {
	const store = await openStore(config);
	const nowMs = store.nowMs();
	const lastDay = Math.floor(nowMs / DAY_MS);
	const run = async (commands: readonly Command[], atMs: number) => {
		const answer = await store.runCommands(commands, atMs);
		const isDone = (outcome: Outcome) => outcome.ok || outcome.error === 'username_taken';
		assert.ok(answer.kind === 'committed' && answer.results.every(isDone), JSON.stringify(answer));
	};
	// The demo's own bank gives up a store that is as slow as tests may be.
	const span = { firstDay: lastDay - DAYS, lastDay };
	for await (const { atMs, commands, reports = [] } of demoBusiness(store, reseller, span, nowMs)) {
		if (commands.length > 0) await run(commands, atMs);
		for (let start = 0; start < reports.length; start += USAGE_STEP) {
			await store.recordUsage(reports.slice(start, start + USAGE_STEP), atMs);
		}
	}
	await run(longNames(reseller, nowMs), nowMs);
	await run(largePayments(reseller), nowMs);
	await longUsage(store, nowMs);
	await store.close();
}

/** Sub-users with long names, notes, limits and balances. */
function longNames(reseller: string, nowMs: number): readonly Command[] {
	const of = (username: string) => ({ reseller, username, requestId: newId() });
	const limits = { ...LIMITS, expiresAtMs: nowMs + 40 * DAY_MS };
	return [
		{ ...creditReseller(reseller, LARGE, 'Invoice 2026-11/000417 of the frame contract'), reason: NOTE },
		...[LONG_NAME, WHOLE_NAME].flatMap((username): Command[] => [
			{ kind: 'create_sub_user', ...of(username), proxyAuthkey: newProxyAuthkey() },
			{ kind: 'give_balance', ...of(username), amountCents: LARGE / 10, note: NOTE },
			{ kind: 'set_note', ...of(username), note: NOTE },
			{ kind: 'set_limits', ...of(username), limits },
		]),
	];
}

/** The payments of `largePayments` that wait, and that do not fit. */
export const [WAITING_PAYMENT, MISFIT_PAYMENT] = [`pay_${'W'.repeat(22)}`, `pay_${'M'.repeat(22)}`];

/** Payments of large amounts. About one of them, all that can be wrong is. */
function largePayments(reseller: string): readonly Command[] {
	const bounds = { minCents: 1, maxCents: LARGE };
	const of = (id: string): readonly Command[] => [
		{
			...{ kind: 'create_top_up', reseller, requestId: newId(), payment: id, provider: 'btcpay', isLive: true },
			...{ amountCents: LARGE, bounds },
		},
		{
			...{ kind: 'record_payment_read', reseller, requestId: newId() },
			payment: { id, provider: 'btcpay', readsBegun: 1, nextReadAtMs: 0 },
			end: { kind: 'found', objectId: `Invoice${id}`, reading: readings[id] as PaymentReading },
		},
	];
	const open = { ...readingOf(WAITING_PAYMENT), state: 'open', settledCents: 0 } as const;
	const page = { pageUrl: 'https://btcpay.example/i/1', expiresAtMs: Date.now() + DAY_MS };
	const readings: Readonly<Record<string, PaymentReading>> = {
		[WAITING_PAYMENT]: { ...open, ...page },
		[MISFIT_PAYMENT]: {
			...readingOf(MISFIT_PAYMENT),
			...{ settledCents: LARGE / 2, refundedCents: LARGE / 2, disputedCents: LARGE / 10, isLate: true },
		},
	};
	return [...of(WAITING_PAYMENT), ...of(MISFIT_PAYMENT)];
}

/** Bandwidth of these sub-users over an edge with a long name, a refused report, a correction, and refusals of the proxies. */
async function longUsage(store: Store, nowMs: number): Promise<void> {
	const used = { edge: LONG_EDGE, atMs: nowMs };
	const corrected = await store.runPersonCommands(
		[
			...['eu-1', LONG_EDGE].map((name) => ({ kind: 'create_edge', name, keyHash: newId(), keyTail: 'tail' }) as const),
			{
				...{ kind: 'correct_usage', username: LONG_NAME, day: Math.floor(nowMs / DAY_MS) },
				...{ bytesUp: 1_000_000, bytesDown: 2_000_000_000, reason: NOTE },
				...{ reference: 'Case 4711 of the frame contract', madeBy: 'root', requestId: newId() },
			},
		],
		nowMs,
	);
	assert.ok(corrected.kind === 'committed' && corrected.results.every(({ ok }) => ok), JSON.stringify(corrected));
	await store.recordUsage(
		[
			reading(123_456_789_012, 4_567_890_123_456, { ...used, counter: '1', username: LONG_NAME }),
			reading(23_456_789_012, 567_890_123_456, { ...used, counter: '2', username: WHOLE_NAME }),
			reading(1, 1, { ...used, counter: '3', username: 'customer-who-was-never-created' }),
		],
		nowMs,
	);
	await store.writeRecords(
		[
			...[edgeUse('eu-1', nowMs, 12_345_678, 91_011), edgeUse(LONG_EDGE, nowMs, 9_876_543, 21)],
			...(['throttled', 'connection_limit_reached'] as const).map((reason) =>
				refusedOnEdge(LONG_EDGE, LONG_NAME, reason, { count: 123_456, atMs: nowMs, network: '2001:db8:1234::/48' }),
			),
		],
		nowMs,
	);
}
