import type { RefusedOnEdge } from '../../../domain/account-refusals.ts';
import { firstKeptHour, usageHourOf } from '../../../domain/usage-hours.ts';
import type { Columns, SharedStatement } from '../../statement.ts';

/** @bound Refused clients of an account in one hour and for one reason: further ones are not counted. */
const MAX_COUNT = 1_000_000_000_000;

const TABLE = 'account_refusals';
const KEY = ['username', 'hour', 'reason'] as const;
const SUM = `${TABLE}.count + excluded.count`;
const IS_LATER = `excluded.at_ms >= ${TABLE}.at_ms`;
const lastOf = (column: string) =>
	`${column} = CASE WHEN ${IS_LATER} THEN excluded.${column} ELSE ${TABLE}.${column} END`;

/** Only accounts that exist have rows, so that edges cannot fill the table with names. Rows are locked in one order. */
export const addingRefusals = {
	table: TABLE,
	key: KEY,
	columns: {
		username: ['text', ({ username }) => username],
		hour: ['integer', ({ atMs }) => usageHourOf(atMs)],
		reason: ['text', ({ reason }) => reason],
		count: ['bigint', ({ count }) => count],
		at_ms: ['bigint', ({ atMs }) => atMs],
		edge: ['text', ({ edge }) => edge],
		network: ['text', ({ network }) => network],
	} satisfies Columns<RefusedOnEdge>,
	add: `INSERT INTO ${TABLE} (username, hour, reason, count, at_ms, edge, network)
		SELECT given.username, given.hour, given.reason, given.count, given.at_ms, given.edge, given.network FROM given
		JOIN usernames ON usernames.username = given.username
		JOIN accounts ON accounts.reseller = usernames.reseller AND accounts.username = usernames.username
		WHERE true ORDER BY given.username, given.hour, given.reason
		ON CONFLICT (${KEY.join(', ')}) DO UPDATE SET
			count = CASE WHEN ${SUM} > ${MAX_COUNT} THEN ${MAX_COUNT} ELSE ${SUM} END,
			${['at_ms', 'edge', 'network'].map(lastOf).join(', ')}`,
};

/** Twice as many rows as a batch can add. `leavingLocked` leaves out rows that another transaction holds. */
export function forgetRefusals(leavingLocked: string, nowMs: number): SharedStatement {
	const columns = KEY.join(', ');
	return {
		sql: `DELETE FROM ${TABLE} WHERE (${columns}) IN
			(SELECT ${columns} FROM ${TABLE} WHERE hour < $1 ORDER BY hour LIMIT 512 ${leavingLocked})`,
		values: [firstKeptHour(nowMs)],
	};
}
