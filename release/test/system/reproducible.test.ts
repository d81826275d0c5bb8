import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { artifacts, makeArtifacts } from '../support/artifacts.ts';

test('a release that is made again has the same bytes', async (t) => {
	const first = await artifacts();
	const second = join(temporaryFolder(t), 'again');
	makeArtifacts(second);
	const sums = (folder: string) => readFileSync(join(folder, 'SHA256SUMS'), 'utf8');
	assert.equal(sums(second), sums(first));
	execFileSync('sha256sum', ['--check', '--strict', '--quiet', 'SHA256SUMS'], { cwd: second });
});
