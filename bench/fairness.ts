// What one reseller notices of another one that floods the service: the time of its single requests, on both engines.
// And what the flooding one loses by it: its answers a second, beside those that it has alone.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { endpoints } from '@bursar/contract';
import { startPostgres } from '@bursar/testing/postgres-server';
import { readConfig } from '../packages/server/src/config.ts';
import { newProxyAuthkey, newToken } from '../packages/server/src/credentials.ts';
import { startOfDayMs, usageShownDays } from '../packages/server/src/domain/usage.ts';
import { openStore } from '../packages/server/src/engine.ts';
import { print } from './report.ts';
import { type SeededReseller, seedResellers, subUserName } from './seed.ts';
import { startTarget } from './target-process.ts';
import type { Flood } from './targets/flood.ts';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
const CONNECTIONS = 24;
const AHEAD = 100;
const SUB_USERS = 6_000;
const PAUSE_MS = 10;

interface Scene {
	readonly name: string;
	readonly flood: Pick<Flood, 'request' | 'status'>;
	/** A single request of the other reseller. */
	readonly other: { readonly name: string; send(url: string): Promise<Response> };
}

type Environment = Readonly<Record<string, string>>;

const folder = mkdtempSync(join(tmpdir(), 'bursar-bench-'));
const postgres = await startPostgres({ settings: { fsync: 'on', synchronous_commit: 'on' } });
try {
	print(`One reseller floods on ${CONNECTIONS} connections, ${AHEAD} requests ahead on each; another one sends single`);
	print(
		`requests. ${SECONDS} s each. Aims: at most 250 ms at the 99th percentile, none refused, goodput at least 0.8.\n`,
	);
	print('| engine | flood | single request | 50th | 99th | longest | refused | goodput beside / alone |');
	print('|---|---|---|---:|---:|---:|---:|---:|');
	await measureEngine('SQLite', { BURSAR_DATA_DIR: folder });
	await measureEngine('PostgreSQL', {
		BURSAR_DATABASE_URL: await postgres.createDatabase(),
		BURSAR_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
	});
} finally {
	await postgres.remove();
	rmSync(folder, { recursive: true });
}

async function measureEngine(engine: string, store: Environment): Promise<void> {
	const scenes = await prepare(store);
	const environment = { ...store, BURSAR_PORT: '0', BURSAR_OPS_PORT: '0', BURSAR_LOG_LEVEL: 'warn' };
	const bursar = await startTarget('Bursar', ['bursar.ts'], environment);
	try {
		for (const { name, flood, other } of scenes) {
			const load = { url: bursar.url, connections: CONNECTIONS, ahead: AHEAD, seconds: SECONDS, ...flood };
			await runFlood({ ...load, seconds: 1 });
			const alone = await runFlood(load);
			const flooding = runFlood(load);
			// The flood has to have begun.
			await setTimeout(300);
			const { timesMs, refused } = await sendSingles(() => other.send(bursar.url), SECONDS - 0.6);
			const beside = await flooding;
			const at = (part: number) => `${(timesMs[Math.floor(timesMs.length * part)] ?? Number.NaN).toFixed(0)} ms`;
			const goodput = (beside / alone).toFixed(2);
			const longest = `${(timesMs.at(-1) ?? Number.NaN).toFixed(0)} ms`;
			print(`| ${[engine, name, other.name, at(0.5), at(0.99), longest, refused, goodput].join(' | ')} |`);
		}
	} finally {
		await bursar.stop();
	}
}

