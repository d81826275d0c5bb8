import { Counter, type Registry } from 'prom-client';
import type { PostedUsage } from '../../domain/command.ts';

/** Adds the metrics of what this process posts of bandwidth. The function that it returns counts it. */
export function addMeteringMetrics(registry: Registry): (posted: readonly PostedUsage[]) => void {
	const counter = (name: string, help: string) => new Counter({ name, help, registers: [registry] });
	const charged = counter(
		'bursar_metered_charged_cents_total',
		'USD cents that balances paid for bandwidth when this process posted it: after a day, or when an account had run out.',
	);
	const uncollected = counter(
		'bursar_metered_uncollected_cents_total',
		'USD cents of posted bandwidth that balances did not cover.',
	);
	const ranOut = counter(
		'bursar_metered_ran_out_total',
		'Accounts whose balance was used up when bandwidth was posted.',
	);
	return (posted) => {
		for (const each of posted) {
			charged.inc(each.chargedCents);
			uncollected.inc(each.uncollectedCents);
			if (each.ranOut) ranOut.inc();
		}
	};
}
