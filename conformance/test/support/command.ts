import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

const COMMAND = join(import.meta.dirname, '../../src/conformance.ts');
const { PATH = '', NODE_COMPILE_CACHE } = process.env;
const EVERY_PROGRAM = { PATH, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) };

export interface Ended {
	readonly code: number | null;
	readonly stdout: string;
	readonly stderr: string;
}

/** Starts the command line with nothing of the test's own environment but what every program needs. */
export function startCommand(
	test: TestContext,
	args: readonly string[],
	environment: Readonly<Record<string, string>> = {},
): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
	const child = spawn(process.execPath, [COMMAND, ...args], {
		env: { ...EVERY_PROGRAM, ...environment },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	test.after(() => child.kill('SIGKILL'));
	const output = { stdout: '', stderr: '' };
	for (const name of ['stdout', 'stderr'] as const) {
		child[name].setEncoding('utf8').on('data', (text: string) => {
			output[name] += text;
		});
	}
	return { child, ended: once(child, 'close').then(([code]) => ({ code, ...output })) };
}

/** Runs it to its end. */
export function runCommand(...args: Parameters<typeof startCommand>): Promise<Ended> {
	return startCommand(...args).ended;
}
