import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const SOURCE = pathToFileURL(join(import.meta.dirname, '../src/compile-cache.ts'));

/** The folder that a program uses for compiled code if its sources are in this one. */
function usedBy(folder: string): string {
	const program = `
		import { getCompileCacheDir } from 'node:module';
		import { keepCompiledCode } from '${SOURCE}';
		keepCompiledCode(process.argv[1]);
		process.stdout.write(getCompileCacheDir() ?? 'none');
	`;
	return spawnSync(process.execPath, ['--input-type=module', '--eval', program, folder], {
		encoding: 'utf8',
		env: {},
	}).stdout;
}

test('compiled code is kept in the installation, if only its user can write there', {
	skip: process.platform === 'win32' && 'nothing is kept here',
}, (t) => {
	const root = mkdtempSync(join(tmpdir(), 'bursar-compiled-'));
	t.after(() => rmSync(root, { recursive: true }));
	const sources = join(root, 'packages/server/src');
	mkdirSync(sources, { recursive: true });
	const cache = join(root, 'node_modules/.bursar-compiled');

	mkdirSync(join(root, 'node_modules'));
	assert.ok(usedBy(sources).startsWith(cache));
	assert.equal(statSync(cache).mode & 0o777, 0o700);
	for (const mode of [0o770, 0o702]) {
		chmodSync(cache, mode);
		assert.equal(usedBy(sources), 'none');
	}
});
