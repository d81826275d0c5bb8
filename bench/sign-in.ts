// Measures how long sign-ins block the event loop. Each computes a password hash of 19 MiB, right or wrong, known or not.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, print } from './report.ts';
import { startTarget } from './target-process.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 10);
const ROUND_MS = 2_000;
const AIM_MS = 20;
const AT_ONCE = [0, 1, 2, 16, 100];

const folder = mkdtempSync(join(tmpdir(), 'bursar-bench-'));
const environment = {
	BURSAR_DATA_DIR: folder,
	BURSAR_PORT: '0',
	BURSAR_OPS_PORT: '0',
	// Each sign-in comes from an address of its own, so that none is throttled.
	BURSAR_TRUSTED_PROXIES: '127.0.0.1',
	BURSAR_PUBLIC_URL: 'http://localhost',
};
const target = await startTarget('Bursar', ['bursar.ts'], environment, { probed: true });
let tries = 0;

print(`The longest block of the event loop in each of ${ROUNDS} rounds of ${ROUND_MS / 1000} s. Aim: ${AIM_MS} ms.\n`);
print('| sign-ins at once | computed a second | shed a second | median, ms | longest, ms |');
print('|---:|---:|---:|---:|---:|');
try {
	await round(2);
	for (const atOnce of AT_ONCE) await measure(atOnce);
} finally {
	await target.stop();
	rmSync(folder, { recursive: true });
}

async function measure(atOnce: number): Promise<void> {
	const blocks: number[] = [];
	const counts = { computed: 0, shed: 0 };
	for (let rounds = 0; rounds < ROUNDS; rounds++) {
		await target.longestBlockMs();
		const { computed, shed } = await round(atOnce);
		blocks.push(await target.longestBlockMs());
		counts.computed += computed;
		counts.shed += shed;
	}
	const perSecond = (count: number) => Math.round((count * 1000) / (ROUNDS * ROUND_MS));
	const figures = [median(blocks), Math.max(...blocks)].map((ms) => ms.toFixed(1));
	print(`| ${[atOnce, perSecond(counts.computed), perSecond(counts.shed), ...figures].join(' | ')} |`);
}

async function round(atOnce: number): Promise<{ computed: number; shed: number }> {
	const counts = { computed: 0, shed: 0 };
	const endMs = performance.now() + ROUND_MS;
	async function client(): Promise<void> {
		while (performance.now() < endMs) {
			const status = await signIn();
			if (status === 401) counts.computed++;
			else if (status === 503) counts.shed++;
			else throw new Error(`a sign-in was answered with ${status}`);
			// A client that was told to wait does so for a moment.
			if (status === 503) await new Promise((resolve) => setTimeout(resolve, 50));
		}
	}
	const clients = Array.from({ length: atOnce }, client);
	if (atOnce === 0) clients.push(new Promise((resolve) => setTimeout(resolve, ROUND_MS)));
	await Promise.all(clients);
	return counts;
}

async function signIn(): Promise<number> {
	tries++;
	const { status, body } = await fetch(`${target.url}/dashboard/api/sign-in`, {
		method: 'POST',
		headers: {
			'content-type': 'application/json',
			origin: 'http://localhost',
			'x-forwarded-for': `10.${(tries >> 16) & 255}.${(tries >> 8) & 255}.${tries & 255}`,
		},
		body: JSON.stringify({ email: `person-${tries}@example.com`, password: 'correct horse battery staple' }),
	});
	await body?.cancel();
	return status;
}
