import type { Config } from './config.ts';
import { openSqliteStore } from './store/sqlite/sqlite-store.ts';
import type { Store } from './store/store.ts';

/** Opens the store on the engine that the configuration asks for. */
export function openStore(config: Config): Promise<Store> {
	return openSqliteStore(config.dataDir, config.masterKey);
}
