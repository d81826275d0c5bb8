import type { UsageCorrection } from '../../../domain/operators/usage-correction.ts';
import type { CorrectedUsage } from '../../../domain/people/person-facts.ts';
import type { SharedStatement } from '../../statement.ts';

/** The columns of a `UsageCorrection`. */
export const CORRECTION_COLUMNS = `reference, reseller, username, day, bytes_up AS "bytesUp", bytes_down AS "bytesDown",
	reason, made_by AS "madeBy", request_id AS "requestId", made_at_ms AS "atMs"`;

export function findCorrection(reference: string): SharedStatement {
	return { sql: `SELECT ${CORRECTION_COLUMNS} FROM usage_corrections WHERE reference = $1`, values: [reference] };
}

/** What an account and its reseller used on a UTC day. One row, if there is such an account. */
export function usageOn(username: string, day: number): SharedStatement {
	const sql = `SELECT usernames.reseller, usage_days.bytes_up AS "up", usage_days.bytes_down AS "down",
			usage_reseller_days.bytes_up AS "upOfReseller", usage_reseller_days.bytes_down AS "downOfReseller"
		FROM usernames
		LEFT JOIN usage_days ON usage_days.reseller = usernames.reseller
			AND usage_days.username = usernames.username AND usage_days.day = $2
		LEFT JOIN usage_reseller_days ON usage_reseller_days.reseller = usernames.reseller AND usage_reseller_days.day = $2
		WHERE usernames.username = $1`;
	return { sql, values: [username, day] };
}

interface UsageRow {
	readonly reseller: string;
	/** The bytes are `null` if nothing was used on that day. */
	readonly up: number | null;
	readonly down: number | null;
	readonly upOfReseller: number | null;
	readonly downOfReseller: number | null;
}

export function usageFound(rows: readonly object[]): CorrectedUsage | undefined {
	const [row] = rows as readonly UsageRow[];
	if (!row) return undefined;
	const { reseller, up, down, upOfReseller, downOfReseller } = row;
	return {
		reseller,
		ofAccount: { bytesUp: up ?? 0, bytesDown: down ?? 0 },
		ofReseller: { bytesUp: upOfReseller ?? 0, bytesDown: downOfReseller ?? 0 },
	};
}

/**
 * Adds to the totals that the days have now: usage may have been added since they were read. If a total passes its limit
 * by that, the transaction fails, and the command is decided again. Tables are written in the order of usage batches.
 */
export function correctUsage(correction: UsageCorrection): readonly SharedStatement[] {
	const { reference, reseller, username, day, bytesUp, bytesDown, reason, madeBy, requestId, atMs } = correction;
	return [
		{
			sql: `INSERT INTO usage_corrections
				(reference, reseller, username, day, bytes_up, bytes_down, reason, made_by, request_id, made_at_ms)
				VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
			values: [reference, reseller, username, day, bytesUp, bytesDown, reason, madeBy, requestId, atMs],
			rows: 1,
		},
		...changeDay('usage_days', { reseller, username, day }, correction),
		...changeDay('usage_reseller_days', { reseller, day }, correction),
	];
}

/** A day with neither bytes nor a cost is removed. */
function changeDay(
	table: string,
	key: Readonly<Record<string, string | number>>,
	{ bytesUp, bytesDown }: UsageCorrection,
): readonly SharedStatement[] {
	const values = Object.values(key);
	const [up, down] = [`$${values.length + 1}`, `$${values.length + 2}`];
	const is = Object.keys(key).map((name, index) => `${name} = $${index + 1}`);
	return [
		{
			sql: `INSERT INTO ${table} (${Object.keys(key).join(', ')}, bytes_up, bytes_down)
				VALUES (${values.map((_, index) => `$${index + 1}`).join(', ')}, 0, 0) ON CONFLICT DO NOTHING`,
			values,
		},
		{
			sql: `UPDATE ${table} SET bytes_up = bytes_up + ${up}, bytes_down = bytes_down + ${down} WHERE ${is.join(' AND ')}`,
			values: [...values, bytesUp, bytesDown],
			rows: 1,
		},
		{
			sql: `DELETE FROM ${table} WHERE ${is.join(' AND ')} AND bytes_up = 0 AND bytes_down = 0
				AND cost_cents = 0 AND cost_rest = 0`,
			values,
		},
	];
}
