import { PAYMENT_PROVIDERS, type PaymentProviderName } from '@bursar/contract/payments';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { ReadEnd } from '../../commands/payments/record-read.ts';
import { readForScrape } from './store-metrics.ts';

const READ_ENDS = ['found', 'absent', 'refused', 'failed'] as const satisfies readonly ReadEnd['kind'][];
const SWEEP_RESULTS = ['done', 'failed'] as const;
const HINT_RESULTS = ['good', 'unknown', 'forged', 'too_many'] as const;

/** Counts what this process does with payment providers. */
export interface PaymentMetrics {
	read(provider: PaymentProviderName, end: ReadEnd['kind']): void;
	swept(provider: PaymentProviderName, result: (typeof SWEEP_RESULTS)[number]): void;
	hint(provider: PaymentProviderName, result: (typeof HINT_RESULTS)[number]): void;
}

/** How long the payment that waits longest for its read has been due, in milliseconds, by provider. */
export type ReadLag = () => Promise<readonly (readonly [PaymentProviderName, number])[]>;

/** Adds the metrics of payments through providers. */
export function addPaymentMetrics(
	registry: Registry,
	readLag: ReadLag,
): {
	readonly counts: PaymentMetrics;
	/** Reads what only the store knows. Never rejects. */
	readLag(): Promise<void>;
} {
	const registers = [registry];
	const reads = new Counter({
		name: 'bursar_payment_reads_total',
		help: 'Reads of payments at their provider: found, absent, failed, or refused when the payment was to be made.',
		labelNames: ['provider', 'result'],
		registers,
	});
	const sweeps = new Counter({
		name: 'bursar_payment_sweeps_total',
		help: 'Lists of what has changed at a payment provider: done, or failed.',
		labelNames: ['provider', 'result'],
		registers,
	});
	const hints = new Counter({
		name: 'bursar_payment_hints_total',
		help: 'Hints of payment providers: good, signed but of no payment of ours, not signed, or too many at once.',
		labelNames: ['provider', 'result'],
		registers,
	});
	const lag = new Gauge({
		name: 'bursar_payment_read_lag_seconds',
		help: 'How long the payment that waits longest for its read at the provider has been due. 0: none is due.',
		labelNames: ['provider'],
		registers,
	});
	// From 0, because Prometheus sees no increase in what appears with its first count.
	for (const provider of PAYMENT_PROVIDERS) {
		for (const result of READ_ENDS) reads.inc({ provider, result }, 0);
		for (const result of SWEEP_RESULTS) sweeps.inc({ provider, result }, 0);
		for (const result of HINT_RESULTS) hints.inc({ provider, result }, 0);
	}
	return {
		counts: {
			read: (provider, result) => reads.inc({ provider, result }),
			swept: (provider, result) => sweeps.inc({ provider, result }),
			hint: (provider, result) => hints.inc({ provider, result }),
		},
		async readLag() {
			const known = await readForScrape(readLag, []);
			lag.reset();
			for (const [provider, lagMs] of known) lag.set({ provider }, lagMs / 1000);
		},
	};
}
