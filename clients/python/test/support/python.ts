import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { run } from '@bursar/testing/packed';
import { temporaryFolder } from '@bursar/testing/temporary-folder';

const TEST = join(import.meta.dirname, '..');
const PROGRAMS = join(TEST, 'programs');

/** Runs the programs of `programs/` with the client of this checkout. */
export interface Python {
	/** The command line of a program. */
	commandLine(program: string, ...args: string[]): readonly string[];
	readonly environment: Readonly<Record<string, string>>;
}

/** A Python of its own, with what the client and its tests need. */
export async function clientPython(t: TestContext): Promise<Python> {
	const folder = temporaryFolder(t);
	const python = join(folder, 'environment/bin/python');
	const made = await run(['python3', '-m', 'venv', 'environment'], folder);
	assert.equal(made.code, 0, made.output);
	const pip = ['-m', 'pip', 'install', '--disable-pip-version-check', '--no-deps', '--only-binary=:all:'];
	const pins = ['--require-hashes', '--requirement', join(TEST, 'requirements.txt')];
	const installed = await run([python, ...pip, ...pins], folder);
	assert.equal(installed.code, 0, installed.output);
	return {
		commandLine: (program, ...args) => [python, join(PROGRAMS, program), ...args],
		environment: { PYTHONPATH: join(TEST, '../src'), PYTHONDONTWRITEBYTECODE: '1' },
	};
}
