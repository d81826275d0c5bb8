import { normalizeUsername } from '@bursar/contract/username';
import { type CounterReading, isCounter, type UnreadableReport, type UsageRefusal } from './usage.ts';
import { isReportName, parseTimestamp } from './usage-report.ts';

/**
 * Checks readings from an edge, `{counter, username, up, down, at}`. Returns the typed reading, or the reason why it
 * cannot count, for each. `at` is ISO 8601 with a zone. `up` and `down` are bytes. Other fields are ignored.
 */
export function parseCounterReadings(
	edge: ReportingEdge,
	values: readonly unknown[],
): (CounterReading | UnreadableReport)[] {
	// Most readings of a request have the same time, and to read it takes half of the whole check.
	let lastAt: unknown;
	let lastAtMs: number | undefined;
	return values.map((value) => {
		if (typeof value !== 'object' || value === null) return { refused: 'invalid_report', edge: edge.edge };
		const { counter, username, up, down, at } = value as Record<string, unknown>;
		if (at !== lastAt) {
			lastAtMs = typeof at === 'string' ? parseTimestamp(at) : undefined;
			lastAt = at;
		}
		return counterReading({ ...edge, counter, username, up, down, atMs: lastAtMs });
	});
}

export type ReportingEdge = Pick<CounterReading, 'edge' | 'edgeBytesPerMs'>;

interface SentReading extends ReportingEdge {
	readonly counter: unknown;
	readonly username: unknown;
	readonly up: unknown;
	readonly down: unknown;
	/** Unix milliseconds; `undefined` if the time cannot be read. */
	readonly atMs: number | undefined;
}

/** The typed reading, or the first reason why it cannot count. */
export function counterReading(sent: SentReading): CounterReading | UnreadableReport {
	const { edge, edgeBytesPerMs, counter, up, down, atMs } = sent;
	const username = typeof sent.username === 'string' ? normalizeUsername(sent.username) : undefined;
	// Any other text could be a secret in the wrong field, and refused readings are kept.
	const refuse = (refused: UsageRefusal): UnreadableReport => ({ refused, edge, ...(username && { username }) });
	if (!isReportName(counter) || typeof sent.username !== 'string') return refuse('invalid_report');
	if (atMs === undefined) return refuse('invalid_timestamp');
	if (!isCounter(up) || !isCounter(down)) return refuse('invalid_counter');
	if (username === undefined) return refuse('unknown_username');
	return { edge, edgeBytesPerMs, counter, username, atMs, bytesUp: up, bytesDown: down };
}
