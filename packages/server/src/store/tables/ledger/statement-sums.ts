import { ROWS_IN_A_STEP, statementOf } from '../../search.ts';
import type { SharedStatement } from '../../statement.ts';

// What the movements of a reseller come to.

export interface StatementSumQuery {
	readonly reseller: string;
	/** Only movements with this number or a larger one. */
	readonly from: number;
	/** Only movements with a smaller number. */
	readonly before: number;
	/** Only movements to and from this sub-user, and the fees for it. */
	readonly username?: string | undefined;
	/** The owner of the read. */
	readonly owner: string;
}

export interface StatementSums {
	readonly sums: readonly StatementSum[];
	/** From where the next step goes on; `null` if nothing is left. */
	readonly next: number | null;
}

/** The movements of one kind and direction. */
export interface StatementSum {
	readonly kind: string;
	readonly direction: MovementDirection;
	readonly count: number;
	/** USD cents. All movements of a ledger together can have more than 2^53. */
	readonly cents: bigint;
}

/**
 * Whether the reseller's own balance grew or shrank, a sub-user paid for its bandwidth from its own one, or what the
 * reseller owes changed.
 */
type MovementDirection = 'in' | 'out' | 'sub_user' | 'debt';

export interface SumRow {
	readonly kind: string;
	readonly direction: StatementSum['direction'];
	/** 1 if the filter accepts these rows. */
	readonly matches: number;
	readonly count: number;
	readonly millions: number;
	readonly rest: number;
	readonly last: number;
}

/**
 * Rows that the filter refuses are counted too, so that a step is bounded. The amounts of a step can pass 64 bits, so
 * their millions are added up separately.
 */
export function sumStatement({ reseller, from, before, username }: Omit<StatementSumQuery, 'owner'>): SharedStatement {
	return statementOf((bind) => {
		const isMatch = username === undefined ? '1' : `CASE WHEN ${isSide(bind(username))} THEN 1 ELSE 0 END`;
		return `SELECT kind, direction, matches, count(*) AS count, CAST(sum(amount_cents / 1000000) AS bigint) AS millions,
				CAST(sum(amount_cents % 1000000) AS bigint) AS rest, max(id) AS last
			FROM (SELECT id, kind, amount_cents, ${isMatch} AS matches,
					CASE WHEN credit = reseller THEN 'in' WHEN debit = reseller THEN 'out'
						WHEN kind IN ('debt', 'debt_forgiven', 'refund_debt') THEN 'debt' ELSE 'sub_user' END AS direction
				FROM transfers WHERE reseller = ${bind(reseller)} AND id >= ${bind(from)} AND id < ${bind(before)}
				ORDER BY id LIMIT ${bind(ROWS_IN_A_STEP)}) AS step
			GROUP BY kind, direction, matches ORDER BY kind, direction, matches`;
	});
}

export function statementSums(rows: readonly SumRow[]): StatementSums {
	const looked = rows.reduce((all, { count }) => all + count, 0);
	const last = Math.max(...rows.map((row) => row.last));
	return {
		sums: rows
			.filter(({ matches }) => matches === 1)
			.map(({ kind, direction, count, millions, rest }) => ({
				...{ kind, direction, count, cents: BigInt(millions) * 1_000_000n + BigInt(rest) },
			})),
		next: looked < ROWS_IN_A_STEP ? null : last + 1,
	};
}

/** `wanted_username`: of a fee the name that was asked for, of a debt the account that used the bandwidth. */
export function isSide(username: string): string {
	return `(debit = ${username} OR credit = ${username} OR wanted_username = ${username})`;
}
