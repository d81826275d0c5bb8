import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openSecretFile } from '../src/open-secret-file.ts';

const SOMEBODY = 12_345;
const OWN = process.getuid?.() ?? 0;
const skip = process.getuid === undefined && 'there are no owners and modes here';

function folderOf(t: TestContext): string {
	const folder = mkdtempSync(join(tmpdir(), 'bursar-secret-'));
	t.after(() => rmSync(folder, { recursive: true }));
	return folder;
}

/** Which of these modes are refused for a file of the owner, if the user reads it. */
function refused(t: TestContext, { owner, user }: { readonly owner: number; readonly user: number }): string[] {
	const file = join(folderOf(t), 'key');
	writeFileSync(file, 'secret');
	if (owner !== OWN) chownSync(file, owner, owner);
	return [0o400, 0o600, 0o440, 0o640, 0o604, 0o620, 0o602, 0o666]
		.filter((mode) => {
			chmodSync(file, mode);
			return openSecretFile(file, user) !== undefined;
		})
		.map((mode) => mode.toString(8));
}

test('a secret of a user may be open to no other user', { skip }, (t) => {
	const owner = OWN || SOMEBODY;
	assert.deepEqual(refused(t, { owner, user: owner }), ['440', '640', '604', '620', '602', '666']);
});

test('a file of another user is refused whatever its mode is', { skip }, (t) => {
	const owner = OWN || SOMEBODY;
	assert.equal(refused(t, { owner, user: owner + 1 }).length, 8);
});

test('a group may read a secret of root, and root may read those of others', {
	skip: (skip || OWN !== 0) && 'only root can give files away',
}, (t) => {
	const open = ['604', '620', '602', '666'];
	assert.deepEqual(refused(t, { owner: 0, user: SOMEBODY }), open);
	assert.deepEqual(refused(t, { owner: 0, user: 0 }), open);
	assert.deepEqual(refused(t, { owner: SOMEBODY, user: 0 }), ['440', '640', ...open]);
});

test('a file that does not exist and a pipe are not judged', { skip }, (t) => {
	const folder = folderOf(t);
	const pipe = join(folder, 'pipe');
	execFileSync('mkfifo', ['-m', '644', pipe]);
	assert.deepEqual([openSecretFile(pipe), openSecretFile(join(folder, 'nothing'))], [undefined, undefined]);
});
