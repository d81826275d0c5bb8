import { UNITS_OF_CENT } from '../../../domain/metering.ts';
import { OPERATORS, type ReadLanes } from '../../reading.ts';
import { type Bind, statementOf } from '../../search.ts';
import { allResellers } from '../accounts/names.ts';
import { pairState } from '../accounts/pair.ts';

/** What bandwidth costs. Each read throws `StoreUnavailableError` if the store cannot be asked. */
export interface CostReads {
	/** What each UTC day with usage costs, the oldest first: all accounts of the reseller together, or one of them. */
	listCostDays(query: CostQuery): Promise<readonly CostDay[]>;
	/**
	 * What all sub-users have together, and what they and the reseller itself have spent on bandwidth. Both costs together are
	 * those of the days of the reseller. Heavy.
	 */
	sumSpending(span: CostSpan): Promise<SpendingSums>;
	/** The sub-users whose balance lasts shortest, if they go on as on these days, the first one first. Heavy. */
	listRunningOut(query: CostSpan & { readonly limit: number }): Promise<readonly SpendingRow[]>;
	/** The sub-users in the state `exhausted` that used most on these days, and how many there are, in each row. Heavy. */
	listRanOut(query: RanOutQuery): Promise<readonly (SpendingRow & { readonly count: number })[]>;
	/** What each UTC day with usage costs all resellers together, the oldest first. `owner` of the read; default: the operators. Heavy. */
	listIncomeDays(span: DaySpan & { readonly owner?: string }): Promise<readonly CostDay[]>;
	/**
	 * What the days cost all resellers together, and which resellers: those with the largest cost first. Both are of one moment.
	 * Heavy.
	 */
	readIncome(query: DaySpan & { readonly limit: number }): Promise<IncomeSums>;
}

/** UTC days, in days since 1970-01-01. */
export interface DaySpan {
	readonly firstDay: number;
	readonly lastDay: number;
}

interface CostSpan extends DaySpan {
	readonly reseller: string;
}

interface RanOutQuery extends CostSpan {
	/** Now, in Unix milliseconds. */
	readonly atMs: number;
	readonly limit: number;
}

interface IncomeSums {
	/** Days with usage, the oldest first. */
	readonly days: readonly CostDay[];
	/** Those whose bandwidth costs something, or that owe something. */
	readonly resellers: readonly ResellerIncome[];
	/** How many such resellers there are, and what all of them owe, in USD cents. */
	readonly count: number;
	readonly debtCents: number;
}

/** USD cents. */
interface ResellerIncome {
	readonly reseller: string;
	/** What the bandwidth of its accounts costs, by the day on which it was used. */
	readonly costCents: number;
	/** What the reseller owes now. */
	readonly debtCents: number;
}

interface CostQuery extends CostSpan {
	readonly username?: string | undefined;
	/** The owner of the read. Default: the reseller. */
	readonly owner?: string | undefined;
}

interface CostDay {
	readonly day: number;
	/** USD cents, as `COSTS` has them. */
	readonly costCents: number;
}

/** USD cents. */
interface SpendingSums {
	/** The live balances of all sub-users. */
	readonly balanceCents: number;
	readonly costCents: number;
	readonly ownCostCents: number;
}

interface SpendingRow {
	readonly username: string;
	/** The live balance, in USD cents. */
	readonly balanceCents: number;
	/** USD cents. */
	readonly costCents: number;
}

