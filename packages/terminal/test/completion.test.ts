import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completionScript, SHELLS } from '../src/completion/index.ts';

function program(word: string, description = '', choices: readonly string[] = []) {
	const option = { flags: '--role <role>', long: '--role', description, required: true, variadic: false };
	const command = { name: () => word, description: () => description, commands: [], registeredArguments: [] };
	return {
		...command,
		name: () => 'shop',
		commands: [{ ...command, options: [{ ...option, hidden: false, argChoices: choices }] }],
		options: [{ ...option, long: '--secret-habit', hidden: true }],
	};
}

for (const shell of SHELLS) {
	test(`the script for ${shell} holds no word that the shell could run, and quotes what it explains`, () => {
		for (const word of ['$(id)', 'a;b', "a'b", 'a b', '`id`', 'a*']) {
			assert.throws(() => completionScript(shell, program(word)), /must be plain/, word);
			assert.throws(() => completionScript(shell, program('sell', '', [word])), /must be plain/, word);
		}
		const script = completionScript(shell, program('sell', "it's $(id)", ['owner']));
		assert.ok(!/(?<!\\)'it's|"[^'"\n]*\$\(id\)/.test(script), script);
		assert.ok(script.includes('sell') && script.includes('owner') && !script.includes('secret-habit'));
	});
}
