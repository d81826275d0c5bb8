import type { BookkeepingRecord, RecordOutcome } from '../../../domain/bookkeeping/record.ts';
import { bookkeepingBatch, type RecordWrite, type RowsChange } from '../../bookkeeping-batch.ts';
import type { Query } from '../database/connections.ts';
import { statementOf, unnested } from '../rows.ts';
import { FORGET_MARKS } from './commit-mark.ts';
import type { Transaction } from './transaction.ts';

/**
 * Decides and writes records of bookkeeping. It takes only rows that no other transaction holds. So it waits for nobody, and
 * there is no order of locks to keep. A record whose row is held is `not_done`. Old commit marks are forgotten on the way.
 */
export const bookkeepingTransaction: Transaction<BookkeepingRecord, RecordOutcome> = async (query, records, nowMs) => {
	const { writes, afterwards, outcomes } = bookkeepingBatch(records, nowMs, 'FOR UPDATE SKIP LOCKED');
	const held = await Promise.all(writes.map((each) => heldBy(query, each)));
	return { ...outcomes(held), writes: [FORGET_MARKS, ...afterwards.map(statementOf)], mustCommit: true };
};

/** Writes what it can. Returns the keys of the rows that another transaction holds. */
async function heldBy(query: Query, write: RecordWrite): Promise<ReadonlySet<string>> {
	const { sql, values } = 'change' in write ? changingFree(write) : statementOf(write);
	const { rows } = await query<{ key: string }>(sql, values);
	return new Set(rows.map(({ key }) => key));
}

/**
 * Of what is open, only records of the same edge in another process hold rows, and all lock them in the same order. All other
 * rows are locked first, if they are free.
 */
function changingFree({ change, key, where, set, given }: RowsChange) {
	const { from, values } = unnested(given);
	const matching = `${change}.${key} = given.${key} AND ${where}`;
	const sql = `WITH given AS (SELECT * FROM ${from}),
			free AS (SELECT given.${key} FROM given JOIN ${change} ON ${matching} FOR UPDATE OF ${change} SKIP LOCKED),
			written AS (UPDATE ${change} SET ${set} FROM given
				WHERE ${change}.${key} = given.${key} AND given.${key} IN (SELECT ${key} FROM free) RETURNING given.${key})
		SELECT given.${key} AS key FROM given JOIN ${change} ON ${matching}
			WHERE given.${key} NOT IN (SELECT ${key} FROM written)`;
	return { sql, values };
}
