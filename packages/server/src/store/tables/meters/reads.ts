import type { Debt } from '../../../domain/debt.ts';
import type { ReadLanes } from '../../reading.ts';
import { OPERATORS, POSTING } from '../../reading.ts';
import { statementOf } from '../../search.ts';
import { EMAIL, joinPeople } from '../people/known-people.ts';
import { type CostReads, costReads } from './costs.ts';
import { IS_DUE } from './meters.ts';

/** What is read about prices, costs, and what is due. Each read throws `StoreUnavailableError` if the store cannot be asked. */
export interface MeteringReads extends CostReads {
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
	/** The prices that a reseller has had, the newest first. */
	listPrices(reseller: string, limit: number): Promise<readonly StoredPrice[]>;
}

interface PresentPrice {
	/** Micro-dollars. */
	readonly microUsdPerGb: number;
	/** Unix milliseconds. */
	readonly meteredSinceMs: number;
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

/** The reads about prices, costs and dues, for any engine. */
export function meteringReads(lanes: ReadLanes): MeteringReads {
	const { quick, heavy } = lanes;
	return {
		...costReads(lanes),
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
