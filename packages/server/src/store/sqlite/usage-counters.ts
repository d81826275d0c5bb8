import type { DecidedUsage, LoadedUsage } from '../../domain/decide-usage.ts';
import type { CounterReading } from '../../domain/usage.ts';
import {
	type ChangedCounter,
	countersForgottenBeforeDay,
	edgesBeginningLasting,
	MAX_LASTING_COUNTERS,
	type ReadingDays,
	type UsageCounter,
	usageCounterKey,
} from '../../domain/usage-counter.ts';
import { formatReadingDays, parseReadingDays, READING_DAYS } from '../reading-days.ts';
import type { Connection } from './connection.ts';
import { prepareRows } from './rows.ts';

type FoundCounter = [counter: string, username: string, bytesUp: number, bytesDown: number, seenDay: number | null];
type LoadedCounters = Pick<LoadedUsage, 'counters' | 'lastingCounters' | 'readingDays'>;
type DecidedCounters = Pick<DecidedUsage, 'changedCounters' | 'readingDays' | 'reportedToMs'>;

const INSERT = 'INSERT OR FAIL INTO usage_counters (edge, counter, username, bytes_up, bytes_down, seen_day) VALUES';
const SET_BYTES = 'ON CONFLICT DO UPDATE SET bytes_up = excluded.bytes_up, bytes_down = excluded.bytes_down';

/** Counts the counters of an edge that are never forgotten, up to a limit. */
export const COUNT_LASTING =
	'SELECT count(*) FROM (SELECT 1 FROM usage_counters WHERE edge = ? AND seen_day IS NULL LIMIT ?)';

/** The counters of edges, inside a transaction that already holds the lock. */
export function usageCounters(connection: Connection) {
	// One call for all counters of an edge: most of the cost of a row would be its call.
	const find = connection
		.prepare<[string, string], FoundCounter>(
			`SELECT counter, username, bytes_up, bytes_down, seen_day FROM json_each(?) AS given
			 CROSS JOIN usage_counters WHERE edge = ? AND counter = given.value`,
		)
		.raw();
	const countLasting = connection.prepare<[string, number], number>(COUNT_LASTING).pluck();
	const days = connection.prepare<[string]>('SELECT value FROM meta WHERE name = ?').pluck();
	const setDays = connection.prepare<[string, string]>('UPDATE meta SET value = ? WHERE name = ?');
	// Setting the day would write the index by age for each row, and it changes once a day.
	const setBytes = prepareRows(connection, INSERT, 6, SET_BYTES);
	const setAll = prepareRows(connection, INSERT, 6, `${SET_BYTES}, seen_day = excluded.seen_day`);
	const setReportedTo = connection.prepare<[number, string, number]>(
		'UPDATE edges SET reported_to_ms = ? WHERE name = ? AND (reported_to_ms IS NULL OR reported_to_ms < ?)',
	);
	const forget = connection.prepare<[number, number]>(
		`DELETE FROM usage_counters WHERE (edge, counter) IN
		 (SELECT edge, counter FROM usage_counters WHERE seen_day < ? ORDER BY seen_day LIMIT ?)`,
	);

	return {
		load(readings: readonly CounterReading[]): LoadedCounters {
			const readingDays = parseReadingDays(days.get(READING_DAYS) as string | undefined);
			const counters = new Map<string, UsageCounter>();
			for (const [edge, ofEdge] of Map.groupBy(readings, (reading) => reading.edge)) {
				const names = JSON.stringify(ofEdge.map(({ counter }) => counter));
				for (const [counter, username, bytesUp, bytesDown, seenDay] of find.all(names, edge)) {
					const found = { edge, counter, username, bytesUp, bytesDown, seenDay };
					counters.set(usageCounterKey(found), found);
				}
			}
			const lastingCounters = new Map<string, number>();
			for (const edge of edgesBeginningLasting(readings, counters)) {
				lastingCounters.set(edge, countLasting.get(edge, MAX_LASTING_COUNTERS) as number);
			}
			return { counters, lastingCounters, readingDays };
		},
		write(decided: DecidedCounters, loaded: LoadedCounters): void {
			writeDays(decided.readingDays, loaded.readingDays);
			const { seen = [], unseen = [] } = Object.groupBy(decided.changedCounters, ({ before, after }) =>
				before?.seenDay === after.seenDay ? 'seen' : 'unseen',
			);
			setBytes(seen, addValues);
			setAll(unseen, addValues);
			for (const [edge, reportedToMs] of decided.reportedToMs) setReportedTo.run(reportedToMs, edge, reportedToMs);
		},
		/** Forgets at most twice as many counters as were read. So old ones never pile up, and no batch is slow. */
		forget(readings: number, readingDays: ReadingDays): void {
			if (readings > 0) forget.run(countersForgottenBeforeDay(readingDays), 2 * readings);
		},
	};

	function writeDays(after: ReadingDays, before: ReadingDays): void {
		if (after.count === before.count && after.latest === before.latest) return;
		setDays.run(formatReadingDays(after), READING_DAYS);
	}
}

function addValues({ after }: ChangedCounter, values: unknown[]): void {
	const { edge, counter, username, bytesUp, bytesDown, seenDay } = after;
	values.push(edge, counter, username, bytesUp, bytesDown, seenDay);
}
