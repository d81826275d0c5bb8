import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Ending } from './test-process.ts';

/** A command line as a function of `process.argv`. It returns its exit code, or sets it. */
export interface CommandFunction {
	/** The path of its module. */
	readonly file: string;
	readonly name: string;
}

/** How one of them ended. */
export interface CommandRun extends Ending {
	/** Its arguments. */
	readonly line: string;
}

/** Ends each output. No command prints it. */
const END = '\0';
const PROGRAM = join(import.meta.dirname, 'command-runner.js');

/** Processes that run nothing at present, by the program. They end with the process of the tests. */
const idle = new Map<string, ChildProcess[]>();

/**
 * Runs a command line in a process that has run others before and will run more: to start a process takes most of the
 * time of a command. A test of the process itself (its start, its end, signals) starts one of its own.
 */
export async function runInShared(
	test: TestContext,
	{ file, name }: CommandFunction,
	args: readonly string[],
	environment: Readonly<Record<string, string>> = {},
): Promise<CommandRun> {
	const free = idle.get(name) ?? [];
	idle.set(name, free);
	const child = free.pop() ?? (await startRunner(file, name));
	let isRunning = true;
	test.after(() => {
		if (isRunning) child.kill('SIGKILL');
	});
	hold(child, true);
	const outputs = [outputOf(child.stdout as Socket), outputOf(child.stderr as Socket)] as const;
	const listening = new AbortController();
	const closed = once(child, 'close', listening) as Promise<[number | null, NodeJS.Signals | null]>;
	const answered = once(child, 'message', listening) as Promise<[{ readonly code: number }]>;
	child.send({ args, environment });
	const ending = await Promise.race([
		answered.then(async ([{ code }]) => {
			await Promise.all(outputs.map(({ complete }) => complete));
			return { code, signal: null };
		}),
		closed.then(([code, signal]) => ({ code, signal })),
	]);
	isRunning = false;
	for (const left of [closed, answered]) left.catch(() => {});
	listening.abort();
	const [stdout, stderr] = outputs.map(({ end }) => end()) as [string, string];
	if (child.connected) {
		hold(child, false);
		free.push(child);
	}
	return { line: args.join(' '), ...ending, stdout, stderr };
}

/** Runs a command line with each of the argument lists, one after another. */
export async function runEach(
	test: TestContext,
	command: CommandFunction,
	lines: readonly (readonly string[])[],
	environment: Readonly<Record<string, string>> = {},
): Promise<readonly CommandRun[]> {
	const runs: CommandRun[] = [];
	for (const args of lines) runs.push(await runInShared(test, command, args, environment));
	return runs;
}

async function startRunner(file: string, name: string): Promise<ChildProcess> {
	const child = fork(PROGRAM, [pathToFileURL(file).href, name], {
		// Of the test's own environment it gets only `PATH`, like every process of a test.
		env: { PATH: process.env.PATH ?? '' },
		execArgv: [],
		stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
	});
	for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8');
	await Promise.race([
		once(child, 'message'),
		once(child, 'exit').then(() => Promise.reject(new Error(`${name} could not be loaded`))),
	]);
	return child;
}

/** Whether the process keeps the tests from ending. */
function hold(child: ChildProcess, isHeld: boolean): void {
	const parts = [child, child.channel, child.stdout as Socket, child.stderr as Socket];
	for (const part of parts) isHeld ? part?.ref() : part?.unref();
}

function outputOf(stream: Socket) {
	let text = '';
	const { promise: complete, resolve } = Promise.withResolvers<void>();
	const take = (chunk: string) => {
		text += chunk;
		if (text.endsWith(END)) resolve();
	};
	stream.on('data', take);
	return {
		complete,
		end() {
			stream.off('data', take);
			return text.endsWith(END) ? text.slice(0, -1) : text;
		},
	};
}
