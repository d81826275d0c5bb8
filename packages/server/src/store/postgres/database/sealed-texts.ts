import type { DatabaseUrl } from '../../database-url.ts';
import { SEALED_COLUMNS, type SealedTexts } from '../../secrets/master-key-change.ts';
import { statementOf } from '../rows.ts';
import { beginWriting } from './beginning.ts';
import { openConnections } from './connections.ts';
import { faultKind } from './faults.ts';
import { createHosts } from './hosts.ts';
import { assertNotNewerPostgres, migratePostgres } from './migrate.ts';
import { awaitNoOtherSessions } from './sessions.ts';

const OPEN_LIMIT_MS = 10_000;
const LOCK_LIMIT_MS = 10_000;

const NOW = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS "nowMs"';

const TABLES = [...new Set(SEALED_COLUMNS.map(({ table }) => table))].join(', ');

/** Opens a database for this process alone, with the master key that the operator keeps. Throws if a service uses it. */
export async function openPostgresTexts(url: DatabaseUrl, masterKey: Uint8Array): Promise<SealedTexts> {
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
			read: async ({ sql, values }) => (await lease.query<object>(sql, values)).rows,
			async write(write) {
				const { sql, values } = statementOf(write);
				return (await lease.query(sql, values)).count;
			},
			async nowMs() {
				const { rows } = await lease.query<{ nowMs: number }>(NOW);
				return rows[0]?.nowMs as number;
			},
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
			presentKey: () => masterKey,
			keyInPlaceOfLost: () => masterKey,
			keep: () => undefined,
		};
	} catch (cause) {
		await close();
		throw cause;
	}
}
