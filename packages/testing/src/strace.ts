import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** What the system does to some of a process's calls. */
export interface Fault {
	/** Names of system calls, as strace knows them. */
	readonly calls: readonly string[];
	/** As in strace's `inject=`: `error=EIO`, `signal=SIGKILL`, `delay_enter=5s`. */
	readonly effect: string;
	/** Which of each thread's calls, counted from 1; `1+` for all. */
	readonly when: string;
	/** Only calls on this file of the data directory. */
	readonly file?: string;
}

export interface InjectedFault {
	/** Resolves once the process is left alone again. */
	remove(): Promise<void>;
}

function straceArguments({ calls, effect, when, file }: Fault, dataDir: string): string[] {
	const list = calls.join(',');
	const path = file === undefined ? [] : ['-P', join(dataDir, file)];
	return ['-f', '-o', '/dev/null', ...path, '-e', `trace=${list}`, '-e', `inject=${list}:${effect}:when=${when}`];
}

/** The words in front of a command that has the fault from its start. */
export function underFault(fault: Fault, dataDir: string): string[] {
	return ['strace', ...straceArguments(fault, dataDir), '--'];
}

/** Gives the fault to a process that runs already. Needs strace, and the right to trace one's own children. */
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
