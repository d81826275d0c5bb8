import { setImmediate } from 'node:timers/promises';
import {
	type ArrivedReport,
	type UsageReport,
	type UsageVerdict,
	usageForgottenBeforeMs,
} from '../../../domain/usage.ts';
import type { ChangedCounter } from '../../../domain/usage-counter.ts';
import type { SharedStatement } from '../../statement.ts';
import { type Columns, givenRows, type RowsWrite } from '../../statement.ts';
import { createUsageBatches } from '../../tables/usage/batch.ts';
import { COUNTER_COLUMNS, COUNTER_KEY, COUNTER_VALUES, type UsageEngine } from '../../tables/usage/writes.ts';
import type { Query } from '../database/connections.ts';
import { readAll, statementOf, unnested } from '../rows.ts';
import type { Transaction } from './transaction.ts';

const ENGINE: UsageEngine = {
	leavingLocked: 'FOR UPDATE SKIP LOCKED',
	changingCounters: (changed) => [...changingKnown(changed), addingCounters(changed)],
	forgettingReports: (counted, most, nowMs) => [forgetting(most, nowMs), stayingBehindHorizon(counted)],
};

/**
 * Makes the transaction that loads and decides a batch of usage reports and readings. It locks nothing while it loads. The
 * batch is run again in four cases: another batch has counted one of its reports, or changed one of its counters; a total
 * passes its limit; or the horizon has passed one of its reports, whose name may have been forgotten meanwhile. `clockMs`
 * is the database's clock, as far as this process knows it.
 */
export function usageBatch(clockMs: () => number): Transaction<ArrivedReport, UsageVerdict> {
	const stepsOf = createUsageBatches(ENGINE);
	return async (query, arrived, nowMs) => {
		let jumpMs = 0;
		const lookingAtClock = readClock(query).then((databaseMs) => {
			jumpMs = databaseMs - clockMs();
		});
		const steps = stepsOf(arrived, nowMs, () => nowMs + jumpMs);
		let step = steps.next();
		while (!step.done) {
			const [answers] = await Promise.all([readAll(query, step.value), lookingAtClock]);
			// What follows takes milliseconds. Before it, requests get their turn.
			await setImmediate();
			step = steps.next(answers);
		}
		const { verdicts, used, metered, writes } = step.value;
		return {
			results: verdicts,
			faults: [],
			used,
			metered,
			writes: writes.filter(writesAnything).map(statementOf),
			mustCommit: arrived.length > 0,
		};
	};
}

async function readClock(query: Query): Promise<number> {
	const sql = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS "nowMs"';
	const { rows } = await query<{ nowMs: number }>(sql);
	return Number(rows[0]?.nowMs);
}

function writesAnything(write: RowsWrite): boolean {
	return !('into' in write) || write.rows.count > 0;
}

/** Changes known counters, and fails if one of them has not the loaded value any more. */
function changingKnown(changed: readonly ChangedCounter[]): readonly SharedStatement[] {
	const known = changed.filter(({ before }) => before !== undefined);
	if (known.length === 0) return [];
	const columns: Columns<ChangedCounter> = {
		...COUNTER_KEY,
		...COUNTER_VALUES,
		known_up: ['bigint', ({ before }) => before?.bytesUp],
		known_down: ['bigint', ({ before }) => before?.bytesDown],
	};
	const { from, values } = unnested(givenRows(known, columns));
	const sql = `WITH changed AS (
		UPDATE usage_counters SET bytes_up = given.bytes_up, bytes_down = given.bytes_down, seen_day = given.seen_day
		FROM ${from}
		WHERE usage_counters.edge = given.edge AND usage_counters.counter = given.counter
		AND usage_counters.bytes_up = known_up AND usage_counters.bytes_down = known_down
		RETURNING 1)
		SELECT (count(*) = ${known.length})::are_known_counters FROM changed`;
	return [{ sql, values }];
}

/** Adds new counters, and fails if another batch has added one of them. */
function addingCounters(changed: readonly ChangedCounter[]): RowsWrite {
	const added = changed.filter(({ before }) => before === undefined);
	return { into: 'usage_counters', rows: givenRows(added, COUNTER_COLUMNS) };
}

function forgetting(most: number, nowMs: number): SharedStatement {
	return {
		sql: `WITH forgotten AS (
			DELETE FROM usage_reports WHERE (source, report_id) IN (
				SELECT source, report_id FROM usage_reports WHERE received_at_ms < $1
				ORDER BY received_at_ms LIMIT $2 FOR UPDATE SKIP LOCKED)
			RETURNING at_ms)
			UPDATE meta SET value = (SELECT max(at_ms) + 1 FROM forgotten)::text
			WHERE name = 'usage_horizon_ms' AND value::bigint <= (SELECT max(at_ms) FROM forgotten)`,
		values: [usageForgottenBeforeMs(nowMs), most],
	};
}

/** Locks the horizon until the end of the transaction, and fails if it has passed a report. */
function stayingBehindHorizon(reports: readonly UsageReport[]): SharedStatement {
	const earliestMs = reports.reduce((earliest, { atMs }) => Math.min(earliest, atMs), Number.POSITIVE_INFINITY);
	return {
		sql: `SELECT (value::bigint <= $1)::is_behind_usage_horizon FROM meta WHERE name = 'usage_horizon_ms' FOR SHARE`,
		values: [earliestMs],
	};
}
