import { createTurns, type TurnParts } from './turns.ts';

/** How often a process looks for webhooks with something to send, in milliseconds. */
const LOOK_MS = 1_000;
/** @bound Webhooks that a process delivers to at once: the rest waits. Resellers take turns. */
const AT_ONCE = 64;
/**
 * A try and its record take less. So no other process delivers to a webhook while one does.
 * @bound A process that has died, or is cut off from the store, holds a webhook: then another process delivers to it.
 */
const LEASE_MS = 30_000;
/** @bound A process delivers to a webhook with many events: then it takes its turn behind the others. */
const TURN_MS = 10_000;
/** @bound The tries that are under way go on once the service stops: then they are cut, and the events are sent again later. */
const STOP_MS = 2_000;

/**
 * Sends the events of resellers to their webhooks, as a reader of their logs. Webhooks take turns, some at once. If a process
 * dies, the events that were under way are sent once more.
 */
export interface WebhookDelivery {
	/** Begins nothing more. Resolves when no try is under way, and the webhooks were given back. */
	stop(): Promise<void>;
}

export interface DeliveryParts extends TurnParts {
	/** The service itself could not go on with a webhook. It is tried again. */
	readonly failed: (cause: unknown) => void;
	/** In milliseconds. For tests. */
	readonly lookMs?: number | undefined;
	readonly leaseMs?: number | undefined;
	readonly turnMs?: number | undefined;
	readonly stopMs?: number | undefined;
}

export function createWebhookDelivery(parts: DeliveryParts): WebhookDelivery {
	const { store, owner, failed } = parts;
	const { lookMs = LOOK_MS, leaseMs = LEASE_MS, turnMs = TURN_MS, stopMs = STOP_MS } = parts;
	const stopping = new AbortController();
	const cut = new AbortController();
	const takeTurn = createTurns(parts, { leaseMs, turnMs, stopping: stopping.signal, cut: cut.signal });
	const underWay = new Map<string, Promise<void>>();
	let isLooking = false;
	const timer = setInterval(look, lookMs);
	timer.unref();
	void look();

	async function look(): Promise<void> {
		if (isLooking || stopping.signal.aborted || underWay.size >= AT_ONCE) return;
		isLooking = true;
		try {
			const limit = AT_ONCE + underWay.size;
			const due = await store.listDueWebhooks({ owner, nowMs: store.nowMs(), leaseMs, limit });
			for (const id of due) begin(id);
		} catch (cause) {
			failed(cause);
		}
		isLooking = false;
	}

	function begin(id: string): void {
		if (stopping.signal.aborted || underWay.has(id) || underWay.size >= AT_ONCE) return;
		const turn = takeTurn(id)
			.catch((cause: unknown) => {
				failed(cause);
				return false;
			})
			.then((hasTried) => {
				underWay.delete(id);
				// Others may wait for its place. If nothing could be sent, the next look comes soon enough.
				if (hasTried) void look();
			});
		underWay.set(id, turn);
	}

	return {
		async stop() {
			stopping.abort();
			clearInterval(timer);
			const late = setTimeout(() => cut.abort(), stopMs);
			await Promise.all(underWay.values());
			clearTimeout(late);
		},
	};
}
