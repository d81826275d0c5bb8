import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PostgresInstallation } from '@bursar/testing/postgres-installation';

/** A number of resellers, and the sub-users of each. */
export interface MoneyShape {
	readonly resellers: number;
	readonly subUsers: number;
}

/** The threads of pgbench. Its clients share them. */
const THREADS = 2;

/** The usual way: each movement is a transaction with three statements, each with its own round trip. */
const MOVEMENT = `
\\set reseller random(1, :resellers)
\\set sub_user (:reseller - 1) * :sub_users + random(1, :sub_users)
BEGIN;
UPDATE resellers SET balance = balance - 1 WHERE id = :reseller;
UPDATE sub_users SET balance = balance + 1 WHERE id = :sub_user;
INSERT INTO ledger (debit, credit, amount, at) VALUES (:reseller, :sub_user, 1, now());
COMMIT;
`;

/** Creates and fills the tables for that shape in an empty database. */
export async function fillUsualTables(installation: PostgresInstallation, url: string, shape: MoneyShape) {
	const { resellers, subUsers } = shape;
	await runSql(
		installation,
		url,
		`CREATE TABLE resellers (id int PRIMARY KEY, balance bigint NOT NULL) WITH (fillfactor = 70);
		 CREATE TABLE sub_users (id int PRIMARY KEY, balance bigint NOT NULL) WITH (fillfactor = 70);
		 CREATE TABLE ledger (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, debit int NOT NULL, credit int NOT NULL,
		   amount bigint NOT NULL, at timestamptz NOT NULL);
		 INSERT INTO resellers SELECT id, 1000000000000 FROM generate_series(1, ${resellers}) AS id;
		 INSERT INTO sub_users SELECT id, 0 FROM generate_series(1, ${resellers * subUsers}) AS id;`,
	);
}

/** Vacuums a filled database now, so that autovacuum does not do it during a run. */
export async function settle(installation: PostgresInstallation, url: string): Promise<void> {
	await runSql(installation, url, 'VACUUM ANALYZE');
}

/** Measures the movements of money a second. */
export async function runPgbench(
	installation: PostgresInstallation,
	url: string,
	shape: MoneyShape,
	clients: number,
	seconds: number,
): Promise<number> {
	const folder = await mkdtemp(join(tmpdir(), 'bursar-bench-pgbench-'));
	const script = join(folder, 'movement.sql');
	try {
		await writeFile(script, MOVEMENT);
		const output = await run(installation, 'pgbench', url, [
			...['--no-vacuum', '--protocol=prepared', `--client=${clients}`, `--jobs=${THREADS}`, `--time=${seconds}`],
			...[`--define=resellers=${shape.resellers}`, `--define=sub_users=${shape.subUsers}`, `--file=${script}`],
		]);
		const rate = /tps = ([\d.]+) \(without initial connection time\)/.exec(output)?.[1];
		if (rate === undefined) throw new Error(`pgbench printed no rate:\n${output}`);
		return Number(rate);
	} finally {
		await rm(folder, { recursive: true });
	}
}

async function runSql(installation: PostgresInstallation, url: string, sql: string): Promise<void> {
	await run(installation, 'psql', url, ['--no-psqlrc', '--quiet', '--set=ON_ERROR_STOP=1', '--command', sql]);
}

/** The password is in the environment, because arguments are visible in the list of processes. */
async function run({ binFolder }: PostgresInstallation, program: string, url: string, args: readonly string[]) {
	const { hostname, port, username, password, pathname } = new URL(url);
	const env = {
		PATH: process.env.PATH,
		PGHOST: hostname,
		PGPORT: port,
		PGUSER: username,
		PGPASSWORD: password,
		PGDATABASE: pathname.slice(1),
	};
	const { stdout } = await promisify(execFile)(join(binFolder, program), args, { env });
	return stdout;
}
