import type { AfterTry, KeptOutcome } from './try.ts';

/**
 * What a process says about webhooks that it delivers to. None of it changes a webhook that another process has leased, or
 * that is not where the process has left it.
 */
export type WebhookRecord = WebhookLease | WebhookRelease | WebhookPass | WebhookTry;

interface Leased {
	readonly id: string;
	/** Names the process that says it. */
	readonly owner: string;
}

/** No other process delivers to this webhook for a while, unless one does now. */
export interface WebhookLease extends Leased {
	readonly kind: 'webhook_lease';
	/** How long, in milliseconds. */
	readonly leaseMs: number;
}

/** The process does not deliver to it any more. */
export interface WebhookRelease extends Leased {
	readonly kind: 'webhook_release';
}

/** It wants none of the events up to this one. */
export interface WebhookPass extends Leased {
	readonly kind: 'webhook_pass';
	/** The number of the event that it had reached. */
	readonly from: number;
	readonly reached: AfterTry['reached'];
}

/** How a try ended. Leases the webhook anew. */
export interface WebhookTry extends Leased, KeptOutcome {
	readonly kind: 'webhook_try';
	readonly from: number;
	readonly leaseMs: number;
	/** How many tries it had before. */
	readonly allTries: number;
	/** When it was due. If a command has changed that since, a failure does not count: the next try is made at once. */
	readonly dueAtMs: number;
	readonly event: { readonly number: number; readonly id: string; readonly type: string };
	/** When the try began, in Unix milliseconds. */
	readonly atMs: number;
	/** What becomes of it; `undefined` after a test, which changes nothing else. */
	readonly after: AfterTry | undefined;
}

/** @bound Tries of a webhook that are kept: a new one replaces the oldest. */
export const KEPT_TRIES = 50;
