import type { AddedMeter, DecidedUsage, LoadedUsage } from '../../../commands/usage/count.ts';
import { UNITS_OF_CENT } from '../../../domain/metering.ts';
import { REFUSED_KEPT, type RefusedReport } from '../../../domain/refused-report.ts';
import {
	type Bytes,
	type CountedVerdict,
	type UsageDay,
	type UsageReport,
	usageDayKey,
	usageReportKey,
	VERDICTS_FORGOTTEN_AT_ONCE,
	verdictsForgottenBeforeDay,
} from '../../../domain/usage.ts';
import { type ChangedCounter, countersForgottenBeforeDay, type ReadingDays } from '../../../domain/usage-counter.ts';
import type { UsagePace } from '../../../domain/usage-pace.ts';
import type { SharedStatement } from '../../statement.ts';
import { type Columns, compare, givenRows, type InsertedRows, type RowsWrite } from '../../statement.ts';
import { hourWrites } from './hours.ts';
import { formatReadingDays, READING_DAYS } from './reading-days.ts';

/** What the engines do differently, because only on PostgreSQL several processes write at once. */
export interface UsageEngine {
	/** Ends a subquery that finds rows to forget. Rows that another process forgets meanwhile may be left out. */
	readonly leavingLocked: string;
	/** Fails if a counter has not the value that was loaded. */
	changingCounters(changed: readonly ChangedCounter[]): readonly RowsWrite[];
	/**
	 * Forgets the oldest reports that can be forgotten, up to a number, and moves the horizon past them. Fails if the
	 * horizon has passed one of the counted reports meanwhile.
	 */
	forgettingReports(counted: readonly UsageReport[], most: number, nowMs: number): readonly RowsWrite[];
}

/** How much came in with a batch. It forgets at most twice as much, so old rows never pile up, and no batch is slow. */
interface ArrivedCounts {
	readonly arrived: number;
	readonly readings: number;
}

/**
 * What a batch writes. All processes write the tables in this order, and the rows of each in the order of their keys. Of
 * the rows that many batches change, verdicts come after the days, and the horizon comes last: so a transaction waits for
 * the commit of another one at most.
 */
export function usageWrites(
	engine: UsageEngine,
	decided: DecidedUsage,
	loaded: Pick<LoadedUsage, 'readingDays'>,
	counts: ArrivedCounts,
	nowMs: number,
): readonly RowsWrite[] {
	const { countedReports, readingDays } = decided;
	const writes = [
		addingReports(countedReports, nowMs),
		...engine.changingCounters(inOrder(decided.changedCounters)),
		settingPaces(decided.changedPaces),
		addingToDays(decided.addedDays),
		addingToResellerDays(decided.addedResellerDays),
		...hourWrites(decided.addedHours, engine.leavingLocked, nowMs),
		addingToMeters(decided.addedMeters, nowMs),
		...reportingTo(decided.reportedToMs),
		...keepingRefused(decided.refusedReports, nowMs),
		addingToVerdicts(decided.countedVerdicts),
		forgettingVerdicts(engine, nowMs),
	];
	if (counts.readings > 0) {
		writes.push(
			...countingDays(readingDays, loaded.readingDays),
			forgettingCounters(engine, 2 * counts.readings, readingDays),
		);
	}
	if (countedReports.length > 0) {
		writes.push(...engine.forgettingReports(countedReports, 2 * counts.arrived, nowMs));
	}
	return writes;
}

function addingReports(reports: readonly UsageReport[], nowMs: number): InsertedRows {
	const sorted = reports.toSorted((a, b) => (usageReportKey(a) < usageReportKey(b) ? -1 : 1));
	return {
		into: 'usage_reports',
		rows: givenRows(sorted, {
			source: ['text', ({ source }) => source],
			report_id: ['text', ({ id }) => id],
			username: ['text', ({ username }) => username],
			at_ms: ['bigint', ({ atMs }) => atMs],
			...BYTES,
			received_at_ms: ['bigint', () => nowMs],
		}),
	};
}

const BYTES = {
	bytes_up: ['bigint', ({ bytesUp }) => bytesUp],
	bytes_down: ['bigint', ({ bytesDown }) => bytesDown],
} satisfies Columns<Bytes>;

/** What was used costs. */
const ROUGH_COST = {
	cost_cents: ['bigint', ({ cost }) => cost.cents],
	cost_rest: ['bigint', ({ cost }) => cost.rest],
} satisfies Columns<Pick<AddedMeter, 'cost'>>;

