import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { TestContext } from 'node:test';

const BURSAR = join(import.meta.dirname, '../../server/bin/bursar.js');
const READY_LIMIT_MS = 30_000;
const KEPT_OUTPUT = 200_000;

/** How a process ended, and what it had said. */
export interface Ending {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
	readonly stdout: string;
	readonly stderr: string;
}

/** A `bursar` process of its own: it ends with the test at the latest. */
export interface BursarProcess {
	readonly pid: number;
	/** What it has written to standard output so far. */
	stdout(): string;
	/** Where its output comes from: to stop reading it, or to go away. */
	readonly streams: { readonly stdout: Readable; readonly stderr: Readable };
	/** Sends a signal, and does not wait for what comes of it. */
	signal(signal: NodeJS.Signals): void;
	/** Resolves when it has ended, by whatever cause. */
	readonly ended: Promise<Ending>;
}

/** A `bursar serve` that has said that it is ready. */
export interface ServerProcess extends BursarProcess {
	readonly url: string;
	readonly opsUrl: string;
	/** From its start until it was ready. */
	readonly readyAfterMs: number;
	/** Sends a signal, and waits until the process has ended. */
	kill(signal: NodeJS.Signals): Promise<Ending>;
}

export interface ProcessOptions {
	/** A program that runs it as its child, with its arguments. Signals go to the child. */
	readonly under?: readonly string[];
	readonly environment?: Readonly<Record<string, string>>;
	/** The system's number of the user that it runs as; only root can choose one. */
	readonly uid?: number;
	/** What it reads from standard input. */
	readonly input?: string;
}

/** Starts `bursar` with nothing of the test's own environment but what every program needs. */
export function spawnBursar(
	test: TestContext,
	dataDir: string,
	args: readonly string[],
	{ under = [], environment = {}, uid, input }: ProcessOptions = {},
): BursarProcess {
	const [program, ...rest] = [...under, process.execPath, BURSAR, ...args] as [string, ...string[]];
	const child = spawn(program, rest, {
		env: {
			PATH: process.env.PATH ?? '',
			BURSAR_DATA_DIR: dataDir,
			BURSAR_PORT: '0',
			BURSAR_OPS_PORT: '0',
			...environment,
		},
		...(uid !== undefined && { uid }),
	});
	const ended = endingOf(child);
	const signal = (name: NodeJS.Signals) => {
		const inner = under.length > 0 && child.exitCode === null ? childOf(child.pid as number) : undefined;
		if (inner === undefined) child.kill(name);
		else process.kill(inner, name);
	};
	child.stdin.on('error', () => {});
	child.stdin.end(input);
	test.after(async () => {
		signal('SIGKILL');
		await ended;
	});
	const stdout = keepOutput(child.stdout);
	const stderr = keepOutput(child.stderr);
	return {
		pid: child.pid ?? assert.fail(`${program} could not be started`),
		stdout,
		streams: { stdout: child.stdout, stderr: child.stderr },
		signal,
		ended: ended.then(([code, signal]) => ({ code, signal, stdout: stdout(), stderr: stderr() })),
	};
}

/** Runs `bursar` to its end. */
export function runBursar(
	test: TestContext,
	dataDir: string,
	args: readonly string[],
	options?: ProcessOptions,
): Promise<Ending> {
	return spawnBursar(test, dataDir, args, options).ended;
}

/** Starts `bursar serve` on free ports and waits until it is ready. */
export async function startServer(
	test: TestContext,
	dataDir: string,
	options?: ProcessOptions,
): Promise<ServerProcess> {
	const startedAtMs = performance.now();
	const server = spawnBursar(test, dataDir, ['serve'], options);
	const { url, opsUrl } = await readyLine(server);
	return {
		...server,
		url,
		opsUrl,
		readyAfterMs: performance.now() - startedAtMs,
		kill(signal) {
			server.signal(signal);
			return server.ended;
		},
	};
}

/** Throws unless the ledger, as the operator's own command sees it, is in order. */
export async function assertLedgerInOrder(test: TestContext, dataDir: string, options?: ProcessOptions): Promise<void> {
	const { code, stdout, stderr } = await runBursar(test, dataDir, ['ledger', 'verify', '--json'], options);
	assert.equal(code, 0, `ledger verify: ${stdout}${stderr}`);
	assert.equal((JSON.parse(stdout) as { ok: boolean }).ok, true);
}

async function readyLine(server: BursarProcess): Promise<{ url: string; opsUrl: string }> {
	const giveUpAt = performance.now() + READY_LIMIT_MS;
	let ending: Ending | undefined;
	void server.ended.then((value) => {
		ending = value;
	});
	for (;;) {
		// What comes behind the last end of a line is no whole line yet.
		for (const line of server.stdout().split('\n').slice(0, -1)) {
			const { url, opsUrl, msg } = JSON.parse(line);
			if (msg === 'ready') return { url, opsUrl };
		}
		if (ending) assert.fail(`the server ended before it was ready: ${JSON.stringify(ending)}`);
		if (performance.now() > giveUpAt) assert.fail('the server did not get ready');
		await new Promise((resolve) => setTimeout(resolve, 5));
	}
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

function keepOutput(stream: NodeJS.ReadableStream): () => string {
	let text = '';
	stream.setEncoding('utf8');
	stream.on('data', (chunk: string) => {
		if (text.length < KEPT_OUTPUT) text += chunk;
	});
	return () => text;
}

async function endingOf(child: ChildProcess): Promise<[code: number | null, signal: NodeJS.Signals | null]> {
	return (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
}
