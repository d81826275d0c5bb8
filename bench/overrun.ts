// How many bytes a sub-user passes beyond what its balance pays for, through one edge and through several. Each round
// gives it a balance for a few seconds of traffic, and opens tunnels that read as fast as they can until they are cut.
//
//   npm run bench -- overrun
//
// All runs on this machine, so its processors are the limit of the speed. The seconds are the bytes, divided by the
// speed of their round.
//
// BENCH_ROUNDS (20), BENCH_TUNNELS (100)
import { setTimeout } from 'node:timers/promises';
import { endpoints, type SubUser } from '@bursar/contract';
import type { CutTunnels } from './programs/cut-tunnels.ts';
import { type RunningProxy, startEdgeOf } from './proxies.ts';
import { print, printRow, tell } from './report.ts';
import { runBenchmark } from './run.ts';
import { createResellers, createSubUsers, type Reseller, subUserName } from './seed.ts';
import { runBursar, runProgram, startBursar, startProgram } from './servers.ts';
import { median } from './spread.ts';
import { openSqlite } from './stores.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 20);
const TUNNELS = Number(process.env.BENCH_TUNNELS ?? 100);
const EDGES = [1, 3];
/** US dollars a GB, so a cent pays for 10 kB. */
const PRICE = 1_000;
const BYTES_OF_CENT = 10_000;
const FIRST_BYTES = 500_000_000;
/** What is given pays for so many seconds. A random time, so that a balance runs out at any moment between two checks. */
const SECONDS = { least: 2.5, more: 2 };
/** Longer than the time between two reports of an edge. */
const QUIET_MS = 2_500;

await runBenchmark(async (stops) => {
	const store = await openSqlite(stops).newStore();
	const target = await startProgram('proxy-origin.ts');
	stops.defer(target.stop);
	const origin = new URL(target.url).host;
	tell('starting a service and its edges...');
	const [reseller] = (await createResellers(store, ['bench'])) as [Reseller];
	await runBursar(store, ['reseller', 'price', reseller.username, String(PRICE)]);
	const keys: string[] = [];
	for (let edge = 0; edge < Math.max(...EDGES); edge++) {
		keys.push((await runBursar(store, ['edge', 'create', '--key', `edge-${edge}`])).key);
	}
	const bursar = await startBursar(store);
	stops.defer(bursar.stop);
	await createSubUsers(bursar.url, [reseller], 1);
	const edges: RunningProxy[] = [];
	for (const key of keys) edges.push(await startEdgeOf(bursar.edgeUrl, key, origin, stops));
	const user = await openUser(bursar.url, reseller);

	print(`${ROUNDS} rounds with ${TUNNELS} tunnels.\n`);
	printRow(['edges', 'MB a second', 'MB beyond, median', 'largest', 'seconds beyond, median', 'largest']);
	print('|---:|---:|---:|---:|---:|---:|');
	for (const count of EDGES) {
		const proxyPorts = edges.slice(0, count).map(({ port }) => port);
		const load: CutTunnels = { proxyPorts, origin, authorization: user.authorization, tunnels: TUNNELS };
		const { bytesPerSecond } = await runOut(user, load, FIRST_BYTES);
		const rounds: Round[] = [];
		while (rounds.length < ROUNDS) {
			const speed = rounds.at(-1)?.bytesPerSecond ?? bytesPerSecond;
			rounds.push(await runOut(user, load, speed * (SECONDS.least + Math.random() * SECONDS.more)));
		}
		printRounds(count, rounds);
	}
});

interface Round {
	readonly bytesPerSecond: number;
	readonly beyondBytes: number;
}

/** Gives a balance for so many bytes, and lets it run out. */
async function runOut(user: User, load: CutTunnels, bytes: number): Promise<Round> {
	const cents = Math.round(bytes / BYTES_OF_CENT);
	const before = await user.usedBytes();
	await user.give(cents);
	// The refusals that the edges remember must be over, so that all tunnels begin together.
	await setTimeout(QUIET_MS);
	const seconds = await runProgram<number>('cut-tunnels.ts', load);
	const used = (await settled(user.usedBytes)) - before;
	return { bytesPerSecond: used / seconds, beyondBytes: used - cents * BYTES_OF_CENT };
}

/** Waits until all edges have reported. */
async function settled(read: () => Promise<number>): Promise<number> {
	let last = await read();
	for (;;) {
		await setTimeout(QUIET_MS);
		const now = await read();
		if (now === last) return now;
		last = now;
	}
}

function printRounds(edges: number, rounds: readonly Round[]): void {
	const bytes = rounds.map(({ beyondBytes }) => beyondBytes);
	const seconds = rounds.map(({ beyondBytes, bytesPerSecond }) => beyondBytes / bytesPerSecond);
	const megabytes = (value: number) => (value / 1e6).toFixed(1);
	printRow([
		edges,
		megabytes(median(rounds.map(({ bytesPerSecond }) => bytesPerSecond))),
		...[megabytes(median(bytes)), megabytes(Math.max(...bytes))],
		...[median(seconds).toFixed(2), Math.max(...seconds).toFixed(2)],
	]);
}

type User = Awaited<ReturnType<typeof openUser>>;

async function openUser(url: string, { username: owner, token }: Reseller) {
	const username = subUserName(owner, 0);
	async function ask<Data>(path: string, fields: object = {}): Promise<Data> {
		const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
		const response = await fetch(url + path, {
			method: 'POST',
			headers,
			body: JSON.stringify({ username, ...fields }),
		});
		if (response.status !== 200) throw new Error(`${path} answers ${response.status}`);
		return ((await response.json()) as { readonly data: Data }).data;
	}
	const { proxy_authkey } = await ask<SubUser>(endpoints.viewSubUser.path);
	return {
		authorization: `Basic ${Buffer.from(`${username}:${proxy_authkey}`).toString('base64')}`,
		give: (cents: number) => ask(endpoints.giveBalance.path, { amount_usd_cents: cents }),
		async usedBytes(): Promise<number> {
			const days = await ask<readonly UsageDay[]>(endpoints.viewUsage.path);
			return days.reduce((sum, { bandwidth: { up, down } }) => sum + up + down, 0);
		},
	};
}

interface UsageDay {
	readonly bandwidth: { readonly up: number; readonly down: number };
}
