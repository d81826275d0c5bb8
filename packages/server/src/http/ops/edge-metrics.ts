import { Counter, Gauge, type Registry } from 'prom-client';
import type { EdgeTotals } from '../../bank/edge-uses.ts';
import type { Edge } from '../../domain/edge.ts';

interface EdgeFigures {
	readonly edges: () => Iterable<Edge>;
	readonly edgeUses: () => Iterable<EdgeTotals>;
}

/** The metrics of the edges, by the names that the operator gave them. */
export function addEdgeMetrics(registry: Registry, { edges, edgeUses }: EdgeFigures): void {
	const registers = [registry];
	new Gauge({
		name: 'bursar_edge_reported_to_timestamp_seconds',
		help: 'How far each edge has reported: the newest time of its readings, in Unix seconds.',
		labelNames: ['edge'],
		registers,
		collect() {
			this.reset();
			for (const { name, revokedAtMs, reportedToMs } of edges()) {
				if (revokedAtMs === null && reportedToMs !== null) this.set({ edge: name }, reportedToMs / 1000);
			}
		},
	});
	new Counter({
		name: 'bursar_edge_checks_total',
		help: 'Checks of pairs, by edge and result.',
		labelNames: ['edge', 'result'],
		registers,
		collect() {
			this.reset();
			for (const { name, checks } of edgeUses()) {
				for (const [result, count] of Object.entries(checks)) this.inc({ edge: name, result }, count);
			}
		},
	});
	new Counter({
		name: 'bursar_edge_readings_total',
		help: 'Readings of counters, by edge and result.',
		labelNames: ['edge', 'result'],
		registers,
		collect() {
			this.reset();
			for (const { name, readings } of edgeUses()) {
				for (const [result, count] of Object.entries(readings)) this.inc({ edge: name, result }, count);
			}
		},
	});
}
