import { Counter, Gauge, type Registry } from 'prom-client';

/** Something of a list that is left out while it fails. */
export interface ListedState {
	/** Its position in the list, from 1. */
	readonly number: number;
	readonly address: string;
	readonly isUp: boolean;
	readonly failures: number;
}

/** Adds two metrics with a value for each entry of a list, read at each request for metrics. */
export function addStateMetrics(
	registry: Registry,
	{ name, up, failures }: Readonly<Record<'name' | 'up' | 'failures', string>>,
	states: readonly ListedState[],
): void {
	const common = { labelNames: ['number', 'address'], registers: [registry] };
	new Gauge({
		...common,
		name: `${name}_up`,
		help: up,
		aggregator: 'min',
		collect() {
			for (const state of states) this.set(labelsOf(state), state.isUp ? 1 : 0);
		},
	});
	new Counter({
		...common,
		name: `${name}_failures_total`,
		help: failures,
		collect() {
			this.reset();
			for (const state of states) this.inc(labelsOf(state), state.failures);
		},
	});
}

function labelsOf({ number, address }: ListedState) {
	return { number: String(number), address };
}