/** The reads of costs, for any engine. */
export function costReads({ quick, heavy }: ReadLanes): CostReads {
	return {
		listCostDays: async (query) =>
			(await quick({
				owner: query.owner ?? query.reseller,
				statement: listCostDays(query),
			})) as readonly CostDay[],
		async sumSpending(span) {
			const [sums] = (await heavy({ owner: span.reseller, statement: sumSpending(span) })) as readonly [SpendingSums];
			return sums;
		},
		listRunningOut: async ({ limit, ...span }) =>
			(await heavy({ owner: span.reseller, statement: listRunningOut(span, limit) })) as readonly SpendingRow[],
		listRanOut: async (query) =>
			(await heavy({ owner: query.reseller, statement: listRanOut(query) })) as readonly (SpendingRow & {
				readonly count: number;
			})[],
		listIncomeDays: async ({ owner = OPERATORS, ...span }) =>
			(await heavy({ owner, statement: listIncomeDays(span) })) as readonly CostDay[],
		async readIncome(query) {
			const rows = (await heavy({ owner: OPERATORS, statement: sumIncome(query) })) as readonly IncomeRow[];
			const resellers = rows.filter(({ reseller }) => reseller !== null);
			return {
				days: rows.filter(({ reseller }) => reseller === null).map(({ day, costCents }) => ({ day, costCents })),
				resellers: resellers.map(({ reseller, costCents, debtCents }) => {
					return { reseller: reseller as string, costCents, debtCents };
				}),
				count: resellers[0]?.count ?? 0,
				debtCents: resellers[0]?.allDebtsCents ?? 0,
			};
		},
	};
}

/**
 * The whole cents of each UTC day of a reseller, or of an account. What is below a cent goes on to its next day with usage
 * (decision 0088). So the cents of any days add up to what these days cost, and a day has the same cents wherever it is
 * shown. A condition on the reseller or the account may be given, but none on first days: they have what goes on.
 */
export const COSTS = {
	reseller: (condition: string) => costDays('usage_reseller_days', 'reseller', condition),
	account: (condition: string) => costDays('usage_days', 'reseller, username', condition),
};

/** A reseller would need 900,000 days for its rests to pass 64 bits. */
function costDays(table: string, key: string, condition: string): string {
	return `(SELECT ${key}, day, cost_cents + rests / ${UNITS_OF_CENT} - (rests - cost_rest) / ${UNITS_OF_CENT} AS cents
		FROM (SELECT ${key}, day, cost_cents, cost_rest,
				CAST(sum(cost_rest) OVER (PARTITION BY ${key} ORDER BY day) AS bigint) AS rests
			FROM ${table} WHERE ${condition}) AS carried) AS costs`;
}

export function sumOf(values: string): string {
	return `CAST(COALESCE(sum(${values}), 0) AS bigint)`;
}

/** Of rows of `COSTS`. */
export const SUM = sumOf('cents');

function listCostDays({ reseller, username, firstDay, lastDay }: CostQuery) {
	return statementOf((bind) => {
		const ofReseller = `reseller = ${bind(reseller)} AND day <= ${bind(lastDay)}`;
		const days =
			username === undefined
				? COSTS.reseller(ofReseller)
				: COSTS.account(`${ofReseller} AND username = ${bind(username)}`);
		return `SELECT day, cents AS "costCents" FROM ${days} WHERE day >= ${bind(firstDay)} ORDER BY day`;
	});
}

function listIncomeDays({ firstDay, lastDay }: DaySpan) {
	return statementOf(
		(bind) => `SELECT day, ${SUM} AS "costCents" FROM ${COSTS.reseller(`day <= ${bind(lastDay)}`)}
			WHERE day >= ${bind(firstDay)} GROUP BY day ORDER BY day`,
	);
}

/** A day of all resellers together, or a reseller with all days together. */
interface IncomeRow extends CostDay {
	/** `null` for a day. */
	readonly reseller: string | null;
	readonly debtCents: number;
	readonly count: number;
	readonly allDebtsCents: number;
}

/** In one statement, so that the costs of days and of resellers have the same sum. */
function sumIncome({ firstDay, lastDay, limit }: DaySpan & { readonly limit: number }) {
	return statementOf((bind) => {
		return `${allResellers(bind)},
				shown AS (SELECT reseller, day, cents FROM ${COSTS.reseller(`day <= ${bind(lastDay)}`)}
					WHERE day >= ${bind(firstDay)}),
				income AS (SELECT name, COALESCE(cost, 0) AS cost, debt_cents, count(*) OVER () AS count,
						CAST(sum(debt_cents) OVER () AS bigint) AS debts
					FROM found JOIN accounts ON accounts.reseller = name AND accounts.username = name
					LEFT JOIN (SELECT reseller, ${SUM} AS cost FROM shown GROUP BY reseller) AS costs ON costs.reseller = name
					WHERE cost > 0 OR debt_cents > 0
					ORDER BY COALESCE(cost, 0) DESC, name LIMIT ${bind(limit)})
			SELECT NULL AS reseller, day, ${SUM} AS "costCents", 0 AS "debtCents", 0 AS count, 0 AS "allDebtsCents"
			FROM shown GROUP BY day
			UNION ALL SELECT name, 0, cost, debt_cents, count, debts FROM income
			ORDER BY day, "costCents" DESC, reseller`;
	});
}

