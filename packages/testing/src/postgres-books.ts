import pg from 'pg';
import { beginSnapshot } from '../../server/src/store/postgres/database/beginning.ts';
import { type FoundProblem, LEDGER_CHECKS, ledgerProblems } from '../../server/src/store/tables/ledger/checks.ts';
import type { LedgerProblem } from '../../server/src/store/tables/ledger/verifications.ts';
import { type StoredBooks, sumOfTotals, type TransferRow } from './stored-books.ts';

/** Reads the store of a database directly, also while a server uses it. */
export function postgresBooks(url: () => string): StoredBooks {
	return {
		transfersBehind: (newest) =>
			inDatabase(url(), async (database) => {
				const { rows } = await database.query<TransferRow>(
					`SELECT reseller, id, kind, debit, credit, amount_cents AS "amountCents", request_id AS "requestId"
					 FROM bursar.transfers WHERE id > COALESCE(($1::jsonb ->> reseller)::bigint, 0) ORDER BY id`,
					[newest],
				);
				return rows;
			}),
		totals: (newest) =>
			inDatabase(url(), async (database) => {
				const { rows } = await database.query(
					`SELECT reseller, count(*) AS transfers, sum(amount_cents)::bigint AS cents, max(id) AS id
					 FROM bursar.transfers WHERE $1::jsonb IS NULL OR id <= ($1::jsonb ->> reseller)::bigint GROUP BY reseller`,
					[newest],
				);
				return sumOfTotals(rows);
			}),
		accountsAmong: (usernames) =>
			inDatabase(url(), async (database) => {
				const { rows } = await database.query('SELECT username FROM bursar.accounts WHERE username = ANY($1)', [
					usernames,
				]);
				return new Set(rows.map(({ username }) => username));
			}),
		ledgerProblems: () =>
			inDatabase(url(), async (database) => {
				const problems: LedgerProblem[] = [];
				await database.query(beginSnapshot());
				for (const check of LEDGER_CHECKS) {
					problems.push(...ledgerProblems(check, (await database.query<FoundProblem>(check.query)).rows));
				}
				return problems;
			}),
	};
}

/** Opens a connection for one look. BIGINT values come as numbers. */
export async function inDatabase<Result>(url: string, look: (database: pg.Client) => Promise<Result>): Promise<Result> {
	const database = await connectTo(url);
	try {
		return await look(database);
	} finally {
		await database.end();
	}
}

/** Opens a connection for many looks. BIGINT values come as numbers. */
export async function connectTo(url: string): Promise<pg.Client> {
	const database = new pg.Client({ connectionString: url });
	database.setTypeParser(pg.types.builtins.INT8, Number);
	// A connection that breaks fails its query, which is enough.
	database.on('error', () => {});
	await database.connect();
	return database;
}
