import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Ending, run } from '@bursar/testing/packed';
import { pythonWith } from '@bursar/testing/python';

/** The folder of the Python files of the tests. */
export const TESTS = join(import.meta.dirname, '..');
/** The folder that has the package `bursar`. */
export const SOURCES = join(TESTS, '../src');

/** A Python of its own, with all that the tests of the Python client need. Resolves with the path of its program. */
export function pythonOfTests(t: TestContext): Promise<string> {
	return pythonWith(t, ['--requirement', join(TESTS, 'requirements.txt')]);
}

/** Runs a program of Python that imports `bursar` from its sources, to its end. */
export function runPython(
	python: string,
	args: readonly string[],
	environment: Readonly<Record<string, string>> = {},
): Promise<Ending> {
	return run([python, ...args], TESTS, environmentOfPython(environment));
}

/** The command line of a program of `programs/`. */
export function programOf(python: string, name: string, ...args: string[]): readonly string[] {
	return [python, join(TESTS, 'programs', name), ...args];
}

/** The environment of a program of Python that imports `bursar` from its sources. */
export function environmentOfPython(more: Readonly<Record<string, string>> = {}): Record<string, string> {
	return { PYTHONPATH: SOURCES, PYTHONDONTWRITEBYTECODE: '1', PYTHONWARNINGS: 'error', ...more };
}