async function prepare(environment: Environment): Promise<readonly Scene[]> {
	const [greedy, modest] = (await seedResellers(environment, ['greedy', 'modest'], SUB_USERS)) as [
		SeededReseller,
		SeededReseller,
	];
	const [poor, empty] = [await openReseller(environment, 'poor'), await openReseller(environment, 'empty')];
	await addUsage(environment, subUserName('greedy', 1));
	const single = (reseller: SeededReseller, path: string, body?: unknown) => (url: string) =>
		fetch(url + path, {
			headers: { authorization: `Bearer ${reseller.token}`, 'content-type': 'application/json' },
			...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
		});
	const give = { username: subUserName('modest', 1), amount_usd_cents: 1 };
	const giving = { name: 'give_balance', send: single(modest, endpoints.giveBalance.path, give) };
	const reading = { name: 'my_info', send: single(modest, endpoints.myInfo.path) };
	const listing = { name: 'view_all, an empty list', send: single(empty, endpoints.viewAllSubUsers.path) };
	const usage = requestOf(greedy, endpoints.viewUsage.path, { username: subUserName('greedy', 1) });
	const list = requestOf(greedy, endpoints.viewAllSubUsers.path);
	return [
		{
			name: 'create without money',
			flood: { request: requestOf(poor, endpoints.createSubUser.path, { username: 'nobody' }), status: 402 },
			other: giving,
		},
		{
			name: 'give_balance',
			flood: {
				request: requestOf(greedy, endpoints.giveBalance.path, {
					username: subUserName('greedy', 1),
					amount_usd_cents: 1,
				}),
				status: 200,
			},
			other: giving,
		},
		{ name: 'view_txs', flood: { request: usage, status: 200 }, other: reading },
		{ name: 'view_txs', flood: { request: usage, status: 200 }, other: giving },
		{ name: `view_all of ${SUB_USERS}`, flood: { request: list, status: 200 }, other: listing },
		{ name: `view_all of ${SUB_USERS}`, flood: { request: list, status: 200 }, other: giving },
	];
}

function requestOf({ token }: SeededReseller, path: string, body?: unknown): string {
	const head = `${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${token}\r\n`;
	if (body === undefined) return `${head}\r\n`;
	const json = JSON.stringify(body);
	return `${head}Content-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n${json}`;
}

/** A reseller with neither money nor sub-users. */
async function openReseller(environment: Environment, username: string): Promise<SeededReseller> {
	const { token, ...kept } = newToken();
	const store = await openStore(readConfig(environment));
	await store.runCommands(
		[
			{
				kind: 'create_reseller',
				reseller: username,
				requestId: 'bench',
				proxyAuthkey: newProxyAuthkey(),
				...kept,
				madeBy: 'bench',
				openingBalanceCents: 0,
			},
		],
		store.nowMs(),
	);
	await store.close();
	return { username, token };
}

/** A report for each day that is shown. */
async function addUsage(environment: Environment, username: string): Promise<void> {
	const store = await openStore(readConfig(environment));
	const { firstDay, lastDay } = usageShownDays(store.nowMs());
	const days = Array.from({ length: lastDay - firstDay + 1 }, (_, offset) => firstDay + offset);
	await store.recordUsage(
		days.map((day) => ({
			source: 'bench',
			id: String(day),
			username,
			atMs: startOfDayMs(day),
			bytesUp: 1e6,
			bytesDown: 1e9,
		})),
		store.nowMs(),
	);
	await store.close();
}

/** Answers a second. */
async function runFlood(flood: Flood): Promise<number> {
	const child = spawn(process.execPath, [join(import.meta.dirname, 'targets/flood.ts')], {
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	child.stdin.end(JSON.stringify(flood));
	const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
	const { answers, others } = JSON.parse(output) as { answers: number; others: number };
	// The service has to have seen that the connections have ended.
	await setTimeout(1_000);
	if (others > answers / 100) throw new Error(`the flood had ${others} answers that it should not have`);
	return answers / flood.seconds;
}

/** One after another, with a pause between them. Times in ascending order. */
async function sendSingles(send: () => Promise<Response>, seconds: number) {
	const timesMs: number[] = [];
	let refused = 0;
	const endMs = performance.now() + seconds * 1000;
	while (performance.now() < endMs) {
		const startMs = performance.now();
		const response = await send();
		await response.arrayBuffer();
		timesMs.push(performance.now() - startMs);
		if (response.status !== 200) refused++;
		await setTimeout(PAUSE_MS);
	}
	return { timesMs: timesMs.sort((a, b) => a - b), refused };
}
