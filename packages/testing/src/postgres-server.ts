import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { newCluster } from './postgres-cluster.ts';
import { embeddedPostgres, type PostgresInstallation } from './postgres-installation.ts';
import { freezeFamily, killFamily, spawnPostmaster } from './postgres-process.ts';
import { serverFolder, writeOwned } from './postgres-user.ts';
import { endProcess, hasEnded } from './processes.ts';

export interface PostgresOptions {
	/** Default: the embedded one. */
	readonly installation?: PostgresInstallation;
	/** As in postgresql.conf. */
	readonly settings?: Readonly<Record<string, string>>;
}

/** A real server on 127.0.0.1, with `fsync` on. */
export interface PostgresServer {
	readonly port: number;
	/** Holds `data`, and the server's `log`. */
	readonly folder: string;
	/** The settings from its start, with those that were set since. */
	readonly settings: Readonly<Record<string, string>>;
	/** The superuser's URL: `postgres://postgres:<password>@127.0.0.1:<port>/<database>`. */
	url(database?: string): string;
	/** Creates a database: an empty one, or a copy of the one at a URL. Resolves with its URL. */
	createDatabase(copied?: string): Promise<string>;
	/**
	 * `fast` ends connections in order. `immediate` is like a power cut: the next start recovers. Resolves when the
	 * process has ended, or at once if none runs.
	 */
	stop(mode: 'fast' | 'immediate'): Promise<void>;
	/** SIGKILL to the postmaster and all its children. Resolves when they have ended. */
	kill(): Promise<void>;
	/** SIGSTOP to all of them. The system keeps and accepts connections, but the server does not answer. */
	freeze(): Promise<void>;
	/** Starts again, on the same port and folder. Resolves when it accepts connections. */
	start(): Promise<void>;
	/**
	 * Changes settings of the running server, or for the next start. Resolves when new connections have them. Open
	 * connections and the server's own processes get them within moments.
	 */
	set(settings: Readonly<Record<string, string>>): Promise<void>;
	/** Ends the server and removes everything. May be called twice. */
	remove(): Promise<void>;
}

/** Gives tests their own databases. */
export interface TestDatabases {
	/** Creates a database: an empty one, or a copy of the one at a URL. Resolves with its URL. */
	createDatabase(copied?: string): Promise<string>;
	/** Removes these databases, and the server too if it was started for them. */
	remove(): Promise<void>;
}

/** How long a server may take to start, or to load its settings, on a slow machine. */
export const SERVER_LIMIT_MS = 60_000;

/** Sets up a server in a new folder, and starts it on a free port. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
	const { installation = await embeddedPostgres(), settings = {} } = options;
	const folder = await serverFolder();
	const password = await newCluster(installation, folder).catch(async (error) => {
		await rm(folder, { recursive: true });
		throw error;
	});
	return openServer({ installation, folder, password, settings });
}

/** The server for the tests of a file: that of `BURSAR_TEST_DATABASE_URL`, or otherwise a new one. */
export async function testDatabases(): Promise<TestDatabases> {
	const given = process.env.BURSAR_TEST_DATABASE_URL;
	if (given === undefined) return startPostgres();
	const names: string[] = [];
	return {
		async createDatabase(copied) {
			const name = await createDatabase(given, copied);
			names.push(name);
			const url = new URL(given);
			url.pathname = name;
			return url.href;
		},
		async remove() {
			for (const name of names.splice(0)) await query(given, `DROP DATABASE ${name} WITH (FORCE)`);
		},
	};
}

export interface ServerParts {
	readonly installation: PostgresInstallation;
	readonly folder: string;
	/** Of the superuser. */
	readonly password: string;
	readonly settings: Readonly<Record<string, string>>;
	/** Default: a free port. */
	readonly port?: number | undefined;
}

/** Starts a server on the data in its folder. Removes everything if that fails. */
export async function openServer(parts: ServerParts): Promise<PostgresServer> {
	const { installation, folder, password } = parts;
	const port = parts.port ?? (await freePort());
	let settings = parts.settings;
	let postmaster: ChildProcess | undefined;
	const running = () => (postmaster && !hasEnded(postmaster) ? postmaster : undefined);
	const url = (database = 'postgres') => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;

	const server: PostgresServer = {
		port,
		folder,
		get settings() {
			return settings;
		},
		url,
		createDatabase: async (copied) => url(await createDatabase(url(), copied)),
		async stop(mode) {
			const ending = running();
			if (ending) await endProcess(ending, mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
		},
		async kill() {
			const ending = running();
			if (ending) await killFamily(ending);
		},
		async freeze() {
			const stopping = running();
			if (stopping) await freezeFamily(stopping);
		},
		async start() {
			if (running()) throw new Error('the server runs already');
			await writeSettings(folder, port, settings);
			const started = await spawnPostmaster(installation, folder);
			postmaster = started;
			try {
				await eventually(
					() => query(url(), 'SELECT 1'),
					SERVER_LIMIT_MS,
					() => hasEnded(started),
				);
			} catch (error) {
				await server.kill();
				const log = readFileSync(join(folder, 'log'), 'utf8').slice(-2000);
				throw new Error(`PostgreSQL could not be started: ${log}`, { cause: error });
			}
		},
		async set(changed) {
			settings = { ...settings, ...changed };
			if (!running()) return;
			const loadTime = async () => {
				const [row] = await query(url(), 'SELECT pg_conf_load_time()::text AS time');
				return row?.time;
			};
			const before = await loadTime();
			await writeSettings(folder, port, settings);
			running()?.kill('SIGHUP');
			await eventually(async () => {
				if ((await loadTime()) === before) throw new Error('the settings were not loaded');
			}, SERVER_LIMIT_MS);
		},
		async remove() {
			await server.kill();
			// With retries, because a process whose postmaster a test has killed may still be writing.
			await rm(folder, { recursive: true, force: true, maxRetries: 10 });
		},
	};
	try {
		await server.start();
	} catch (error) {
		await server.remove();
		throw error;
	}
	return server;
}

/** Replaces the file that initdb wrote, so that no other setting applies. */
async function writeSettings(folder: string, port: number, settings: Readonly<Record<string, string>>): Promise<void> {
	const all = {
		listen_addresses: '127.0.0.1',
		port: String(port),
		unix_socket_directories: '',
		max_connections: '100',
		shared_buffers: '64MB',
		// In the server's folder. In shared memory, a server that a test kills would leave its segments for ever.
		dynamic_shared_memory_type: 'mmap',
		...settings,
	};
	const lines = Object.entries(all).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`);
	await writeOwned(join(folder, 'data', 'postgresql.conf'), lines.join(''));
}

async function createDatabase(serverUrl: string, copied?: string): Promise<string> {
	const name = `bursar_test_${randomBytes(8).toString('hex')}`;
	const template = copied === undefined ? '' : ` TEMPLATE ${new URL(copied).pathname.slice(1)}`;
	// Copying files takes half as long as writing the copy to the log, as is the default.
	await query(serverUrl, `CREATE DATABASE ${name} STRATEGY FILE_COPY${template}`);
	return name;
}

export async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
	const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
	// A connection that breaks fails its query, which is enough.
	client.on('error', () => {});
	try {
		await client.connect();
		return (await client.query(statement)).rows;
	} finally {
		await client.end();
	}
}
