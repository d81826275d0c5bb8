import { PREVIOUS_SECRET_MS } from '../../domain/webhooks/webhook.ts';
import { actOfProgram } from '../asking.ts';
import { refused, type Verb } from '../verb.ts';
import { type WebhookCommand, webhookOf } from './webhook-command.ts';

export interface RotateWebhookSecret extends WebhookCommand {
	readonly kind: 'rotate_webhook_secret';
	/** A new one, which the caller has made. */
	readonly secret: string;
}

interface Rotated {
	readonly ok: true;
	readonly id: string;
	/** Until when the previous secret signs too, in Unix milliseconds. */
	readonly previousUntilMs: number;
}

/** Gives a webhook a new secret. The previous one signs too for a day; the one before it ends now. */
export const rotateWebhookSecret: Verb<RotateWebhookSecret, Rotated, 'unknown_webhook'> = {
	kind: 'rotate_webhook_secret',
	calls: ['/webhooks/rotate-secret'],
	isOtherChange: true,
	needs: () => ({ webhooks: true }),
	decide(books, command, nowMs) {
		const webhook = webhookOf(books, command);
		if (!webhook) return refused('unknown_webhook');
		const { id } = webhook;
		const previousUntilMs = nowMs + PREVIOUS_SECRET_MS;
		const { secret } = command;
		return {
			outcome: { ok: true, id, previousUntilMs },
			effects: [
				{ kind: 'change_webhook', change: { what: 'secret_rotated', webhook, secret, previousUntilMs } },
				...actOfProgram(command, id, nowMs),
			],
		};
	},
};
