import { randomBytes } from 'node:crypto';
import type { TestContext } from 'node:test';
import { assertLedgerInOrder, type ServerProcess, startServer } from '@bursar/testing/bursar-process';
import { postgresBooks } from '@bursar/testing/postgres-books';
import { printedSeed, type Random, randomFrom } from '@bursar/testing/random';
import { openReseller } from '@bursar/testing/service';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { readConfig } from '../../src/config.ts';
import { type EffectsCheck, effectsCheck } from './effects.ts';
import { openWorkload, WORKLOAD_BALANCE_CENTS, type Workload } from './load.ts';

/** Server processes on one database, with a check of their effects from the start. */
export interface ServedDatabase {
	/** The settings that every process needs. */
	readonly environment: Readonly<Record<string, string>>;
	readonly servers: readonly ServerProcess[];
	readonly urls: readonly string[];
	readonly workload: Workload;
	readonly effects: EffectsCheck;
	readonly random: Random;
	/** One more process. */
	startServer(environment?: Readonly<Record<string, string>>): Promise<ServerProcess>;
	/** Throws unless `bursar ledger verify` finds nothing. */
	assertLedgerInOrder(): Promise<void>;
}

export interface ServedDatabaseOptions {
	readonly processes?: number;
	/** Connections of the workload. Each has its own sub-user. */
	readonly connections?: number;
	/** The servers' database URL. By default, the URL of the test. */
	readonly serversUrl?: string;
}

/** Starts servers on an empty database. `url` is a function if the URL can change; each query calls it. */
export async function serveDatabase(
	test: TestContext,
	url: string | (() => string),
	options: ServedDatabaseOptions = {},
): Promise<ServedDatabase> {
	const urlNow = typeof url === 'string' ? () => url : url;
	const { processes = 3, connections = 9, serversUrl = urlNow() } = options;
	const random = randomFrom(printedSeed(test));
	const folder = temporaryFolder(test);
	const environment = { BURSAR_DATABASE_URL: urlNow(), BURSAR_MASTER_KEY: randomBytes(32).toString('base64') };
	const { token } = await openReseller(readConfig(environment), 'acme', WORKLOAD_BALANCE_CENTS);
	const start = (more: Readonly<Record<string, string>> = {}) =>
		startServer(test, folder, { environment: { ...environment, BURSAR_DATABASE_URL: serversUrl, ...more } });
	const servers = await Promise.all(Array.from({ length: processes }, () => start()));
	const urls = servers.map((server) => server.url);
	const workload = await openWorkload(test, urls[0] as string, { token, random, connections });
	return {
		environment,
		servers,
		urls,
		workload,
		effects: await effectsCheck(postgresBooks(urlNow)),
		random,
		startServer: start,
		assertLedgerInOrder: () =>
			assertLedgerInOrder(test, folder, { environment: { ...environment, BURSAR_DATABASE_URL: urlNow() } }),
	};
}
