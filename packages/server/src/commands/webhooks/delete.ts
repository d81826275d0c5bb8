import { actOfProgram } from '../asking.ts';
import { refused, type Verb } from '../verb.ts';
import { type WebhookCommand, webhookOf } from './webhook-command.ts';

export interface DeleteWebhook extends WebhookCommand {
	readonly kind: 'delete_webhook';
}

interface Deleted {
	readonly ok: true;
	readonly id: string;
}

/** Deletes a webhook with its secrets and its tries. */
export const deleteWebhook: Verb<DeleteWebhook, Deleted, 'unknown_webhook'> = {
	kind: 'delete_webhook',
	calls: ['/webhooks/delete'],
	isOtherChange: true,
	needs: () => ({ webhooks: true }),
	decide(books, command, nowMs) {
		const webhook = webhookOf(books, command);
		if (!webhook) return refused('unknown_webhook');
		const { id } = webhook;
		return {
			outcome: { ok: true, id },
			effects: [{ kind: 'change_webhook', change: { what: 'deleted', webhook } }, ...actOfProgram(command, id, nowMs)],
		};
	},
};
