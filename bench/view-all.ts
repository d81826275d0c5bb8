// A long list with fast and slow readers: measures the first byte, memory, and blocks of the event loop.
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { endpoints } from '@bursar/contract';
import { median, print } from './report.ts';
import { seedReseller } from './seed.ts';
import { startTarget } from './target-process.ts';

const SUB_USERS = Number(process.env.BENCH_SUB_USERS ?? 100_000);
const SLOW_READERS = 10;
const SLOW_READ_MS = 5_000;
const CHUNKS_PER_SECOND = 20;
const MIB = 1024 * 1024;

const folder = mkdtempSync(join(tmpdir(), 'bursar-bench-'));
process.stderr.write(`filling a store with ${SUB_USERS} sub-users...\n`);
const { token } = await seedReseller({ BURSAR_DATA_DIR: folder }, 'bench', SUB_USERS);
const environment = { BURSAR_DATA_DIR: folder, BURSAR_PORT: '0', BURSAR_OPS_PORT: '0' };
const bursar = await startTarget('Bursar', ['bursar.ts'], environment, { probed: true });
try {
	const headers = { authorization: `Bearer ${token}` };
	await fetch(bursar.url + endpoints.myInfo.path, { headers });
	await bursar.longestBlockMs();
	const idleBytes = bursar.residentBytes();

	const firstBytesMs: number[] = [];
	const wholeMs: number[] = [];
	for (let round = 0; round < 5; round++) {
		const startMs = performance.now();
		const response = await fetch(bursar.url + endpoints.viewAllSubUsers.path, { headers });
		const reader = (response.body as ReadableStream<Uint8Array>).getReader();
		await reader.read();
		firstBytesMs.push(performance.now() - startMs);
		while (!(await reader.read()).done);
		wholeMs.push(performance.now() - startMs);
	}
	const fastBlockMs = await bursar.longestBlockMs();
	const afterFastBytes = bursar.residentBytes();

	let peakBytes = 0;
	const readers = Array.from({ length: SLOW_READERS }, () => readSlowly(bursar.url, token));
	for (let waited = 0; waited < SLOW_READ_MS; waited += 100) {
		await setTimeout(100);
		peakBytes = Math.max(peakBytes, bursar.residentBytes());
	}
	const slowBlockMs = await bursar.longestBlockMs();
	for (const stop of readers) stop();

	print(`view_all of ${SUB_USERS} sub-users, with a fast reader and then with ten slow readers:\n`);
	print('| what | measured | aim |');
	print('|---|---:|---:|');
	print(`| first byte, slowest of 5 | ${Math.max(...firstBytesMs).toFixed(1)} ms | 50 ms |`);
	print(`| whole list, median of 5 | ${median(wholeMs).toFixed(0)} ms | |`);
	print(`| longest block of the event loop, fast reader | ${fastBlockMs.toFixed(1)} ms | 20 ms |`);
	print(`| longest block of the event loop, slow readers | ${slowBlockMs.toFixed(1)} ms | 20 ms |`);
	print(`| memory above idle, after the fast reader | ${((afterFastBytes - idleBytes) / MIB).toFixed(1)} MiB | |`);
	print(`| memory above idle, slow readers | ${((peakBytes - idleBytes) / MIB).toFixed(1)} MiB | 64 MiB |`);
} finally {
	await bursar.stop();
	rmSync(folder, { recursive: true });
}

/** Reads a little at a time, like a client far away. Returns a function that stops it. */
function readSlowly(url: string, bearer: string): () => void {
	const { hostname, port } = new URL(url);
	const socket = connect({ host: hostname, port: Number(port) });
	socket.write(
		`GET ${endpoints.viewAllSubUsers.path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${bearer}\r\n\r\n`,
	);
	socket.on('data', () => {
		socket.pause();
		void setTimeout(1000 / CHUNKS_PER_SECOND).then(() => socket.resume());
	});
	return () => socket.destroy();
}
