import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type { TestContext } from 'node:test';

/** Characters of each stream. */
const KEPT_OUTPUT = 2 ** 24;

/** How a process ended, and what it had said. */
export interface Ending {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
	readonly stdout: string;
	readonly stderr: string;
}

/** A process of its own. It ends with its test at the latest. */
export interface TestProcess {
	readonly pid: number;
	readonly child: ChildProcessWithoutNullStreams;
	/** What it has written to standard output so far. */
	stdout(): string;
	/** Sends a signal, and does not wait for what comes of it. */
	signal(signal: NodeJS.Signals): void;
	/** Resolves when it has ended, by whatever cause. */
	readonly ended: Promise<Ending>;
}

export interface ProcessOptions {
	/** A program that runs it as its child, or becomes it, with its arguments. Signals go to the child. */
	readonly under?: readonly string[];
	readonly environment?: Readonly<Record<string, string>>;
	/** The system's number of the user that it runs as; only root can choose one. */
	readonly uid?: number;
	/** What it reads from standard input. `null`: what the test writes to it. */
	readonly input?: string | null;
}

/** Starts a program with nothing of the test's own environment but what every program needs. */
export function startProcess(
	test: TestContext,
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
		const inner = under.length > 0 && child.exitCode === null ? childOf(child.pid as number) : undefined;
		if (inner === undefined) child.kill(name);
		else process.kill(inner, name);
	};
	child.stdin.on('error', () => {});
	if (input !== null) child.stdin.end(input);
	test.after(async () => {
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