/** What is carried from days before can make the own cost a cent more than all costs together. */
function sumSpending({ reseller, firstDay, lastDay }: CostSpan) {
	return statementOf((bind) => {
		const sum = (days: string) => `(SELECT ${SUM} FROM ${days} WHERE day >= ${bind(firstDay)})`;
		const isOf = () => `reseller = ${bind(reseller)} AND day <= ${bind(lastDay)}`;
		return `SELECT "balanceCents", cost - CASE WHEN own < cost THEN own ELSE cost END AS "costCents",
				CASE WHEN own < cost THEN own ELSE cost END AS "ownCostCents"
			FROM (SELECT (SELECT CAST(COALESCE(sum(balance_cents), 0) AS bigint) FROM live_accounts
					WHERE reseller = ${bind(reseller)} AND username <> reseller) AS "balanceCents",
				${sum(COSTS.reseller(isOf()))} AS cost,
				${sum(COSTS.account(`${isOf()} AND username = reseller`))} AS own) AS sums`;
	});
}

/** About what many rows cost, in whole cents: for an order. */
export const ROUGH_COST = `CAST(sum(cost_cents) AS bigint) + CAST(sum(cost_rest) AS bigint) / ${UNITS_OF_CENT}`;

/** The sub-users of a reseller, each with about what the bandwidth of the days costs it. */
function subUsersWithCost({ reseller, firstDay, lastDay }: CostSpan, bind: Bind, condition = ''): string {
	return `(SELECT username, balance_cents AS "balanceCents", COALESCE(cost, 0) AS cost FROM live_accounts AS account
		LEFT JOIN (SELECT username AS name, ${ROUGH_COST} AS cost FROM usage_days
				WHERE reseller = ${bind(reseller)} AND day BETWEEN ${bind(firstDay)} AND ${bind(lastDay)} GROUP BY username) AS costs
			ON name = username WHERE reseller = ${bind(reseller)} AND username <> reseller ${condition}) AS listed`;
}

/** These few sub-users with the cost that all pages show. `rows`: in an order, which `rank` keeps. */
function withCost(rows: string, { reseller, firstDay, lastDay }: CostSpan, bind: Bind, columns = ''): string {
	const days = COSTS.account(`reseller = ${bind(reseller)} AND username = found.username AND day <= ${bind(lastDay)}`);
	return `SELECT username, "balanceCents", (SELECT ${SUM} FROM ${days} WHERE day >= ${bind(firstDay)}) AS "costCents"${columns}
		FROM (${rows}) AS found ORDER BY rank`;
}

function listRunningOut(span: CostSpan, limit: number) {
	return statementOf((bind) => {
		const order = 'CAST("balanceCents" AS double precision) / cost, username';
		const rows = `SELECT listed.*, row_number() OVER (ORDER BY ${order}) AS rank
			FROM ${subUsersWithCost(span, bind)} WHERE "balanceCents" > 0 AND cost > 0 ORDER BY rank LIMIT ${bind(limit)}`;
		return withCost(rows, span, bind);
	});
}

function listRanOut({ limit, atMs, ...span }: RanOutQuery) {
	return statementOf((bind) => {
		const state = pairState({ reseller: bind(span.reseller), atMs }, bind, 'exhausted');
		const ranOut = subUsersWithCost(span, bind, `AND balance_cents <= 0 AND ${state} = 'exhausted'`);
		const rows = `SELECT listed.*, count(*) OVER () AS count, row_number() OVER (ORDER BY cost DESC, username) AS rank
			FROM ${ranOut} ORDER BY rank LIMIT ${bind(limit)}`;
		return withCost(rows, span, bind, ', count');
	});
}
