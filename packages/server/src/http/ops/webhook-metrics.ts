import { Counter, type Registry } from 'prom-client';

const RESULTS = ['delivered', 'failed'] as const;
export type WebhookResult = (typeof RESULTS)[number];

/** Adds the metric of the events that this process sends to webhooks. The function that it returns counts a try. */
export function addWebhookMetrics(registry: Registry): (result: WebhookResult) => void {
	const tries = new Counter({
		name: 'bursar_webhook_tries_total',
		help: 'Tries to send an event to a webhook, tests included: delivered, or failed.',
		labelNames: ['result'],
		registers: [registry],
	});
	// From 0, because Prometheus sees no increase in what appears with its first count.
	for (const result of RESULTS) tries.inc({ result }, 0);
	return (result) => tries.inc({ result });
}
