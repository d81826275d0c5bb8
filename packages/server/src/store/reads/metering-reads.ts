import type { Debt } from '../../domain/debt.ts';

/** What is read about prices, and about what is due. Each read throws `StoreUnavailableError` if the store cannot be asked. */
export interface MeteringReads {
	/**
	 * A page of the accounts that have owed for bandwidth since before a time, or that owe all that their balance has or more,
	 * by reseller and username. Heavy.
	 */
	listDueAccounts(query: DueAccountsQuery): Promise<readonly DueAccount[]>;
	/** Those of these accounts (250 at most) that owe all that their balance has or more, by reseller and username. Heavy. */
	findOverdrawn(usernames: readonly string[]): Promise<readonly DueAccount[]>;
	/** What the reseller owes, and its line. `undefined` if there is no such reseller. `owner`: whose read it is, if not its own. */
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
	/** What each UTC day with usage costs all resellers together, the oldest first. Heavy. */
	listIncomeDays(span: DaySpan): Promise<readonly CostDay[]>;
	/** The resellers whose bandwidth of these days costs most. Heavy. */
	listIncomeOfResellers(query: DaySpan & { readonly limit: number }): Promise<readonly ResellerIncome[]>;
	/** The prices that a reseller has had, the newest first. */
	listPrices(reseller: string, limit: number): Promise<readonly StoredPrice[]>;
}

export interface PresentPrice {
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

export interface CostSpan extends DaySpan {
	readonly reseller: string;
}

export interface RanOutQuery extends CostSpan {
	/** Now, in Unix milliseconds. */
	readonly atMs: number;
	readonly limit: number;
}

/** USD cents. */
export interface ResellerIncome {
	readonly reseller: string;
	/** What the bandwidth of its accounts costs, by the day on which it was used. */
	readonly costCents: number;
	/** What the reseller owes now. */
	readonly debtCents: number;
}

export interface CostQuery extends CostSpan {
	readonly username?: string | undefined;
	/** Whose read it is, if not the reseller's. */
	readonly owner?: string | undefined;
}

export interface CostDay {
	readonly day: number;
	/** USD cents, without the fraction below. */
	readonly costCents: number;
}

/** USD cents. The fraction below is added up, and then left out. */
export interface SpendingSums {
	/** The live balances of all sub-users. */
	readonly balanceCents: number;
	readonly costCents: number;
	readonly ownCostCents: number;
}

export interface SpendingRow {
	readonly username: string;
	/** The live balance, in USD cents. */
	readonly balanceCents: number;
	/** USD cents. */
	readonly costCents: number;
}

export interface DueAccountsQuery {
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
	/** The operator on the dashboard who set it, and from where. */
	readonly email: string | null;
	readonly address: string | null;
	/** The user of the operating system who set it on the command line. */
	readonly systemUser: string | null;
}
