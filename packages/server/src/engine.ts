import type { Config } from './config.ts';
import { type CopiedCounts, copyBooks } from './store/copy.ts';
import type { DatabaseUrl } from './store/database-url.ts';
import type { ChangedMasterKey } from './store/master-key-change.ts';
import { openPostgresTarget } from './store/postgres/copy-target.ts';
import { openPostgresStore } from './store/postgres/postgres-store.ts';
import { changePostgresMasterKey } from './store/postgres/sealed-keys.ts';
import { openSqliteSource, reopenSqliteStore } from './store/sqlite/copy-source.ts';
import { changeSqliteMasterKey } from './store/sqlite/sealed-keys.ts';
import { openSqliteStore } from './store/sqlite/sqlite-store.ts';
import type { Store } from './store/store.ts';

/** Opens the store on the engine that the configuration asks for. */
export function openStore(config: Config): Promise<Store> {
	const { databaseUrl, masterKey, dataDir } = config;
	if (!databaseUrl) return openSqliteStore(dataDir, masterKey);
	if (!masterKey) throw new Error('a PostgreSQL store needs a master key');
	return openPostgresStore(databaseUrl, masterKey);
}

/** What is copied to where, and who hears how far it is. */
export interface StoreMove {
	/** The folder of an embedded store. */
	readonly from: string;
	readonly to: DatabaseUrl;
	/** That of the store; where it is absent, it is the one that the store keeps. */
	readonly masterKey: Uint8Array | undefined;
	readonly onProgress: (message: string) => void;
}

/** Copies an embedded store into an empty database, and marks it as moved. Throws `CopyError`. */
export async function moveStore({ from, to, masterKey, onProgress }: StoreMove): Promise<CopiedCounts> {
	const source = await openSqliteSource(from, masterKey);
	try {
		const target = await openPostgresTarget(to);
		try {
			return await copyBooks(source, target, onProgress);
		} finally {
			await target.close();
		}
	} finally {
		source.close();
	}
}

/** Takes back that a store was moved, and tells when and where to. Throws `CopyError`. */
export const reopenStore = reopenSqliteStore;

/** Seals all proxy auth keys of the store that the configuration names under another master key. */
export function changeStoreMasterKey(
	{ databaseUrl, masterKey, dataDir }: Config,
	to: Uint8Array,
	onProgress: (keys: number) => void,
): Promise<ChangedMasterKey> {
	if (!databaseUrl) return changeSqliteMasterKey(dataDir, { given: masterKey, to }, onProgress);
	if (!masterKey) throw new Error('a PostgreSQL store needs a master key');
	return changePostgresMasterKey(databaseUrl, { from: masterKey, to }, onProgress);
}
