import type { DatabaseUrl } from '../database-url.ts';
import { type ChangedMasterKey, changeMasterKey, type SealedKey, type SealedKeys } from '../master-key-change.ts';
import { beginWriting } from './beginning.ts';
import { openConnections } from './connections.ts';
import { faultKind } from './faults.ts';
import { assertFitDatabase } from './fit-database.ts';
import { createHosts } from './hosts.ts';
import { assertNotNewerPostgres } from './migrate.ts';
import { writeRows } from './rows.ts';
import { awaitNoOtherSessions } from './sessions.ts';

const OPEN_LIMIT_MS = 10_000;
const LOCK_LIMIT_MS = 10_000;

/** Seals all proxy auth keys of a database under another master key. */
export async function changePostgresMasterKey(
	url: DatabaseUrl,
	change: { readonly from: Uint8Array; readonly to: Uint8Array },
	onProgress: (keys: number) => void,
): Promise<ChangedMasterKey> {
	const keys = await openSealedKeys(url);
	try {
		return { keys: await changeMasterKey(keys, change, onProgress), keptIn: undefined };
	} finally {
		await keys.close();
	}
}

/** Keeps everybody else out. Throws where a service uses the database. */
async function openSealedKeys(url: DatabaseUrl): Promise<SealedKeys> {
	const connections = openConnections(createHosts(url), { max: 1 });
	const lease = await connections.acquire(performance.now() + OPEN_LIMIT_MS).catch(async (cause) => {
		await connections.close();
		throw cause;
	});
	lease.unlimit();
	const close = async () => {
		// Whatever is still open in it is rolled back.
		lease.destroy();
		await connections.close();
	};
	try {
		await lease.query(beginWriting({ lockMs: LOCK_LIMIT_MS }));
		await assertFitDatabase(lease.query);
		await lease.query('LOCK TABLE meta, accounts IN ACCESS EXCLUSIVE MODE').catch((cause) => {
			throw faultKind(cause) === 'busy' ? new Error(`somebody is busy with the tables of ${url.masked}`) : cause;
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
			async readPage(reseller, username, limit) {
				const sql = `SELECT reseller, username, sealed_auth_key AS "sealedAuthKey" FROM accounts
					WHERE (reseller, username) > ($1, $2) ORDER BY reseller, username LIMIT $3`;
				return (await lease.query<SealedKey>(sql, [reseller, username, limit])).rows;
			},
			writePage: (keys) =>
				writeRows(
					lease.query,
					keys,
					{
						reseller: ['text', (key) => key.reseller],
						username: ['text', (key) => key.username],
						sealed_auth_key: ['text', (key) => key.sealedAuthKey],
					},
					({ from }) =>
						`UPDATE accounts SET sealed_auth_key = given.sealed_auth_key FROM ${from}
						 WHERE accounts.reseller = given.reseller AND accounts.username = given.username`,
				),
			async writeCheck(sealed) {
				await lease.query("UPDATE meta SET value = $1 WHERE name = 'master_key_check'", [sealed]);
			},
			async commit() {
				let isWarned = false;
				lease.onWarning = () => {
					isWarned = true;
				};
				const { tag } = await lease.query('COMMIT');
				if (tag !== 'COMMIT') throw new Error(`COMMIT was answered with ${tag}`);
				if (isWarned) throw new Error('the standby may not have the change: see that it follows, and run this again');
			},
			close,
		};
	} catch (cause) {
		await close();
		throw cause;
	}
}
