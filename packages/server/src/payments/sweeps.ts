import type { Bank } from '../bank/bank.ts';
import type { Store } from '../store/store.ts';
import type { PaymentReads } from '../store/tables/payments/reads.ts';
import type { PaymentNames, PaymentProvider } from './provider.ts';

/** How often a provider is asked what has changed, in milliseconds. */
const SWEEP_MS = 5 * 60_000;
/** A sweep begins so long before the one before it began: clocks differ, and a list may lack what is very new. */
const OVERLAP_MS = 15 * 60_000;
/** A sweep begins so long ago if the clock was ahead at the one before: it has listed nothing of what came then. */
const CLOCK_AHEAD_MS = 30 * 24 * 60 * 60_000;
/** @bound Changes that a provider lists for one sweep: with more, the sweep fails. Payments are still read by their age, and after hints. */
const MAX_CHANGES = 500_000;

/**
 * Asks a provider again and again what has changed, and asks for a read of each of our payments among it. So a hint that was
 * lost is made up for: also one about a refund of a payment that is not read for weeks.
 */
export interface Sweeps {
	/** Ends the one that is under way. It begins anew later. */
	stop(): Promise<void>;
}

interface SweepParts {
	readonly store: Pick<PaymentReads, 'readPaymentSweep' | 'findFirstPayment'> & Pick<Store, 'nowMs'>;
	readonly bank: Pick<Bank, 'keep'>;
	readonly provider: Pick<PaymentProvider, 'name' | 'isLive' | 'listChanged'>;
	/** Asks for a read of each of our payments that are named. Rejects if some may not have been asked for. */
	readonly askReads: (names: readonly PaymentNames[]) => Promise<unknown>;
	/** Called with how each sweep ended, but not if it was stopped. A cause has no secret. */
	readonly ended: (result: 'done' | 'failed', cause?: unknown) => void;
	/** In milliseconds. For tests. */
	readonly sweepMs?: number | undefined;
	readonly sweepLookMs?: number | undefined;
}

export function createSweeps(parts: SweepParts): Sweeps {
	const { store, provider, ended, sweepMs = SWEEP_MS, sweepLookMs = sweepMs / 5 } = parts;
	const stopping = new AbortController();
	let underWay: Promise<void> | undefined;
	// Often enough that one that has failed is repeated soon.
	const timer = setInterval(look, sweepLookMs);
	timer.unref();
	look();

	function look(): void {
		underWay ??= sweepIfDue()
			.catch((cause: unknown) => {
				if (!stopping.signal.aborted) ended('failed', cause);
			})
			.finally(() => {
				underWay = undefined;
			});
	}

	/** All processes share the time of the last sweep, so mostly one of them sweeps. If several do, nothing is wrong. */
	async function sweepIfDue(): Promise<void> {
		const sweptMs = await store.readPaymentSweep(provider.name);
		const beganMs = store.nowMs();
		const wasAhead = sweptMs > beganMs + OVERLAP_MS;
		if (!wasAhead && beganMs - sweptMs < sweepMs) return;
		await sweep(parts, { sweptMs: wasAhead ? beganMs - CLOCK_AHEAD_MS : sweptMs, beganMs }, stopping.signal);
		ended('done');
	}

	return {
		async stop() {
			clearInterval(timer);
			stopping.abort();
			await underWay;
		},
	};
}

async function sweep(
	{ store, bank, provider, askReads }: SweepParts,
	{ sweptMs, beganMs }: { readonly sweptMs: number; readonly beganMs: number },
	stopping: AbortSignal,
): Promise<void> {
	const { name, isLive } = provider;
	const fromMs = sweptMs || ((await store.findFirstPayment({ provider: name, isLive })) ?? beganMs);
	const sinceMs = Math.max(0, fromMs - OVERLAP_MS);
	let count = 0;
	for await (const names of provider.listChanged(sinceMs, stopping)) {
		stopping.throwIfAborted();
		count += names.length;
		if (count > MAX_CHANGES) throw new Error(`more than ${MAX_CHANGES} objects have changed`);
		await askReads(names);
	}
	// When it began: what changes meanwhile may be missing in the list.
	const kept = await bank.keep({ kind: 'payments_swept', provider: name, toMs: beganMs });
	if (!kept.ok) throw new Error(`how far a provider was swept could not be recorded: ${kept.error}`);
}
