import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { makeEventId } from '@bursar/contract/secret-text';
import { signedHeaders } from '@bursar/terminal/webhooks';
import type { Bank } from '../bank/bank.ts';
import { type EventCursor, refusalOfCursor } from '../domain/events/cursor.ts';
import { eventText } from '../domain/events/event-text.ts';
import type { WebhookTry } from '../domain/webhooks/record.ts';
import { decideTry, isDelivered, isDue, keptOutcome } from '../domain/webhooks/try.ts';
import { TEST_EVENT_TYPE, type Webhook } from '../domain/webhooks/webhook.ts';
import { DELIVERING } from '../store/reading.ts';
import type { Store } from '../store/store.ts';
import type { EventReads, StoredEvent } from '../store/tables/events/events.ts';
import type { LeasedWebhook, WebhookReads } from '../store/tables/webhooks/reads.ts';
import type { Post } from './post-event.ts';

/** How often a process looks for webhooks with something to send, in milliseconds. */
const LOOK_MS = 1_000;
/** @bound Webhooks that a process delivers to at once: the rest waits. Resellers take turns. */
const AT_ONCE = 64;
/** @bound Events of a webhook that are read at once, about 200 kB: the next read has the rest. */
const EVENTS_AT_ONCE = 100;
/**
 * A try and its record take less. So no other process delivers to a webhook while one does.
 * @bound A process that has died, or is cut off from the store, holds a webhook: then another process delivers to it.
 */
const LEASE_MS = 30_000;
/** @bound A process delivers to a webhook with many events: then it takes its turn behind the others. */
const TURN_MS = 10_000;
/** @bound The tries that are under way go on once the service stops: then they are cut, and the events are sent again later. */
const STOP_MS = 2_000;
const RETRY_MS = 100;

/**
 * Sends the events of resellers to their webhooks: each webhook has one try at a time, in the order of the log. A process
 * leases a webhook, sends it the next event, says how that ended, and looks again what comes next. If it dies in between, that
 * event is sent once more.
 */
export interface WebhookDelivery {
	/** Begins nothing more. Resolves when no try is under way, and the webhooks were given back. */
	stop(): Promise<void>;
}

interface DeliveryObserver {
	/** Called with how each try ended. */
	ended(result: 'delivered' | 'failed'): void;
	/** The service itself could not go on with a webhook. It is tried again. */
	failed(cause: unknown): void;
	/** A look had no failure. */
	done(): void;
}

export interface DeliveryParts {
	readonly store: WebhookReads & Pick<EventReads, 'readEvents'> & Pick<Store, 'nowMs'>;
	readonly bank: Pick<Bank, 'submit' | 'keep'>;
	readonly post: Post;
	/** Names this process among those of the store. The only process of a store always has the same name. */
	readonly owner: string;
	readonly observer: DeliveryObserver;
	/** In milliseconds. For tests. */
	readonly lookMs?: number | undefined;
	readonly leaseMs?: number | undefined;
	readonly turnMs?: number | undefined;
	readonly stopMs?: number | undefined;
}

