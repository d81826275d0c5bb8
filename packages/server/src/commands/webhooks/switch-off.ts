import type { OffReason } from '@bursar/contract/webhooks';
import { hostOf } from '../../domain/webhooks/webhook.ts';
import type { AccountCommand } from '../command.ts';
import type { Verb } from '../verb.ts';
import { webhookOf } from './webhook-command.ts';

export interface SwitchOffWebhook extends AccountCommand {
	readonly kind: 'switch_off_webhook';
	readonly id: string;
	readonly reason: Exclude<OffReason, 'switched_off' | 'copied' | 'secret_lost'>;
	/** The URL and the number of the event that it had reached, when the service decided this. */
	readonly url: string;
	readonly reached: number;
}

interface SwitchedOff {
	readonly ok: true;
}

/**
 * Switches a webhook off, and tells the people of its reseller by mail. The service itself gives this command. If the reseller
 * has changed the webhook meanwhile, it stays on.
 */
export const switchOffWebhook: Verb<SwitchOffWebhook, SwitchedOff, never> = {
	kind: 'switch_off_webhook',
	calls: [],
	giver: 'service',
	needs: () => ({ webhooks: true }),
	decide(books, command, nowMs) {
		const { id, reseller, reason, url, reached } = command;
		const outcome = { ok: true } as const;
		const webhook = webhookOf(books, command);
		const isAsItWas = webhook?.offReason === null && webhook.url === url && webhook.reached.number === reached;
		if (!isAsItWas) return { outcome, effects: [] };
		const facts = { webhook: id, host: hostOf(url), reason };
		return {
			outcome,
			effects: [
				{ kind: 'change_webhook', change: { what: 'changed', webhook, set: { offReason: reason } } },
				{ kind: 'notify', notice: { kind: 'webhook_off', to: { reseller }, atMs: nowMs, facts } },
			],
		};
	},
};
