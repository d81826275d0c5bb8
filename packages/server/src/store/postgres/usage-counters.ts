import { type ChangedCounter, countersForgottenBeforeDay, type ReadingDays } from '../../domain/usage-counter.ts';
import { formatReadingDays, READING_DAYS } from '../reading-days.ts';
import { type Columns, insertInto, type Statement, writing } from './rows.ts';

type Counters = readonly ChangedCounter[];

const NAME = {
	edge: ['text', ({ after }) => after.edge],
	counter: ['text', ({ after }) => after.counter],
} satisfies Columns<ChangedCounter>;
const VALUES = {
	bytes_up: ['bigint', ({ after }) => after.bytesUp],
	bytes_down: ['bigint', ({ after }) => after.bytesDown],
	seen_day: ['integer', ({ after }) => after.seenDay],
} satisfies Columns<ChangedCounter>;

/**
 * Changes known counters, and fails if one of them has not the loaded value any more. All processes change counters in
 * this order, so that there are no deadlocks.
 */
export function changingCounters(changed: Counters): Statement | undefined {
	const again = inOrder(changed.filter(({ before }) => before !== undefined));
	return writing(
		again,
		{
			...NAME,
			...VALUES,
			known_up: ['bigint', ({ before }) => before?.bytesUp],
			known_down: ['bigint', ({ before }) => before?.bytesDown],
		},
		({ from }) => `WITH changed AS (
			UPDATE usage_counters SET bytes_up = given.bytes_up, bytes_down = given.bytes_down, seen_day = given.seen_day
			FROM ${from}
			WHERE usage_counters.edge = given.edge AND usage_counters.counter = given.counter
			AND usage_counters.bytes_up = known_up AND usage_counters.bytes_down = known_down
			RETURNING 1)
			SELECT (count(*) = ${again.length})::are_known_counters FROM changed`,
	);
}

/** Adds new counters, and fails if another batch has added one of them. All processes do it after the changes. */
export function addingCounters(changed: Counters): Statement | undefined {
	const added = changed.filter(({ before }) => before === undefined);
	const columns: Columns<ChangedCounter> = { ...NAME, username: ['text', ({ after }) => after.username], ...VALUES };
	return writing(inOrder(added), columns, insertInto('usage_counters'));
}

function inOrder(counters: Counters): Counters {
	return counters.toSorted(({ after: a }, { after: b }) => compare(a.edge, b.edge) || compare(a.counter, b.counter));
}

function compare(a: string, b: string): number {
	if (a === b) return 0;
	return a < b ? -1 : 1;
}

/** How far each edge has reported. All processes write edges in one order. */
export function reportingTo(reportedToMs: ReadonlyMap<string, number>): Statement | undefined {
	return writing(
		[...reportedToMs].sort(([a], [b]) => (a < b ? -1 : 1)),
		{
			edge: ['text', ([edge]) => edge],
			at_ms: ['bigint', ([, atMs]) => atMs],
		},
		({ from }) => `UPDATE edges SET reported_to_ms = given.at_ms FROM ${from}
			WHERE edges.name = given.edge AND (reported_to_ms IS NULL OR reported_to_ms < given.at_ms)`,
	);
}

/** Counts today as a day with readings, unless another batch has counted it. */
export function countingDays(after: ReadingDays, before: ReadingDays): Statement | undefined {
	const [value, previous] = [formatReadingDays(after), formatReadingDays(before)];
	if (value === previous) return undefined;
	return { sql: 'UPDATE meta SET value = $1 WHERE name = $2 AND value = $3', values: [value, READING_DAYS, previous] };
}

/** Forgets at most twice as many counters as were read. So old ones never pile up, and no batch is slow. */
export function forgettingCounters(readings: number, days: ReadingDays): Statement {
	return {
		sql: `DELETE FROM usage_counters WHERE (edge, counter) IN (
			SELECT edge, counter FROM usage_counters WHERE seen_day < $1
			ORDER BY seen_day LIMIT $2 FOR UPDATE SKIP LOCKED)`,
		values: [countersForgottenBeforeDay(days), 2 * readings],
	};
}
