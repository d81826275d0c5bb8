import type { Debt } from '../../../domain/debt.ts';
import { UNITS_OF_CENT } from '../../../domain/metering.ts';
import type { ReadLanes } from '../../reading.ts';
import { OPERATORS, POSTING } from '../../reading.ts';
import { type Bind, statementOf } from '../../search.ts';
import { pairState } from '../accounts/pair.ts';
import { EMAIL, joinPeople } from '../people/known-people.ts';
import { IS_DUE } from './meters.ts';

/** What is read about prices, and about what is due. Each read throws `StoreUnavailableError` if the store cannot be asked. */
export interface MeteringReads {
	/**
	 * A page of the accounts that have owed for bandwidth since before a time, or that owe all that their balance has or more,
	 * by reseller and username. Heavy.
	 */
	listDueAccounts(query: DueAccountsQuery): Promise<readonly DueAccount[]>;
	/** Those of these accounts (250 at most) that owe all that their balance has or more, by reseller and username. Heavy. */
	findOverdrawn(usernames: readonly string[]): Promise<readonly DueAccount[]>;
	/** What the reseller owes, and its line. `undefined` if there is no such reseller. `owner` of the read; default: the reseller. */
	findDebt(reseller: string, owner?: string): Promise<Debt | undefined>;
	/** What a GB costs the accounts of the reseller now; `undefined` if bandwidth costs nothing. */
	findPrice(reseller: string): Promise<PresentPrice | undefined>;
	/** What each UTC day with usage costs, the oldest first: of all accounts of the reseller, or of one of them. */
	listCostDays(query: CostQuery): Promise<readonly CostDay[]>;
	/** What all sub-users have together, and what they and the reseller itself have spent on bandwidth. Heavy. */
	sumSpending(span: CostSpan): Promise<SpendingSums>;
	/** The sub-users whose balance lasts shortest, if they go on as on these days, the first one first. Heavy. */
	listRunningOut(query: CostSpan & { readonly limit: number }): Promise<readonly SpendingRow[]>;
	/** The sub-users in the state `exhausted` that used most on these days, and how many there are, in each row. Heavy. */
	listRanOut(query: RanOutQuery): Promise<readonly (SpendingRow & { readonly count: number })[]>;
	/** What each UTC day with usage costs all resellers together, the oldest first. `owner` of the read; default: the operators. Heavy. */
	listIncomeDays(span: DaySpan & { readonly owner?: string }): Promise<readonly CostDay[]>;
	/** The resellers whose bandwidth of these days costs most. Heavy. */
	listIncomeOfResellers(query: DaySpan & { readonly limit: number }): Promise<readonly ResellerIncome[]>;
	/** The prices that a reseller has had, the newest first. */
	listPrices(reseller: string, limit: number): Promise<readonly StoredPrice[]>;
}

interface PresentPrice {
	/** Micro-dollars. */
	readonly microUsdPerGb: number;
	/** Unix milliseconds. */
	readonly meteredSinceMs: number;
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
	/** USD cents, without the fraction below. */
	readonly costCents: number;
}

/** USD cents. The fraction below is added up, and then left out. */
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

interface DueAccountsQuery {
	/** Unix milliseconds. */
	readonly dueSinceBeforeMs: number;
	/** The last account of the previous page. */
	readonly after?: DueAccount | undefined;
	readonly limit: number;
}

export interface DueAccount {
	readonly reseller: string;
	readonly username: string;
}

export interface StoredPrice {
	/** 1, 2, 3... */
	readonly number: number;
	/** `null`: bandwidth costs nothing. */
	readonly microUsdPerGb: number | null;
	/** Unix milliseconds. */
	readonly setAtMs: number;
	readonly requestId: string;
	/** The operator on the dashboard who set it. */
	readonly email: string | null;
	/** The program of the operator that set it. */
	readonly operatorToken: string | null;
	/** From where; `null` for the command line. */
	readonly address: string | null;
	/** The user of the operating system who set it on the command line. */
	readonly systemUser: string | null;
}

