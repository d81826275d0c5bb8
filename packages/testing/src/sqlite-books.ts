import { join } from 'node:path';
import Database from 'better-sqlite3';
import { verifyLedger } from '../../server/src/store/sqlite/reading/reading.ts';
import type { StoredBooks, TransferRow, TransferTotals } from './stored-books.ts';

/** Reads the store of a data directory directly, also while a server uses it. */
export function sqliteBooks(dataDir: string): StoredBooks {
	return {
		transfersBehind: async (lastId) =>
			inStore(dataDir, (store) =>
				store
					.prepare<[number], TransferRow>(
						`SELECT id, kind, debit, credit, amount_cents AS amountCents, request_id AS requestId
						 FROM transfers WHERE id > ? ORDER BY id`,
					)
					.all(lastId),
			),
		totals: async (lastId = Number.MAX_SAFE_INTEGER) =>
			inStore(dataDir, (store) =>
				store
					.prepare(
						`SELECT COUNT(*) AS transfers, COALESCE(SUM(amount_cents), 0) AS cents, COALESCE(MAX(id), 0) AS lastId
						 FROM transfers WHERE id <= ?`,
					)
					.get(lastId),
			) as TransferTotals,
		accountsAmong: async (usernames) =>
			inStore(dataDir, (store) => {
				const find = store.prepare<[string]>('SELECT username FROM accounts WHERE username = ?').pluck();
				return new Set(usernames.filter((username) => find.get(username) !== undefined));
			}),
		ledgerProblems: async () => inStore(dataDir, (store) => verifyLedger(store).problems),
	};
}

/** Opens the store read-only for one look. */
export function inStore<Result>(dataDir: string, look: (store: Database.Database) => Result): Result {
	const store = new Database(join(dataDir, 'bursar.db'), { readonly: true });
	try {
		return look(store);
	} finally {
		store.close();
	}
}
