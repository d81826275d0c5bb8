import { isWebhookUrl } from '@bursar/contract/webhook-url';
import type { Books } from '../../domain/books.ts';
import type { ChangedWebhook, Webhook } from '../../domain/webhooks/webhook.ts';
import { actOfProgram } from '../asking.ts';
import type { ResellersChange } from '../command.ts';
import type { Decision } from '../verb.ts';

/** A change of a webhook. */
export interface WebhookCommand extends ResellersChange {
	readonly id: string;
}

/** A URL of a webhook, and whether it may be one of this machine. */
export interface NewUrl {
	readonly url: string;
	readonly allowsLoopback?: boolean | undefined;
}

/** The webhook as it is now. */
export interface ChangedOutcome {
	readonly ok: true;
	readonly webhook: Webhook;
}

export function webhookOf(books: Books, { reseller, id }: Pick<WebhookCommand, 'reseller' | 'id'>) {
	return books.webhooksOf(reseller).find((webhook) => webhook.id === id);
}

export function isAllowedUrl({ url, allowsLoopback = false }: NewUrl): boolean {
	return isWebhookUrl(url, allowsLoopback);
}

/** Sets something of a webhook. What holds already is not set again. */
export function setOf(
	command: WebhookCommand,
	before: Webhook,
	set: ChangedWebhook,
	nowMs: number,
): Decision<ChangedOutcome, never> {
	const webhook = { ...before, ...set };
	const outcome = { ok: true, webhook } as const;
	if (JSON.stringify(webhook) === JSON.stringify(before)) return { outcome, effects: [] };
	return {
		outcome,
		effects: [
			{ kind: 'change_webhook', change: { what: 'changed', webhook: before, set } },
			...actOfProgram(command, before.id, nowMs),
		],
	};
}