/** The reads about prices and dues, for any engine. */
export function meteringReads({ quick, heavy }: ReadLanes): MeteringReads {
	return {
		listDueAccounts: async (query) =>
			(await heavy({ owner: POSTING, statement: listDueAccounts(query) })) as readonly DueAccount[],
		findOverdrawn: async (usernames) =>
			(await heavy({ owner: POSTING, statement: findOverdrawn(usernames) })) as readonly DueAccount[],
		async findDebt(reseller, owner = reseller) {
			const [row] = (await quick({ owner, statement: { sql: DEBT, values: [reseller] } })) as readonly Debt[];
			return row;
		},
		async findPrice(reseller) {
			const [row] = (await quick({
				owner: reseller,
				statement: { sql: PRICE, values: [reseller] },
			})) as readonly PresentPrice[];
			return row;
		},
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
		listIncomeOfResellers: async ({ limit, ...span }) =>
			(await heavy({
				owner: OPERATORS,
				statement: listIncomeOfResellers(span, limit),
			})) as readonly ResellerIncome[],
		listPrices: async (reseller, limit) =>
			(await quick({
				owner: OPERATORS,
				statement: { sql: PRICES, values: [reseller, limit] },
			})) as readonly StoredPrice[],
	};
}

function listDueAccounts({ dueSinceBeforeMs, after, limit }: DueAccountsQuery) {
	return statementOf(
		(bind) => `SELECT reseller, username FROM meters LEFT JOIN accounts USING (reseller, username)
			WHERE ${after ? `(reseller, username) > (${bind(after.reseller)}, ${bind(after.username)}) AND` : ''} ${IS_DUE}
			GROUP BY reseller, username, balance_cents
			HAVING min(due_since_ms) < ${bind(dueSinceBeforeMs)} OR ${IS_OVERDRAWN}
			ORDER BY reseller, username LIMIT ${bind(limit)}`,
	);
}

const NAMES_AT_ONCE = 250;

function findOverdrawn(usernames: readonly string[]) {
	// The number of parameters does not change, so that an engine prepares one statement. No account has an empty name.
	const names = Array.from({ length: NAMES_AT_ONCE }, (_, index) => usernames[index] ?? '');
	return statementOf(
		(bind) => `SELECT reseller, username FROM usernames JOIN meters USING (reseller, username)
			LEFT JOIN accounts USING (reseller, username)
			WHERE username IN (${names.map(bind).join(', ')}) AND ${IS_DUE}
			GROUP BY reseller, username, balance_cents HAVING ${IS_OVERDRAWN} ORDER BY reseller, username`,
	);
}

/** Of all dues of an account. A deleted one has no balance. */
const IS_OVERDRAWN = 'sum(cost_cents - charged_cents - uncollected_cents) >= COALESCE(balance_cents, 0)';

const DEBT = `SELECT reseller, debt_cents AS cents, debt_line_cents AS "lineCents" FROM accounts
	WHERE reseller = $1 AND username = $1`;

/** Who set a price is known by the request. */
const PRICES = `SELECT prices.number, micro_usd_per_gb AS "microUsdPerGb", set_at_ms AS "setAtMs",
		prices.request_id AS "requestId", ${EMAIL} AS email, acts.address, acts.os_user AS "systemUser",
		acts.operator_token AS "operatorToken"
	FROM prices LEFT JOIN acts ON acts.request_id = prices.request_id AND acts.kind = 'set_price'
	${joinPeople('acts.person')}
	WHERE prices.reseller = $1 ORDER BY prices.number DESC LIMIT $2`;

const PRICE = `SELECT micro_usd_per_gb AS "microUsdPerGb", metered_since_ms AS "meteredSinceMs" FROM current_prices
	WHERE reseller = $1 AND micro_usd_per_gb IS NOT NULL`;

function listCostDays({ reseller, username, firstDay, lastDay }: CostQuery) {
	return statementOf((bind) => {
		const isOf = `reseller = ${bind(reseller)}${username === undefined ? '' : ` AND username = ${bind(username)}`}`;
		return `SELECT day, cost_cents AS "costCents" FROM ${username === undefined ? 'usage_reseller_days' : 'usage_days'}
			WHERE ${isOf} AND day BETWEEN ${bind(firstDay)} AND ${bind(lastDay)} ORDER BY day`;
	});
}

