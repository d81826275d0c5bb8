import { Counter, type Registry } from 'prom-client';
import type { BankObserver } from '../../bank/bank.ts';

/** Adds the metrics of the bandwidth that this process settles. The function that it returns counts it. */
export function addMeteringMetrics(registry: Registry): NonNullable<BankObserver['settled']> {
	const counter = (name: string, help: string) => new Counter({ name, help, registers: [registry] });
	const charged = counter(
		'bursar_metered_charged_cents_total',
		'USD cents that balances paid for bandwidth when this process settled it.',
	);
	const debts = new Counter({
		name: 'bursar_metered_debt_cents_total',
		help: 'USD cents of bandwidth that no balance covered, and that resellers owe, by the change that settled it.',
		labelNames: ['reason'],
		registers: [registry],
	});
	const ranOut = counter(
		'bursar_metered_ran_out_total',
		'Accounts whose balance was used up when bandwidth was settled.',
	);
	return (settled) => {
		for (const each of settled) {
			charged.inc(each.paidCents);
			if (each.debtCents > 0) debts.inc({ reason: each.by }, each.debtCents);
			if (each.ranOut) ranOut.inc();
		}
	};
}
