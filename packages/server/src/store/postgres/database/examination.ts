import { page } from '@bursar/terminal';
import { migrationsFolder } from '../../../installation.ts';
import type { DatabaseUrl } from '../../database-url.ts';
import {
	examineEntries,
	examineMasterKey,
	type Finding,
	type StoreExamination,
	schemaFinding,
} from '../../examination.ts';
import { readMasterKeyCheck } from '../../secrets/master-key.ts';
import type { SharedStatement } from '../../statement.ts';
import { MOST_CONNECTIONS } from '../postgres-store.ts';
import { beginSnapshot, SCHEMA } from './beginning.ts';
import { type Lease, openConnections } from './connections.ts';
import { createHosts } from './hosts.ts';
import { appliedMigrations } from './migrate.ts';
import { examineRole } from './role-examination.ts';

/** How long all of it may take, in milliseconds. */
const LIMIT_MS = 6_000;
/** Connections for `psql` and backups, as docs/operating/postgresql.md counts them. */
const OTHER_CONNECTIONS = 15;

const SERVER_PAGE = page('docs/operating/postgresql.md', 'The database server');
const SET_UP_PAGE = page('docs/operating/postgresql.md', 'Set it up');
const URL_PAGE = page('docs/operating/postgresql.md', 'The URL');
/** Without a host, the URL names a socket. */
const LOCAL_HOST = /^(localhost|127\..*|\[::1\]|)$/;

/** Looks at a store in PostgreSQL, in one transaction that can only read. */
export async function examinePostgresStore(
	url: DatabaseUrl,
	masterKey: Uint8Array | undefined,
	defaultMode: string | undefined,
): Promise<StoreExamination> {
	const connections = openConnections(createHosts(url), { max: 1 });
	let lease: Lease | undefined;
	try {
		lease = await connections.acquire(performance.now() + LIMIT_MS);
		await lease.query(beginSnapshot());
		const examination = await examine(lease, masterKey, tlsFinding(url, defaultMode));
		await lease.query('ROLLBACK');
		return examination;
	} catch (cause) {
		const { message } = cause as Error;
		const isWithoutPassword = /SASL: .*client password must be/.test(message);
		const why = isWithoutPassword ? 'it asks for a password: set PGPASSWORD' : message;
		return {
			store: [
				{
					state: 'problem',
					text: `The database ${url.masked} cannot be used: ${why}.`,
					remedy: `Start or promote the primary, or correct BURSAR_DATABASE_URL: ${URL_PAGE}`,
				},
			],
			masterKey: [{ state: 'skipped', text: 'The database cannot be used, so the master key was not tried.' }],
		};
	} finally {
		lease?.destroy();
		await connections.close();
	}
}

async function examine(lease: Lease, masterKey: Uint8Array | undefined, tls: Finding): Promise<StoreExamination> {
	const askedAtMs = Date.now();
	const { rows } = await lease.query<ServerRow>(SERVER);
	const answeredAtMs = Date.now();
	const server = rows[0] as ServerRow;
	const role = await examineRole(lease.query);
	const found = [...serverFindings(server), ...role.findings, connectionsFinding(server), tls];
	const clock = { clockAheadMs: server.nowMs - (askedAtMs + answeredAtMs) / 2 };
	if (!server.isBegun) {
		found.push({ state: 'warning', text: 'The database has no tables of Bursar yet. The first start makes them.' });
		const text = 'The store was not begun yet, so no master key belongs to it.';
		return { store: found, masterKey: [{ state: 'skipped', text }], ...clock };
	}
	if (!role.mayRead) {
		const text = 'The tables cannot be read, so the master key was not tried.';
		return { store: found, masterKey: [{ state: 'skipped', text }], ...clock };
	}
	const schema = schemaFinding(migrationsFolder('postgres'), await appliedMigrations(lease.query));
	found.push(schema);
	const read = async ({ sql, values }: SharedStatement) => (await lease.query(sql, values)).rows;
	return {
		store: found,
		...(masterKey
			? examineMasterKey(masterKey, await readMasterKeyCheck(read))
			: { masterKey: [{ state: 'problem', text: 'No usable master key is set.', remedy: KEY_REMEDY }] }),
		...clock,
		...(schema.state === 'ok' && (await examineEntries({ read }))),
	};
}

