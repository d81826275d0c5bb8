import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CopyError } from './copying/copy-error.ts';

/** A migration that was applied to a store. */
export interface AppliedMigration {
	readonly name: string;
	/** Whether versions that do not know the migration must stop using the store. */
	readonly breaking: boolean;
}

interface Migration extends AppliedMigration {
	readonly script: string;
}

const STORE_IS_OLDER =
	'an older version of Bursar made this store. Nothing was done. Use the bursar of the version that serves it, or bring it up to date with bursar serve or bursar migrate';

/** Thrown if a newer version of the software has migrated the store, and this version cannot use it. */
class NewerSchemaError extends Error {
	override readonly name = 'NewerSchemaError';
}

/** The names of the migrations of an engine, in order: all `NNNN_name.sql` files of its folder. */
function knownMigrations(folder: string): readonly string[] {
	return readdirSync(folder)
		.filter((file) => /^\d{4}_[a-z0-9_]+\.sql$/.test(file))
		.sort();
}

/** The first line of a migration says whether it is breaking: `-- breaking: yes` or `-- breaking: no`. */
function readMigration(folder: string, name: string): Migration {
	const script = readFileSync(join(folder, name), 'utf8');
	const [, breaking] = /^-- breaking: (yes|no)\r?\n/.exec(script) ?? [];
	if (breaking === undefined) throw new Error(`the migration ${name} does not say whether it is breaking`);
	return { name, breaking: breaking === 'yes', script };
}

/**
 * The migrations that the store lacks, in order. Throws if a newer version has applied a breaking one, and unless
 * `mayMigrate`, if an older version has made the store. An empty store is only made, and not migrated.
 */
export function missingMigrations(
	folder: string,
	applied: readonly AppliedMigration[],
	mayMigrate: boolean,
): readonly Migration[] {
	const known = knownMigrations(folder);
	const newer = newerThan(known, applied);
	if (newer.some(({ breaking }) => breaking)) throw newerSchema(newer);
	const missing = known.filter((name) => applied.every((one) => one.name !== name));
	if (missing.length > 0 && applied.length > 0 && !mayMigrate) throw new CopyError('store_is_older', STORE_IS_OLDER);
	return missing.map((name) => readMigration(folder, name));
}

/** For commands that must know everything in the store. Throws if a newer version has applied any migration. */
export function assertNotNewer(folder: string, applied: readonly AppliedMigration[]): void {
	const newer = newerThan(knownMigrations(folder), applied);
	if (newer.length > 0) throw newerSchema(newer);
}

/** How the migrations of a store differ from those that this version knows. */
export interface SchemaDifference {
	/** Migrations that the store lacks. */
	readonly missing: readonly string[];
	/** Migrations by newer versions. */
	readonly newer: readonly AppliedMigration[];
}

export function compareSchema(folder: string, applied: readonly AppliedMigration[]): SchemaDifference {
	const known = knownMigrations(folder);
	const missing = known.filter((name) => applied.every((one) => one.name !== name));
	return { missing, newer: newerThan(known, applied) };
}

/** Tells a running process when a newer version has migrated its store. */
export interface SchemaWatch {
	/** Called again and again with the migrations of the store. */
	look(applied: readonly AppliedMigration[]): void;
	/** Resolves, with a sentence, when a newer version has migrated the store. */
	readonly outgrown: Promise<string>;
	/** Resolves, with the cause, when such a migration is breaking: this process must stop. */
	readonly broken: Promise<unknown>;
}

export function watchSchema(folder: string): SchemaWatch {
	const known = knownMigrations(folder);
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

function newerThan(known: readonly string[], applied: readonly AppliedMigration[]) {
	return applied.filter(({ name }) => !known.includes(name));
}

function newerSchema(newer: readonly AppliedMigration[]): NewerSchemaError {
	return new NewerSchemaError(`${migratedBy(newer)}: start that version, or restore a backup`);
}

function migratedBy(newer: readonly AppliedMigration[]): string {
	return `the store was migrated by a newer version of Bursar (${newer.map(({ name }) => name).join(', ')})`;
}
