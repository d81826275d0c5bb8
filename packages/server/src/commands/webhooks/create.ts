import { MAX_WEBHOOKS } from '@bursar/contract/limits';
import { eventTypesOf } from '../../domain/events/event-types.ts';
import { afresh, type Webhook } from '../../domain/webhooks/webhook.ts';
import { actOfProgram } from '../asking.ts';
import { refused, type Verb } from '../verb.ts';
import { type ChangedOutcome, isAllowedUrl, type NewUrl, type WebhookCommand } from './webhook-command.ts';

export interface CreateWebhook extends WebhookCommand, NewUrl {
	readonly kind: 'create_webhook';
	/** Absent or `null`: all. */
	readonly types?: readonly string[] | null | undefined;
	readonly secret: string;
}

/** Makes a webhook. It begins behind the newest event. `id` and `secret` are new ones, which the caller has made. */
export const createWebhook: Verb<
	CreateWebhook,
	ChangedOutcome,
	'too_many_webhooks' | 'invalid_webhook_url' | 'invalid_types'
> = {
	kind: 'create_webhook',
	calls: ['/webhooks/create'],
	isOtherChange: true,
	needs: () => ({ webhooks: true }),
	decide(books, command, nowMs) {
		const { id, reseller, url, secret } = command;
		if (!isAllowedUrl(command)) return refused('invalid_webhook_url');
		const types = command.types == null ? null : eventTypesOf(command.types);
		if (types === undefined) return refused('invalid_types');
		if (books.webhooksOf(reseller).length >= MAX_WEBHOOKS) return refused('too_many_webhooks');
		const { newest, idAt } = books.logOf(reseller);
		const webhook: Webhook = {
			...{ id, reseller, url, types, offReason: null },
			reached: { number: newest, id: idAt ?? undefined },
			...afresh(nowMs),
			...{ testAtMs: null, createdAtMs: nowMs },
		};
		return {
			outcome: { ok: true, webhook },
			effects: [
				{ kind: 'change_webhook', change: { what: 'added', webhook, secret } },
				...actOfProgram(command, id, nowMs),
			],
		};
	},
};