export function createWebhookDelivery(parts: DeliveryParts): WebhookDelivery {
	const { store, bank, post, owner, observer } = parts;
	const { lookMs = LOOK_MS, leaseMs = LEASE_MS, turnMs = TURN_MS, stopMs = STOP_MS } = parts;
	const underWay = new Map<string, Promise<void>>();
	const cut = new AbortController();
	let isStopping = false;
	let isLooking = false;
	const timer = setInterval(look, lookMs);
	timer.unref();
	void look();

	async function look(): Promise<void> {
		if (isLooking || isStopping || underWay.size >= AT_ONCE) return;
		isLooking = true;
		try {
			const limit = AT_ONCE + underWay.size;
			const due = await store.listDueWebhooks({ owner, nowMs: store.nowMs(), leaseMs, limit });
			for (const id of due) if (!isStopping && !underWay.has(id) && underWay.size < AT_ONCE) begin(id);
			observer.done();
		} catch (cause) {
			observer.failed(cause);
		}
		isLooking = false;
	}

	function begin(id: string): void {
		const turn = takeTurn(id)
			.catch((cause: unknown) => {
				observer.failed(cause);
				return false;
			})
			.then((hasTried) => {
				underWay.delete(id);
				// Others may wait for its place. If it could not be tried, the next look comes soon enough.
				if (hasTried) void look();
			});
		underWay.set(id, turn);
	}

	/** Returns whether anything was sent. */
	async function takeTurn(id: string): Promise<boolean> {
		if (!(await bank.keep({ kind: 'webhook_lease', id, owner, leaseMs })).ok) return false;
		try {
			return await deliver(id, performance.now() + turnMs);
		} finally {
			await bank.keep({ kind: 'webhook_release', id, owner });
		}
	}

	async function deliver(id: string, untilMs: number): Promise<boolean> {
		let hasTried = false;
		let ahead: readonly StoredEvent[] = [];
		while (!isStopping && performance.now() < untilMs) {
			const found = await store.findWebhook(id);
			if (found?.leaseOwner !== owner) return hasTried;
			const { webhook, leaseUntilMs } = found;
			const nowMs = store.nowMs();
			const leftMs = leaseUntilMs - nowMs;
			// It may have been leased before the clock was set back.
			if (leftMs < (leaseMs * 2) / 3 || leftMs > leaseMs) {
				if (!(await bank.keep({ kind: 'webhook_lease', id, owner, leaseMs })).ok) return hasTried;
				continue;
			}
			if (webhook.testAtMs !== null) {
				await sendTest(found);
				hasTried = true;
				continue;
			}
			if (webhook.offReason !== null || !isDue(webhook, nowMs)) return hasTried;
			if (ahead[0]?.number !== webhook.reached.number + 1) {
				const next = await readAhead(webhook);
				if (next.length === 0) return hasTried;
				ahead = next;
			}
			const wanted = ahead.findIndex(({ type }) => webhook.types?.includes(type) ?? true);
			if (wanted === -1) {
				if (!(await pass(webhook, ahead.at(-1) as StoredEvent))) return hasTried;
				ahead = [];
				continue;
			}
			await send(found, ahead[wanted] as StoredEvent);
			hasTried = true;
			ahead = ahead.slice(wanted + 1);
		}
		return hasTried;
	}

	/** The next events. If the log has not what comes next, the webhook is switched off. */
	async function readAhead(webhook: Webhook): Promise<readonly StoredEvent[]> {
		const { reseller, reached } = webhook;
		const log = await store.readEvents({ reseller, after: reached.number, limit: EVENTS_AT_ONCE, owner: DELIVERING });
		if (!log) throw new Error('the reseller of a webhook has no log');
		const refusal = refusalOfCursor(reached, log);
		if (refusal === undefined) return log.events;
		await switchOff(webhook, refusal);
		return [];
	}

	/** It wants none of the events up to this one. */
	async function pass({ id, reached }: Webhook, last: StoredEvent): Promise<boolean> {
		const to: EventCursor = { number: last.number, id: last.id };
		return (await bank.keep({ kind: 'webhook_pass', id, owner, from: reached.number, reached: to })).ok;
	}

	async function send(found: LeasedWebhook, event: StoredEvent): Promise<void> {
		const { webhook } = found;
		const tried = await tryToPost(found, event, eventText(event));
		if (!tried) return;
		const { outcome, ...record } = tried;
		const after = decideTry(webhook, event, outcome, { nowMs: store.nowMs(), jitter: Math.random() });
		await write({ ...record, after });
		observer.ended(isDelivered(outcome) ? 'delivered' : 'failed');
		if (after.offReason) await switchOff(webhook, after.offReason);
	}

	/** It is tried once, and changes nothing else. */
	async function sendTest(found: LeasedWebhook): Promise<void> {
		const event = { number: 0, id: makeEventId(randomBytes), type: TEST_EVENT_TYPE };
		const body = { ...event, at: new Date(store.nowMs()).toISOString(), data: {} };
		const tried = await tryToPost(found, event, JSON.stringify(body));
		if (!tried) return;
		const { outcome, ...record } = tried;
		await write({ ...record, after: undefined });
		observer.ended(isDelivered(outcome) ? 'delivered' : 'failed');
	}

	/** `undefined` if it was cut because the service stops: then it has not ended. */
	async function tryToPost({ webhook, secrets, allTries }: LeasedWebhook, event: WebhookTry['event'], body: string) {
		const { id, url, reached } = webhook;
		const atMs = store.nowMs();
		const headers = signedHeaders({ id: event.id, atMs, body, secrets });
		const outcome = await post({ url, headers, body, signal: cut.signal });
		if ('failure' in outcome && outcome.failure === 'stopped') return undefined;
		const { number, id: eventId, type } = event;
		return {
			...({ kind: 'webhook_try', id, owner, from: reached.number, leaseMs, allTries, atMs, outcome } as const),
			event: { number, id: eventId, type },
			...keptOutcome(outcome),
		};
	}

	/** While this is not written, nothing more is sent to the webhook. */
	async function write(record: WebhookTry): Promise<void> {
		const giveUpMs = performance.now() + leaseMs / 3;
		for (;;) {
			const written = await bank.keep(record);
			if (written.ok) return;
			const isOver = written.error !== 'not_done' || performance.now() > giveUpMs;
			if (isOver) throw new Error(`how a try of a webhook ended was not written: ${written.error}`);
			await wait(RETRY_MS);
		}
	}

	async function switchOff(
		{ id, reseller, url, reached }: Webhook,
		reason: 'gone' | 'failing' | 'events_expired' | 'events_rewound',
	): Promise<void> {
		const requestId = `webhooks-${randomUUID()}`;
		const command = {
			kind: 'switch_off_webhook',
			reseller,
			id,
			reason,
			url,
			reached: reached.number,
			requestId,
		} as const;
		const outcome = await bank.submit(command);
		if (!outcome.ok) throw new Error(`a webhook could not be switched off: ${outcome.error}`);
	}

	return {
		async stop() {
			isStopping = true;
			clearInterval(timer);
			const late = setTimeout(() => cut.abort(), stopMs);
			await Promise.all(underWay.values());
			clearTimeout(late);
		},
	};
}
