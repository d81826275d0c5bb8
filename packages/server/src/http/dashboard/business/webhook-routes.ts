import type { ActKind, ListedWebhook, WebhookTry } from '@bursar/contract/dashboard';
import { newWebhookSecret } from '@bursar/terminal/webhooks';
import { newWebhookId } from '../../../credentials.ts';
import type { StoredTry, ListedWebhook as StoredWebhook } from '../../../store/tables/webhooks/reads.ts';
import { type PersonCall, resellerOf } from '../calls/call.ts';
import type { Calls } from '../calls/calls.ts';
import { ownChange } from '../calls/own-change.ts';
import { refusedBy } from '../calls/refusals.ts';
import { time, timeOrNull } from '../calls/times.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import type { Sessions } from '../sessions/sessions.ts';

interface WebhookDependencies extends Pick<DashboardDependencies, 'store' | 'bank' | 'webhooksLoopback'> {
	readonly sessions: Sessions;
}

/** The webhooks of the reseller. The session says which reseller's. */
export function webhookRoutes(calls: Calls, { store, bank, webhooksLoopback, sessions }: WebhookDependencies): void {
	/** Who changes which webhook. */
	function changeOf<Kind extends ActKind>(
		call: PersonCall,
		kind: Kind,
		sent: { readonly act: string; readonly id: string },
	) {
		const { act } = ownChange(call, sessions, { act: sent.act, kind, target: sent.id });
		return { kind, reseller: resellerOf(call), requestId: call.request.id, id: sent.id, act };
	}

	calls.read('/webhooks', async (_query, call) => {
		const webhooks = await store.listWebhooks(resellerOf(call));
		return { data: { webhooks: webhooks.map(webhookView) } };
	});
	calls.read('/webhooks/tries', async ({ id }, call) => {
		const tries = await store.listWebhookTries(resellerOf(call), id);
		return tries ? { data: { tries: tries.map(tryView) } } : { refused: 'unknown_webhook' };
	});

	// The answers of this and of `rotate-secret` are the only places where a secret ever stands in the clear.
	calls.change('/webhooks/create', async ({ act, url, types }, call) => {
		const id = newWebhookId();
		const secret = newWebhookSecret();
		const change = changeOf(call, 'create_webhook', { act, id });
		const outcome = await bank.submit({ ...change, url, types, secret, allowsLoopback: webhooksLoopback });
		return outcome.ok ? { data: { id, secret } } : refusedBy(outcome);
	});
	calls.change('/webhooks/rotate-secret', async (body, call) => {
		const secret = newWebhookSecret();
		const outcome = await bank.submit({ ...changeOf(call, 'rotate_webhook_secret', body), secret });
		return outcome.ok ? { data: { secret, previous_until: time(outcome.previousUntilMs) } } : refusedBy(outcome);
	});

	calls.change('/webhooks/update', async (body, call) => {
		const { url, types, enabled, reached } = body;
		const outcome = await bank.submit({
			...changeOf(call, 'update_webhook', body),
			...(url !== undefined && { url, allowsLoopback: webhooksLoopback }),
			...{ types, isEnabled: enabled },
			position: reached === undefined ? undefined : { number: reached },
		});
		return outcome.ok ? { data: {} } : refusedBy(outcome);
	});
	calls.change('/webhooks/delete', async (body, call) => {
		const outcome = await bank.submit(changeOf(call, 'delete_webhook', body));
		return outcome.ok ? { data: {} } : refusedBy(outcome);
	});
	calls.change('/webhooks/test', async (body, call) => {
		const outcome = await bank.submit(changeOf(call, 'test_webhook', body));
		return outcome.ok ? { data: {} } : refusedBy(outcome);
	});
}

function webhookView(webhook: StoredWebhook): ListedWebhook {
	const { id, url, types, offReason, reached, newestEvent, eventsBehind, failingSinceMs, failedTries } = webhook;
	return {
		...{ id, url, types, off: offReason, reached: reached.number, newest: newestEvent, behind: eventsBehind },
		failing_since: timeOrNull(failingSinceMs),
		failed_tries: failedTries,
		next_try: failingSinceMs === null || offReason !== null ? null : time(webhook.nextAtMs),
		test_asked: timeOrNull(webhook.testAtMs),
		created: time(webhook.createdAtMs),
	};
}

function tryView({ eventNumber, eventId, eventType, atMs, status, tookMs, answer }: StoredTry): WebhookTry {
	return {
		...{ event_number: eventNumber, event_id: eventId, event_type: eventType },
		...{ at: time(atMs), status, took: tookMs, answer },
	};
}
