import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { callBursar } from '@bursar/testing/bursar-in-process';
import { temporaryFolder } from '@bursar/testing/temporary-folder';

/** How each shell is asked what it would offer after these words. */
const ASKED: Readonly<Record<string, (script: string, words: readonly string[]) => string>> = {
	bash: (script, words) => `COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:'
		${script}
		COMP_WORDS=(${words.flatMap(splitAtColons).map(quoted).join(' ')})
		COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
		_bursar
		printf '%s\\n' "\${COMPREPLY[@]}"`,
	zsh: (script, words) => `compdef() { }
		_describe() { print -rl -- \${(P)@[-1]} }
		_files() { print -rl -- * }
		${script}
		words=(${words.map(quoted).join(' ')})
		CURRENT=${words.length}
		PREFIX=${quoted(words.at(-1) ?? '')}
		_bursar`,
	fish: (script, words) => `${script}
		complete -C ${quoted(words.join(' '))}`,
};

/** As bash splits a word before it calls a completion. */
function splitAtColons(word: string): string[] {
	return word.split(/(?=:)|(?<=:)/);
}

function quoted(word: string): string {
	return `'${word}'`;
}

for (const [shell, asked] of Object.entries(ASKED)) {
	test(`${shell} completes commands, options, their choices and files of bursar, and runs nothing that was typed`, async (t) => {
		const { stdout: script, stderr } = await callBursar('/nowhere', ['completion', shell]);
		assert.equal(stderr, '');
		const folder = temporaryFolder(t);
		writeFileSync(join(folder, 'usage.jsonl'), '');
		mkdirSync(join(folder, 'data'));

		function complete(line: string): string[] {
			const program = asked(script, line.split(' '));
			const { stdout, stderr, status } = spawnSync(shell, ['-c', program], { encoding: 'utf8', cwd: folder });
			assert.deepEqual([status, stderr], [0, ''], line);
			// zsh and fish also show what each word means.
			const meaning = { bash: /$/, zsh: /(?<!\\):.*$/, fish: /\t.*$/ }[shell] ?? /$/;
			const offered = stdout.split('\n').map((row) => row.replace(meaning, ''));
			// fish and zsh choose among what is offered themselves.
			const typed = line.split(' ').at(-1) ?? '';
			return offered
				.map((word) => word.replaceAll('\\:', ':').replace(/\/$/, ''))
				.filter((word) => word !== '' && (shell === 'bash' || word.startsWith(typed)));
		}

		const commands = complete('bursar ');
		for (const word of ['serve', 'reseller', 'backup', 'completion']) assert.ok(commands.includes(word), word);
		assert.deepEqual(complete('bursar res'), ['reseller']);
		assert.deepEqual(complete('bursar reseller cr').sort(), ['create', 'credit']);
		assert.deepEqual(complete('bursar reseller credit --rea'), ['--reason']);
		assert.deepEqual(complete('bursar reseller create --bal'), ['--balance'], 'a hidden option is not offered');
		assert.deepEqual(complete('bursar reseller invite acme --role ').sort(), ['manager', 'owner', 'viewer']);
		assert.deepEqual(complete('bursar person role ann@a.example m'), ['manager']);
		assert.deepEqual(complete('bursar reseller credit acme 5.00 --reference '), []);
		assert.deepEqual(complete('bursar usage import u'), ['usage.jsonl']);
		assert.deepEqual(complete('bursar store copy --from d'), ['data']);
		assert.deepEqual(complete('bursar completion ').sort(), ['bash', 'fish', 'zsh']);
		const scopes = complete('bursar operator-token create shop --scope money:');
		assert.deepEqual(scopes, [shell === 'bash' ? 'write' : 'money:write']);
		if (shell !== 'fish') {
			const more = complete('bursar operator-token create shop --scope money:write prices');
			assert.deepEqual(more, ['prices:write'], 'an option with several values goes on');
		}
		for (const typed of [
			'$(touch pwned)',
			'`touch pwned`',
			';touch pwned',
			'$(touch pwned) ',
			'--role $(touch pwned) ',
		]) {
			complete(`bursar reseller ${typed}`);
			complete(`bursar ${typed}`);
		}
		assert.deepEqual(readdirSync(folder).sort(), ['data', 'usage.jsonl']);
	});
}
