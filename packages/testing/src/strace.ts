import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** A fault in some system calls of a process. */
export interface Fault {
	/** Names of system calls, as in strace. */
	readonly calls: readonly string[];
	/** As in strace's `inject=`: `error=EIO`, `signal=SIGKILL`, `delay_enter=5s`. */
	readonly effect: string;
	/** Which of each thread's calls, counted from 1; `1+` for all. */
	readonly when: string;
	/** Only calls on this file of the data directory. */
	readonly file?: string;
}

export interface InjectedFault {
	/** Resolves once the fault is gone. */
	remove(): Promise<void>;
}

function straceArguments({ calls, effect, when, file }: Fault, dataDir: string): string[] {
	const list = calls.join(',');
	const path = file === undefined ? [] : ['-P', join(dataDir, file)];
	return ['-f', '-o', '/dev/null', ...path, '-e', `trace=${list}`, '-e', `inject=${list}:${effect}:when=${when}`];
}

/** The words before a command that give it the fault from its start. */
export function underFault(fault: Fault, dataDir: string): string[] {
	return ['strace', ...straceArguments(fault, dataDir), '--'];
}

/** Injects the fault into a running process. Needs strace, and the right to trace child processes. */
export async function injectFault(
	test: TestContext,
	pid: number,
	dataDir: string,
	fault: Fault,
): Promise<InjectedFault> {
	const strace = spawn('strace', [...straceArguments(fault, dataDir), '-p', String(pid)], {
		stdio: ['ignore', 'ignore', 'pipe'],
	});
	const closed = once(strace, 'close');
	closed.catch(() => {});
	test.after(() => void strace.kill('SIGKILL'));
	let said = '';
	strace.stderr.setEncoding('utf8');
	await new Promise<void>((resolve, reject) => {
		strace.on('error', reject);
		strace.on('close', () => reject(new Error(`strace could not be attached: ${said}`)));
		strace.stderr.on('data', (text: string) => {
			said += text;
			if (/attached/.test(said)) resolve();
		});
	});
	return {
		async remove() {
			strace.kill('SIGINT');
			await closed;
			assert.doesNotMatch(said, /Operation not permitted/);
		},
	};
}