const KEY_REMEDY = `Set BURSAR_MASTER_KEY_FILE: ${page('docs/operating/master-key.md', 'Where it is')}`;

interface ServerRow {
	readonly version: string;
	readonly encoding: string;
	readonly fsync: string;
	readonly fullPageWrites: string;
	readonly transactionTimeout: string;
	readonly standbyNames: string;
	readonly standbys: number;
	readonly mostConnections: number;
	readonly nowMs: number;
	readonly isBegun: boolean;
}

const SERVER = `SELECT current_setting('server_version') AS version, getdatabaseencoding()::text AS encoding,
	current_setting('fsync') AS fsync, current_setting('full_page_writes') AS "fullPageWrites",
	COALESCE(current_setting('transaction_timeout', true), '0') AS "transactionTimeout",
	current_setting('synchronous_standby_names') AS "standbyNames",
	(SELECT count(*)::int FROM pg_stat_replication) AS standbys,
	current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS "mostConnections",
	(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS "nowMs",
	EXISTS (SELECT FROM pg_tables WHERE schemaname = '${SCHEMA}' AND tablename = 'migrations') AS "isBegun"`;

function serverFindings(server: ServerRow): Finding[] {
	const { version, encoding, fsync, fullPageWrites, transactionTimeout, standbyNames, standbys } = server;
	const found: Finding[] = [{ state: 'ok', text: `The database answers, and is the primary: PostgreSQL ${version}.` }];
	if (encoding !== 'UTF8') {
		const text = `The encoding of the database is ${encoding}, which cannot hold every text.`;
		found.push({ state: 'problem', text, remedy: `Create a database with ENCODING 'UTF8': ${SET_UP_PAGE}` });
	}
	for (const [name, value] of Object.entries({ fsync, full_page_writes: fullPageWrites })) {
		if (value === 'on') continue;
		const text = `${name} is ${value}: if the database server loses power, money is lost or the database is damaged.`;
		found.push({ state: 'problem', text, remedy: `Turn it on: ${SERVER_PAGE}` });
	}
	if (transactionTimeout !== '0') {
		const text = `transaction_timeout is ${transactionTimeout}, and would cut a COMMIT short.`;
		found.push({ state: 'problem', text, remedy: `Set it to 0: ${SERVER_PAGE}` });
	}
	if (standbyNames === '') {
		const text =
			'No synchronous standby is set: if the database server is lost, so is what came after the last backup.';
		found.push({ state: 'ok', text });
	} else if (standbys === 0) {
		const text =
			'A synchronous standby is set (synchronous_standby_names), and none is connected: commits wait for it.';
		found.push({
			state: 'problem',
			text,
			remedy: `Bring the standby back: ${page('docs/operating/failover.md', 'A standby')}`,
		});
	} else found.push({ state: 'ok', text: `A synchronous standby is set, and ${standbys} are connected.` });
	return found;
}

function connectionsFinding({ mostConnections }: ServerRow): Finding {
	const wanted = 2 * MOST_CONNECTIONS + OTHER_CONNECTIONS;
	const text = `The database takes ${mostConnections} connections; a process opens up to ${MOST_CONNECTIONS}.`;
	if (mostConnections >= wanted) return { state: 'ok', text };
	const state = mostConnections < MOST_CONNECTIONS ? 'problem' : 'warning';
	const remedy = `Set max_connections to ${wanted + 3} or more, for one process and one command: ${SERVER_PAGE}`;
	return { state, text, remedy };
}

/** `defaultMode`: the mode for a URL that names none, as `PGSSLMODE` says it. */
export function tlsFinding({ hostUrls }: DatabaseUrl, defaultMode: string | undefined): Finding {
	const plain = hostUrls
		.map((url) => new URL(url))
		.filter(({ hostname, searchParams }) => {
			const mode = searchParams.get('sslmode') ?? defaultMode ?? 'disable';
			return mode === 'disable' && !LOCAL_HOST.test(hostname) && !searchParams.has('ssl');
		});
	if (plain.length === 0) {
		return { state: 'ok', text: 'The connection to the database is encrypted, or stays on this machine.' };
	}
	const text = `The connection to the database on ${plain.map(({ host }) => host).join(', ')} is not encrypted.`;
	return { state: 'warning', text, remedy: `Add sslmode=verify-full to BURSAR_DATABASE_URL: ${URL_PAGE}` };
}
