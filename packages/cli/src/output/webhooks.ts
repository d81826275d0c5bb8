import type { ListedWebhook, RotatedSecret, Webhook, WebhookCreation, WebhookTry } from '@bursar/client';
import type { FieldsOf } from './fields.ts';

// What `--json` prints of webhooks, with the field names of docs/api.md 13.

export function webhookFields(webhook: Webhook) {
	const { id, url, types, state, reason, position, failingSince, nextTry, dateCreated } = webhook;
	return {
		...{ id, url, types, state, reason: reason ?? null, position },
		failing_since: failingSince?.toISOString() ?? null,
		next_try: nextTry?.toISOString() ?? null,
		date_created: dateCreated.toISOString(),
	};
}
const WEBHOOK_FIELDS = [
	...(['id', 'url', 'types', 'state', 'reason', 'position'] as const),
	...(['failing_since', 'next_try', 'date_created'] as const),
] as const satisfies FieldsOf<typeof webhookFields>;

export function listedWebhookFields(webhook: ListedWebhook) {
	return { ...webhookFields(webhook), behind: webhook.eventsBehind };
}
export const LISTED_WEBHOOK_FIELDS = [...WEBHOOK_FIELDS, 'behind'] as const satisfies FieldsOf<
	typeof listedWebhookFields
>;

export function changedWebhookFields({ webhook, confirmedBy }: Pick<WebhookCreation, 'webhook' | 'confirmedBy'>) {
	return { ...webhookFields(webhook), confirmed_by: confirmedBy };
}
export const CHANGED_WEBHOOK_FIELDS = [...WEBHOOK_FIELDS, 'confirmed_by'] as const satisfies FieldsOf<
	typeof changedWebhookFields
>;

export function createdWebhookFields(creation: WebhookCreation) {
	return { ...changedWebhookFields(creation), secret: creation.secret ?? null };
}
export const CREATED_WEBHOOK_FIELDS = [...CHANGED_WEBHOOK_FIELDS, 'secret'] as const satisfies FieldsOf<
	typeof createdWebhookFields
>;

export function rotatedSecretFields({ id, secret, previousExpiresAt, confirmedBy }: RotatedSecret) {
	return {
		id,
		secret: secret ?? null,
		previous_expires_at: previousExpiresAt?.toISOString() ?? null,
		confirmed_by: confirmedBy,
	};
}
export const ROTATED_SECRET_FIELDS = [
	'id',
	'secret',
	'previous_expires_at',
	'confirmed_by',
] as const satisfies FieldsOf<typeof rotatedSecretFields>;

export function tryFields({ at, eventId, eventNumber, eventType, status, failure, tookMs, answer }: WebhookTry) {
	return {
		at: at.toISOString(),
		...{ event_id: eventId, event_number: eventNumber, event_type: eventType },
		...{ status: status ?? null, failure: failure ?? null, took_ms: tookMs, answer },
	};
}
export const TRY_FIELDS = [
	...(['at', 'event_id', 'event_number', 'event_type'] as const),
	...(['status', 'failure', 'took_ms', 'answer'] as const),
] as const satisfies FieldsOf<typeof tryFields>;

/** Its state in words. */
export function stateWords({ state, reason, failing_since }: ReturnType<typeof webhookFields>): string {
	if (state === 'off') return `off: ${reason}`;
	return failing_since === null ? 'on' : `failing since ${failing_since}`;
}

export function webhookRecord(webhook: Webhook) {
	const fields = webhookFields(webhook);
	const { id, url, types, position } = fields;
	return { Id: id, URL: url, Types: types?.join(', ') ?? 'all', State: stateWords(fields), Position: position };
}
