import type { UsageCharge } from '../../domain/metering.ts';
import type { SharedStatement } from '../people/person-rows.ts';
import { CHARGES } from '../rows/metering-rows.ts';
import type {
	ChargesQuery,
	MovementQuery,
	MovementReads,
	StatementSum,
	StatementSumQuery,
	StatementSums,
	StoredMovement,
} from './movement-reads.ts';
import type { ReadLanes } from './read-lanes.ts';
import { filesOf } from './read-owners.ts';
import {
	type Bind,
	firstNumberAt,
	type NumberedTable,
	pageOf,
	ROWS_IN_A_STEP,
	type RowSearch,
	type SearchStep,
	searchRows,
	statementOf,
} from './row-search.ts';
import { onePerNumber, selectMovements } from './shared-request-reads.ts';

/** The reads of movements, for any engine. A search without filters is quick, but not a step of a file. */
export function sharedMovementReads(lanes: ReadLanes): MovementReads {
	return {
		async listMovements({ before, ...query }) {
			return pageOf(
				await findMovements(lanes, {
					...query,
					owner: query.owner ?? query.reseller,
					before,
					descends: true,
				}),
			);
		},
		async listMovementsAfter(query) {
			const heavyOnly = { quick: lanes.heavy, heavy: lanes.heavy };
			const { rows, next } = await findMovements(heavyOnly, {
				...query,
				owner: filesOf(query.reseller),
				descends: false,
			});
			return { rows, nextAfter: next?.number ?? null };
		},
		async listUsageCharges({ settled, ...query }) {
			const charges: UsageCharge[] = [];
			for (let from = 0; from < settled.length; from += CHARGES_AT_ONCE) {
				const statement = findCharges({ ...query, settled: settled.slice(from, from + CHARGES_AT_ONCE) });
				charges.push(...((await lanes.quick({ owner: query.owner, statement })) as readonly UsageCharge[]));
			}
			return charges;
		},
		async findMovementAt({ reseller, atMs, owner }) {
			const statement = statementOf((bind) => `SELECT (${firstNumberAt(transfersOf(reseller), atMs, bind)}) AS number`);
			const [{ number }] = (await lanes.quick({ owner, statement })) as readonly [{ readonly number: number }];
			return number;
		},
		async findFirstMovement(reseller, owner) {
			const [first] = (await lanes.quick({
				owner,
				statement: { sql: FIRST_MOVEMENT, values: [reseller] },
			})) as readonly { readonly atMs: number }[];
			return first?.atMs;
		},
		async sumStatement({ owner, ...query }) {
			return sumsOf((await lanes.heavy({ owner, statement: sumStatement(query) })) as readonly SumRow[]);
		},
		async findOwnDue(reseller, owner) {
			const [row] = (await lanes.quick({ owner, statement: { sql: OWN_DUE, values: [reseller] } })) as readonly {
				readonly due: number;
			}[];
			return row?.due ?? 0;
		},
	};
}

const FIRST_MOVEMENT = 'SELECT at_ms AS "atMs" FROM transfers WHERE reseller = $1 ORDER BY id LIMIT 1';

/** The live balance is what the ledger has less what is due. */
const OWN_DUE = `SELECT accounts.balance_cents - live_accounts.balance_cents AS due FROM accounts
	JOIN live_accounts ON live_accounts.reseller = accounts.reseller AND live_accounts.username = accounts.username
	WHERE accounts.reseller = $1 AND accounts.username = $1`;

interface SumRow {
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
function sumStatement({ reseller, from, before, username }: Omit<StatementSumQuery, 'owner'>): SharedStatement {
	return statementOf((bind) => {
		const isMatch = username === undefined ? '1' : `CASE WHEN ${isSide(bind(username))} THEN 1 ELSE 0 END`;
		return `SELECT kind, direction, matches, count(*) AS count, CAST(sum(amount_cents / 1000000) AS bigint) AS millions,
				CAST(sum(amount_cents % 1000000) AS bigint) AS rest, max(id) AS last
			FROM (SELECT id, kind, amount_cents, ${isMatch} AS matches,
					CASE WHEN credit = reseller THEN 'in' WHEN debit = reseller THEN 'out'
						WHEN kind IN ('debt', 'debt_forgiven') THEN 'debt' ELSE 'sub_user' END AS direction
				FROM transfers WHERE reseller = ${bind(reseller)} AND id >= ${bind(from)} AND id < ${bind(before)}
				ORDER BY id LIMIT ${bind(ROWS_IN_A_STEP)}) AS step
			GROUP BY kind, direction, matches ORDER BY kind, direction, matches`;
	});
}

function sumsOf(rows: readonly SumRow[]): StatementSums {
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

/** For how many movements one statement looks. */
const CHARGES_AT_ONCE = 50;

function findCharges({ reseller, settled }: ChargesQuery): SharedStatement {
	// The number of parameters does not change, so that an engine prepares one statement. No account has an empty name.
	const wanted = Array.from({ length: CHARGES_AT_ONCE }, (_, index) => settled[index] ?? { username: '', atMs: 0 });
	return statementOf((bind) => {
		const values = wanted.map(
			({ username, atMs }) => `(CAST(${bind(username)} AS text), CAST(${bind(atMs)} AS bigint))`,
		);
		return `WITH wanted (name, settled_at_ms) AS (VALUES ${values.join(', ')})
			${CHARGES} JOIN (SELECT DISTINCT * FROM wanted) AS paid ON paid.name = username AND paid.settled_at_ms = at_ms
			WHERE reseller = ${bind(reseller)} ORDER BY at_ms, username, price`;
	});
}

type MovementSearch = Omit<RowSearch, 'table' | 'filters' | 'select'> &
	Pick<MovementQuery, 'reseller' | 'kind' | 'username' | 'isOwn'>;

/** Looks for movements of a reseller's money, in one step. */
async function findMovements(
	lanes: ReadLanes,
	{ reseller, kind, username, isOwn = false, ...search }: MovementSearch,
): Promise<SearchStep<StoredMovement>> {
	const { rows, next } = await searchRows<StoredMovement>(lanes, {
		...search,
		table: transfersOf(reseller),
		filters: [
			...(kind === undefined ? [] : [(bind: Bind) => `kind = ${bind(kind)}`]),
			...(username === undefined ? [] : [(bind: Bind) => isSide(bind(username))]),
			...(isOwn ? [() => '(debit = reseller OR credit = reseller)'] : []),
		],
		select: selectMovements,
	});
	return { rows: onePerNumber(rows), next };
}

function transfersOf(reseller: string): NumberedTable {
	return { name: 'transfers', number: 'id', of: { column: 'reseller', value: reseller } };
}

function isSide(username: string): string {
	return `(debit = ${username} OR credit = ${username} OR wanted_username = ${username})`;
}
