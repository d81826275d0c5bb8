import type {
	ListedWebhook as SentListed,
	RotatedWebhookSecret as SentRotated,
	WebhookTry as SentTry,
	CreatedWebhook as SentWebhook,
} from '@bursar/contract/webhook-schemas';
import { fieldsOf, isCount, isNullOr, isText, readDate, readDateOrNull, readEach } from './answers.ts';
import type { EventType } from './reseller-events.ts';
import type { ListedWebhook, Webhook, WebhookTry } from './webhooks.ts';

// Reads answers as `answers.ts` does: each function returns `undefined` if the data has another shape.

export function readWebhook(data: unknown): Webhook | undefined {
	const webhook = fieldsOf<SentWebhook>(data);
	const { id, url, state, reason, position } = webhook ?? {};
	const types = webhook?.types === null ? null : readEach(webhook?.types, (type) => (isText(type) ? type : undefined));
	const failingSince = readDateOrNull(webhook?.failing_since);
	const nextTry = readDateOrNull(webhook?.next_try);
	const dateCreated = readDate(webhook?.date_created);
	if (!isText(id) || !isText(url) || (state !== 'on' && state !== 'off') || !isNullOr(isText, reason)) return undefined;
	if (!isText(position) || types === undefined || failingSince === undefined || nextTry === undefined) return undefined;
	if (!dateCreated) return undefined;
	return {
		...{ id, url, types: types as readonly EventType[] | null, state, reason: reason ?? undefined, position },
		...{ failingSince: failingSince ?? undefined, nextTry: nextTry ?? undefined, dateCreated },
	};
}

export function readCreatedWebhook(data: unknown): { webhook: Webhook; secret: string } | undefined {
	const webhook = readWebhook(data);
	const { secret } = fieldsOf<SentWebhook>(data) ?? {};
	return webhook && isText(secret) ? { webhook, secret } : undefined;
}

export function readWebhooks(data: unknown): ListedWebhook[] | undefined {
	return readEach(data, (item) => {
		const webhook = readWebhook(item);
		const { behind } = fieldsOf<SentListed>(item) ?? {};
		return webhook && isCount(behind) ? { ...webhook, eventsBehind: behind } : undefined;
	});
}

export function readRotatedSecret(data: unknown): { id: string; secret: string; previousExpiresAt: Date } | undefined {
	const { id, secret, previous_expires_at: expires } = fieldsOf<SentRotated>(data) ?? {};
	const previousExpiresAt = readDate(expires);
	return isText(id) && isText(secret) && previousExpiresAt ? { id, secret, previousExpiresAt } : undefined;
}

export function readTries(data: unknown): WebhookTry[] | undefined {
	return readEach(data, (item) => {
		const sent = fieldsOf<SentTry>(item);
		const at = readDate(sent?.at);
		const { event_id: eventId, event_number: eventNumber, event_type: eventType } = sent ?? {};
		const { status, failure, took_ms: tookMs, answer } = sent ?? {};
		if (!at || !isText(eventId) || !isCount(eventNumber) || !isText(eventType)) return undefined;
		if (!isNullOr(isCount, status) || !isNullOr(isText, failure)) return undefined;
		if (!isCount(tookMs) || typeof answer !== 'string') return undefined;
		return {
			...{ at, eventId, eventNumber, eventType },
			...{ status: status ?? undefined, failure: failure ?? undefined, tookMs, answer },
		};
	});
}
