import type { Confirmation } from './accounts.ts';
import type { EventType } from './reseller-events.ts';

/** Where events are sent, and how far that is. */
export interface Webhook {
	readonly id: string;
	readonly url: string;
	/** The types of events that are sent; `null`: all. */
	readonly types: readonly EventType[] | null;
	readonly state: 'on' | 'off';
	/**
	 * Why it is off: `switched_off` by you, `gone` (the receiver answered 410), `failing` for three days, `events_expired` or
	 * `events_rewound` (it needs a position), `copied` (the service runs on a copy of its store), or `secret_lost` (it needs a
	 * new secret). A newer service may have further reasons.
	 */
	readonly reason: string | undefined;
	/** The place in the log that it has reached. */
	readonly position: string;
	/** When the first try failed since the last one that was delivered; `undefined` if the last try did not fail. */
	readonly failingSince: Date | undefined;
	/** When the next try is made after one that failed. */
	readonly nextTry: Date | undefined;
	readonly dateCreated: Date;
}

/** A webhook of `webhooks.list`. */
export interface ListedWebhook extends Webhook {
	/** How many events, of any type, are behind its position. */
	readonly eventsBehind: number;
}

/** What a new webhook needs. */
export interface NewWebhook {
	/** `https`, and a public host. */
	readonly url: string;
	/** Only events of these types. Default, or `null`: all. */
	readonly types?: readonly EventType[] | null;
}

/** What of a webhook is to change. What is absent stays as it is. */
export interface WebhookUpdate {
	readonly url?: string;
	/** `null`: all. */
	readonly types?: readonly EventType[] | null;
	/** Switches it on or off. */
	readonly enabled?: boolean;
	/** The place in the log behind which it goes on: the `next` of an event, or a number. */
	readonly position?: string | number;
}

/** The result of `webhooks.create`. */
export interface WebhookCreation extends Confirmation {
	readonly webhook: Webhook;
	/** Signs what is sent. `undefined` if the answer was lost: make another one with `webhooks.rotateSecret`. */
	readonly secret: string | undefined;
}

/** The result of `webhooks.update`. */
export interface UpdatedWebhook extends Confirmation {
	readonly webhook: Webhook;
}

/** The result of `webhooks.delete`. */
export interface DeletedWebhook extends Confirmation {
	readonly id: string;
}

/** The result of `webhooks.rotateSecret`. */
export interface RotatedSecret extends Confirmation {
	readonly id: string;
	/** The new secret. `undefined` if the answer was lost: make another one. */
	readonly secret: string | undefined;
	/** Until then, the previous secret signs too. `undefined` if the answer was lost. */
	readonly previousExpiresAt: Date | undefined;
}

/** A try to send an event. */
export interface WebhookTry {
	readonly at: Date;
	readonly eventId: string;
	/** 0 for a test. */
	readonly eventNumber: number;
	/** `webhook.test` for a test. */
	readonly eventType: string;
	/** The HTTP status of the answer; `undefined` if there was none. */
	readonly status: number | undefined;
	/** Why there was none: `timeout`, for example. */
	readonly failure: string | undefined;
	readonly tookMs: number;
	/** The first 4 KiB of the answer, or a sentence about the failure. */
	readonly answer: string;
}
