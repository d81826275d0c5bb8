import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { hasEnded } from './processes.ts';

/** How many characters of each stream are kept. */
const KEPT_OUTPUT = 2 ** 24;

/** How a process ended, and its output. */
export interface Ending {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
	readonly stdout: string;
	readonly stderr: string;
}

/** The owner of the processes: a test, or something else that ends and says so. */
export interface ProcessOwner {
	/** Does this when the owner ends. */
	after(end: () => Promise<void>): void;
}

/** A child process. It ends with its owner at the latest. */
export interface TestProcess {
	readonly pid: number;
	readonly child: ChildProcessWithoutNullStreams;
	/** Its standard output so far. */
	stdout(): string;
	/** Sends a signal, and does not wait. */
	signal(signal: NodeJS.Signals): void;
	/** Resolves when the process has ended, for any reason. */
	readonly ended: Promise<Ending>;
}

export interface ProcessOptions {
	/** A program with arguments that runs it as its child, or becomes it. Signals go to the child. */
	readonly under?: readonly string[];
	readonly environment?: Readonly<Record<string, string>>;
	/** The id of the user that runs it; only root can choose one. */
	readonly uid?: number;
	/** Its standard input. `null`: the test writes to it. */
	readonly input?: string | null;
}

/** Starts a program. Of the environment of this process it gets only `PATH`. */
export function startProcess(
	owner: ProcessOwner,
	command: readonly string[],
	{ under = [], environment = {}, uid, input }: ProcessOptions = {},
): TestProcess {
	const [program, ...args] = [...under, ...command] as [string, ...string[]];
	const child = spawn(program, args, {
		env: { PATH: process.env.PATH ?? '', ...environment },
		...(uid !== undefined && { uid }),
	});
	const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
	const signal = (name: NodeJS.Signals) => {
		const inner = under.length > 0 && !hasEnded(child) ? childOf(child.pid as number) : undefined;
		if (inner === undefined) child.kill(name);
		else process.kill(inner, name);
	};
	child.stdin.on('error', () => {});
	if (input !== null) child.stdin.end(input);
	owner.after(async () => {
		signal('SIGKILL');
		await closed;
	});
	const stdout = keepOutput(child.stdout);
	const stderr = keepOutput(child.stderr);
	return {
		pid: child.pid ?? assert.fail(`${program} could not be started`),
		child,
		stdout,
		signal,
		ended: closed.then(([code, signal]) => ({ code, signal, stdout: stdout(), stderr: stderr() })),
	};
}

/** The only child of a process, if it has one. */
function childOf(pid: number): number | undefined {
	try {
		const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
		return child ? Number(child) : undefined;
	} catch {
		return undefined;
	}
}

function keepOutput(stream: Readable): () => string {
	let text = '';
	stream.setEncoding('utf8').on('data', (chunk: string) => {
		if (text.length < KEPT_OUTPUT) text += chunk;
	});
	return () => text;
}
