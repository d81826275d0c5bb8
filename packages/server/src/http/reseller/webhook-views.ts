import type {
	ListedWebhook as ListedView,
	WebhookTry as TryView,
	Webhook as WebhookView,
} from '@bursar/contract/webhook-schemas';
import { eventCursorText } from '../../domain/events/cursor.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import type { ListedWebhook, StoredTry } from '../../store/tables/webhooks/reads.ts';

// What docs/api.md 13 answers.

export function webhookView(webhook: Webhook): WebhookView {
	const { id, url, types, offReason, reached, failingSinceMs, nextAtMs, createdAtMs } = webhook;
	return {
		...{ id, url, types: types === null ? null : [...types] },
		state: offReason === null ? 'on' : 'off',
		reason: offReason,
		position: eventCursorText(reached),
		failing_since: failingSinceMs === null ? null : new Date(failingSinceMs).toISOString(),
		next_try: offReason !== null || failingSinceMs === null ? null : new Date(nextAtMs).toISOString(),
		date_created: new Date(createdAtMs).toISOString(),
	};
}

export function listedWebhookView(webhook: ListedWebhook): ListedView {
	return { ...webhookView(webhook), behind: webhook.eventsBehind };
}

export function tryView({
	atMs,
	eventId,
	eventNumber,
	eventType,
	status,
	failure,
	tookMs,
	answer,
}: StoredTry): TryView {
	return {
		at: new Date(atMs).toISOString(),
		...{ event_id: eventId, event_number: eventNumber, event_type: eventType },
		...{ status, failure, took_ms: tookMs, answer },
	};
}
