// Runs first: it takes long.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../src/temporary-folder.ts';
import { startProcess } from '../src/test-process.ts';

const PROGRAM = join(import.meta.dirname, '../../../scripts/run-tests.mjs');
const IMPORT = "import { test } from 'node:test';\n";

/** Runs files with these texts as `npm test` does. */
async function runTests(
	t: TestContext,
	texts: Readonly<Record<string, string>>,
	variables: Readonly<Record<string, string>> = {},
) {
	const folder = temporaryFolder(t);
	const files = Object.entries(texts).map(([name, text]) => {
		const file = join(folder, name);
		mkdirSync(join(file, '..'), { recursive: true });
		writeFileSync(file, text.replace('@', IMPORT));
		return file;
	});
	// No test here uses it, and without it a server would be started.
	const environment = { BURSAR_TEST_DATABASE_URL: 'postgres://127.0.0.1:1/none', ...variables };
	return startProcess(t, [process.execPath, PROGRAM, ...files], { environment }).ended;
}

test('what passes is in one report', async (t) => {
	const say = (name: string) => `@test('${name}', (t) => t.diagnostic('${name} in ' + process.pid));`;
	const tell = `test('tells', async (t) => {
		t.diagnostic('began at ' + performance.timeOrigin);
		await new Promise((resolve) => setTimeout(resolve, 1_000));
	});`;
	const wait = 'await new Promise((resolve) => setTimeout(resolve, 500));';
	// More than run at the same time.
	const others = Array.from({ length: 10 }, (_, n) => [`${n}.test.mjs`, `// Runs alone: it is a test.\n@${tell}`]);
	const { code, stdout } = await runTests(t, {
		'a.test.mjs': say('one'),
		'b.test.mjs': say('two'),
		'c.test.mjs': `// Runs alone: it is a test.\n${say('three')}`,
		'faults/d.test.mjs': say('four'),
		...Object.fromEntries(others),
		// The last one in the order of the hashes.
		'most.test.mjs': `// Runs alone: it is a test.\n// Runs first: it is a test.\n@${tell.replace('began', 'began first')}`,
		'waiting/a.test.mjs': "@test('quick', () => {});",
		'waiting/b.test.mjs': `@import { after } from 'node:test'; let isOver = false; after(() => { isOver = true; });
			${wait} test('holds', () => { if (isOver) throw new Error('over'); });`,
	});
	assert.equal(code, 0, stdout);

	await t.test('files of one folder share a process, except those that run alone; the totals count all', () => {
		assert.match(stdout, /tests 17[\s\S]*pass 17\n/);
		const processOf = (name: string) => Number(new RegExp(`${name} in (\\d+)`).exec(stdout)?.[1]);
		assert.equal(processOf('one'), processOf('two'));
		assert.equal(new Set(['one', 'three', 'four'].map(processOf)).size, 3);
	});

	await t.test('a file that runs first does not wait for the others', () => {
		const startOf = (name: string) =>
			[...stdout.matchAll(new RegExp(`${name} at ([\\d.]+)`, 'g'))].map(([, ms]) => Number(ms));
		const [first] = startOf('began first') as [number];
		const later = startOf('began').filter((ms) => ms > first + 500);
		assert.ok(later.length > 0, stdout);
	});

	await t.test('the hooks of a file run after its tests, even if it waits before it declares them', () => {
		assert.match(stdout, /✔ holds/);
	});
});

test('what fails is named with its files, and everything else runs', async (t) => {
	const leave = "import { createServer } from 'node:net';\ncreateServer().listen(0);";
	const { code, stdout } = await runTests(
		t,
		{
			'broken/a.test.mjs': "@test('breaks', () => { throw new Error('planted'); });",
			'broken/b.test.mjs': "@test('holds beside a failed test', () => {});",
			'uncaught/a.test.mjs':
				"@setTimeout(() => { throw new Error('late'); }, 1); test('waits', () => new Promise((done) => setTimeout(done, 50)));",
			'uncaught/b.test.mjs': "@test('leaves', () => { Promise.reject(new Error('left')); });",
			'dead/a.test.mjs': "@test('kills', () => process.kill(process.pid, 'SIGKILL'));",
			'dead/b.test.mjs': "@test('is lost', () => {});",
			'dead/c.test.mjs': 'throw new Error();',
			'staying/a.test.mjs': `@${leave}test('leaves a server', () => {});`,
			'other/a.test.mjs': "@test('holds', () => {});",
		},
		{ BURSAR_TEST_FILE_LIMIT_MS: '8000' },
	);
	assert.equal(code, 1);
	for (const name of ['holds beside a failed test', 'leaves a server', 'holds'])
		assert.match(stdout, new RegExp(`✔ ${name} \\(`));

	await t.test('a failed test', () => {
		assert.match(stdout, /test at .*broken.a\.test\.mjs:2:1\n✖ breaks/);
	});

	await t.test('an error that no test catches', () => {
		for (const error of ['late', 'left']) assert.match(stdout, new RegExp(`Error: ${error}`));
		assert.match(
			stdout,
			/The process of \S+ failed\. It ran:\n {2}\S+uncaught.a\.test\.mjs\n {2}\S+uncaught.b\.test\.mjs\n/,
		);
	});

	await t.test('a process that dies', () => {
		assert.match(
			stdout,
			/The process of \S+ failed\. It ran:\n {2}\S+dead.a\.test\.mjs\n {2}\S+dead.b\.test\.mjs\n {2}\S+dead.c\.test\.mjs\n/,
		);
	});

	await t.test('a process that stays after its tests, and is ended', () => {
		assert.match(
			stdout,
			/did not end within 8000 ms\. Still open: .*TCPServerWrap[\s\S]*It ran:\n {2}\S+staying.a\.test\.mjs\n/,
		);
	});
});
