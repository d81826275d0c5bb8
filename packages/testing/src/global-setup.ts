import { randomUUID } from 'node:crypto';
import { embeddedPostgres } from './postgres-installation.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

let server: PostgresServer | undefined;

/**
 * Node calls it before all tests. Names this run, and starts the PostgreSQL server for all files that need only a database.
 *
 * @public
 */
export async function globalSetup(): Promise<void> {
	process.env.TEST_RUN_ID = randomUUID();
	process.env.BURSAR_TEST_POSTGRES ??= (await embeddedPostgres()).binFolder;
	if (process.env.BURSAR_TEST_DATABASE_URL !== undefined) return;
	server = await startPostgres({ settings: { max_connections: '400' } });
	process.env.BURSAR_TEST_DATABASE_URL = server.url();
}

/**
 * Node calls it after all tests.
 *
 * @public
 */
export async function globalTeardown(): Promise<void> {
	await server?.remove();
}
