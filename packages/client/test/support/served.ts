import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { startServer } from '@bursar/testing/bursar-process';
import { freePort } from '@bursar/testing/free-port';
import { postgresBooks } from '@bursar/testing/postgres-books';
import { openReseller } from '@bursar/testing/service';
import { sqliteBooks } from '@bursar/testing/sqlite-books';
import type { StoredBooks } from '@bursar/testing/stored-books';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { readConfig } from '../../../server/src/config.ts';

/** A server process, with direct access to its store. */
export interface Served {
	readonly url: string;
	readonly books: StoredBooks;
	/** Opens a reseller. Resolves with its token. */
	openReseller(username: string): Promise<string>;
	/** Kills the server, waits, and starts it again at the same address. Resolves with the time that the start took. */
	killAndStart(pauseMs: number): Promise<number>;
	/** Throws if a check of `bursar ledger verify` finds a fault. */
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
	const port = String(await freePort());
	const start = () => startServer(test, dataDir, { environment: { ...environment, BURSAR_PORT: port } });
	let server = await start();
	return {
		url: server.url,
		books,
		async killAndStart(pauseMs) {
			await server.kill('SIGKILL');
			await setTimeout(pauseMs);
			server = await start();
			return server.readyAfterMs;
		},
		openReseller: async (username) => (await openReseller(config, username, OPENING_BALANCE_CENTS)).token,
		assertLedgerInOrder: async () => assert.deepEqual(await books.ledgerProblems(), []),
	};
}
