import { MAX_BYTES } from '@bursar/contract/limits';
import type { Bytes } from '../../../domain/usage.ts';
import { type AddedHours, firstKeptHour } from '../../../domain/usage-hours.ts';
import type { SharedStatement } from '../../statement.ts';
import { type Columns, compare, givenRows, type InsertedRows, type RowsWrite } from '../../statement.ts';

const BYTES = {
	bytes_up: ['bigint', ({ bytesUp }) => bytesUp],
	bytes_down: ['bigint', ({ bytesDown }) => bytesDown],
} satisfies Columns<Bytes>;

/**
 * Adds to hours and to what edges have reported, and forgets old hours: twice as many rows of a table as the batch adds to
 * it, so old rows never pile up, and no batch is slow. `leavingLocked`: as in `UsageEngine`.
 */
export function hourWrites(added: AddedHours, leavingLocked: string, nowMs: number): readonly RowsWrite[] {
	const { hours, resellerHours, edgeHours, edgeDays } = added;
	return [
		adding('usage_hours', hours, {
			hour: ['integer', ({ hour }) => hour],
			reseller: ['text', ({ reseller }) => reseller],
			username: ['text', ({ username }) => username],
		}),
		adding('usage_reseller_hours', resellerHours, {
			hour: ['integer', ({ hour }) => hour],
			reseller: ['text', ({ reseller }) => reseller],
		}),
		adding('usage_edge_hours', edgeHours, {
			hour: ['integer', ({ hour }) => hour],
			reseller: ['text', ({ reseller }) => reseller],
			edge: ['text', ({ edge }) => edge],
		}),
		adding('usage_edge_days', edgeDays, {
			reseller: ['text', ({ reseller }) => reseller],
			day: ['integer', ({ day }) => day],
			edge: ['text', ({ edge }) => edge],
		}),
		...forgetting('usage_hours', 'hour, reseller, username', hours.length),
		...forgetting('usage_reseller_hours', 'hour, reseller', resellerHours.length),
		...forgetting('usage_edge_hours', 'hour, reseller, edge', edgeHours.length),
	];

	function forgetting(table: string, key: string, addedRows: number): readonly SharedStatement[] {
		if (addedRows === 0) return [];
		const sql = `DELETE FROM ${table} WHERE (${key}) IN (
			SELECT ${key} FROM ${table} WHERE hour < $1 ORDER BY ${key} LIMIT $2 ${leavingLocked})`;
		return [{ sql, values: [firstKeptHour(nowMs), 2 * addedRows] }];
	}
}

/** In the order of the key. */
function adding<Added extends Bytes>(table: string, added: readonly Added[], key: Columns<Added>): InsertedRows {
	const columns = Object.values(key);
	const sorted = added.toSorted((a, b) => {
		for (const [, read] of columns) {
			const order = compareValues(read(a), read(b));
			if (order !== 0) return order;
		}
		return 0;
	});
	const sums = Object.keys(BYTES).map((column) => {
		const sum = `${table}.${column} + excluded.${column}`;
		return `${column} = CASE WHEN ${sum} > ${MAX_BYTES} THEN ${MAX_BYTES} ELSE ${sum} END`;
	});
	return {
		into: table,
		rows: givenRows(sorted, { ...key, ...BYTES }),
		onConflict: `ON CONFLICT (${Object.keys(key).join(', ')}) DO UPDATE SET ${sums.join(', ')}`,
	};
}

function compareValues(a: unknown, b: unknown): number {
	return typeof a === 'number' && typeof b === 'number' ? a - b : compare(String(a), String(b));
}
