import type { WebhookOfReseller } from '@bursar/contract/dashboard';
import { hostOf } from '../../../domain/webhooks/webhook.ts';
import type { GradedWebhook, WebhookPosition } from '../../../store/tables/webhooks/reads.ts';
import type { Calls } from '../calls/calls.ts';
import { pageOf, readSearch } from '../calls/list-page.ts';
import { time, timeOrNull } from '../calls/times.ts';
import type { DashboardDependencies } from '../dependencies.ts';

/** The webhooks of all resellers, for operators. */
export function operatorWebhookRoutes(calls: Calls, { store }: Pick<DashboardDependencies, 'store'>): void {
	calls.read('/operator/webhooks', async ({ search: typedSearch = '', ...position }) => {
		const search = readSearch(typedSearch);
		const page = await pageOf<GradedWebhook, WebhookPosition>(position, {
			readPosition,
			positionText: ({ grade, eventsBehind, id }) => `${grade}~${eventsBehind}~${id}`,
			async list(after, backwards, limit) {
				if (search === undefined) return [];
				return store.listWorstWebhooks({ search, after, backwards, limit });
			},
		});
		if (!page) return { refused: 'invalid_query' };
		return { data: { webhooks: page.rows.map(webhookView), next: page.next, previous: page.previous } };
	});
}

function readPosition(text: string): WebhookPosition | undefined {
	const [, grade, eventsBehind, id] = /^([0-4])~(0|[1-9]\d{0,14})~(whe_[0-9A-Za-z]{22})$/.exec(text) ?? [];
	return id === undefined ? undefined : { grade: Number(grade), eventsBehind: Number(eventsBehind), id };
}

function webhookView(webhook: GradedWebhook): WebhookOfReseller {
	const { id, reseller, url, offReason, eventsBehind, failingSinceMs, failedTries, createdAtMs } = webhook;
	return {
		...{ id, reseller, host: hostOf(url), off: offReason, behind: eventsBehind },
		failing_since: timeOrNull(failingSinceMs),
		failed_tries: failedTries,
		created: time(createdAtMs),
	};
}