/** The key of a counter, and what changes. The index `usage_counters_lasting` was for 1.0.0-rc.1, and is not used. */
export const COUNTER_KEY: Columns<ChangedCounter> = {
	edge: ['text', ({ after }) => after.edge],
	counter: ['text', ({ after }) => after.counter],
};
export const COUNTER_VALUES: Columns<ChangedCounter> = {
	bytes_up: ['bigint', ({ after }) => after.bytesUp],
	bytes_down: ['bigint', ({ after }) => after.bytesDown],
	seen_day: ['integer', ({ after }) => after.seenDay],
};
export const COUNTER_COLUMNS: Columns<ChangedCounter> = {
	...COUNTER_KEY,
	username: ['text', ({ after }) => after.username],
	...COUNTER_VALUES,
};

function inOrder(counters: readonly ChangedCounter[]): readonly ChangedCounter[] {
	return counters.toSorted(({ after: a }, { after: b }) => compare(a.edge, b.edge) || compare(a.counter, b.counter));
}

/** If two batches run at once, what one of them spends may be forgotten. */
function settingPaces(paces: readonly UsagePace[]): InsertedRows {
	return {
		into: 'usage_paces',
		rows: givenRows(
			paces.toSorted((a, b) => compare(a.edge, b.edge) || compare(a.reseller, b.reseller)),
			{
				edge: ['text', ({ edge }) => edge],
				reseller: ['text', ({ reseller }) => reseller],
				spent_to_ms: ['bigint', ({ spentToMs }) => spentToMs],
				refused_at_ms: ['bigint', ({ refusedAtMs }) => refusedAtMs],
			},
		),
		onConflict: `ON CONFLICT (edge, reseller)
			DO UPDATE SET spent_to_ms = excluded.spent_to_ms, refused_at_ms = excluded.refused_at_ms`,
	};
}

function addingToDays(added: DecidedUsage['addedDays']): InsertedRows {
	const sorted = added.toSorted(
		(a, b) => compare(a.reseller, b.reseller) || compare(a.username, b.username) || a.day - b.day,
	);
	return {
		into: 'usage_days',
		rows: givenRows(sorted, {
			reseller: ['text', ({ reseller }) => reseller],
			username: ['text', ({ username }) => username],
			day: ['integer', ({ day }) => day],
			...BYTES,
			...ROUGH_COST,
			last_at_ms: ['bigint', ({ lastAtMs }) => lastAtMs],
		}),
		onConflict: `${adding('usage_days', 'reseller, username, day', ['bytes_up', 'bytes_down'])},
			last_at_ms = CASE WHEN usage_days.last_at_ms > excluded.last_at_ms
				THEN usage_days.last_at_ms ELSE excluded.last_at_ms END`,
	};
}

function addingToResellerDays(added: DecidedUsage['addedResellerDays']): InsertedRows {
	const keyOf = ({ reseller, day }: Pick<UsageDay, 'reseller' | 'day'>) => usageDayKey(reseller, day);
	return {
		into: 'usage_reseller_days',
		rows: givenRows(
			added.toSorted((a, b) => compare(keyOf(a), keyOf(b))),
			{
				reseller: ['text', ({ reseller }) => reseller],
				day: ['integer', ({ day }) => day],
				...BYTES,
				...ROUGH_COST,
			},
		),
		onConflict: adding('usage_reseller_days', 'reseller, day', ['bytes_up', 'bytes_down']),
	};
}

/** No account is locked: what a balance pays for is decided later, by commands. */
function addingToMeters(added: readonly AddedMeter[], nowMs: number): InsertedRows {
	const sorted = added.toSorted(
		(a, b) => compare(a.price.reseller, b.price.reseller) || compare(a.username, b.username),
	);
	return {
		into: 'meters',
		rows: givenRows(sorted, {
			reseller: ['text', ({ price }) => price.reseller],
			username: ['text', ({ username }) => username],
			price: ['integer', ({ price }) => price.number],
			micro_usd_per_gb: ['bigint', ({ price }) => price.microUsdPerGb],
			bytes: ['bigint', ({ bytes }) => bytes],
			...ROUGH_COST,
			due_since_ms: ['bigint', () => nowMs],
		}),
		onConflict: `${adding('meters', 'reseller, username, price', ['bytes'])},
			due_since_ms = CASE WHEN meters.cost_cents > meters.charged_cents + meters.uncollected_cents
				THEN meters.due_since_ms ELSE excluded.due_since_ms END`,
	};
}

/** Adds to the columns and to the cost. The rests of two costs may make a cent. */
function adding(table: string, key: string, columns: readonly string[]): string {
	const sums = columns.map((column) => `${column} = ${table}.${column} + excluded.${column}`);
	const rest = `(${table}.cost_rest + excluded.cost_rest)`;
	return `ON CONFLICT (${key}) DO UPDATE SET ${sums.join(', ')},
		cost_cents = ${table}.cost_cents + excluded.cost_cents + ${rest} / ${UNITS_OF_CENT},
		cost_rest = ${rest} % ${UNITS_OF_CENT}`;
}