/**
 * The cost of many rows, in whole cents. The rests of a million rows pass 64 bits, so their millions are added up
 * separately.
 */
export const COST = costOf(sumOf('cost_cents'), sumOf('cost_rest / 1000000'), sumOf('cost_rest % 1000000'));

/** The columns of which `costOf` makes the cost of a row, or of the sums of several rows. */
export const COST_PARTS = `${sumOf('cost_cents')} AS cents, ${sumOf('cost_rest / 1000000')} AS millions,
	${sumOf('cost_rest % 1000000')} AS rests`;

/** USD cents, without the fraction below. */
export function costOf(cents: string, millions: string, rests: string): string {
	return `${cents} + (${millions} + ${rests} / 1000000) / ${UNITS_OF_CENT / 1_000_000}`;
}

export function sumOf(values: string): string {
	return `CAST(COALESCE(sum(${values}), 0) AS bigint)`;
}

function daysOf({ reseller, firstDay, lastDay }: CostSpan, bind: Bind): string {
	return `reseller = ${bind(reseller)} AND day BETWEEN ${bind(firstDay)} AND ${bind(lastDay)}`;
}

function listIncomeDays({ firstDay, lastDay }: DaySpan) {
	return statementOf(
		(bind) => `SELECT day, ${COST} AS "costCents" FROM usage_reseller_days
			WHERE day BETWEEN ${bind(firstDay)} AND ${bind(lastDay)} GROUP BY day ORDER BY day`,
	);
}

function listIncomeOfResellers({ firstDay, lastDay }: DaySpan, limit: number) {
	return statementOf(
		(bind) => `SELECT reseller, "costCents", (SELECT debt_cents FROM accounts
				WHERE accounts.reseller = income.reseller AND accounts.username = income.reseller) AS "debtCents"
			FROM (SELECT reseller, ${COST} AS "costCents" FROM usage_reseller_days
				WHERE day BETWEEN ${bind(firstDay)} AND ${bind(lastDay)} GROUP BY reseller) AS income
			WHERE "costCents" > 0 ORDER BY "costCents" DESC, reseller LIMIT ${bind(limit)}`,
	);
}

function sumSpending(span: CostSpan) {
	return statementOf((bind) => {
		const cost = (whose: string) =>
			`(SELECT ${COST} FROM usage_days WHERE ${daysOf(span, bind)} AND username ${whose} reseller)`;
		return `SELECT (SELECT CAST(COALESCE(sum(balance_cents), 0) AS bigint) FROM live_accounts
				WHERE reseller = ${bind(span.reseller)} AND username <> reseller) AS "balanceCents",
			${cost('<>')} AS "costCents", ${cost('=')} AS "ownCostCents"`;
	});
}

/** The sub-users of a reseller, each with what the bandwidth of the days costs it. */
function subUsersWithCost(span: CostSpan, bind: Bind, condition = ''): string {
	return `(SELECT username, balance_cents AS "balanceCents", COALESCE(cost, 0) AS "costCents" FROM live_accounts AS account
		LEFT JOIN (SELECT username AS name, ${COST} AS cost FROM usage_days WHERE ${daysOf(span, bind)} GROUP BY username) AS costs
			ON name = username WHERE reseller = ${bind(span.reseller)} AND username <> reseller ${condition}) AS listed`;
}

function listRunningOut(span: CostSpan, limit: number) {
	return statementOf(
		(bind) => `SELECT * FROM ${subUsersWithCost(span, bind)} WHERE "balanceCents" > 0 AND "costCents" > 0
			ORDER BY CAST("balanceCents" AS double precision) / "costCents", username LIMIT ${bind(limit)}`,
	);
}

function listRanOut({ limit, atMs, ...span }: RanOutQuery) {
	return statementOf((bind) => {
		const state = pairState({ reseller: bind(span.reseller), atMs }, bind, 'exhausted');
		return `SELECT listed.*, count(*) OVER () AS count
			FROM ${subUsersWithCost(span, bind, `AND balance_cents <= 0 AND ${state} = 'exhausted'`)}
			ORDER BY "costCents" DESC, username LIMIT ${bind(limit)}`;
	});
}
