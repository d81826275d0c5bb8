import { randomUUID } from 'node:crypto';
import type { Store } from '../store/store.ts';
import type { PaymentKey, PaymentReads } from '../store/tables/payments/reads.ts';
import { type ReadingParts, readPayment } from './read-payment.ts';

/** How often a process looks for payments that are to be read, in milliseconds. */
const LOOK_MS = 1_000;
/** @bound Payments that a process reads at once at one provider: the rest waits. */
const AT_ONCE = 8;

/**
 * Reads the due payments of one provider. One that hangs holds up no other provider. If a process dies, another one reads what
 * it has begun, after its lease.
 */
export interface DueReads {
	/** Looks at once whether something is due. */
	look(): void;
	/** Begins nothing more. Resolves when no read is under way. */
	stop(): Promise<void>;
}

export interface DueReadsParts extends ReadingParts {
	readonly store: Pick<PaymentReads, 'listDuePayments'> & Pick<Store, 'nowMs'>;
	/** The service itself could not go on. It is tried again. */
	readonly failed: (cause: unknown) => void;
	/** In milliseconds. For tests. */
	readonly lookMs?: number | undefined;
}

export function createDueReads(parts: DueReadsParts): DueReads {
	const { store, bank, provider, failed, lookMs = LOOK_MS } = parts;
	const underWay = new Map<string, Promise<void>>();
	let isStopping = false;
	let isLooking = false;
	/** Somebody has asked for a look while one was under way. It may not have seen everything. */
	let isAsked = false;
	const timer = setInterval(look, lookMs);
	timer.unref();
	look();

	function look(): void {
		if (isLooking) {
			isAsked = true;
			return;
		}
		if (isStopping || underWay.size >= AT_ONCE) return;
		isLooking = true;
		isAsked = false;
		void beginDue()
			.catch(failed)
			.then(() => {
				isLooking = false;
				if (isAsked) look();
			});
	}

	async function beginDue(): Promise<void> {
		// Also what is under way may be due: somebody has asked for it.
		const limit = AT_ONCE + underWay.size;
		const { name, isLive } = provider;
		const due = await store.listDuePayments({ provider: name, isLive, nowMs: store.nowMs(), limit });
		for (const key of due) begin(key);
	}

	function begin(key: PaymentKey): void {
		if (isStopping || underWay.has(key.id) || underWay.size >= AT_ONCE) return;
		const reading = read(key)
			.catch((cause: unknown) => {
				failed(cause);
				return false;
			})
			.then((isRead) => {
				underWay.delete(key.id);
				// Others may wait for its place, or another read of it. If it could not be read, the next look comes soon enough.
				if (isRead) look();
			});
		underWay.set(key.id, reading);
	}

	async function read({ id, reseller }: PaymentKey): Promise<boolean> {
		const begun = await bank.submit({ kind: 'begin_payment_read', reseller, payment: id, requestId: randomUUID() });
		if (!begun.ok) {
			// Another process was first, or has read it since.
			if (begun.error === 'not_due') return false;
			throw new Error(`a read of a payment could not be begun: ${begun.error}`);
		}
		return (await readPayment(parts, begun.payment)).ok;
	}

	return {
		look,
		async stop() {
			isStopping = true;
			clearInterval(timer);
			await Promise.all(underWay.values());
		},
	};
}
