import type { TestContext } from 'node:test';
import { type ServerProcess, startServer } from '@bursar/testing/bursar-process';
import { printedSeed, type Random, randomFrom } from '@bursar/testing/random';
import { openReseller } from '@bursar/testing/service';
import { sqliteBooks } from '@bursar/testing/sqlite-books';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import type { ProcessOptions } from '@bursar/testing/test-process';
import { readConfig } from '../../src/config.ts';
import { type EffectsCheck, effectsCheck } from './effects.ts';
import { openWorkload, WORKLOAD_BALANCE_CENTS, type Workload } from './load.ts';

/** A server on a store with a reseller and its sub-users, with a check of its effects from the start. */
export interface ServedStore {
	readonly dataDir: string;
	readonly server: ServerProcess;
	readonly workload: Workload;
	readonly effects: EffectsCheck;
	readonly random: Random;
}

export interface ServedStoreOptions extends ProcessOptions {
	readonly dataDir?: string;
	/** Connections of the workload. Each has its own sub-user. */
	readonly connections?: number;
}

/** Starts a server on a new store. */
export async function serveStore(test: TestContext, options: ServedStoreOptions = {}): Promise<ServedStore> {
	const { dataDir = temporaryFolder(test), connections = 8, ...processOptions } = options;
	const random = randomFrom(printedSeed(test));
	const { token } = await openReseller(readConfig({ BURSAR_DATA_DIR: dataDir }), 'acme', WORKLOAD_BALANCE_CENTS);
	const server = await startServer(test, dataDir, processOptions);
	const workload = await openWorkload(test, server.url, { token, random, connections });
	return { dataDir, server, workload, effects: await effectsCheck(sqliteBooks(dataDir)), random };
}
