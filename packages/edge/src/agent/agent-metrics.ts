import { Counter, Gauge, Registry } from 'prom-client';
import type { ReporterStats } from './counter-reporter.ts';
import type { CheckerStats } from './pair-checker.ts';
import type { RefusalStats } from './refusal-reporter.ts';

export interface MeasuredParts {
	readonly checker?: { readonly stats: CheckerStats };
	readonly reporter?: { readonly stats: ReporterStats };
	readonly refusals?: { readonly stats: RefusalStats };
	readonly droppedLogLines: () => number;
}

/** The metrics of the parts that a command uses. They are read at each request for metrics. */
export function createAgentMetrics({ checker, reporter, refusals, droppedLogLines }: MeasuredParts): Registry {
	const registry = new Registry();
	addTotal(registry, 'bursar_edge_log_lines_dropped_total', 'Lines of the log that were dropped.', droppedLogLines);
	if (checker) {
		const { stats } = checker;
		addNumber(
			registry,
			'bursar_edge_checks_away',
			'1 if the service could not be asked the last time.',
			() => (stats.away === undefined ? 0 : 1),
			'max',
		);
		addTotalByLabel(
			registry,
			'bursar_edge_pair_checks_total',
			'Checks that were answered, from memory too, by result.',
			'result',
			() => ({
				good: stats.good,
				...stats.refused,
			}),
		);
	}
	if (reporter) {
		const names = {
			kept: 'Counters that are kept.',
			waiting: 'Counters with bytes that the service has not acknowledged.',
		} as const;
		for (const [name, help] of Object.entries(names) as [keyof typeof names, string][]) {
			addNumber(registry, `bursar_edge_counters_${name}`, help, () => reporter.stats[name]);
		}
		addTotal(
			registry,
			'bursar_edge_counters_acknowledged_total',
			'Readings that the service has acknowledged.',
			() => reporter.stats.acknowledged,
		);
		addNumber(
			registry,
			'bursar_edge_counters_lag_seconds',
			'How long the oldest of them has been waiting.',
			() => reporter.stats.waitingMs / 1000,
			'max',
		);
		addTotalByLabel(
			registry,
			'bursar_edge_counters_refused_total',
			'Refused readings, by reason.',
			'reason',
			() => reporter.stats.refused,
		);
	}
	if (refusals) {
		addTotal(
			registry,
			'bursar_edge_refusals_left_out_total',
			'Refused clients that the service is not told of, because too many names came at once.',
			() => refusals.stats.leftOut,
		);
	}
	return registry;
}

/**
 * Adds a metric that may fall, read at each request for metrics. `aggregator` says how the values of several processes are
 * combined.
 */
export function addNumber(
	registry: Registry,
	name: string,
	help: string,
	read: () => number,
	aggregator: 'sum' | 'max' | 'min' = 'sum',
): void {
	new Gauge({
		name,
		help,
		aggregator,
		registers: [registry],
		collect() {
			this.set(read());
		},
	});
}

/** Adds a metric that only grows, read at each request for metrics. */
export function addTotal(registry: Registry, name: string, help: string, read: () => number): void {
	new Counter({
		name,
		help,
		registers: [registry],
		collect() {
			this.reset();
			this.inc(read());
		},
	});
}

/** Adds a metric that only grows, with a value for each label. */
export function addTotalByLabel(
	registry: Registry,
	name: string,
	help: string,
	label: string,
	read: () => Readonly<Record<string, number>>,
): void {
	new Counter({
		name,
		help,
		labelNames: [label],
		registers: [registry],
		collect() {
			this.reset();
			for (const [value, count] of Object.entries(read())) this.inc({ [label]: value }, count);
		},
	});
}
