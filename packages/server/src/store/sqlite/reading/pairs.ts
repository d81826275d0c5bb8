import { OPEN_KNOWN_MS } from '@bursar/contract/edge-limits';
import { type FindingPairs, hasPaid, pairDays, usedOn } from '../../tables/accounts/pair.ts';

export const findingPairs: FindingPairs = (usernames, atMs) => ({
	sql: FIND_PAIRS,
	values: [JSON.stringify(usernames), ...pairDays(atMs), atMs - OPEN_KNOWN_MS],
});

const IS_OPEN = 'open > 0 AND at_ms > $4 AND username = account.username';

/** On PostgreSQL, the function `find_pairs` is the same. CROSS JOIN keeps the order: each row is found by its key. */
const FIND_PAIRS = `SELECT account.username, account.reseller, account.sealed_auth_key AS "sealedAuthKey",
	account.allowed_ips AS "allowedIps", account.connections, account.bytes_per_second AS "bytesPerSecond",
	CASE WHEN account.connections IS NOT NULL THEN (
		SELECT json_group_array(json_object('edge', edge, 'process', process, 'open', open)) FROM (
			SELECT edge, '' AS process, open FROM open_connections WHERE ${IS_OPEN}
			UNION ALL SELECT edge, process, open FROM open_in_processes WHERE ${IS_OPEN})) END AS open,
	account.balance_cents AS "liveCents", price.micro_usd_per_gb AS "microUsdPerGb", meters.cost_rest AS "restUnits",
	${hasPaid('account')} AS "hasPaid",
	CASE WHEN account.username <> account.reseller THEN account.suspended_at_ms END AS "suspendedAtMs",
	own.suspended_at_ms AS "resellerSuspendedAtMs", own.debt_cents AS "debtCents", own.debt_line_cents AS "debtLineCents",
	account.expires_at_ms AS "expiresAtMs",
	CASE WHEN account.day_bytes IS NOT NULL THEN account.day_bytes - ${usedOn('AND day = $3')} END AS "leftOfDay",
	CASE WHEN account.month_bytes IS NOT NULL
		THEN account.month_bytes - ${usedOn('AND day BETWEEN $2 AND $3')} END AS "leftOfMonth",
	CASE WHEN account.total_bytes IS NOT NULL THEN account.total_bytes - ${usedOn('')} END AS "leftOfTotal"
	FROM json_each($1) AS given
	CROSS JOIN usernames ON usernames.username = given.value
	CROSS JOIN live_accounts AS account ON account.reseller = usernames.reseller AND account.username = usernames.username
	CROSS JOIN accounts AS own ON own.reseller = usernames.reseller AND own.username = usernames.reseller
	LEFT JOIN current_prices AS price ON price.reseller = usernames.reseller
	LEFT JOIN meters ON meters.reseller = usernames.reseller AND meters.username = usernames.username
		AND meters.price = price.number`;
