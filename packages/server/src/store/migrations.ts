import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A migration that is in a store. */
export interface AppliedMigration {
	readonly name: string;
	/** Whether versions that do not know it may not use the store any more. */
	readonly breaking: boolean;
}

interface Migration extends AppliedMigration {
	readonly script: string;
}

/** What a migration needs of an engine: all of it runs in one transaction that the engine opened. */
export interface MigrationTarget {
	/** In order; empty on an empty store. */
	appliedMigrations(): Promise<readonly AppliedMigration[]>;
	recordMigration(migration: AppliedMigration): Promise<void>;
	runScript(sql: string): Promise<void>;
}

/** A newer version of the software has migrated the store, so that this one cannot use it. */
class NewerSchemaError extends Error {
	override readonly name = 'NewerSchemaError';
}

/**
 * The migrations of an engine, in order: all `NNNN_name.sql` files of its folder. Their first line says whether they are
 * breaking: `-- breaking: yes` or `-- breaking: no`.
 */
function readMigrations(folder: string): readonly Migration[] {
	return readdirSync(folder)
		.filter((file) => /^\d{4}_[a-z0-9_]+\.sql$/.test(file))
		.sort()
		.map((name) => {
			const script = readFileSync(join(folder, name), 'utf8');
			const [, breaking] = /^-- breaking: (yes|no)\r?\n/.exec(script) ?? [];
			if (breaking === undefined) throw new Error(`the migration ${name} does not say whether it is breaking`);
			return { name, breaking: breaking === 'yes', script };
		});
}

/** The migrations that the store lacks. Throws if a newer version has made a breaking one. */
export function missingMigrations(folder: string, applied: readonly AppliedMigration[]): readonly Migration[] {
	const known = readMigrations(folder);
	const newer = newerThan(known, applied);
	if (newer.some(({ breaking }) => breaking)) throw newerSchema(newer);
	return known.filter(({ name }) => applied.every((one) => one.name !== name));
}

/** Brings a store up to date. Returns the names of the migrations that it applied. */
export async function migrate(folder: string, target: MigrationTarget): Promise<readonly string[]> {
	const missing = missingMigrations(folder, await target.appliedMigrations());
	for (const { name, breaking, script } of missing) {
		await target.runScript(script);
		await target.recordMigration({ name, breaking });
	}
	return missing.map(({ name }) => name);
}

/** For what has to know everything in the store. Throws if a newer version has migrated it at all. */
export function assertNotNewer(folder: string, applied: readonly AppliedMigration[]): void {
	const newer = newerThan(readMigrations(folder), applied);
	if (newer.length > 0) throw newerSchema(newer);
}

/** Tells a process that runs what newer versions do to its store. */
export interface SchemaWatch {
	/** Is told now and then what is in the store. */
	look(applied: readonly AppliedMigration[]): void;
	/** Resolves, with a sentence, when a newer version has migrated the store. */
	readonly outgrown: Promise<string>;
	/** Resolves, with the cause, when such a migration is breaking: this process must stop. */
	readonly broken: Promise<unknown>;
}

export function watchSchema(folder: string): SchemaWatch {
	const known = readMigrations(folder);
	const outgrown = Promise.withResolvers<string>();
	const broken = Promise.withResolvers<unknown>();
	return {
		look(applied) {
			const newer = newerThan(known, applied);
			if (newer.some(({ breaking }) => breaking)) broken.resolve(newerSchema(newer));
			else if (newer.length > 0) outgrown.resolve(migratedBy(newer));
		},
		outgrown: outgrown.promise,
		broken: broken.promise,
	};
}

function newerThan(known: readonly AppliedMigration[], applied: readonly AppliedMigration[]) {
	return applied.filter(({ name }) => known.every((one) => one.name !== name));
}

function newerSchema(newer: readonly AppliedMigration[]): NewerSchemaError {
	return new NewerSchemaError(`${migratedBy(newer)}: start that version, or restore a backup`);
}

function migratedBy(newer: readonly AppliedMigration[]): string {
	return `the store was migrated by a newer version of Bursar (${newer.map(({ name }) => name).join(', ')})`;
}
