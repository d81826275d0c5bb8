// One reseller floods the service while another one sends single requests, on both engines.
//
//   npm run bench -- fairness
//
// The single requests beside the flood are compared with those of an idle service. The flood beside them is compared with
// a flood alone, because fairness must not be bought with speed. The flood comes from a process of its own, on 24
// connections with 100 requests ahead on each.
//
// BENCH_SECONDS (5)
import { setTimeout } from 'node:timers/promises';
import { endpoints } from '@bursar/contract';
import { USAGE_SHOWN_DAYS } from '@bursar/contract/limits';
import { requestOf } from './load.ts';
import type { Flood, Flooded } from './programs/flood.ts';
import { print, printRow, tell } from './report.ts';
import { runBenchmark } from './run.ts';
import { createResellers, createSubUsers, type Reseller, subUserName } from './seed.ts';
import { runBursar, runProgram, startBursar } from './servers.ts';
import { quantile } from './spread.ts';
import { openPostgres, openSqlite, type Store } from './stores.ts';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
const SUB_USERS = 6_000;
const FLOOD = { connections: 24, ahead: 100 };
/** Between two single requests. */
const PAUSE_MS = 10;
/** The flood begins so long before the single requests, and ends so long after them. */
const MARGIN_SECONDS = 0.3;

interface Scene {
	readonly flood: { readonly name: string; readonly request: string; readonly status: number };
	readonly single: { readonly name: string; send(url: string): Promise<Response> };
}

await runBenchmark(async (stops) => {
	print(
		`One reseller floods on ${FLOOD.connections} connections, ${FLOOD.ahead} requests ahead on each. Another one sends`,
	);
	print(`single requests. ${SECONDS} s each.\n`);
	const percentiles = ['alone, 50th', '99th', 'beside, 50th', '99th', 'longest'];
	printRow(['engine', 'flood', 'single request', ...percentiles, 'refused', 'flood, ratio to alone']);
	print('|---|---|---|---:|---:|---:|---:|---:|---:|---:|');
	for (const engine of [openSqlite(stops), await openPostgres(stops)]) {
		tell(`filling a store on ${engine.name}...`);
		const store = await engine.newStore();
		const resellers = await createResellers(store, ['greedy', 'modest', 'empty']);
		const [poor] = await createResellers(store, ['poor'], { balanceCents: 0 });
		await using running = new AsyncDisposableStack();
		const bursar = await startBursar(store);
		running.defer(bursar.stop);
		await createSubUsers(bursar.url, resellers.slice(0, 2), SUB_USERS);
		await addUsage(store, subUserName('greedy', 1));
		for (const scene of scenesOf(...(resellers as [Reseller, Reseller, Reseller]), poor as Reseller)) {
			printRow([engine.name, scene.flood.name, scene.single.name, ...(await measure(bursar.url, scene))]);
		}
	}
});

/** Counts a report for each day that view_txs shows. */
async function addUsage(store: Store, username: string): Promise<void> {
	const lines = Array.from({ length: USAGE_SHOWN_DAYS }, (_, id) => {
		const timestamp = new Date(Date.now() - id * 86_400_000).toISOString();
		return `${JSON.stringify({ source: 'bench', id: String(id), username, timestamp, up: 1e6, down: 1e9 })}\n`;
	});
	await runBursar(store, ['usage', 'import', '-'], { input: lines.join('') });
}

function scenesOf(greedy: Reseller, modest: Reseller, empty: Reseller, poor: Reseller): readonly Scene[] {
	const { myInfo, giveBalance, createSubUser, viewAllSubUsers, viewUsage } = endpoints;
	const give = ({ username }: Reseller) => ({ username: subUserName(username, 1), amount_usd_cents: 1 });
	const single =
		({ token }: Reseller, path: string, body?: unknown) =>
		(url: string) =>
			fetch(url + path, {
				headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
				...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
			});

	const giving = { name: 'give_balance', send: single(modest, giveBalance.path, give(modest)) };
	const reading = { name: 'my_info', send: single(modest, myInfo.path) };
	const listing = { name: 'view_all, an empty list', send: single(empty, viewAllSubUsers.path) };
	const refused = {
		name: 'create without money',
		request: requestOf(createSubUser.path, poor.token, { username: 'nobody' }),
		status: 402,
	};
	const gives = {
		name: 'give_balance',
		request: requestOf(giveBalance.path, greedy.token, give(greedy)),
		status: 200,
	};
	const days = {
		name: 'view_txs',
		request: requestOf(viewUsage.path, greedy.token, { username: subUserName(greedy.username, 1) }),
		status: 200,
	};
	const lists = {
		name: `view_all of ${SUB_USERS}`,
		request: requestOf(viewAllSubUsers.path, greedy.token),
		status: 200,
	};
	return [
		{ flood: refused, single: giving },
		{ flood: gives, single: giving },
		{ flood: days, single: reading },
		{ flood: days, single: giving },
		{ flood: lists, single: listing },
		{ flood: lists, single: giving },
	];
}

async function measure(url: string, { flood, single }: Scene): Promise<readonly (string | number)[]> {
	const load = { url, ...FLOOD, request: flood.request, status: flood.status, seconds: SECONDS };
	const send = () => single.send(url);
	await runFlood({ ...load, seconds: 1 });
	const singlesAlone = await sendSingles(send, SECONDS - 2 * MARGIN_SECONDS);
	const floodAlone = await runFlood(load);
	const flooding = runFlood(load);
	await setTimeout(MARGIN_SECONDS * 1000);
	const singles = await sendSingles(send, SECONDS - 2 * MARGIN_SECONDS);
	const floodBeside = await flooding;
	const at = (times: readonly number[], part: number) => `${quantile(times, part).toFixed(1)} ms`;
	return [
		...[at(singlesAlone.timesMs, 0.5), at(singlesAlone.timesMs, 0.99)],
		...[at(singles.timesMs, 0.5), at(singles.timesMs, 0.99), at(singles.timesMs, 1)],
		...[singles.refused, (floodBeside / floodAlone).toFixed(2)],
	];
}

/** Answers a second. */
async function runFlood(flood: Flood): Promise<number> {
	const { answers, others } = await runProgram<Flooded>('flood.ts', flood);
	// Waits until the service has noticed that the connections ended.
	await setTimeout(1_000);
	if (others > answers / 100) throw new Error(`the flood got ${others} unexpected answers`);
	return answers / flood.seconds;
}

/** Sends requests one after another, with a pause between them. */
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
	return { timesMs, refused };
}
