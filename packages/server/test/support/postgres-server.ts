import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chown, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from './free-port.ts';
import { embeddedPostgres, type PostgresInstallation } from './postgres-installation.ts';

export interface PostgresOptions {
	/** The embedded one, unless another is given. */
	readonly installation?: PostgresInstallation;
	/** As in postgresql.conf. */
	readonly settings?: Readonly<Record<string, string>>;
}

/** A real server on 127.0.0.1, with `fsync` on. */
export interface PostgresServer {
	readonly port: number;
	/** Holds `data`, and `log`, which is the server's own. */
	readonly folder: string;
	/** What it was started with, and what was set since. */
	readonly settings: Readonly<Record<string, string>>;
	/** Of the superuser: `postgres://postgres:<password>@127.0.0.1:<port>/<database>`. */
	url(database?: string): string;
	/** Makes a new empty database, and gives its URL. */
	createDatabase(): Promise<string>;
	/**
	 * `fast` ends connections in order; `immediate` is as if the machine lost power: the next start recovers.
	 * Resolves when the process has ended, at once where none runs.
	 */
	stop(mode: 'fast' | 'immediate'): Promise<void>;
	/** SIGKILL to the postmaster and all its children. Resolves when they have ended. */
	kill(): Promise<void>;
	/** SIGSTOP to all of them: it keeps its connections, takes new ones, and answers nothing. */
	freeze(): Promise<void>;
	/** Starts again, on the same port and folder; resolves when it takes connections. */
	start(): Promise<void>;
	/**
	 * Changes settings: for the next start, or of the running server. Resolves when new connections have them;
	 * those that are open, and the server's own processes, take them up within moments.
	 */
	set(settings: Readonly<Record<string, string>>): Promise<void>;
	/** Ends the server, and removes everything. May be called twice. */
	remove(): Promise<void>;
}

export interface PostgresStandby extends PostgresServer {
	/** Resolves when it takes writes. */
	promote(): Promise<void>;
}

/** Where tests get databases of their own. */
export interface TestDatabases {
	/** Makes a new empty database, and gives its URL. */
	createDatabase(): Promise<string>;
	/** Removes those databases, and the server too where it was started for them. */
	remove(): Promise<void>;
}

const LIMIT_MS = 60_000;
const POLL_MS = 20;
const STANDBY_NAME = 'standby1';

/** Sets a server up in a folder of its own, and starts it on a free port. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
	const { installation = await embeddedPostgres(), settings = {} } = options;
	const folder = await serverFolder();
	const password = randomBytes(16).toString('hex');
	return openServer({ installation, folder, password, settings }, async () => {
		const passwordFile = join(folder, 'password');
		await writeOwned(passwordFile, password);
		await run(installation, folder, 'initdb', [
			`--pgdata=${join(folder, 'data')}`,
			'--username=postgres',
			`--pwfile=${passwordFile}`,
			'--auth=scram-sha-256',
			'--encoding=UTF8',
			'--no-locale',
			'--no-sync',
		]);
		await rm(passwordFile);
	});
}

/**
 * A streaming standby, named `standby1`, of a server of the same installation, which has to be Debian's.
 * Resolves when it streams; on that port where one is given. It has the primary's settings, but waits for no standby itself once promoted.
 */
export async function startStandby(
	primary: PostgresServer,
	installation: PostgresInstallation,
	port?: number,
): Promise<PostgresStandby> {
	const folder = await serverFolder();
	const settings = {
		...primary.settings,
		synchronous_standby_names: '',
		primary_conninfo: `${primary.url()}?application_name=${STANDBY_NAME}`,
	};
	const { password } = new URL(primary.url());
	const standby = await openServer({ installation, folder, password, settings, port }, async () => {
		const data = join(folder, 'data');
		await run(installation, folder, 'pg_basebackup', [
			`--dbname=${primary.url()}`,
			`--pgdata=${data}`,
			'--wal-method=stream',
			'--checkpoint=fast',
			'--no-sync',
		]);
		await writeOwned(join(data, 'standby.signal'), '');
	});
	try {
		await until(async () => {
			const streaming = `application_name = '${STANDBY_NAME}' AND state = 'streaming'`;
			const [row] = await query(primary.url(), `SELECT FROM pg_stat_replication WHERE ${streaming}`);
			if (!row) throw new Error('the standby does not stream');
		});
	} catch (error) {
		await standby.remove();
		throw error;
	}
	return Object.assign(standby, {
		async promote() {
			const [row] = await query(standby.url(), 'SELECT pg_promote() AS promoted');
			if (!row?.promoted) throw new Error('the standby was not promoted in time');
		},
	});
}

