import type { PairState } from '@bursar/contract/sub-user-terms';
import { isBeyondLine } from '../../../domain/debt.ts';
import { bytesLeft } from '../../../domain/metering.ts';
import type { PairBounds } from '../../../domain/pair-state.ts';
import { startOfDayMs, usageDayOf } from '../../../domain/usage.ts';
import type { Bind } from '../../search.ts';
import type { SharedStatement } from '../../statement.ts';

/** How many bytes `account` used on the days of a condition. The sum is made of doubles, so it passes no bound of 64 bits. */
export function usedOn(days: string): string {
	return `(SELECT CAST(COALESCE(sum(CAST(bytes_up + bytes_down AS double precision)), 0) AS bigint) FROM usage_days
		WHERE usage_days.reseller = account.reseller AND usage_days.username = account.username ${days})`;
}

/** The first day of the UTC month and today, in days since 1970-01-01. `nowMs` is in Unix milliseconds. */
export function pairDays(nowMs: number): readonly [firstOfMonth: number, today: number] {
	const today = usageDayOf(nowMs);
	return [today + 1 - new Date(startOfDayMs(today)).getUTCDate(), today];
}

/**
 * Finds the pairs of accounts, as `PairRow`: all that decides whether the proxies accept them. Names without an account have
 * no row. What was used is summed up only for a limit that is set. `atMs` is now, in Unix milliseconds.
 */
export type FindingPairs = (usernames: readonly string[], atMs: number) => SharedStatement;

export interface PairRow {
	readonly username: string;
	readonly reseller: string;
	readonly sealedAuthKey: string;
	/** Networks with spaces between. */
	readonly allowedIps: string | null;
	readonly connections: number | null;
	readonly bytesPerSecond: number | null;
	/** What edges lately said is open, as `OpenInProcess` in JSON. `null` without a limit of connections, or if nothing is. */
	readonly open: string | null;
	readonly liveCents: number;
	/** `null` if the reseller is not metered. */
	readonly microUsdPerGb: number | null;
	/** `null` if nothing was used at this price. */
	readonly restUnits: number | null;
	/** Whether its balance has ever paid for bandwidth. */
	readonly hasPaid: boolean | 0 | 1;
	/** Of a sub-user. */
	readonly suspendedAtMs: number | null;
	readonly resellerSuspendedAtMs: number | null;
	/** Of the reseller. */
	readonly debtCents: number;
	readonly debtLineCents: number;
	readonly expiresAtMs: number | null;
	/** Bytes, below zero if more was used; `null` without the limit. */
	readonly leftOfDay: number | null;
	readonly leftOfMonth: number | null;
	readonly leftOfTotal: number | null;
}

export function boundsOf(row: PairRow): PairBounds {
	const { microUsdPerGb, liveCents, restUnits, leftOfDay, leftOfMonth, leftOfTotal } = row;
	const debt = { cents: row.debtCents, lineCents: row.debtLineCents };
	return {
		isSuspended: row.suspendedAtMs !== null,
		isResellerSuspended: row.resellerSuspendedAtMs !== null,
		expiresAtMs: row.expiresAtMs,
		isBeyondDebtLine: microUsdPerGb !== null && isBeyondLine(debt),
		leftBytes: microUsdPerGb === null ? null : bytesLeft(liveCents, restUnits ?? 0, microUsdPerGb),
		limitLeftBytes: leastLeft([leftOfDay, leftOfMonth, leftOfTotal]),
	};
}

/**
 * When the limits of a day and of a month that are reached open again by themselves, in Unix milliseconds; `null` if none is
 * reached, or if the one of all time is. `nowMs` too.
 */
export function opensAtMs({ leftOfDay, leftOfMonth, leftOfTotal }: PairRow, nowMs: number): number | null {
	const isReached = (left: number | null) => left !== null && left <= 0;
	const now = new Date(nowMs);
	if (isReached(leftOfTotal)) return null;
	if (isReached(leftOfMonth)) return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
	return isReached(leftOfDay) ? startOfDayMs(usageDayOf(nowMs) + 1) : null;
}

function leastLeft(lefts: readonly (number | null)[]): number | null {
	const set = lefts.filter((left) => left !== null);
	return set.length === 0 ? null : Math.max(0, Math.min(...set));
}

/** Whether the balance of an account has paid for bandwidth. `names` has its reseller and username. */
export function hasPaid(names: string): string {
	return `EXISTS (SELECT 1 FROM meters WHERE meters.reseller = ${names}.reseller AND meters.username = ${names}.username)`;
}

interface StateQuery {
	/** SQL: the parameter of the one whose accounts are looked at, or `account.reseller`. */
	readonly reseller: string;
	/** Now, in Unix milliseconds. */
	readonly atMs: number;
}

/**
 * The state of `account`, a sub-user in `live_accounts`, as `pairStateOf` says. Of one that has none of the states up to
 * `last`, it is `active`.
 */
export function pairState({ reseller, atMs }: StateQuery, bind: Bind, last: PairState = 'active'): string {
	const isPriced = `EXISTS (SELECT 1 FROM current_prices AS price
		WHERE price.reseller = ${reseller} AND price.micro_usd_per_gb IS NOT NULL)`;
	const isOfReseller = (condition: string) => `EXISTS (SELECT 1 FROM accounts AS own WHERE own.reseller = ${reseller}
		AND own.username = ${reseller} AND ${condition})`;
	const isEmpty = () => `account.balance_cents <= 0 AND ${isPriced}`;
	const isReached = (limit: string, days: string) => `(${limit} IS NOT NULL AND ${limit} <= ${usedOn(days)})`;
	const reasons: Readonly<Record<Exclude<PairState, 'active'>, () => string>> = {
		suspended: () => 'account.suspended_at_ms IS NOT NULL',
		reseller_suspended: () => isOfReseller('own.suspended_at_ms IS NOT NULL'),
		expired: () => `account.expires_at_ms <= ${bind(atMs)}`,
		reseller_in_debt: () => `${isOfReseller('own.debt_cents > own.debt_line_cents')} AND ${isPriced}`,
		no_balance: () => `${isEmpty()} AND NOT ${hasPaid('account')}`,
		exhausted: isEmpty,
		limit_reached() {
			const [firstOfMonth, today] = pairDays(atMs).map(bind);
			return [
				isReached('account.day_bytes', `AND day = ${today}`),
				isReached('account.month_bytes', `AND day BETWEEN ${firstOfMonth} AND ${today}`),
				isReached('account.total_bytes', ''),
			].join(' OR ');
		},
	};
	const names = Object.keys(reasons) as (keyof typeof reasons)[];
	const count = last === 'active' ? names.length : names.indexOf(last) + 1;
	const cases = names.slice(0, count).map((name) => `WHEN ${reasons[name]()} THEN '${name}'`);
	return `CASE ${cases.join(' ')} ELSE 'active' END`;
}
