import type { Config } from './config.ts';
import type { CopiedCounts } from './store/copying/copy.ts';
import type { DatabaseUrl } from './store/database-url.ts';
import type { StoreExamination } from './store/examination.ts';
import type {
	ChangedMasterKey,
	MasterKeyWork,
	ReplacedMasterKey,
	SealedTexts,
} from './store/secrets/master-key-change.ts';
import type { Store, StoreOpening } from './store/store.ts';

/**
 * Opens the store on the engine that the configuration asks for. Loads only that engine and its driver. Throws
 * `CopyError` if there is no embedded store, unless `mayCreate`, and if an older version has made the store, unless
 * `mayMigrate`.
 */
export async function openStore(config: Config, opening: StoreOpening = {}): Promise<Store> {
	const { databaseUrl, masterKey, dataDir } = config;
	if (!databaseUrl) {
		const { openSqliteStore } = await import('./store/sqlite/sqlite-store.ts');
		return openSqliteStore(dataDir, masterKey, opening);
	}
	if (!masterKey) throw new Error('a PostgreSQL store needs a master key');
	const { openPostgresStore } = await import('./store/postgres/postgres-store.ts');
	return openPostgresStore(databaseUrl, masterKey, opening).catch((cause: Error) => {
		if (cause.name !== 'PostgresError') throw cause;
		const isWithoutPassword = /SASL: .*client password must be/.test(cause.message);
		const why = isWithoutPassword ? 'the database asks for a password: set PGPASSWORD' : cause.message;
		throw new Error(`BURSAR_DATABASE_URL: ${why}`, { cause });
	});
}

/** Looks at the store that the configuration names, and changes nothing. `tlsMode`: as `PGSSLMODE` says it. */
export async function examineStore(
	{ databaseUrl, masterKey, dataDir }: Config,
	tlsMode: string | undefined,
): Promise<StoreExamination> {
	if (!databaseUrl) {
		const { examineSqliteStore } = await import('./store/sqlite/database/examination.ts');
		return examineSqliteStore(dataDir, masterKey);
	}
	const { examinePostgresStore } = await import('./store/postgres/database/examination.ts');
	return examinePostgresStore(databaseUrl, masterKey, tlsMode);
}

/** The arguments of a move. */
export interface StoreMove {
	/** The folder of an embedded store. */
	readonly from: string;
	readonly to: DatabaseUrl;
	/** The master key; by default, the store's own file. */
	readonly masterKey: Uint8Array | undefined;
	readonly onProgress: (message: string) => void;
}

/** Copies an embedded store into an empty database, and marks it as moved. Throws `CopyError`. */
export async function moveStore({ from, to, masterKey, onProgress }: StoreMove): Promise<CopiedCounts> {
	const [{ copyBooks }, { openSqliteSource }, { openPostgresTarget }] = await Promise.all([
		import('./store/copying/copy.ts'),
		import('./store/sqlite/database/copy-source.ts'),
		import('./store/postgres/database/copy-target.ts'),
	]);
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

/** Removes the mark of a store that was moved, and returns it. Throws `CopyError`. */
export async function reopenStore(dataDir: string) {
	const { reopenSqliteStore } = await import('./store/sqlite/database/copy-source.ts');
	return reopenSqliteStore(dataDir);
}

/** Seals all secrets of the store that the configuration names under another master key. */
export async function changeStoreMasterKey(
	config: Config,
	to: Uint8Array,
	work: MasterKeyWork,
): Promise<ChangedMasterKey> {
	const { changeMasterKey } = await import('./store/secrets/master-key-change.ts');
	return changeMasterKey(await openSealedTexts(config), to, work);
}

/** Gives the store that the configuration names the configured master key in place of a lost one. */
export async function replaceStoreMasterKey(config: Config, work: MasterKeyWork): Promise<ReplacedMasterKey> {
	const { replaceMasterKey } = await import('./store/secrets/master-key-change.ts');
	return replaceMasterKey(await openSealedTexts(config), work);
}

async function openSealedTexts({ databaseUrl, masterKey, dataDir }: Config): Promise<SealedTexts> {
	if (!databaseUrl) {
		const { openSqliteTexts } = await import('./store/sqlite/database/sealed-texts.ts');
		return openSqliteTexts(dataDir, masterKey);
	}
	if (!masterKey) throw new Error('a PostgreSQL store needs a master key');
	const { openPostgresTexts } = await import('./store/postgres/database/sealed-texts.ts');
	return openPostgresTexts(databaseUrl, masterKey);
}
