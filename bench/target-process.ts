import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** A measured server in its own process. */
export interface TargetProcess {
	readonly name: string;
	readonly url: string;
	readonly opsUrl: string | undefined;
	/** Absent if it has no edge listener. */
	readonly edgeUrl: string | undefined;
	readonly child: ChildProcess;
	/** The longest block of its event loop since the previous call, in milliseconds. */
	longestBlockMs(): Promise<number>;
	/** Resident memory in bytes. */
	residentBytes(): number;
	stop(): Promise<void>;
}

interface TargetOptions {
	/** It can be asked for the longest block of its event loop. */
	readonly probed?: boolean;
	/** The root of the checkout whose program it runs. This one, if absent. */
	readonly checkout?: string | undefined;
}

/** Starts a server and waits for the JSON line with its address. */
export async function startTarget(
	name: string,
	[file, ...args]: readonly [string, ...string[]],
	environment: Readonly<Record<string, string>> = {},
	{ probed = false, checkout = join(import.meta.dirname, '..') }: TargetOptions = {},
): Promise<TargetProcess> {
	const child = spawn(process.execPath, [join(checkout, 'bench', 'targets', file), ...args], {
		env: { ...process.env, ...environment },
		stdio: ['ignore', 'pipe', 'inherit', ...(probed ? (['ipc'] as const) : [])],
	});
	const { url, opsUrl, edgeUrl } = await Promise.race([
		addressesOf(child.stdout as Readable),
		once(child, 'exit').then(() => Promise.reject(new Error(`${name} could not be started`))),
	]);
	return {
		name,
		url,
		opsUrl,
		edgeUrl,
		child,
		async longestBlockMs() {
			child.send('?');
			const [{ longestBlockMs }] = (await once(child, 'message')) as [{ longestBlockMs: number }];
			return longestBlockMs;
		},
		residentBytes() {
			const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
			return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
		},
		async stop() {
			if (child.exitCode !== null || child.signalCode !== null) return;
			child.kill('SIGTERM');
			await once(child, 'exit');
		},
	};
}

interface Addresses {
	readonly url: string;
	readonly opsUrl?: string;
	readonly edgeUrl?: string;
}

/** Lines of the log may come before the line with the addresses. */
async function addressesOf(output: Readable): Promise<Addresses> {
	const lines = createInterface({ input: output });
	for (;;) {
		const [line] = (await once(lines, 'line')) as [string];
		const { url, ...others } = JSON.parse(line) as Partial<Addresses>;
		if (url !== undefined) return { url, ...others };
	}
}
