import { Readable, Writable } from 'node:stream';
import type { Ending } from './test-process.ts';

const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;
type Replaced = 'stdin' | 'stdout' | 'stderr' | 'env';

export interface InProcessOptions {
	/** Like a process of its own, it gets only `PATH` besides. */
	readonly environment?: Readonly<Record<string, string>>;
	readonly input?: string | undefined;
}

/** The end of the previous run: the runs of one process take turns, because the process has one environment. */
let previous: Promise<unknown> = Promise.resolve();

/**
 * Runs a command line to its end in this process, which takes a tenth of the time of a process. A run that gets a signal,
 * asks on a terminal or calls `process.exit` needs a process of its own. Meanwhile, all tests of this process have its
 * environment.
 */
export function runInProcess(
	program: (argv: readonly string[]) => Promise<void>,
	args: readonly string[],
	options: InProcessOptions = {},
): Promise<Ending> {
	const run = previous.then(() => runAlone(program, args, options));
	previous = run.catch(() => {});
	return run;
}

/** Runs it with each of the argument lists, one after another. `line` is the arguments. */
export async function runEachInProcess(
	program: (argv: readonly string[]) => Promise<void>,
	lines: readonly (readonly string[])[],
	options: InProcessOptions = {},
): Promise<readonly (Ending & { readonly line: string })[]> {
	const runs = [];
	for (const args of lines) runs.push({ line: args.join(' '), ...(await runInProcess(program, args, options)) });
	return runs;
}

async function runAlone(
	program: (argv: readonly string[]) => Promise<void>,
	args: readonly string[],
	{ environment = {}, input }: InProcessOptions,
): Promise<Ending> {
	const [stdout, stderr] = [keptText(), keptText()];
	const { exitCode } = process;
	const listeners = SIGNALS.map((signal) => process.listeners(signal));
	const restore = replace({
		env: { PATH: process.env.PATH, ...environment },
		stdin: Readable.from(input === undefined ? [] : [Buffer.from(input)]),
		stdout: stdout.stream,
		stderr: stderr.stream,
	});
	process.exitCode = undefined;
	try {
		await program([process.execPath, 'program', ...args]);
		return { code: Number(process.exitCode ?? 0), signal: null, stdout: stdout.text(), stderr: stderr.text() };
	} finally {
		process.exitCode = exitCode;
		restore();
		for (const [index, signal] of SIGNALS.entries()) {
			for (const listener of process.listeners(signal)) {
				if (!listeners[index]?.includes(listener)) process.off(signal, listener);
			}
		}
	}
}

/** Replaces properties of `process`. Node's test runner keeps the stream that it reports to. */
function replace(values: Readonly<Record<Replaced, unknown>>): () => void {
	const before = Object.keys(values).map((name) => [name, Object.getOwnPropertyDescriptor(process, name)] as const);
	for (const [name, value] of Object.entries(values)) {
		Object.defineProperty(process, name, { value, configurable: true, enumerable: true, writable: true });
	}
	return () => {
		for (const [name, descriptor = {}] of before) Object.defineProperty(process, name, descriptor);
	};
}

/** A stream that is no file and no terminal. */
function keptText() {
	let text = '';
	const stream = new Writable({
		decodeStrings: false,
		write(chunk: string | Buffer, _, done) {
			text += chunk.toString();
			done();
		},
	});
	return { stream, text: () => text };
}