/** The server that the tests of a file share: that of `BURSAR_TEST_DATABASE_URL`, or else one started for them. */
export async function testDatabases(): Promise<TestDatabases> {
	const given = process.env.BURSAR_TEST_DATABASE_URL;
	if (given === undefined) return startPostgres();
	const names: string[] = [];
	return {
		async createDatabase() {
			const name = await createDatabase(given);
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

interface ServerParts {
	readonly installation: PostgresInstallation;
	readonly folder: string;
	readonly password: string;
	readonly settings: Readonly<Record<string, string>>;
	/** A free one, unless it is given. */
	readonly port?: number | undefined;
}

/** Starts the server whose data `fill` puts into the folder. Nothing is left where that fails. */
async function openServer(parts: ServerParts, fill: () => Promise<void>): Promise<PostgresServer> {
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
		createDatabase: async () => url(await createDatabase(url())),
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
				await until(
					() => query(url(), 'SELECT 1'),
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
			await until(async () => {
				if ((await loadTime()) === before) throw new Error('the settings were not taken up');
			});
		},
		async remove() {
			await server.kill();
			// Again and again, should a process whose postmaster a test has killed still be writing.
			await rm(folder, { recursive: true, force: true, maxRetries: 10 });
		},
	};
	try {
		await fill();
		await server.start();
	} catch (error) {
		await server.remove();
		throw error;
	}
	return server;
}

async function spawnPostmaster({ binFolder }: PostgresInstallation, folder: string): Promise<ChildProcess> {
	const log = await open(join(folder, 'log'), 'a');
	const postmaster = spawn(join(binFolder, 'postgres'), ['-D', join(folder, 'data')], {
		...processOptions(folder),
		stdio: ['ignore', log.fd, log.fd],
	});
	// A server that nobody removed must not keep the tests from ending.
	postmaster.unref();
	try {
		await once(postmaster, 'spawn');
		guard(postmaster, folder);
	} finally {
		await log.close();
	}
	return postmaster;
}

/**
 * Has a shell end the server with this process, however that ends: its standard input ends then. The shell is in a
 * process group of its own, so that Ctrl-C does not reach it first.
 */
function guard(postmaster: ChildProcess, folder: string): void {
	const shell = spawn('/bin/sh', ['-c', `read -r _; kill -QUIT ${postmaster.pid}`], {
		...processOptions(folder),
		stdio: ['pipe', 'ignore', 'ignore'],
		detached: true,
	});
	shell.unref();
	(shell.stdin as Socket).unref();
	postmaster.on('exit', () => shell.kill('SIGKILL'));
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
	return exitCode !== null || signalCode !== null;
}

async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
	if (hasEnded(child)) return;
	// Waited for, it must keep the tests from ending.
	child.ref();
	const ended = once(child, 'exit');
	child.kill(signal);
	await ended;
}

/** The children are in process groups of their own, so each is killed by its id. */
async function killFamily(postmaster: ChildProcess): Promise<void> {
	const children = await freezeFamily(postmaster);
	for (const id of children) process.kill(id, 'SIGKILL');
	await endProcess(postmaster, 'SIGKILL');
	await until(async () => {
		const left = (await processes()).filter(({ id, state }) => children.includes(id) && !state.startsWith('Z'));
		if (left.length > 0) throw new Error('processes of the server are left');
	});
}

/** Gives the ids of the children. Stopped, it makes no further ones, and these keep their ids until it is killed. */
async function freezeFamily(postmaster: ChildProcess): Promise<readonly number[]> {
	postmaster.kill('SIGSTOP');
	const children = (await processes()).filter(({ parentId }) => parentId === postmaster.pid).map(({ id }) => id);
	for (const id of children) process.kill(id, 'SIGSTOP');
	return children;
}

async function processes(): Promise<{ id: number; parentId: number; state: string }[]> {
	const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,stat=']);
	return stdout
		.trim()
		.split('\n')
		.map((line) => {
			const [id, parentId, state = ''] = line.trim().split(/\s+/);
			return { id: Number(id), parentId: Number(parentId), state };
		});
}

/** Instead of what initdb wrote, so that nothing else holds. */
async function writeSettings(folder: string, port: number, settings: Readonly<Record<string, string>>): Promise<void> {
	const all = {
		listen_addresses: '127.0.0.1',
		port: String(port),
		unix_socket_directories: '',
		max_connections: '100',
		shared_buffers: '64MB',
		...settings,
	};
	const lines = Object.entries(all).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`);
	await writeOwned(join(folder, 'data', 'postgresql.conf'), lines.join(''));
}

async function createDatabase(serverUrl: string): Promise<string> {
	const name = `bursar_test_${randomBytes(8).toString('hex')}`;
	await query(serverUrl, `CREATE DATABASE ${name}`);
	return name;
}

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
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

/** Waits until the check passes. Gives up, with what it said last, once it cannot pass any more. */
async function until(check: () => Promise<unknown>, isHopeless = () => false): Promise<void> {
	const giveUpAt = performance.now() + LIMIT_MS;
	for (;;) {
		try {
			await check();
			return;
		} catch (error) {
			if (isHopeless() || performance.now() > giveUpAt) throw error;
			await setTimeout(POLL_MS);
		}
	}
}

async function serverFolder(): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'bursar-postgres-server-'));
	await own(folder);
	return folder;
}

async function writeOwned(path: string, text: string): Promise<void> {
	await writeFile(path, text, { mode: 0o600 });
	await own(path);
}

async function own(path: string): Promise<void> {
	const { uid, gid } = serverUser();
	if (uid !== undefined && gid !== undefined) await chown(path, uid, gid);
}

/** Runs one of the installation's programs to its end; the error has what it wrote. */
async function run({ binFolder }: PostgresInstallation, folder: string, program: string, args: string[]) {
	await promisify(execFile)(join(binFolder, program), args, processOptions(folder));
}

/** None of the caller's environment, which may name another server. */
function processOptions(folder: string) {
	return { cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }, ...serverUser() };
}

/** PostgreSQL refuses to run as root: there, `nobody` runs it. */
function serverUser(): { readonly uid?: number; readonly gid?: number } {
	if (process.getuid?.() !== 0) return {};
	const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? [];
	if (uid === undefined) throw new Error('root needs a user `nobody` to run PostgreSQL as');
	return { uid: Number(uid), gid: Number(gid) };
}
