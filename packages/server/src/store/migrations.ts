import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a migration needs of an engine: all of it runs in one transaction that the engine opened. */
export interface MigrationTarget {
	/** The names that have been applied, in order; empty on an empty store. */
	appliedMigrations(): Promise<readonly string[]>;
	recordMigration(name: string): Promise<void>;
	runScript(sql: string): Promise<void>;
}

/** A store that a newer version of the software has already migrated. */
class NewerSchemaError extends Error {
	override readonly name = 'NewerSchemaError';
}

/** The migrations of an engine, in order: all `NNNN_name.sql` files of its folder. */
export function listMigrations(folder: string): readonly string[] {
	return readdirSync(folder)
		.filter((file) => /^\d{4}_[a-z0-9_]+\.sql$/.test(file))
		.sort();
}

/** Throws `NewerSchemaError` where the store knows migrations that this version does not. */
function assertKnownMigrations(known: readonly string[], applied: readonly string[]): void {
	const unknown = applied.filter((name) => !known.includes(name));
	if (unknown.length === 0) return;
	throw new NewerSchemaError(
		`the store was migrated by a newer version of Bursar (${unknown.join(', ')}): start that version, or restore a backup`,
	);
}

/** Brings a store up to date. Returns the names of the migrations that it applied. */
export async function migrate(folder: string, target: MigrationTarget): Promise<readonly string[]> {
	const known = listMigrations(folder);
	const applied = await target.appliedMigrations();
	assertKnownMigrations(known, applied);
	const missing = known.filter((name) => !applied.includes(name));
	for (const name of missing) {
		await target.runScript(readFileSync(join(folder, name), 'utf8'));
		await target.recordMigration(name);
	}
	return missing;
}
