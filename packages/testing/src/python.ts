import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { run } from './packed.ts';
import { temporaryFolder } from './temporary-folder.ts';

/**
 * A Python of its own, in an environment that has only these packages of PyPI. They are what pip installs, with all that
 * they need: `name==version`, or `--requirement` and a file. Resolves with the path of its program.
 */
export async function pythonWith(test: TestContext, packages: readonly string[]): Promise<string> {
	const folder = temporaryFolder(test);
	const python = join(folder, 'environment/bin/python');
	const made = await run(['python3', '-m', 'venv', 'environment'], folder);
	assert.equal(made.code, 0, `this test needs python3 and its venv: apt-get install python3-venv\n${made.output}`);
	const pip = ['-m', 'pip', 'install', '--disable-pip-version-check', '--no-deps', '--only-binary=:all:', ...packages];
	const installed = await run([python, ...pip], folder);
	assert.equal(installed.code, 0, `pip cannot install ${packages.join(' ')}:\n${installed.output}`);
	return python;
}
