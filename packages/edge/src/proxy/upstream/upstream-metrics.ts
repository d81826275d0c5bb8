import type { Registry } from 'prom-client';
import { addStateMetrics } from '../state-metrics.ts';
import type { ExitState } from './exits.ts';

/** Adds metrics about upstream proxies, read at each request for metrics. */
export function addUpstreamMetrics(states: readonly ExitState[], registry: Registry): void {
	const name = 'bursar_edge_upstream';
	const up = '1, or 0 while a worker leaves the upstream out.';
	const failures = 'How often the upstream could not be connected to, refused our credentials or did not answer.';
	addStateMetrics(registry, { name, up, failures }, states);
}
