import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { pythonVersion } from '../../clients/python/generate/version.ts';

const ROOT = join(import.meta.dirname, '../..');
const RELEASE = join(ROOT, 'release/src/main.ts');

test('the Python client has the version of all packages, as Python writes it', () => {
	const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
	const manifest = readFileSync(join(ROOT, 'clients/python/pyproject.toml'), 'utf8');
	assert.match(manifest, new RegExp(`^version = "${pythonVersion(version)}"$`, 'm'));
	assert.deepEqual(['1.2.3', '1.2.3-alpha.1', '1.2.3-beta.20', '1.2.3-rc.4'].map(pythonVersion), [
		'1.2.3',
		'1.2.3a1',
		'1.2.3b20',
		'1.2.3rc4',
	]);
});

test('a Python that is too old or has no venv ends a release at its start, which says what is missing', (t) => {
	const folder = temporaryFolder(t);
	writeFileSync(join(folder, 'python3'), '#!/bin/sh\nexit 1\n');
	chmodSync(join(folder, 'python3'), 0o755);
	const out = join(folder, 'out');
	const { status, stderr } = spawnSync(process.execPath, [RELEASE, '--untagged', '--unsigned', `--out=${out}`], {
		env: { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` },
		encoding: 'utf8',
	});
	assert.equal(status, 1);
	assert.match(stderr, /needs python3, 3\.10 or newer, with its venv\. On Debian: apt-get install python3-venv/);
	assert.ok(!existsSync(out));
});
