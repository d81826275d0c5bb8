import { randomBytes } from 'node:crypto';
import type { TestContext } from 'node:test';
import { readConfig } from '../../../server/src/config.ts';
import type { StoredBooks } from '../../../server/test/support/effects.ts';
import { postgresBooks } from '../../../server/test/support/postgres-books.ts';
import { assertLedgerInOrder, startServer } from '../../../server/test/support/process.ts';
import { openReseller, temporaryFolder } from '../../../server/test/support/service.ts';
import { sqliteBooks } from '../../../server/test/support/sqlite-books.ts';

/** A server process, and a way to its store past it. */
export interface Served {
	readonly url: string;
	readonly books: StoredBooks;
	/** Opens a reseller; the promise is for its token. */
	openReseller(username: string): Promise<string>;
	/** Throws unless `bursar ledger verify` finds nothing. */
	assertLedgerInOrder(): Promise<void>;
}

const OPENING_BALANCE_CENTS = 10 ** 15;

export function serveSqlite(test: TestContext): Promise<Served> {
	const dataDir = temporaryFolder(test);
	return serve(test, dataDir, {}, sqliteBooks(dataDir));
}

/** On an empty database. */
export function servePostgres(test: TestContext, url: string): Promise<Served> {
	const environment = { BURSAR_DATABASE_URL: url, BURSAR_MASTER_KEY: randomBytes(32).toString('base64') };
	return serve(
		test,
		temporaryFolder(test),
		environment,
		postgresBooks(() => url),
	);
}

async function serve(
	test: TestContext,
	dataDir: string,
	environment: Readonly<Record<string, string>>,
	books: StoredBooks,
): Promise<Served> {
	const config = readConfig({ BURSAR_DATA_DIR: dataDir, ...environment });
	const { url } = await startServer(test, dataDir, { environment });
	return {
		url,
		books,
		openReseller: async (username) => (await openReseller(config, username, OPENING_BALANCE_CENTS)).token,
		assertLedgerInOrder: () => assertLedgerInOrder(test, dataDir, { environment }),
	};
}
