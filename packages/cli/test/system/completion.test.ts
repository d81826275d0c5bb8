import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { spawnBursarctl } from '../support/bursarctl.ts';

const GLOBAL = [
	'--version',
	'--url',
	'--token-file',
	'--insecure-http',
	'--json',
	'--yes',
	'--timeout',
	'--settle',
	'--sole-writer',
	'--max-list',
	'--help',
];

test('bash completes commands, options and files, and offers nothing if nothing is known', async (t) => {
	const { stdout: script, stderr } = await spawnBursarctl(t, ['completion', 'bash']).ended;
	assert.equal(stderr, '');
	const folder = temporaryFolder(t);
	writeFileSync(join(folder, 'my names.txt'), '');
	mkdirSync(join(folder, 'more'));

	function complete(line: string): string[] {
		const words = line.split(' ');
		const program = `${script}
				COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
				COMP_CWORD=${words.length - 1}
				_bursarctl
				printf '%s\\n' "\${COMPREPLY[@]}"`;
		const { stdout, stderr, status } = spawnSync('bash', ['-c', program], { encoding: 'utf8', cwd: folder });
		assert.deepEqual([status, stderr], [0, '']);
		return stdout.split('\n').filter(Boolean);
	}

	assert.deepEqual(complete('bursarctl '), ['account', 'sub-user', 'balance', 'usage', 'change', 'completion']);
	assert.deepEqual(complete('bursarctl su'), ['sub-user']);
	assert.deepEqual(complete('bursarctl sub-user '), ['create', 'list', 'show', 'reset-key']);
	assert.deepEqual(complete('bursarctl --json sub-user re'), ['reset-key']);
	assert.deepEqual(complete('bursarctl --url account ba'), ['balance'], 'the value of an option is not a command');
	assert.deepEqual(complete('bursarctl -'), GLOBAL);
	assert.deepEqual(complete('bursarctl usage alice --'), ['--csv', '--chart', ...GLOBAL]);
	assert.deepEqual(complete('bursarctl balance give --'), [
		'--all',
		'--journal',
		'--concurrency',
		'--dry-run',
		'--left',
		...GLOBAL,
	]);
	assert.deepEqual(complete('bursarctl balance give --left m').sort(), ['more', 'my names.txt']);
	assert.deepEqual(complete('bursarctl usage '), []);
	assert.deepEqual(complete('bursarctl completion '), ['bash', 'zsh', 'fish']);
	assert.deepEqual(complete('bursarctl sub-user create --all m').sort(), ['more', 'my names.txt']);
	assert.deepEqual(complete('bursarctl --timeout '), []);
});

for (const shell of ['zsh', 'fish']) {
	test(`the script for ${shell} is valid`, async (t) => {
		const { stdout } = await spawnBursarctl(t, ['completion', shell]).ended;
		const file = join(temporaryFolder(t), 'script');
		writeFileSync(file, stdout);
		const { status, stderr } = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
		assert.deepEqual([status, stderr], [0, '']);
	});
}
