import { normalizeUsername } from '@bursar/contract/username';
import { type CounterReading, isCounter, type UnreadableReport } from './usage.ts';
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
		if (typeof value !== 'object' || value === null) return { refused: 'invalid_report' };
		const { counter, username, up, down, at } = value as Record<string, unknown>;
		if (at !== lastAt) {
			lastAtMs = typeof at === 'string' ? parseTimestamp(at) : undefined;
			lastAt = at;
		}
		return counterReading({ ...edge, counter, username, up, down, atMs: lastAtMs, restarts: false });
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
	readonly restarts: boolean;
}

/** The typed reading, or the first reason why it cannot count. */
export function counterReading(sent: SentReading): CounterReading | UnreadableReport {
	const { edge, edgeBytesPerMs, counter, username, up, down, atMs, restarts } = sent;
	if (!isReportName(counter) || typeof username !== 'string') return { refused: 'invalid_report' };
	if (atMs === undefined) return { refused: 'invalid_timestamp' };
	if (!isCounter(up) || !isCounter(down)) return { refused: 'invalid_counter' };
	const normalized = normalizeUsername(username);
	if (normalized === undefined) return { refused: 'unknown_username' };
	return { edge, edgeBytesPerMs, counter, username: normalized, atMs, bytesUp: up, bytesDown: down, restarts };
}
