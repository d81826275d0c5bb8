// Measures the time from the start of the process to its first answer, with a store of a million accounts.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { median, print } from './report.ts';
import { seedReseller } from './seed.ts';

const ACCOUNTS = Number(process.env.BENCH_ACCOUNTS ?? 1_000_000);
const ROUNDS = 5;

const folder = mkdtempSync(join(tmpdir(), 'bursar-bench-'));
try {
	process.stderr.write(`filling a store with ${ACCOUNTS} accounts...\n`);
	await seedReseller({ BURSAR_DATA_DIR: folder }, 'bench', ACCOUNTS - 1);
	const node = [];
	const bursar = [];
	for (let round = 0; round < ROUNDS; round++) {
		node.push(await timeToExit());
		bursar.push(await timeToReady());
	}
	print(`Cold start with ${ACCOUNTS} accounts, median of ${ROUNDS}:\n`);
	print('| what | milliseconds |');
	print('|---|---:|');
	print(`| Node alone, an empty program | ${median(node).toFixed(0)} |`);
	print(`| Bursar until it is ready (aim: 1000) | ${median(bursar).toFixed(0)} |`);
} finally {
	rmSync(folder, { recursive: true });
}

async function timeToExit(): Promise<number> {
	const startMs = performance.now();
	await once(spawn(process.execPath, ['--eval', '']), 'exit');
	return performance.now() - startMs;
}

async function timeToReady(): Promise<number> {
	const startMs = performance.now();
	const child: ChildProcess = spawn(
		process.execPath,
		[join(import.meta.dirname, '../packages/server/bin/bursar.js'), 'serve'],
		{
			env: { ...process.env, BURSAR_DATA_DIR: folder, BURSAR_PORT: '0', BURSAR_OPS_PORT: '0' },
			stdio: ['ignore', 'pipe', 'inherit'],
		},
	);
	const [line] = (await once(createInterface({ input: child.stdout as Readable }), 'line')) as [string];
	const { opsUrl } = JSON.parse(line) as { opsUrl: string };
	const response = await fetch(`${opsUrl}/readyz`);
	if (!response.ok) throw new Error('the service printed its address, but was not ready');
	const durationMs = performance.now() - startMs;
	child.kill('SIGTERM');
	await once(child, 'exit');
	return durationMs;
}
