import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { makeEventId } from '@bursar/contract/secret-text';
import { signedHeaders } from '@bursar/terminal/webhooks';
import type { Bank } from '../bank/bank.ts';
import type { RecordOutcome } from '../domain/bookkeeping/record.ts';
import { refusalOfCursor } from '../domain/events/cursor.ts';
import { eventText } from '../domain/events/event-text.ts';
import type { WebhookRecord, WebhookTry } from '../domain/webhooks/record.ts';
import { decideTry, isDelivered, isDue, keptOutcome } from '../domain/webhooks/try.ts';
import { TEST_EVENT_TYPE, type Webhook } from '../domain/webhooks/webhook.ts';
import { DELIVERING } from '../store/reading.ts';
import type { Store } from '../store/store.ts';
import type { EventReads, StoredEvent } from '../store/tables/events/events.ts';
import type { LeasedWebhook, WebhookReads } from '../store/tables/webhooks/reads.ts';
import type { Post } from './post-event.ts';

/** @bound Events of a webhook that are read at once, about 200 kB: the next read has the rest. */
const EVENTS_AT_ONCE = 100;
/**
 * Each try has a TLS connection of its own, which costs about a millisecond of the thread that answers requests.
 * @bound Tries that a process begins in a second: further ones wait.
 */
const TRIES_A_SECOND = 250;
/** Records wait this long for others, so that they share a commit: on SQLite, commands about money wait for each one. */
const GATHER_MS = 20;
const RETRY_MS = 100;

export interface TurnParts {
	readonly store: WebhookReads & Pick<EventReads, 'readEvents'> & Pick<Store, 'nowMs'>;
	readonly bank: Pick<Bank, 'submit' | 'keep'>;
	readonly post: Post;
	/** Names this process among those of the store. The only process of a store always has the same name. */
	readonly owner: string;
	/** Called with how each try ended. */
	readonly ended: (result: 'delivered' | 'failed') => void;
}

interface TurnLimits {
	readonly leaseMs: number;
	readonly turnMs: number;
	/** Nothing more is begun. */
	readonly stopping: AbortSignal;
	/** Ends the tries that are under way. */
	readonly cut: AbortSignal;
}

/**
 * Delivers to one webhook, until there is nothing to send, a try has failed, or its turn is over. Each event is posted, how
 * that ended is written, and only then the next one follows, from a fresh look at the webhook. The function that it returns
 * resolves to whether anything was sent.
 */
export function createTurns(
	{ store, bank, post, owner, ended }: TurnParts,
	{ leaseMs, turnMs, stopping, cut }: TurnLimits,
): (id: string) => Promise<boolean> {
	/** When the next try may begin, in monotonic milliseconds. */
	let nextTryMs = 0;

	let gathering: Promise<void> | undefined;

	async function takeTurn(id: string): Promise<boolean> {
		if (!(await keep({ kind: 'webhook_lease', id, owner, leaseMs })).ok) return false;
		try {
			return await deliver(id, performance.now() + turnMs);
		} finally {
			await keep({ kind: 'webhook_release', id, owner });
		}
	}

	async function deliver(id: string, untilMs: number): Promise<boolean> {
		let hasTried = false;
		let ahead: readonly StoredEvent[] = [];
		while (!stopping.aborted && performance.now() < untilMs) {
			const found = await store.findWebhook(id);
			if (found?.leaseOwner !== owner) return hasTried;
			const { webhook, leaseUntilMs } = found;
			const nowMs = store.nowMs();
			const leftMs = leaseUntilMs - nowMs;
			// It may have been leased before the clock was set back.
			if (leftMs < (leaseMs * 2) / 3 || leftMs > leaseMs) {
				if (!(await keep({ kind: 'webhook_lease', id, owner, leaseMs })).ok) return hasTried;
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
				// What it wants may have changed before the last of them happened, so it is looked at once more.
				continue;
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

	/** The next events. If the log does not have what comes next, the webhook is switched off. */
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
		const to = { number: last.number, id: last.id };
		return (await keep({ kind: 'webhook_pass', id, owner, from: reached.number, reached: to })).ok;
	}

	async function send(found: LeasedWebhook, event: StoredEvent): Promise<void> {
		const { webhook } = found;
		const tried = await tryToPost(found, event, eventText(event));
		if (!tried) return;
		const { outcome, ...record } = tried;
		const after = decideTry(webhook, event, outcome, { nowMs: store.nowMs(), jitter: Math.random() });
		await write({ ...record, after });
		ended(isDelivered(outcome) ? 'delivered' : 'failed');
		if (after.offReason) await switchOff(webhook, after.offReason);
	}

	/** It is tried once, and changes nothing else. */
	async function sendTest(found: LeasedWebhook): Promise<void> {
		const event = { number: 0, id: makeEventId(randomBytes), type: TEST_EVENT_TYPE };
		const nothing = { username: null, requestId: null, changeId: null };
		const body = eventText({ ...event, ...nothing, atMs: store.nowMs(), data: '{}' });
		const tried = await tryToPost(found, event, body);
		if (!tried) return;
		const { outcome, ...record } = tried;
		await write({ ...record, after: undefined });
		ended(isDelivered(outcome) ? 'delivered' : 'failed');
	}

	/** `undefined` if it was not begun or was cut, because the service stops: then it has not ended. */
	async function tryToPost({ webhook, secrets, allTries }: LeasedWebhook, event: WebhookTry['event'], body: string) {
		const { id, url, reached, nextAtMs: dueAtMs } = webhook;
		await untilNextTry();
		if (stopping.aborted) return undefined;
		const atMs = store.nowMs();
		const headers = signedHeaders({ id: event.id, atMs, body, secrets });
		const outcome = await post({ url, headers, body, signal: cut });
		if ('failure' in outcome && outcome.failure === 'stopped') return undefined;
		const { number, id: eventId, type } = event;
		return {
			...({ kind: 'webhook_try', id, owner, from: reached.number, leaseMs, allTries, dueAtMs, atMs, outcome } as const),
			event: { number, id: eventId, type },
			...keptOutcome(outcome),
		};
	}

	async function untilNextTry(): Promise<void> {
		const nowMs = performance.now();
		const waitMs = Math.max(0, nextTryMs - nowMs);
		nextTryMs = nowMs + waitMs + 1_000 / TRIES_A_SECOND;
		if (waitMs > 0) await wait(waitMs);
	}

	async function keep(record: WebhookRecord): Promise<RecordOutcome> {
		gathering ??= wait(GATHER_MS).then(() => {
			gathering = undefined;
		});
		await gathering;
		return bank.keep(record);
	}

	/** While this is not written, nothing more is sent to the webhook. */
	async function write(record: WebhookTry): Promise<void> {
		const giveUpMs = performance.now() + leaseMs / 3;
		for (;;) {
			const written = await keep(record);
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

	return takeTurn;
}
