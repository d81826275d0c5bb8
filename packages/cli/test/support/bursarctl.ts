import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { runEachInProcess, runInProcess } from '@bursar/testing/in-process';
import { programFile } from '@bursar/testing/programs';
import { type Ending, startProcess, type TestProcess } from '@bursar/testing/test-process';
import { bursarctl } from '../../src/bursarctl.ts';

/** So that no test uses a profile of the person who runs it. */
const NO_PROFILES = { XDG_CONFIG_HOME: '/nonexistent' };

export const BURSARCTL = programFile('bursarctl');

/** Runs it to its end in this process. */
export function callBursarctl(
	args: readonly string[],
	environment: Readonly<Record<string, string>> = {},
	input?: string,
): Promise<Ending> {
	return runInProcess(bursarctl, args, { environment: { ...NO_PROFILES, ...environment }, input });
}

/** Runs it in this process with each of the argument lists, one after another. */
export function callEachBursarctl(
	lines: readonly (readonly string[])[],
	environment: Readonly<Record<string, string>> = {},
) {
	return runEachInProcess(bursarctl, lines, { environment: { ...NO_PROFILES, ...environment } });
}

/** Runs `bursarctl` against one service with one token. */
export interface Bursarctl {
	readonly environment: Readonly<Record<string, string>>;
	/** Starts a process of its own, for signals and for another standard output. `under`: a program that runs it. */
	spawn(
		args: readonly string[],
		environment?: Readonly<Record<string, string>>,
		under?: readonly string[],
	): TestProcess;
	/** Runs it to its end in this process. */
	run(...args: readonly string[]): Promise<Ending>;
	runWith(environment: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Ending>;
	/** Runs it to its end, which must be a success. Resolves with its stdout. */
	print(...args: readonly string[]): Promise<string>;
	/** Runs it with `--json`. Resolves with the parsed stdout. */
	// biome-ignore lint/suspicious/noExplicitAny: tests check each field they need
	json(...args: readonly string[]): Promise<any>;
	/** Runs it on a terminal, and types `input` after a question. `shown` is what the terminal showed. Needs `script`. */
	onTerminal(input: string, ...args: readonly string[]): Promise<{ code: number | null; shown: string }>;
}

export function bursarctlFor(test: TestContext, url: string, token: string): Bursarctl {
	const environment = { BURSAR_URL: url, BURSAR_TOKEN: token };
	const start: Bursarctl['spawn'] = (args, more = {}, under = []) =>
		spawnBursarctl(test, args, { ...environment, ...more }, under);
	const runWith: Bursarctl['runWith'] = (more, ...args) => callBursarctl(args, { ...environment, ...more });
	const run = (...args: readonly string[]) => runWith({}, ...args);
	const print = async (...args: readonly string[]) => {
		const { code, stdout, stderr } = await run(...args);
		assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
		return stdout;
	};
	return {
		environment,
		spawn: start,
		run,
		runWith,
		print,
		json: async (...args) => JSON.parse(await print(...args, '--json')),
		onTerminal: (input, ...args) => onTerminal(test, environment, input, args),
	};
}

export function spawnBursarctl(
	test: TestContext,
	args: readonly string[],
	environment: Readonly<Record<string, string>> = {},
	under: readonly string[] = [],
): TestProcess {
	return startProcess(test, [process.execPath, BURSARCTL, ...args], {
		environment: { ...NO_PROFILES, ...environment },
		under,
	});
}

/** The rows of a bulk form with `--json`. */
// biome-ignore lint/suspicious/noExplicitAny: tests check each field they need
export function rowsIn(stdout: string): any[] {
	return stdout
		.split('\n')
		.filter(Boolean)
		.map((line) => JSON.parse(line));
}

/** The objects on stderr with `--json`, one a line, merged into one. */
// biome-ignore lint/suspicious/noExplicitAny: tests check each field they need
export function saidIn(stderr: string): Record<string, any> {
	return Object.assign({}, ...rowsIn(stderr));
}

async function onTerminal(
	test: TestContext,
	environment: Readonly<Record<string, string>>,
	input: string,
	args: readonly string[],
) {
	const command = [process.execPath, BURSARCTL, ...args].map((word) => `'${word}'`).join(' ');
	const { child, ended } = startProcess(test, ['script', '-qefc', command, '/dev/null'], {
		environment: { TERM: 'xterm', NO_COLOR: '1', ...environment },
		input: null,
	});
	child.stdout.on('data', (text: string) => {
		if (!text.includes('[y/N]')) return;
		child.stdin.write(input);
	});
	const { code, stdout } = await ended;
	return { code, shown: stdout };
}
