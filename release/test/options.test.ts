import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '@bursar/testing/temporary-folder';

const RELEASE = join(import.meta.dirname, '../src/main.ts');

test('a folder that holds something, and a key that cannot sign, are refused before anything is made or removed', (t) => {
	const folder = temporaryFolder(t);
	const file = join(folder, 'mine');
	writeFileSync(file, 'no key');
	for (const [args, why] of [
		[['--unsigned', `--out=${folder}`], /is not empty/],
		[['--signing-key', file, `--out=${join(folder, 'new')}`], /ssh-keygen/],
		[[`--out=${join(folder, 'new')}`], /--signing-key FILE or --unsigned/],
	] as const) {
		const { status, stderr } = spawnSync(process.execPath, [RELEASE, '--untagged', ...args], { encoding: 'utf8' });
		assert.equal(status, 1);
		assert.match(stderr, why);
	}
	assert.deepEqual(readdirSync(folder), ['mine']);
});
