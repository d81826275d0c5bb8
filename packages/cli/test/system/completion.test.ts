import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { startProcess } from '@bursar/testing/test-process';
import { BURSARCTL, spawnBursarctl } from '../support/bursarctl.ts';
import { openShop } from '../support/shop.ts';

const GLOBAL = [
	'--version',
	'--url',
	'--token-file',
	'--profile',
	'--insecure-http',
	'--json',
	'--yes',
	'--timeout',
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

	assert.deepEqual(complete('bursarctl '), [
		...['account', 'sub-user', 'balance', 'usage', 'statement', 'top-up', 'events', 'webhooks', 'tokens'],
		...['change', 'api', 'login', 'logout', 'profiles', 'completion'],
	]);
	assert.deepEqual(complete('bursarctl su'), ['sub-user']);
	assert.deepEqual(complete('bursarctl sub-user '), [
		...['create', 'create-with', 'list', 'show', 'reset-key'],
		...['details', 'suspend', 'resume', 'limits', 'note', 'sign-in-ips', 'delete'],
	]);
	assert.deepEqual(complete('bursarctl --json sub-user re'), ['reset-key', 'resume']);
	assert.deepEqual(complete('bursarctl --url account ba'), ['balance'], 'the value of an option is not a command');
	assert.deepEqual(complete('bursarctl -'), GLOBAL);
	assert.deepEqual(complete('bursarctl usage alice --'), ['--csv', '--chart', ...GLOBAL]);
	assert.deepEqual(complete('bursarctl balance give --'), [
		'--reference',
		'--all',
		'--journal',
		'--concurrency',
		'--dry-run',
		'--left',
		...GLOBAL,
	]);
	assert.deepEqual(complete('bursarctl balance give --left m').sort(), ['more', 'my names.txt']);
	assert.deepEqual(complete('bursarctl usage '), [], 'there is no service to ask for names');
	assert.deepEqual(complete('bursarctl completion '), ['bash', 'zsh', 'fish']);
	assert.deepEqual(complete('bursarctl sub-user create --all m').sort(), ['more', 'my names.txt']);
	assert.deepEqual(complete('bursarctl --timeout '), []);
});

/** How each shell is asked what it would offer after these words. */
const ASKED: Readonly<Record<string, (script: string, words: readonly string[]) => string>> = {
	bash: (script, words) => `${script}
		COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
		COMP_CWORD=${words.length - 1}
		_bursarctl
		printf '%s\\n' "\${COMPREPLY[@]}"`,
	zsh: (script, words) => `compdef() { }
		_describe() { print -rl -- \${(P)2} }
		compadd() { print -rl -- \${(P)2} }
		_files() { }
		${script}
		words=(${words.map((word) => `'${word}'`).join(' ')})
		CURRENT=${words.length}
		PREFIX='${words.at(-1)}'
		_bursarctl`,
	fish: (script, words) => `${script}
		complete -C '${words.join(' ')}'`,
};

for (const [shell, asked] of Object.entries(ASKED)) {
	test(`${shell} completes names of sub-users from the service, and says nothing if that fails`, async (t) => {
		const { bursarctl, service, token } = await openShop(t);
		for (const name of ['alice', 'alina', 'bruno']) await bursarctl.print('sub-user', 'create', name, '--yes');
		const script = await bursarctl.print('completion', shell);
		const programs = temporaryFolder(t);
		symlinkSync(BURSARCTL, join(programs, 'bursarctl'));
		const PATH = `${programs}:${dirname(process.execPath)}:${process.env.PATH}`;

		async function complete(line: string, environment: Readonly<Record<string, string>> = bursarctl.environment) {
			// The service runs in this process, which must not wait for the shell.
			const program = [shell, '-c', asked(script, line.split(' '))];
			const { ended } = startProcess(t, program, { environment: { PATH, HOME: programs, ...environment } });
			const { stdout, stderr, code } = await ended;
			assert.deepEqual([code, stderr], [0, '']);
			return stdout.split('\n').filter((word) => word !== '' && !word.startsWith('-'));
		}
		assert.deepEqual(await complete('bursarctl sub-user suspend al'), ['alice', 'alina']);
		assert.deepEqual(await complete('bursarctl --json usage --csv '), ['alice', 'alina', 'bruno']);
		assert.deepEqual(await complete('bursarctl usage alice al'), [], 'only the first word is a name');
		assert.deepEqual(await complete('bursarctl --url other usage al'), [], 'the names would be of another service');
		assert.deepEqual(await complete('bursarctl change al'), []);
		assert.deepEqual(await complete('bursarctl usage al', {}), []);
		assert.deepEqual(await complete('bursarctl usage al', { BURSAR_URL: service.url, BURSAR_TOKEN: `${token}x` }), []);
	});
}

for (const shell of ['zsh', 'fish']) {
	test(`the script for ${shell} is valid`, async (t) => {
		const { stdout } = await spawnBursarctl(t, ['completion', shell]).ended;
		const file = join(temporaryFolder(t), 'script');
		writeFileSync(file, stdout);
		const { status, stderr } = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
		assert.deepEqual([status, stderr], [0, '']);
	});
}
