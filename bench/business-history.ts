const DAY_MS = 86_400_000;
/** The movements are spread over this many days. */
const MOVEMENT_DAYS = 90;
const COLUMNS =
	'reseller, debit, credit, amount_cents, kind, at_ms, request_id, debit_balance_cents, credit_balance_cents';

export interface BusinessHistory {
	/** They have the same number of sub-users. Their movements lie between each other. */
	readonly resellers: readonly string[];
	readonly subUsersEach: number;
	/** How many movements are added, of all resellers together. */
	readonly movements: number;
	/** Each sub-user has bandwidth on this many days. Today is the last one. */
	readonly usageDays: number;
	readonly nowMs: number;
}

/**
 * Statements that give a seeded store a history, for both engines, on one connection. Each sub-user gets a cent and
 * gives it back, again and again. So every balance still agrees with the ledger.
 */
export function* businessHistory(history: BusinessHistory): Iterable<string> {
	const { resellers, subUsersEach, movements, usageDays, nowMs } = history;
	const isListed = `reseller IN (${resellers.map((name) => `'${name}'`).join(', ')})`;
	yield `CREATE TEMPORARY TABLE numbered AS
		SELECT row_number() OVER (PARTITION BY reseller ORDER BY username) AS place, reseller, username,
			balance_cents AS cents, (SELECT balance_cents FROM accounts AS payer
				WHERE payer.reseller = accounts.reseller AND payer.username = payer.reseller) AS reseller_cents
		FROM accounts WHERE ${isListed} AND username <> reseller ORDER BY 1, reseller`;
	const pairs = Math.max(1, Math.round(movements / (2 * resellers.length * subUsersEach)));
	for (let round = 0; round < 2 * pairs; round++) {
		const atMs = nowMs - MOVEMENT_DAYS * DAY_MS + Math.floor((round * MOVEMENT_DAYS * DAY_MS) / (2 * pairs));
		const requestId = `'00000000-0000-4000-${1000 + round}-' || substr('00000000000' || place, length('' || place))`;
		const same = `${atMs} + place, ${requestId}`;
		yield `INSERT INTO transfers (${COLUMNS}) SELECT reseller, ${
			round % 2 === 0
				? `reseller, username, 1, 'give', ${same}, reseller_cents - place, cents + 1`
				: `username, reseller, 1, 'take', ${same}, cents, reseller_cents - ${subUsersEach} + place`
		} FROM numbered ORDER BY place, reseller`;
	}
	const lastDay = Math.floor(nowMs / DAY_MS);
	const days = Array.from({ length: usageDays }, (_, back) => `(${lastDay - back})`).join(', ');
	yield `WITH days (day) AS (VALUES ${days})
		INSERT INTO usage_days (reseller, username, day, bytes_up, bytes_down)
		SELECT reseller, username, day, 1000000 + place * 7919 % 1000003, 50000000 + place * day % 10000019
		FROM numbered CROSS JOIN days ORDER BY reseller, username, day`;
	yield `INSERT INTO usage_reseller_days (reseller, day, bytes_up, bytes_down)
		SELECT reseller, day, CAST(sum(bytes_up) AS bigint), CAST(sum(bytes_down) AS bigint)
		FROM usage_days WHERE ${isListed} GROUP BY reseller, day`;
}
