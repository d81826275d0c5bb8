import { Counter, type Registry } from 'prom-client';
import type { TryEnd } from '../../domain/mail/mail.ts';

/** Those that were not tried count nowhere. */
const RESULTS = ['sent', 'failed', 'given_up'] as const satisfies readonly TryEnd['kind'][];

/** Adds the metric of the mails that this process sends. The function that it returns counts a try. */
export function addMailMetrics(registry: Registry): (end: TryEnd['kind']) => void {
	const tries = new Counter({
		name: 'bursar_mail_tries_total',
		help: 'Tries to send a mail: sent, failed and tried again, or given up because the server refuses it for ever.',
		labelNames: ['result'],
		registers: [registry],
	});
	// From 0, because Prometheus sees no increase in what appears with its first count.
	for (const result of RESULTS) tries.inc({ result }, 0);
	return (end) => {
		if (end !== 'back') tries.inc({ result: end });
	};
}
