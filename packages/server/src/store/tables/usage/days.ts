import type { Columns } from '../../statement.ts';

/** A day whose bytes were all taken away stays if they had cost something. The API shows only days with usage. */
const HAS_BYTES = '(bytes_up > 0 OR bytes_down > 0)';

/** An account, and its first and last day, in days since 1970-01-01. */
export type UsageSpan = readonly [reseller: string, username: string, firstDay: number, lastDay: number];

const SPAN: Columns<UsageSpan> = {
	reseller: ['text', ([reseller]) => reseller],
	username: ['text', ([, username]) => username],
	first_day: ['integer', ([, , firstDay]) => firstDay],
	last_day: ['integer', ([, , , lastDay]) => lastDay],
};

/** Lists the days with bandwidth, as `UsageDay`. */
export const LIST_USAGE_DAYS = {
	sql: `SELECT reseller, username, day, bytes_up AS "bytesUp", bytes_down AS "bytesDown" FROM usage_days
		WHERE reseller = $1 AND username = $2 AND day BETWEEN $3 AND $4 AND ${HAS_BYTES} ORDER BY day`,
	columns: SPAN,
};
