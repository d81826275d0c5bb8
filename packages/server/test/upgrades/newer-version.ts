import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { temporaryFolder } from '@bursar/testing/temporary-folder';

const REPOSITORY = join(import.meta.dirname, '../../../..');

interface NewMigration {
	readonly name: string;
	readonly script: string;
}

/** A copy of this version with more migrations for PostgreSQL. Returns the path of its `bursar`. */
export function newerVersion(t: TestContext, ...migrations: readonly NewMigration[]): string {
	const checkout = temporaryFolder(t);
	const server = join(checkout, 'packages/server');
	mkdirSync(server, { recursive: true });
	for (const part of ['src', 'package.json']) {
		cpSync(join(REPOSITORY, 'packages/server', part), join(server, part), { recursive: true });
	}
	symlinkSync(join(REPOSITORY, 'node_modules'), join(checkout, 'node_modules'), 'junction');
	for (const { name, script } of migrations) writeFileSync(join(server, 'src/store/postgres/migrations', name), script);
	return join(server, 'src/cli/main.ts');
}
