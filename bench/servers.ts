import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { endProcess } from '@bursar/testing/processes';
import type { Store } from './stores.ts';

/** A measured server, in a process of its own. */
export interface Server {
	readonly url: string;
	/** Empty if it has no edge listener. */
	readonly edgeUrl: string;
	readonly pid: number;
	stop(): Promise<void>;
}

/** The root of this checkout. */
export const HERE = join(import.meta.dirname, '..');
/** Every checkout has it there, so that another one can be measured too. */
const BURSAR = 'packages/server/bin/bursar.js';

/** Starts a program of Node that prints a JSON line with its `url`, as our logs do. Other lines may come before it. */
export async function startServer(args: readonly string[], environment: Store = {}): Promise<Server> {
	const child = spawn(process.execPath, args, {
		env: { PATH: process.env.PATH, ...environment },
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const ready = Promise.withResolvers<{ readonly url: string; readonly edgeUrl?: string }>();
	once(child, 'exit').then(() => ready.reject(new Error(`${args.join(' ')} could not be started`)), ready.reject);
	createInterface({ input: child.stdout }).on('line', (line) => {
		const logged = JSON.parse(line);
		if (logged.url !== undefined) ready.resolve(logged);
	});
	const { url, edgeUrl = '' } = await ready.promise;
	return { url, edgeUrl, pid: child.pid as number, stop: () => endProcess(child, 'SIGTERM') };
}

/** Starts one of the programs beside the benchmarks. */
export function startProgram(name: string, ...args: readonly string[]): Promise<Server> {
	return startServer([join(import.meta.dirname, 'programs', name), ...args]);
}

/** Starts `bursar serve` of a checkout, on free ports. */
export function startBursar(store: Store, checkout = HERE): Promise<Server> {
	const ports = { BURSAR_PORT: '0', BURSAR_OPS_PORT: '0', BURSAR_EDGE_PORT: '0' };
	return startServer([join(checkout, BURSAR), 'serve'], { ...ports, BURSAR_LOG_LEVEL: 'info', ...store });
}

/** Runs another command of a checkout to its end. Returns the JSON object that it prints. */
export async function runBursar(
	store: Store,
	args: readonly string[],
	{ checkout = HERE, input = '' }: { checkout?: string | undefined; input?: string } = {},
) {
	const running = promisify(execFile)(process.execPath, [join(checkout, BURSAR), ...args, '--json'], {
		env: { PATH: process.env.PATH, ...store },
	});
	running.child.stdin?.end(input);
	return JSON.parse((await running).stdout);
}

/** Runs a program beside the benchmarks to its end: a client, or a reference. Returns what it prints. */
export async function runProgram<Result>(name: string, input: unknown): Promise<Result> {
	const running = promisify(execFile)(process.execPath, [join(import.meta.dirname, 'programs', name)]);
	running.child.stdin?.end(JSON.stringify(input));
	const { stdout, stderr } = await running;
	process.stderr.write(stderr);
	return JSON.parse(stdout) as Result;
}
