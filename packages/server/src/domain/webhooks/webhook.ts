import type { EventType } from '@bursar/contract/events';
import type { OffReason } from '@bursar/contract/webhooks';
import type { EventCursor } from '../events/cursor.ts';

/** Where a reseller wants its events to be sent, and how far that is. Its secrets are kept apart. */
export interface Webhook {
	/** `whe_` and random characters. */
	readonly id: string;
	readonly reseller: string;
	readonly url: string;
	/** The types of events that it wants; `null`: all. */
	readonly types: readonly EventType[] | null;
	/** Why it is switched off; `null`: it is on. */
	readonly offReason: OffReason | null;
	/** The event that it has reached: sent, or left out because of its type. */
	readonly reached: EventCursor;
	/** The first failed try since the last delivery, in Unix milliseconds; `null`: the last try has not failed. */
	readonly failingSinceMs: number | null;
	/** How many tries have failed since. */
	readonly failedTries: number;
	/** Before this time, nothing is sent. Unix milliseconds. */
	readonly nextAtMs: number;
	/** When a test event was asked for that was not sent yet, in Unix milliseconds. */
	readonly testAtMs: number | null;
	/** Unix milliseconds. */
	readonly createdAtMs: number;
}

/** The type of the event that a test sends. It is in no log, and has the number 0. */
export const TEST_EVENT_TYPE = 'webhook.test';

/** After a change of the secret, the previous one signs too for this long, in milliseconds. */
export const PREVIOUS_SECRET_MS = 24 * 3_600_000;

/** What a command changes of a webhook. */
export type WebhookChange =
	| { readonly what: 'added'; readonly webhook: Webhook; readonly secret: string }
	/** Only what is set is written: the rest may have moved on meanwhile. */
	| { readonly what: 'changed'; readonly webhook: WebhookName; readonly set: ChangedWebhook }
	/** The present secret becomes the previous one. */
	| {
			readonly what: 'secret_rotated';
			readonly webhook: WebhookName;
			readonly secret: string;
			readonly previousUntilMs: number;
	  }
	| { readonly what: 'deleted'; readonly webhook: WebhookName };

type WebhookName = Pick<Webhook, 'id' | 'reseller'>;
export type ChangedWebhook = Partial<Omit<Webhook, 'id' | 'reseller' | 'createdAtMs'>>;

/** What is set so that the next try is made at once, as if none had failed. */
export function afresh(nowMs: number) {
	return { failingSinceMs: null, failedTries: 0, nextAtMs: nowMs } as const;
}

/** The host of a URL, with its port. The rest of the URL may have a secret of the receiver. */
export function hostOf(url: string): string {
	return URL.canParse(url) ? new URL(url).host : '';
}
