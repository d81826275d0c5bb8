import { bytesLeft } from '../../domain/metering.ts';
import type { OpenInProcess } from '../../domain/open-connections.ts';
import { startOfDayMs, usageDayOf } from '../../domain/usage.ts';
import type { StoredPair } from '../reads/edge-reads.ts';
import type { KeySeal } from '../secrets/key-seal.ts';
import { networksOf } from './terms-row.ts';

/** Asks for all edges, as `Edge`, on any engine. */
export const LIST_EDGES = `SELECT name, key_hash AS "keyHash", key_tail AS "keyTail", link_hash AS "linkHash",
	link_expires_at_ms AS "linkExpiresAtMs", created_at_ms AS "createdAtMs",
	revoked_at_ms AS "revokedAtMs", last_seen_at_ms AS "lastSeenAtMs", reported_to_ms AS "reportedToMs", checks, refusals
	FROM edges ORDER BY name`;

/** How many bytes `account` used on the days of a condition. The sum is made of doubles, so it passes no bound of 64 bits. */
export function usedOn(days: string): string {
	return `(SELECT CAST(COALESCE(sum(CAST(bytes_up + bytes_down AS double precision)), 0) AS bigint) FROM usage_days
		WHERE usage_days.reseller = account.reseller AND usage_days.username = account.username ${days})`;
}

/**
 * Asks for the pairs of accounts, as `PairRow`, on any engine. A condition on `usernames.username` is to follow. $1 and
 * $2: the first day of the month and today. What was used is summed up only for a limit that is set.
 */
export const FIND_PAIRS = `SELECT usernames.username, account.sealed_auth_key AS "sealedAuthKey",
	account.balance_cents AS "liveCents",
	current_prices.micro_usd_per_gb AS "microUsdPerGb", cost_rest AS "restUnits",
	COALESCE(account.suspended_at_ms, own.suspended_at_ms) AS "suspendedAtMs", account.expires_at_ms AS "expiresAtMs",
	account.allowed_ips AS "allowedIps", account.connections,
	CASE WHEN account.day_bytes IS NOT NULL THEN account.day_bytes - ${usedOn('AND day = $2')} END AS "leftOfDay",
	CASE WHEN account.month_bytes IS NOT NULL
		THEN account.month_bytes - ${usedOn('AND day BETWEEN $1 AND $2')} END AS "leftOfMonth",
	CASE WHEN account.total_bytes IS NOT NULL THEN account.total_bytes - ${usedOn('')} END AS "leftOfTotal"
	FROM usernames
	JOIN live_accounts AS account ON account.reseller = usernames.reseller AND account.username = usernames.username
	JOIN accounts AS own ON own.reseller = usernames.reseller AND own.username = usernames.reseller
	LEFT JOIN current_prices ON current_prices.reseller = usernames.reseller
	LEFT JOIN meters ON meters.reseller = usernames.reseller AND meters.username = usernames.username
		AND meters.price = current_prices.number`;

/** Asks how many connections edges have open, as `OpenRow`. `names` is a condition on `username`. $1: since when it is known. */
export function findOpen(names: string): string {
	return `SELECT username, edge, '' AS process, open FROM open_connections WHERE open > 0 AND at_ms > $1 AND ${names}
		UNION ALL
		SELECT username, edge, process, open FROM open_in_processes WHERE open > 0 AND at_ms > $1 AND ${names}`;
}

export interface PairRow {
	readonly username: string;
	readonly sealedAuthKey: string;
	readonly liveCents: number;
	/** `null` if the reseller is not metered. */
	readonly microUsdPerGb: number | null;
	/** `null` if nothing was used at this price. */
	readonly restUnits: number | null;
	/** Of the account or its reseller. */
	readonly suspendedAtMs: number | null;
	readonly expiresAtMs: number | null;
	readonly allowedIps: string | null;
	readonly connections: number | null;
	/** Bytes, below zero if more was used; `null` without the limit. */
	readonly leftOfDay: number | null;
	readonly leftOfMonth: number | null;
	readonly leftOfTotal: number | null;
}

export interface OpenRow extends OpenInProcess {
	readonly username: string;
}

/** The first two values of `FIND_PAIRS`. `nowMs` is in Unix milliseconds. */
export function pairDays(nowMs: number): readonly [firstOfMonth: number, today: number] {
	const today = usageDayOf(nowMs);
	return [today + 1 - new Date(startOfDayMs(today)).getUTCDate(), today];
}

/** The accounts whose open connections are to be found. */
export function withConnectionLimit(rows: readonly PairRow[]): readonly string[] {
	return rows.filter(({ connections }) => connections !== null).map(({ username }) => username);
}

/** Makes pairs of what both statements have found. */
export function pairsOf(
	rows: readonly PairRow[],
	open: readonly OpenRow[],
	seal: KeySeal,
): (readonly [string, StoredPair | null])[] {
	const openOf = Map.groupBy(open, ({ username }) => username);
	return rows.map((row) => [row.username, pairOf(row, openOf.get(row.username) ?? [], seal)]);
}

/** One damaged row must not fail the checks of all others. */
function pairOf(row: PairRow, open: readonly OpenRow[], seal: KeySeal): StoredPair | null {
	const { username, liveCents, microUsdPerGb, restUnits, expiresAtMs, connections } = row;
	try {
		return {
			key: seal.open(row.sealedAuthKey, username),
			leftBytes: microUsdPerGb === null ? null : bytesLeft(liveCents, restUnits ?? 0, microUsdPerGb),
			limitLeftBytes: leastLeft([row.leftOfDay, row.leftOfMonth, row.leftOfTotal]),
			isSuspended: row.suspendedAtMs !== null,
			expiresAtMs,
			allowedIps: networksOf(row.allowedIps),
			connections,
			open: open.map(({ edge, process, open: count }) => ({ edge, process, open: count })),
		};
	} catch {
		return null;
	}
}

function leastLeft(lefts: readonly (number | null)[]): number | null {
	const set = lefts.filter((left) => left !== null);
	return set.length === 0 ? null : Math.max(0, Math.min(...set));
}
