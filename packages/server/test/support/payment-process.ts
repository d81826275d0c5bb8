import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { PAYMENT_PROVIDERS, type PaymentProviderName } from '@bursar/contract/payments';
import { createLogger } from '@bursar/terminal/logger';
import { eventually } from '@bursar/testing/eventually';
import { type Bank, createBank } from '../../src/bank/bank.ts';
import type { Payment } from '../../src/domain/payments/payment.ts';
import { createPayments, type Payments } from '../../src/payments/payments.ts';
import type { Store } from '../../src/store/store.ts';
import { type Engine, keepAll, type OpenedEngine, runAll } from '../store/suite/engine.ts';
import { createReseller, NOON_MS } from './commands.ts';
import { createProviderInMemory, type ProviderInMemory } from './payment-provider-in-memory.ts';

const LOOK_MS = 10;
const NEVER_MS = 1e9;

/** The work of one process on payments, and what it has logged and counted. */
export interface PaymentProcess extends Payments {
	readonly store: Store;
	/** Lines of the log, as objects. */
	readonly log: readonly Record<string, unknown>[];
	/** Like `stripe found`. */
	readonly counts: readonly string[];
	/** Begins a payment of `acme`, and returns its id. */
	begin(amountCents?: number, provider?: PaymentProviderName): Promise<string>;
	/** A hint of this provider about a payment, or about other names. */
	hint(paymentId: string, provider?: ProviderInMemory): Promise<'good' | 'unknown'>;
}

export interface ProcessOptions {
	readonly store?: Store;
	readonly providers?: readonly ProviderInMemory[];
	/** Default: it looks all the time, and never sweeps. */
	readonly lookMs?: number;
	readonly sweepMs?: number;
	readonly sweepLookMs?: number;
	readonly stopMs?: number;
	/** Stands between the payments and the bank. */
	readonly bank?: (bank: Bank) => Pick<Bank, 'submit' | 'keep'>;
}

/**
 * A store with the reseller acme without a balance, a provider, and a clock that only the test moves. The providers were just
 * swept, unless `isNeverSwept`.
 */
export async function openPayments(t: TestContext, engine: Engine, { isNeverSwept = false } = {}) {
	const opened: OpenedEngine = await engine.open(t);
	const clock = { nowMs: NOON_MS };
	const stripe = createProviderInMemory({ nowMs: () => clock.nowMs });
	const processes: Payments[] = [];
	await runAll(opened.store, [createReseller('acme', 10)]);
	const swept = PAYMENT_PROVIDERS.map((provider) => ({ kind: 'payments_swept', provider, toMs: NOON_MS }) as const);
	if (!isNeverSwept) await keepAll(opened.store, swept);

	function start(options: ProcessOptions = {}): PaymentProcess {
		const { providers = [stripe], lookMs = LOOK_MS, sweepMs = NEVER_MS, sweepLookMs, stopMs } = options;
		const source = options.store ?? opened.store;
		const store: Store = new Proxy(source, {
			get: (_, name: keyof Store) => (name === 'nowMs' ? () => clock.nowMs : source[name]),
		});
		const bank = createBank(store, { observer: { batchDone() {}, fault() {} } });
		const log: Record<string, unknown>[] = [];
		const counts: string[] = [];
		const payments = createPayments({
			...{ store, bank: options.bank?.(bank) ?? bank, lookMs, sweepMs, sweepLookMs, stopMs },
			providers: new Map(providers.map((provider) => [provider.name, provider])),
			bounds: { minCents: 1, maxCents: 1_000_000 },
			publicUrl: () => 'https://bursar.example',
			logger: createLogger('info', { write: (line: string) => void log.push(JSON.parse(line)) }),
			counts: {
				read: (name, end) => counts.push(`${name} ${end}`),
				swept: (name, result) => counts.push(`${name} sweep ${result}`),
				hint: (name, result) => counts.push(`${name} hint ${result}`),
			},
		});
		processes.push(payments);
		return {
			...payments,
			...{ store, log, counts },
			async begin(amountCents = 5_000, provider = 'stripe') {
				const outcome = await payments.topUps.begin({ reseller: 'acme', provider, amountCents, requestId: 'test' });
				assert.ok(outcome.ok, JSON.stringify(outcome));
				return outcome.payment.id;
			},
			hint: (paymentId, provider = stripe) =>
				payments.hints.take(provider.name, provider.hint([{ paymentId, objectIds: [] }])),
		};
	}

	t.after(() => Promise.all(processes.map((each) => each.stop())));
	return {
		...opened,
		...{ clock, stripe, start },
		/** Waits until this holds of the payment, and returns it. */
		async until(id: string, expected: Partial<Payment>): Promise<Payment> {
			return eventually(async () => {
				const payment = await opened.store.findPayment(id);
				assert.ok(payment);
				assert.partialDeepStrictEqual(payment, expected);
				return payment;
			});
		},
	};
}

/** The references of all that was booked. */
export async function bookedReferences({ rows }: Pick<OpenedEngine, 'rows'>): Promise<readonly string[]> {
	const booked = await rows('SELECT reference FROM top_ups ORDER BY reference');
	return booked.map((row) => (row as { readonly reference: string }).reference);
}
