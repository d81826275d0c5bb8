import assert from 'node:assert/strict';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { projectWith, run } from '@bursar/testing/packed';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { pythonOfTests, SOURCES, TESTS } from '../support/python.ts';

const OLDEST_PYTHON = '3.10';
const PYRIGHT = '1.1.414';

/** A folder that has the package and a program that uses all of it. */
function folderWithUse(t: TestContext): string {
	const folder = temporaryFolder(t);
	cpSync(SOURCES, folder, { recursive: true, filter: (path) => !path.endsWith('__pycache__') });
	cpSync(join(TESTS, 'typed_use.py'), join(folder, 'typed_use.py'));
	return folder;
}

test('the strict modes of mypy and pyright accept the package and its use, and refuse what is wrong', async (t) => {
	const python = await pythonOfTests(t);
	await t.test('mypy', async (t) => {
		const folder = folderWithUse(t);
		const options = ['--strict', '--python-version', OLDEST_PYTHON, '--cache-dir', join(folder, 'cache')];
		const { code, output } = await run([python, '-m', 'mypy', ...options, 'bursar', 'typed_use.py'], folder);
		assert.equal(code, 0, output);
	});
	await t.test('pyright', async (t) => {
		const folder = folderWithUse(t);
		const settings = {
			pythonVersion: OLDEST_PYTHON,
			typeCheckingMode: 'strict',
			reportUnnecessaryTypeIgnoreComment: 'error',
			// The client also checks what a program without types gives it.
			reportUnnecessaryIsInstance: 'none',
		};
		writeFileSync(join(folder, 'pyrightconfig.json'), JSON.stringify(settings));
		const project = await projectWith(t, `pyright@${PYRIGHT}`);
		const program = join(project, 'node_modules/pyright/index.js');
		const { code, output } = await run(
			[process.execPath, program, '--project', folder, '--pythonpath', python],
			folder,
		);
		assert.equal(code, 0, output);
	});
});
