import { type ArrivedReport, type UsageVerdict, usageForgottenBeforeMs } from '../../../domain/usage.ts';
import type { ChangedCounter } from '../../../domain/usage-counter.ts';
import type { SharedStatement } from '../../statement.ts';
import { givenRows, type RowsWrite } from '../../statement.ts';
import { createUsageBatches } from '../../tables/usage/batch.ts';
import { COUNTER_COLUMNS, type UsageEngine } from '../../tables/usage/writes.ts';
import type { Connection } from '../database/connection.ts';
import { prepareStatements, runSteps } from '../rows.ts';
import type { Transaction } from './transaction.ts';

const ENGINE: UsageEngine = {
	// The transaction holds the only lock that there is.
	leavingLocked: '',
	changingCounters,
	forgettingReports: (_, most, nowMs) => forgettingReports(most, nowMs),
};

/** Loads, decides and writes a batch of usage reports and readings, inside a transaction that already holds the lock. */
export function usageBatch(connection: Connection): Transaction<ArrivedReport, UsageVerdict> {
	const stepsOf = createUsageBatches(ENGINE);
	const { read, write } = prepareStatements(connection);
	return (arrived, nowMs) => {
		const { verdicts, used, metered, writes } = runSteps(stepsOf(arrived, nowMs), read);
		for (const each of writes) write(each);
		return { results: verdicts, faults: [], used, metered };
	};
}

/** Setting the day would write the index by age for each row, and it changes once a day. */
function changingCounters(changed: readonly ChangedCounter[]): readonly RowsWrite[] {
	const { seen = [], unseen = [] } = Object.groupBy(changed, ({ before, after }) =>
		before?.seenDay === after.seenDay ? 'seen' : 'unseen',
	);
	const setBytes = 'ON CONFLICT DO UPDATE SET bytes_up = excluded.bytes_up, bytes_down = excluded.bytes_down';
	const into = 'usage_counters';
	return [
		{ into, rows: givenRows(seen, COUNTER_COLUMNS), onConflict: setBytes },
		{ into, rows: givenRows(unseen, COUNTER_COLUMNS), onConflict: `${setBytes}, seen_day = excluded.seen_day` },
	];
}

function forgettingReports(most: number, nowMs: number): readonly SharedStatement[] {
	const oldest = `(SELECT source, report_id, at_ms FROM usage_reports WHERE received_at_ms < $1
		ORDER BY received_at_ms, source, report_id LIMIT $2)`;
	const values = [usageForgottenBeforeMs(nowMs), most];
	return [
		{
			sql: `UPDATE meta SET value = forgotten.before_ms FROM (SELECT MAX(at_ms) + 1 AS before_ms FROM ${oldest}) AS forgotten
				WHERE name = 'usage_horizon_ms' AND CAST(value AS INTEGER) < before_ms`,
			values,
		},
		{
			sql: `DELETE FROM usage_reports WHERE (source, report_id) IN (SELECT source, report_id FROM ${oldest})`,
			values,
		},
	];
}
