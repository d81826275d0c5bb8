import { IS_DUE } from '../rows/metering-rows.ts';
import type { DueAccount, DueAccountsQuery, MeteringReads, StoredPrice } from './metering-reads.ts';
import type { ReadLanes } from './read-lanes.ts';
import { OPERATORS } from './read-owners.ts';
import { statementOf } from './row-search.ts';

/** The reads about prices and dues, for any engine. */
export function sharedMeteringReads({ quick, heavy }: ReadLanes): MeteringReads {
	return {
		listDueAccounts: async (query) =>
			(await heavy({ owner: OPERATORS, statement: listDueAccounts(query) })) as readonly DueAccount[],
		findDueAccounts: async (usernames) =>
			(await quick({ owner: OPERATORS, statement: findDueAccounts(usernames) })) as readonly DueAccount[],
		async findPrice(reseller) {
			const sql = 'SELECT micro_usd_per_gb AS "microUsdPerGb" FROM current_prices WHERE reseller = $1';
			const [row] = (await quick({
				owner: reseller,
				statement: { sql, values: [reseller] },
			})) as readonly StoredPrice[];
			return row?.microUsdPerGb ?? null;
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
		(bind) => `SELECT DISTINCT reseller, username FROM meters
			WHERE ${after ? `(reseller, username) > (${bind(after.reseller)}, ${bind(after.username)}) AND` : ''}
				${IS_DUE} AND settled_at_ms < ${bind(dueSinceBeforeMs)}
			ORDER BY reseller, username LIMIT ${bind(limit)}`,
	);
}

function findDueAccounts(usernames: readonly string[]) {
	return statementOf(
		(bind) => `SELECT DISTINCT reseller, username FROM usernames JOIN meters USING (reseller, username)
			WHERE username IN (${usernames.map(bind).join(', ')}) AND ${IS_DUE} ORDER BY reseller, username`,
	);
}

/** Who set a price is known by the request. */
const PRICES = `SELECT prices.number, micro_usd_per_gb AS "microUsdPerGb", set_at_ms AS "setAtMs",
		prices.request_id AS "requestId", people.email, acts.address, acts.os_user AS "systemUser"
	FROM prices LEFT JOIN acts ON acts.request_id = prices.request_id AND acts.kind = 'set_price'
	LEFT JOIN people ON people.id = acts.person
	WHERE prices.reseller = $1 ORDER BY prices.number DESC LIMIT $2`;
