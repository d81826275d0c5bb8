import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Ending, startProcess, type TestProcess } from '@bursar/testing/test-process';

const COMMAND = join(import.meta.dirname, '../../src/conformance.ts');
const { NODE_COMPILE_CACHE } = process.env;

/** Starts the command line with the compile cache of Node, if there is one. */
export function startCommand(
	test: TestContext,
	args: readonly string[],
	environment: Readonly<Record<string, string>> = {},
): TestProcess {
	return startProcess(test, [process.execPath, COMMAND, ...args], {
		environment: { ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }), ...environment },
	});
}

/** Runs the command until it ends. */
export function runCommand(...args: Parameters<typeof startCommand>): Promise<Ending> {
	return startCommand(...args).ended;
}
