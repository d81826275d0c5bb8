import type { AccountCommand } from '../command.ts';
import { refused, type Verb } from '../verb.ts';
import { type ChangedOutcome, setOf, webhookOf } from './webhook-command.ts';

export interface TestWebhook extends AccountCommand {
	readonly kind: 'test_webhook';
	readonly id: string;
}

/**
 * Asks for a test event, also if the webhook is off. The process that delivers sends it between two events, tries it once,
 * and records how that ended. Until then, asking again changes nothing.
 */
export const testWebhook: Verb<TestWebhook, ChangedOutcome, 'unknown_webhook'> = {
	kind: 'test_webhook',
	calls: ['/webhooks/test'],
	needs: () => ({ webhooks: true }),
	decide(books, command, nowMs) {
		const webhook = webhookOf(books, command);
		if (!webhook) return refused('unknown_webhook');
		return setOf(command, webhook, { testAtMs: webhook.testAtMs ?? nowMs }, nowMs);
	},
};
