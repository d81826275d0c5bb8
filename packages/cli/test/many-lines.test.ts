import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { createChange } from '../src/bulk/changes.ts';
import type { InputLine } from '../src/bulk/input/read-input.ts';
import { resultPrinter } from '../src/bulk/run/result-printer.ts';

/** More than the arguments that a function can take. */
const MANY = 300_000;

test('a file of many lines and a table of many rows have the same columns as small ones', async () => {
	const lines = Array.from({ length: MANY }, (_, index): InputLine => {
		return { line: index + 1, username: `user.${index}`, amountCents: 0 };
	});
	const printed: string[] = [];
	const progress = {
		update() {},
		say: () => true,
		async print(line: string) {
			printed.push(line);
		},
	};
	await resultPrinter(createChange, lines, false, progress);
	assert.deepEqual(printed, ['  LINE  USERNAME     RESULT    PROXY AUTH KEY']);

	const program = `
		import { printTable } from ${JSON.stringify(join(import.meta.dirname, '../../terminal/src/index.ts'))};
		printTable([{ title: 'NAME' }, { title: 'N', isNumber: true }], Array.from({ length: ${MANY} }, (_, n) => ['x', String(n)]));
	`;
	const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
		encoding: 'utf8',
		maxBuffer: 64 * 1024 ** 2,
	});
	assert.equal(stdout.split('\n').at(-2), `x     ${MANY - 1}`, stderr);
});
