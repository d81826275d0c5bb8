import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Holds a folder for each released version, with a store that this version made. */
export const RELEASED_STORES = join(import.meta.dirname, 'released');

export type EngineName = 'sqlite' | 'postgres';

/** What is in the folder of a version and engine. */
export const STORE_FILES = {
	/** On PostgreSQL, the whole schema `bursar` as SQL. */
	store: { sqlite: 'bursar.db', postgres: 'store.sql' },
	masterKey: 'master.key',
	facts: 'facts.json',
	migrations: 'migrations.json',
} as const;

/** What must be true of a store, under every later version too. */
export interface StoreFacts {
	/** When the facts were read, in Unix milliseconds. */
	readonly madeAtMs: number;
	readonly resellers: readonly ResellerFacts[];
	readonly people: readonly PersonFacts[];
	readonly edges: readonly EdgeFacts[];
	/** What commands printed with `--json`. */
	readonly commands: readonly { readonly args: readonly string[]; readonly printed: object }[];
}

export interface ResellerFacts {
	readonly token: string;
	/** Tokens that were replaced or revoked. */
	readonly endedTokens: readonly string[];
	/** The answers of the API. */
	readonly account: Account;
	readonly subUsers: readonly Account[];
	/** Its days with traffic, by sub-user. */
	readonly usage: Readonly<Record<string, readonly object[]>>;
}

interface Account {
	readonly username: string;
	readonly balance: number;
	readonly proxy_authkey: string;
}

export interface PersonFacts {
	readonly email: string;
	readonly password: string;
	/** In base32. */
	readonly codesSecret: string;
	readonly recoveryCodes: readonly string[];
	readonly locked: boolean;
}

interface EdgeFacts {
	readonly name: string;
	readonly key: string;
	readonly revoked: boolean;
	/** The last readings of its counters. */
	readonly counters: readonly CounterFacts[];
}

interface CounterFacts {
	readonly counter: string;
	readonly username: string;
	readonly up: number;
	readonly down: number;
}

/** The migrations of a version in their order, with the SHA-256 of each. */
export type MigrationList = readonly { readonly name: string; readonly sha256: string }[];

/** Reads the migrations of a folder. A checkout on Windows may have other line ends. */
export function listMigrations(folder: string): MigrationList {
	const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
	return names.sort().map((name) => {
		const script = readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n');
		return { name, sha256: createHash('sha256').update(script).digest('hex') };
	});
}
