import type { PaymentProviderName } from '@bursar/contract/payments';
import type { Logger } from 'pino';
import type { Bank } from '../bank/bank.ts';
import type { ReadEnd } from '../commands/payments/record-read.ts';
import type { Store } from '../store/store.ts';
import type { PaymentReads } from '../store/tables/payments/reads.ts';
import { askReads } from './ask-reads.ts';
import { createDueReads } from './due-reads.ts';
import type { HintResult, Hints } from './hints.ts';
import { createPaymentLog } from './payment-log.ts';
import { ForgedHintError, type PaymentNames, type PaymentProvider } from './provider.ts';
import type { EndedRead } from './read-payment.ts';
import { createSweeps } from './sweeps.ts';
import { createTopUps, type TopUps } from './top-ups.ts';

/** @bound Calls to payment providers go on once the service stops: then they are cut, and the payments are read later. */
const STOP_MS = 2_000;

/** The work of this process on payments: it begins them, takes hints, reads what is due, and sweeps. */
export interface Payments {
	readonly topUps: TopUps;
	readonly hints: Hints;
	/** How long the payment that waits longest for its read has been due, in milliseconds, by provider. 0: none is due. */
	readLag(): Promise<readonly (readonly [PaymentProviderName, number])[]>;
	/** Resolves when no provider is asked any more, and what was read is recorded. */
	stop(): Promise<void>;
}

/** Counts what ends. */
interface PaymentCounts {
	read(provider: PaymentProviderName, end: ReadEnd['kind']): void;
	swept(provider: PaymentProviderName, result: 'done' | 'failed'): void;
	hint(provider: PaymentProviderName, result: HintResult): void;
}

interface PaymentParts {
	readonly store: PaymentReads & Pick<Store, 'nowMs'>;
	readonly bank: Pick<Bank, 'submit' | 'keep'>;
	/** Those that are on. */
	readonly providers: ReadonlyMap<PaymentProviderName, PaymentProvider>;
	readonly bounds: TopUps['bounds'];
	readonly publicUrl: () => string;
	readonly logger: Logger;
	readonly counts: PaymentCounts;
	/** In milliseconds. For tests. */
	readonly lookMs?: number | undefined;
	readonly sweepMs?: number | undefined;
	readonly sweepLookMs?: number | undefined;
	readonly stopMs?: number | undefined;
}

export function createPayments(parts: PaymentParts): Payments {
	const { store, bank, providers, bounds, publicUrl, stopMs = STOP_MS } = parts;
	const cut = new AbortController();
	const works = new Map(providers.values().map((provider) => [provider.name, createWork(parts, provider, cut.signal)]));
	/** Payments that are being made. */
	const making = new Set<Promise<unknown>>();
	const topUps = createTopUps({
		...{ bank, providers, bounds, publicUrl, stopping: cut.signal },
		ended: (read) => works.get(read.payment.provider)?.readEnded(read),
		goesOn(work) {
			making.add(work);
			void work.finally(() => making.delete(work));
		},
	});

	return {
		topUps,
		hints: {
			providers: [...providers.keys()],
			take: async (name, hint) => workOf(name).takeHint(hint),
			ended: (name, result) => parts.counts.hint(name, result),
		},
		readLag: () =>
			Promise.all(
				providers.values().map(async ({ name: provider, isLive }) => {
					const dueMs = await store.findNextPaymentRead({ provider, isLive });
					return [provider, dueMs === null ? 0 : Math.max(0, store.nowMs() - dueMs)] as const;
				}),
			),
		async stop() {
			const late = setTimeout(() => cut.abort(), stopMs);
			await Promise.all([...works.values().map(({ stop }) => stop()), ...making]);
			clearTimeout(late);
			cut.abort();
		},
	};

	function workOf(name: PaymentProviderName): Work {
		const work = works.get(name);
		if (!work) throw new Error(`the payment provider ${name} is off`);
		return work;
	}
}

type Work = ReturnType<typeof createWork>;

/** The work on the payments of one provider. */
function createWork(
	{ store, bank, logger, counts, lookMs, sweepMs, sweepLookMs }: PaymentParts,
	provider: PaymentProvider,
	cut: AbortSignal,
) {
	const { name } = provider;
	const log = createPaymentLog(logger, provider);

	function readEnded(read: EndedRead): void {
		// What the service itself has cut says nothing about the provider.
		if (read.end.kind === 'failed' && cut.aborted) return;
		counts.read(name, read.end.kind);
		log.read(read);
	}

	const reads = createDueReads({
		...{ store, bank, provider, stopping: cut, ended: readEnded, failed: log.failed, lookMs },
	});

	async function ask(names: readonly PaymentNames[]): Promise<number> {
		const count = await askReads({ store, bank }, name, names);
		if (count > 0) reads.look();
		return count;
	}

	const sweeps = createSweeps({
		...{ store, bank, provider, askReads: ask, sweepMs, sweepLookMs },
		ended(result, cause) {
			counts.swept(name, result);
			log.swept(result, cause);
		},
	});

	return {
		readEnded,
		async takeHint({ body, headers }: Parameters<Hints['take']>[1]) {
			let names: readonly PaymentNames[];
			try {
				names = provider.readHint(body, headers, store.nowMs());
			} catch (cause) {
				if (cause instanceof ForgedHintError) log.forged(cause);
				throw cause;
			}
			return (await ask(names)) > 0 ? ('good' as const) : ('unknown' as const);
		},
		stop: () => Promise.all([reads.stop(), sweeps.stop()]),
	};
}
