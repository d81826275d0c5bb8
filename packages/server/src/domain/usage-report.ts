import { isPrintableAscii } from '@bursar/contract/ascii';
import { normalizeUsername } from '@bursar/contract/username';
import { isCounter, type UnreadableReport, type UsageReport } from './usage.ts';

/** @bound Characters of a name in a usage report: the report is refused as `invalid_report`. */
const MAX_NAME_LENGTH = 128;
const ISO_TIMESTAMP =
	/^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/**
 * Checks a usage report from outside, `{source, id, username, timestamp, up, down}`. Returns the typed report, or the
 * reason why it cannot count. `timestamp` is ISO 8601 with a zone. `up` and `down` are bytes. Other fields are ignored.
 */
export function parseUsageReport(value: unknown): UsageReport | UnreadableReport {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return { refused: 'invalid_report' };
	const { source, id, username, timestamp, up, down } = value as Record<string, unknown>;
	if (!isReportName(source) || !isReportName(id) || typeof username !== 'string') return { refused: 'invalid_report' };
	const atMs = typeof timestamp === 'string' ? parseTimestamp(timestamp) : undefined;
	if (atMs === undefined) return { refused: 'invalid_timestamp' };
	if (!isCounter(up) || !isCounter(down)) return { refused: 'invalid_counter' };
	const normalized = normalizeUsername(username);
	if (normalized === undefined) return { refused: 'unknown_username' };
	return { source, id, username: normalized, atMs, bytesUp: up, bytesDown: down };
}

/**
 * Whether a program may give this name to a report or a counter. No control characters, because the key of a report has
 * a line break between `source` and `id`. Programs make these names, so each name counts as it is. A stricter rule
 * would refuse repeats of reports that were already counted.
 */
export function isReportName(value: unknown): value is string {
	if (typeof value !== 'string' || value === '' || value.length > MAX_NAME_LENGTH) return false;
	return isPrintableAscii(value) || /^[^\p{Cc}\p{Cs}]+$/u.test(value);
}

/** Unix milliseconds, or `undefined`. `Date.parse` alone would read 30 February as 2 March. */
export function parseTimestamp(text: string): number | undefined {
	const parts = ISO_TIMESTAMP.exec(text);
	if (!parts) return undefined;
	const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
	if (month < 1 || month > 12 || day < 1 || (day > 28 && day > daysInMonth(year, month))) return undefined;
	const atMs = Date.parse(text);
	return Number.isNaN(atMs) ? undefined : atMs;
}

function daysInMonth(year: number, month: number): number {
	return new Date(Date.UTC(year, month, 0)).getUTCDate();
}
