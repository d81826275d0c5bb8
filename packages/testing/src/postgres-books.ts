import pg from 'pg';
import { beginSnapshot } from '../../server/src/store/postgres/database/beginning.ts';
import { type FoundProblem, LEDGER_CHECKS, ledgerProblems } from '../../server/src/store/tables/ledger/checks.ts';
import type { LedgerProblem } from '../../server/src/store/tables/ledger/verifications.ts';
import type { StoredBooks, TransferRow, TransferTotals } from './stored-books.ts';

/** Reads the store of a database directly, also while a server uses it. */
export function postgresBooks(url: () => string): StoredBooks {
	return {
		transfersBehind: (lastId) =>
			inDatabase(url(), async (database) => {
				const { rows } = await database.query<TransferRow>(
					`SELECT id, kind, debit, credit, amount_cents AS "amountCents", request_id AS "requestId"
					 FROM bursar.transfers WHERE id > $1 ORDER BY id`,
					[lastId],
				);
				return rows;
			}),
		totals: (lastId = Number.MAX_SAFE_INTEGER) =>
			inDatabase(url(), async (database) => {
				const { rows } = await database.query<TransferTotals>(
					`SELECT count(*) AS transfers, coalesce(sum(amount_cents), 0)::bigint AS cents, coalesce(max(id), 0) AS "lastId"
					 FROM bursar.transfers WHERE id <= $1`,
					[lastId],
				);
				return rows[0] as TransferTotals;
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
