// How much bandwidth hostile resellers get for nothing, with the real service and the real proxy. Each one has a thousand
// dollars, and moves them away from the account whose tunnels are open, again and again. What its clients received is
// compared with what it paid.
//
//   npm run bench -- hostile
//
// BENCH_SECONDS (12): of each way on each engine
import { setTimeout } from 'node:timers/promises';
import { CREATE_FEE_CENTS } from '@bursar/contract/limits';
import { openResellerApi, type ResellerApi } from './hostile-api.ts';
import { startEdgeOf } from './proxies.ts';
import { print, printRow, tell } from './report.ts';
import { runBenchmark } from './run.ts';
import { createResellers, type Reseller } from './seed.ts';
import { runBursar, startBursar } from './servers.ts';
import { openTunnels, startSlowOrigin, type Tunnels } from './slow-origin.ts';
import { openPostgres, openSqlite } from './stores.ts';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 12);
const BYTES_PER_SECOND = 20_000_000;
/** US dollars a GB. */
const PRICE = 200;
const CENTS_OF_BYTE = (PRICE * 100) / 1e9;
const BALANCE_CENTS = 100_000;
/** A debt beyond the line is found in about this time. */
const FOUND_SECONDS = 2;
const TUNNELS = 4;
/** Longer than the time between two reports of an edge. */
const QUIET_MS = 3_000;

/** One round of a way to get bandwidth for nothing. Its number is 0 at first. */
type Way = (api: ResellerApi, tunnels: Tunnels, round: number) => Promise<void>;

const SUB_USERS = 20;
const nameOf = (api: ResellerApi, round: number) => `${api.username}.${round}`;

/** All money goes to the next sub-user, which opens tunnels, and comes back at once. */
const giveAndTake: Way = async (api, tunnels, round) => {
	const name = nameOf(api, round % SUB_USERS);
	const pair = round < SUB_USERS ? await api.create(name) : await api.pairOf(name);
	await api.giveAll(name);
	await tunnels.open(pair, TUNNELS);
	await api.takeAll(name);
};

/** The own pair of the reseller opens tunnels, then all money is parked at a sub-user. It comes back for the next tunnels. */
const park: Way = async (api, tunnels, round) => {
	const name = nameOf(api, 0);
	if (round === 0) await api.create(name);
	else await api.takeAll(name);
	await tunnels.open(await api.ownPair(), TUNNELS);
	await api.giveAll(name);
};

/** A new sub-user gets all money, opens tunnels, and is deleted. The money that comes back is parked at another one. */
const deleteOpen: Way = async (api, tunnels, round) => {
	const parked = `${api.username}.parked`;
	if (round === 0) await api.create(parked);
	else await api.takeAll(parked);
	const name = nameOf(api, round);
	const pair = await api.create(name);
	await api.giveAll(name);
	await tunnels.open(pair, TUNNELS);
	await api.remove(name);
	await api.giveAll(parked);
};

const WAYS = [
	{ username: 'hostile.a', name: 'gives all, takes it back at once', way: giveAndTake },
	{ username: 'hostile.b', name: 'parks all while its own pair passes', way: park },
	{ username: 'hostile.c', name: 'deletes with open tunnels, parks all', way: deleteOpen },
];

await runBenchmark(async (stops) => {
	const origin = await startSlowOrigin(BYTES_PER_SECOND, stops);
	print(`${BYTES_PER_SECOND / 1e6} MB/s, ${PRICE} USD a GB, ${SECONDS} s each.\n`);
	printRow(['engine', 'the reseller', 'rounds', 'MB', 'cost', 'paid', 'owed', 'for nothing', 'line + 2 s', 'holds']);
	printRow(['---', '---', ...Array(7).fill('---:'), '---']);
	for (const engine of [openSqlite(stops), await openPostgres(stops)]) {
		await using running = new AsyncDisposableStack();
		tell(`starting a service on ${engine.name}...`);
		const store = await engine.newStore();
		const usernames = WAYS.map(({ username }) => username);
		const resellers = await createResellers(store, usernames, { balanceCents: BALANCE_CENTS });
		for (const name of usernames) await runBursar(store, ['reseller', 'price', name, String(PRICE)]);
		const { key } = await runBursar(store, ['edge', 'create', '--key', 'bench']);
		const bursar = await startBursar(store);
		running.defer(bursar.stop);
		const { port } = await startEdgeOf(bursar.edgeUrl, key, origin, running);
		for (const [index, { name, way }] of WAYS.entries()) {
			const api = openResellerApi(bursar.url, resellers[index] as Reseller);
			printRow([engine.name, name, ...(await measure(api, openTunnels(port, origin), way))]);
		}
		await runBursar(store, ['ledger', 'verify']);
	}
});

/** Goes one way for some seconds. Returns the cells of its row. */
async function measure(api: ResellerApi, tunnels: Tunnels, way: Way): Promise<readonly (string | number)[]> {
	const startedAtMs = performance.now();
	let rounds = 0;
	while (performance.now() - startedAtMs < SECONDS * 1000) {
		await way(api, tunnels, rounds);
		rounds += 1;
		// While tunnels are open, another round wins nothing.
		while (tunnels.openCount() > 0 && performance.now() - startedAtMs < SECONDS * 1000) await setTimeout(20);
	}
	const passingSeconds = (performance.now() - startedAtMs) / 1000;
	const speed = tunnels.receivedBytes() / passingSeconds;
	await tunnels.allCut();
	await setTimeout(QUIET_MS);
	const costCents = tunnels.receivedBytes() * CENTS_OF_BYTE;
	const { leftCents, debtCents, lineCents } = await api.money();
	const paidCents = BALANCE_CENTS - leftCents - api.created() * CREATE_FEE_CENTS;
	const forNothing = costCents - paidCents;
	const boundCents = lineCents + FOUND_SECONDS * BYTES_PER_SECOND * CENTS_OF_BYTE;
	tell(`received ${(speed / 1e6).toFixed(1)} MB/s`);
	return [
		rounds,
		(tunnels.receivedBytes() / 1e6).toFixed(1),
		...[costCents, paidCents, debtCents, forNothing, boundCents].map((cents) => (cents / 100).toFixed(2)),
		forNothing <= boundCents ? 'yes' : 'NO',
	];
}
