import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Ending, startProcess, type TestProcess } from '@bursar/testing/test-process';

const COMMAND = join(import.meta.dirname, '../../src/conformance.ts');
const TAP = ['--test-reporter=tap', '--test-reporter-destination=stdout'];

/** Its sources take half of the time of a short run, unless their compiled code is kept. */
const KEPT = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' };

type Environment = Readonly<Record<string, string>>;

/** Starts the command line. Its report is TAP, on standard output. */
export function startCommand(test: TestContext, args: readonly string[], environment: Environment = {}): TestProcess {
	return startProcess(test, [process.execPath, ...TAP, COMMAND, ...args], { environment: { ...KEPT, ...environment } });
}

/** Runs the command until it ends. */
export function runCommand(...args: Parameters<typeof startCommand>): Promise<Ending> {
	return startCommand(...args).ended;
}

/** Runs the command, which writes another report to a file, too. */
export function runReporting(
	test: TestContext,
	reporter: string,
	file: string,
	args: readonly string[],
	environment: Environment = {},
): Promise<Ending> {
	const second = [`--test-reporter=${reporter}`, `--test-reporter-destination=${file}`];
	const command = [process.execPath, ...TAP, ...second, COMMAND, ...args];
	return startProcess(test, command, { environment: { ...KEPT, ...environment } }).ended;
}
