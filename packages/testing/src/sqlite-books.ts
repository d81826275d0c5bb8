import { join } from 'node:path';
import Database from 'better-sqlite3';
import { verifyLedger } from '../../server/src/store/sqlite/reading/reading.ts';
import { type StoredBooks, sumOfTotals, type TransferRow } from './stored-books.ts';

/** Reads the store of a data directory directly, also while a server uses it. */
export function sqliteBooks(dataDir: string): StoredBooks {
	return {
		transfersBehind: async (newest) =>
			inStore(dataDir, (store) =>
				store
					.prepare<[string], TransferRow>(
						`SELECT reseller, id, kind, debit, credit, amount_cents AS amountCents, request_id AS requestId
						 FROM transfers WHERE id > COALESCE(? ->> reseller, 0) ORDER BY id`,
					)
					.all(JSON.stringify(newest)),
			),
		totals: async (newest) =>
			inStore(dataDir, (store) =>
				sumOfTotals(
					store
						.prepare<{ newest: string | null }, Parameters<typeof sumOfTotals>[0][number]>(
							`SELECT reseller, count(*) AS transfers, sum(amount_cents) AS cents, max(id) AS id
							 FROM transfers WHERE @newest IS NULL OR id <= @newest ->> reseller GROUP BY reseller`,
						)
						.all({ newest: newest ? JSON.stringify(newest) : null }),
				),
			),
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
