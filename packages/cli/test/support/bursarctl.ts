import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

export const BURSARCTL = join(import.meta.dirname, '../../bin/bursarctl.js');

const EVERY_PROGRAM = { PATH: process.env.PATH ?? '' };

/** How a process ended, and what it had said. */
interface Ending {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
	readonly stdout: string;
	readonly stderr: string;
}

/** A `bursarctl` process of its own: it ends with the test at the latest. */
export interface BursarctlProcess {
	readonly child: ChildProcess;
	readonly ended: Promise<Ending>;
}

/** Runs `bursarctl` against one service with one token. */
export interface Bursarctl {
	readonly environment: Readonly<Record<string, string>>;
	/** `under` is a program that becomes it, with its arguments. */
	spawn(
		args: readonly string[],
		environment?: Readonly<Record<string, string>>,
		under?: readonly string[],
	): BursarctlProcess;
	/** To its end. */
	run(...args: readonly string[]): Promise<Ending>;
	/** To its end, which has to be a good one; what it printed on stdout. */
	print(...args: readonly string[]): Promise<string>;
	/** What it printed with `--json`. */
	// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was printed
	json(...args: readonly string[]): Promise<any>;
	/** On a terminal, where somebody types this after a question: what the terminal showed. Needs `script`. */
	onTerminal(input: string, ...args: readonly string[]): Promise<{ code: number | null; shown: string }>;
}

export function bursarctlFor(test: TestContext, url: string, token: string): Bursarctl {
	const environment = { BURSAR_URL: url, BURSAR_TOKEN: token };
	const start: Bursarctl['spawn'] = (args, more = {}, under = []) =>
		spawnBursarctl(test, args, { ...environment, ...more }, under);
	const run = (...args: readonly string[]) => start(args).ended;
	const print = async (...args: readonly string[]) => {
		const { code, stdout, stderr } = await run(...args);
		assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
		return stdout;
	};
	return {
		environment,
		spawn: start,
		run,
		print,
		json: async (...args) => JSON.parse(await print(...args, '--json')),
		onTerminal: (input, ...args) => onTerminal(test, environment, input, args),
	};
}

/** Starts it with nothing of the test's own environment but what every program needs. */
export function spawnBursarctl(
	test: TestContext,
	args: readonly string[],
	environment: Readonly<Record<string, string>> = {},
	under: readonly string[] = [],
): BursarctlProcess {
	const [program, ...rest] = [...under, process.execPath, BURSARCTL, ...args] as [string, ...string[]];
	const child = spawn(program, rest, { env: { ...EVERY_PROGRAM, ...environment } });
	child.stdin.end();
	return { child, ended: endingOf(test, child) };
}

/** The rows of a bulk form with `--json`. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was printed
export function rowsIn(stdout: string): any[] {
	return stdout
		.split('\n')
		.filter(Boolean)
		.map((line) => JSON.parse(line));
}

/** What was said on stderr with `--json`: objects, one a line. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was said
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
	const env = { ...EVERY_PROGRAM, TERM: 'xterm', NO_COLOR: '1', ...environment };
	const child = spawn('script', ['-qefc', command, '/dev/null'], { env });
	const ended = endingOf(test, child);
	child.stdout.on('data', (text: string) => {
		if (!text.includes('[y/N]')) return;
		child.stdin.write(input);
	});
	const { code, stdout } = await ended;
	return { code, shown: stdout };
}

async function endingOf(test: TestContext, child: ChildProcess): Promise<Ending> {
	const said = { stdout: '', stderr: '' };
	for (const name of ['stdout', 'stderr'] as const) {
		child[name]?.setEncoding('utf8').on('data', (text: string) => {
			said[name] += text;
		});
	}
	child.stdin?.on('error', () => {});
	const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
	test.after(async () => {
		child.kill('SIGKILL');
		await closed;
	});
	const [code, signal] = await closed;
	return { code, signal, ...said };
}