/** How far each edge has reported. A batch has readings of a few edges at most, because it has a few steps at most. */
function reportingTo(reportedToMs: ReadonlyMap<string, number>): readonly SharedStatement[] {
	return [...reportedToMs]
		.sort(([a], [b]) => compare(a, b))
		.map(([edge, atMs]) => ({
			sql: `UPDATE edges SET reported_to_ms = $1
				WHERE name = $2 AND (reported_to_ms IS NULL OR reported_to_ms < $1)`,
			values: [atMs, edge],
		}));
}

/** Adds those of the batch, and removes the oldest beyond what is kept. There are so few that all can be ranked. */
function keepingRefused(refused: readonly RefusedReport[], nowMs: number): readonly RowsWrite[] {
	if (refused.length === 0) return [];
	const keyOf = ({ kind, source, username, reason }: RefusedReport) => [kind, source, username, reason].join('\n');
	const again = ['name', 'at_ms', 'bytes_up', 'bytes_down', 'arrived_at_ms'].map(
		(name) => `${name} = excluded.${name}`,
	);
	const rows = givenRows(
		refused.toSorted((a, b) => compare(keyOf(a), keyOf(b))),
		{
			kind: ['text', ({ kind }) => kind],
			source: ['text', ({ source }) => source],
			username: ['text', ({ username }) => username],
			reason: ['text', ({ reason }) => reason],
			name: ['text', ({ name }) => name],
			at_ms: ['bigint', ({ atMs }) => atMs],
			bytes_up: ['bigint', ({ bytesUp }) => bytesUp],
			bytes_down: ['bigint', ({ bytesDown }) => bytesDown],
			arrived_at_ms: ['bigint', () => nowMs],
			reports: ['bigint', ({ reports }) => reports],
		},
	);
	const onConflict = `ON CONFLICT (kind, source, username, reason)
		DO UPDATE SET ${again.join(', ')}, reports = usage_refusals.reports + excluded.reports`;
	const sql = `DELETE FROM usage_refusals WHERE (kind, source, username, reason) IN (
		SELECT kind, source, username, reason FROM (
			SELECT kind, source, username, reason,
				row_number() OVER (PARTITION BY kind, source ORDER BY arrived_at_ms DESC, username, reason) AS of_source,
				row_number() OVER (ORDER BY arrived_at_ms DESC, kind, source, username, reason) AS in_all
			FROM usage_refusals) AS ranked
		WHERE of_source > $1 OR in_all > $2)`;
	return [
		{ into: 'usage_refusals', rows, onConflict },
		{ sql, values: [REFUSED_KEPT.ofSource, REFUSED_KEPT.inAll] },
	];
}

function addingToVerdicts(counted: readonly CountedVerdict[]): InsertedRows {
	return {
		into: 'usage_verdicts',
		rows: givenRows(counted, {
			day: ['integer', ({ day }) => day],
			verdict: ['text', ({ verdict }) => verdict],
			reports: ['bigint', ({ reports }) => reports],
		}),
		onConflict: 'ON CONFLICT (day, verdict) DO UPDATE SET reports = usage_verdicts.reports + excluded.reports',
	};
}

function forgettingVerdicts({ leavingLocked }: UsageEngine, nowMs: number): SharedStatement {
	return {
		sql: `DELETE FROM usage_verdicts WHERE (day, verdict) IN (
			SELECT day, verdict FROM usage_verdicts WHERE day < $1 ORDER BY day, verdict LIMIT $2 ${leavingLocked})`,
		values: [verdictsForgottenBeforeDay(nowMs), VERDICTS_FORGOTTEN_AT_ONCE],
	};
}

/** Counts today as a day with readings, unless another batch has counted it. */
function countingDays(after: ReadingDays, before: ReadingDays): readonly SharedStatement[] {
	const [value, previous] = [formatReadingDays(after), formatReadingDays(before)];
	if (value === previous) return [];
	const sql = 'UPDATE meta SET value = $1 WHERE name = $2 AND value = $3';
	return [{ sql, values: [value, READING_DAYS, previous] }];
}

function forgettingCounters({ leavingLocked }: UsageEngine, most: number, days: ReadingDays): SharedStatement {
	return {
		sql: `DELETE FROM usage_counters WHERE (edge, counter) IN (
			SELECT edge, counter FROM usage_counters WHERE seen_day < $1 ORDER BY seen_day LIMIT $2 ${leavingLocked})`,
		values: [countersForgottenBeforeDay(days), most],
	};
}
