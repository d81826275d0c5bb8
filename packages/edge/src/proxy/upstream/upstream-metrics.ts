import { Counter, Gauge, type Registry } from 'prom-client';
import type { ExitState } from './exits.ts';

/** Adds metrics about upstream proxies, read at each request for metrics. */
export function addUpstreamMetrics(states: readonly ExitState[], registry: Registry): void {
	const common = { labelNames: ['number', 'address'], registers: [registry] };
	new Gauge({
		...common,
		name: 'bursar_edge_upstream_up',
		help: '1, or 0 while a worker leaves the upstream out.',
		aggregator: 'min',
		collect() {
			for (const state of states) this.set(labelsOf(state), state.isUp ? 1 : 0);
		},
	});
	new Counter({
		...common,
		name: 'bursar_edge_upstream_failures_total',
		help: 'How often the upstream could not be connected to, refused our credentials or did not answer.',
		collect() {
			this.reset();
			for (const state of states) this.inc(labelsOf(state), state.failures);
		},
	});
}

function labelsOf({ number, address }: ExitState) {
	return { number: String(number), address };
}
