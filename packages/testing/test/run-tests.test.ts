import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../src/temporary-folder.ts';
import { startProcess } from '../src/test-process.ts';

const PROGRAM = join(import.meta.dirname, '../../../scripts/run-tests.mjs');
const IMPORT = "import { test } from 'node:test';\n";

/** Runs files with these texts as `npm test` does. */
async function runTests(t: TestContext, texts: Readonly<Record<string, string>>) {
	const folder = temporaryFolder(t);
	const files = Object.entries(texts).map(([name, text]) => {
		const file = join(folder, name);
		mkdirSync(join(file, '..'), { recursive: true });
		writeFileSync(file, text.replace('@', IMPORT));
		return file;
	});
	// No test here uses it, and without it a server would be started.
	const environment = { BURSAR_TEST_DATABASE_URL: 'postgres://127.0.0.1:1/none' };
	return startProcess(t, [process.execPath, PROGRAM, ...files], { environment }).ended;
}

test('files of one folder share a process, except those that run alone; the totals count all', async (t) => {
	const say = (name: string) => `@test('${name}', (t) => t.diagnostic('${name} in ' + process.pid));`;
	const { code, stdout } = await runTests(t, {
		'a.test.mjs': say('one'),
		'b.test.mjs': say('two'),
		'c.test.mjs': `// Runs alone: it is a test.\n${say('three')}`,
		'faults/d.test.mjs': say('four'),
	});
	assert.equal(code, 0, stdout);
	assert.match(stdout, /tests 4[\s\S]*pass 4\n/);
	const processOf = (name: string) => new RegExp(`${name} in (\\d+)`).exec(stdout)?.[1];
	assert.equal(processOf('one'), processOf('two'));
	assert.equal(new Set(['one', 'three', 'four'].map(processOf)).size, 3);
});

test('the hooks of a file run after its tests, even if it waits before it declares them', async (t) => {
	const wait = 'await new Promise((resolve) => setTimeout(resolve, 500));';
	const { code, stdout } = await runTests(t, {
		'a.test.mjs': "@test('quick', () => {});",
		'b.test.mjs': `@import { after } from 'node:test'; let isOver = false; after(() => { isOver = true; });
			${wait} test('holds', () => { if (isOver) throw new Error('over'); });`,
	});
	assert.equal(code, 0, stdout);
	assert.match(stdout, /✔ holds/);
});

test('a failed test is named with its file, and the others of its process run', async (t) => {
	const { code, stdout } = await runTests(t, {
		'a.test.mjs': "@test('breaks', () => { throw new Error('planted'); });",
		'b.test.mjs': "@test('holds', () => {});",
	});
	assert.equal(code, 1);
	assert.match(stdout, /✔ holds/);
	assert.match(stdout, /test at .*a\.test\.mjs:2:1\n✖ breaks/);
});

test('a process that dies is a failure that names its files', async (t) => {
	const { code, stdout } = await runTests(t, {
		'a.test.mjs': "@test('kills', () => process.kill(process.pid, 'SIGKILL'));",
		'b.test.mjs': "@test('is lost', () => {});",
		'c.test.mjs': 'throw new Error();',
		'other/d.test.mjs': "@test('holds', () => {});",
	});
	assert.equal(code, 1);
	assert.match(stdout, /✔ holds/);
	assert.match(
		stdout,
		/The process of \S+ failed\. It ran:\n {2}\S+a\.test\.mjs\n {2}\S+b\.test\.mjs\n {2}\S+c\.test\.mjs\n/,
	);
});
