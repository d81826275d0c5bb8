import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { freePort } from '@bursar/testing/free-port';
import { inDatabase } from '@bursar/testing/postgres-books';
import { endProcess } from '@bursar/testing/processes';

/** Debian's PgBouncer with the operating guide's example configuration. Ends with the test. */
export interface Pgbouncer {
	/** Of the database, through PgBouncer. */
	readonly url: string;
	/** SIGTERM drops all connections. SIGINT lets transactions end. */
	stop(signal: NodeJS.Signals): Promise<void>;
	/** Starts it again, on the same port. */
	start(): Promise<void>;
	/** Runs a command in the admin console. */
	command(text: string): Promise<readonly Record<string, unknown>[]>;
}

const PROGRAM = '/usr/sbin/pgbouncer';
const EXAMPLE = join(import.meta.dirname, '../../../../docs/examples/pgbouncer.ini');

/** Starts PgBouncer in front of a database, with at most `poolSize` connections to it. */
export async function startPgbouncer(test: TestContext, databaseUrl: string, poolSize: number): Promise<Pgbouncer> {
	const { hostname, port: databasePort, username, password, pathname } = new URL(databaseUrl);
	const port = await freePort();
	const folder = mkdtempSync(join(tmpdir(), 'bursar-pgbouncer-'));
	const users = join(folder, 'userlist.txt');
	const configuration = join(folder, 'pgbouncer.ini');
	writeFileSync(users, `"${username}" "${password}"\n`, { mode: 0o600 });
	writeFileSync(
		configuration,
		changed(readFileSync(EXAMPLE, 'utf8'), {
			'bursar = ': `host=${hostname} port=${databasePort} dbname=${pathname.slice(1)}`,
			'listen_port = ': String(port),
			'auth_file = ': users,
			'default_pool_size = ': `${poolSize}\nadmin_users = ${username}\nunix_socket_dir =`,
		}),
	);
	const user = unprivilegedUser();
	if (user) for (const path of [folder, users, configuration]) chownSync(path, user.uid, user.gid);
	const url = urlTo(databaseUrl, port, 'bursar');

	let child: ChildProcess | undefined;
	async function start(): Promise<void> {
		const started = spawn(PROGRAM, [configuration], { stdio: ['ignore', 'ignore', 'pipe'], ...user });
		let log = '';
		started.stderr.setEncoding('utf8').on('data', (text: string) => {
			log = (log + text).slice(-20_000);
		});
		await once(started, 'spawn');
		child = started;
		await eventually(async () => {
			if (started.exitCode !== null) throw new Error(`PgBouncer ended: ${log}`);
			await inDatabase(url, (database) => database.query('SELECT 1'));
		});
	}
	async function stop(signal: NodeJS.Signals): Promise<void> {
		if (child) await endProcess(child, signal);
	}
	test.after(async () => {
		await stop('SIGKILL');
		rmSync(folder, { recursive: true, force: true });
	});
	await start();
	return {
		url,
		stop,
		start,
		command: (text) =>
			inDatabase(urlTo(databaseUrl, port, 'pgbouncer'), async (console) => (await console.query(text)).rows),
	};
}

/** Replaces the values of settings. Throws if one is missing. */
function changed(text: string, values: Readonly<Record<string, string>>): string {
	let result = text;
	for (const [beginning, value] of Object.entries(values)) {
		const at = result.indexOf(`\n${beginning}`);
		if (at === -1) throw new Error(`the example has no "${beginning}"`);
		const valueAt = at + 1 + beginning.length;
		result = result.slice(0, valueAt) + value + result.slice(result.indexOf('\n', valueAt));
	}
	return result;
}

function urlTo(databaseUrl: string, port: number, database: string): string {
	const url = new URL(databaseUrl);
	url.hostname = '127.0.0.1';
	url.port = String(port);
	url.pathname = database;
	return url.href;
}

/** PgBouncer refuses to run as root, so root runs it as `nobody`. */
function unprivilegedUser(): { readonly uid: number; readonly gid: number } | undefined {
	if (process.getuid?.() !== 0) return undefined;
	const number = (option: string) => Number(execFileSync('id', [option, 'nobody'], { encoding: 'utf8' }));
	return { uid: number('-u'), gid: number('-g') };
}
