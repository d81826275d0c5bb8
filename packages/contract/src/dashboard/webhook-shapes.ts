import type { EventType } from '../events.ts';
import type { OffReason } from '../webhooks.ts';

/** The webhooks of a reseller, the oldest first. At most `MAX_WEBHOOKS`. */
export interface WebhookList {
	readonly webhooks: readonly ListedWebhook[];
}

/** Where a reseller wants its events to be sent, and how far that is. */
export interface ListedWebhook extends WebhookState {
	readonly id: string;
	readonly url: string;
	/** The types of events that it wants; `null`: all. */
	readonly types: readonly EventType[] | null;
	/** The number of the event that it has reached: sent, or left out because of its type. */
	readonly reached: number;
	/** The number of the newest event of the reseller; 0 if there is none. */
	readonly newest: number;
	/** Before this time, nothing is sent again. It may have passed. `null` if the last try has not failed, or it is off. */
	readonly next_try: string | null;
	/** When a test event was asked for that was not sent yet; `null` if none was. */
	readonly test_asked: string | null;
	readonly created: string;
}

interface WebhookState {
	/** Why it is switched off; `null`: it is on. */
	readonly off: OffReason | null;
	/** How many events are behind the one that it has reached, of any type. */
	readonly behind: number;
	/** The first failed try since the last delivery; `null`: the last try has not failed. */
	readonly failing_since: string | null;
	/** How many tries have failed since. */
	readonly failed_tries: number;
}

/** The last 50 tries to send something to a webhook, the newest first. */
export interface WebhookTries {
	readonly tries: readonly WebhookTry[];
}

export interface WebhookTry {
	/** 0 for a test event. */
	readonly event_number: number;
	readonly event_id: string;
	/** An `EventType`, or `webhook.test`. */
	readonly event_type: string;
	readonly at: string;
	/** The status of the answer; `null` if there was none. */
	readonly status: number | null;
	/** How long it took, in milliseconds. */
	readonly took: number;
	/** The first 4 KiB of the answer, as a stranger has written it, or a sentence about why there was none. */
	readonly answer: string;
}

export interface NewWebhook {
	readonly id: string;
	/** Shown once: the store keeps it sealed. */
	readonly secret: string;
}

export interface NewWebhookSecret {
	/** Shown once: the store keeps it sealed. */
	readonly secret: string;
	/** Until when the previous secret signs too. */
	readonly previous_until: string;
}

/** A page of the webhooks of all resellers: first those that are off and should not be, then those that fail. */
export interface WebhookPage {
	readonly webhooks: readonly WebhookOfReseller[];
	readonly next: string | null;
	readonly previous: string | null;
}

/** A webhook as operators see it. */
export interface WebhookOfReseller extends WebhookState {
	readonly id: string;
	readonly reseller: string;
	/** The host of its URL, with its port. The rest of the URL may have a secret of the receiver. */
	readonly host: string;
	readonly created: string;
}
