import type { DatabaseUrl } from '../../database-url.ts';
import {
	type ChangedMasterKey,
	changeMasterKey,
	type MasterKeyWork,
	type ReplacedMasterKey,
	replaceMasterKey,
	SEALED_COLUMNS,
	type SealedRow,
	type SealedTexts,
} from '../../secrets/master-key-change.ts';
import { ADD_ACT, actValues } from '../../tables/changes/acts.ts';
import { writeRows } from '../rows.ts';
import { beginWriting } from './beginning.ts';
import { openConnections } from './connections.ts';
import { faultKind } from './faults.ts';
import { createHosts } from './hosts.ts';
import { assertNotNewerPostgres, migratePostgres } from './migrate.ts';
import { awaitNoOtherSessions } from './sessions.ts';

const OPEN_LIMIT_MS = 10_000;
const LOCK_LIMIT_MS = 10_000;

const NOW = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS "nowMs"';

const TABLES = SEALED_COLUMNS.map(({ table }) => table).join(', ');

/** Seals all secrets of a database under another master key. */
export async function changePostgresMasterKey(
	url: DatabaseUrl,
	change: { readonly from: Uint8Array; readonly to: Uint8Array },
	work: MasterKeyWork,
): Promise<ChangedMasterKey> {
	const texts = await openSealedTexts(url);
	try {
		return { secrets: await changeMasterKey(texts, change, work), keptIn: undefined };
	} finally {
		await texts.close();
	}
}

/** Gives a database this master key in place of the lost one. If the process stops, run it again. */
export async function replacePostgresMasterKey(
	url: DatabaseUrl,
	to: Uint8Array,
	work: MasterKeyWork,
): Promise<ReplacedMasterKey> {
	const texts = await openSealedTexts(url);
	try {
		return { ...(await replaceMasterKey(texts, to, work)), keptIn: undefined };
	} finally {
		await texts.close();
	}
}

/** Locks all other sessions out. Throws if a service uses the database. */
async function openSealedTexts(url: DatabaseUrl): Promise<SealedTexts> {
	const connections = openConnections(createHosts(url), { max: 1 });
	const lease = await migratePostgres(connections, { limitMs: OPEN_LIMIT_MS, mayMigrate: false })
		.then(() => connections.acquire(performance.now() + OPEN_LIMIT_MS))
		.catch(async (cause) => {
			await connections.close();
			throw cause;
		});
	lease.unlimit();
	const close = async () => {
		// Closing rolls back an open transaction.
		lease.destroy();
		await connections.close();
	};
	try {
		await lease.query(beginWriting({ lockMs: LOCK_LIMIT_MS }));
		await lease.query(`LOCK TABLE meta, ${TABLES} IN ACCESS EXCLUSIVE MODE`).catch((cause) => {
			throw faultKind(cause) === 'busy' ? new Error(`another session uses the tables of ${url.masked}`) : cause;
		});
		if (!(await awaitNoOtherSessions(lease))) {
			throw new Error(`a service, or a pooler's connection of one, still uses ${url.masked}: stop it first`);
		}
		await assertNotNewerPostgres(lease.query);
		return {
			async readCheck() {
				const { rows } = await lease.query<{ value: string }>("SELECT value FROM meta WHERE name = 'master_key_check'");
				return rows[0]?.value;
			},
			async readPage({ table, column, key }, after, limit) {
				const names = key.join(', ');
				const given = key.map((_, place) => `$${place + 1}`).join(', ');
				const sql = `SELECT ${names}, ${column} FROM ${table}
					WHERE (${names}) > (${given}) ORDER BY ${names} LIMIT $${key.length + 1}`;
				return (await lease.query<object>(sql, [...after, limit])).rows.map((row) => Object.values(row));
			},
			writePage: ({ table, column, key }, rows) =>
				writeRows(
					lease.query,
					rows,
					Object.fromEntries(
						[...key, column].map((name, place) => [name, ['text', (row: SealedRow) => row[place]] as const]),
					),
					({ from }) =>
						`UPDATE ${table} SET ${column} = given.${column} FROM ${from}
						 WHERE ${key.map((name) => `${table}.${name} = given.${name}`).join(' AND ')}`,
				),
			async writeCheck(sealed) {
				await lease.query("UPDATE meta SET value = $1 WHERE name = 'master_key_check'", [sealed]);
			},
			async recordAct(act) {
				const { rows } = await lease.query<{ nowMs: number }>(NOW);
				await lease.query(ADD_ACT, actValues({ ...act, reseller: null, atMs: rows[0]?.nowMs as number }));
			},
			run: async (sql) => (await lease.query<object>(sql)).rows.flatMap((row) => Object.values(row)),
			async commit() {
				let isWarned = false;
				lease.onWarning = () => {
					isWarned = true;
				};
				const { tag } = await lease.query('COMMIT');
				if (tag !== 'COMMIT') throw new Error(`COMMIT was answered with ${tag}`);
				if (isWarned)
					throw new Error('the standby may not have the change: make sure that it follows, and run this again');
			},
			close,
		};
	} catch (cause) {
		await close();
		throw cause;
	}
}
