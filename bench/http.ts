// The three calls that resellers make most, on both engines.
//
//   npm run bench -- http                      compares Bursar with bare Fastify
//   npm run bench -- http --against CHECKOUT   compares it with another checkout of Bursar, to see what a change costs
//   npm run bench -- http --metered            compares a reseller with a price, whose sub-users have used something, with
//                                              one without
//
// Bare Fastify checks the same schemas and sends answers of the same size, but does no work. Another checkout runs its
// own `bursar serve`, on stores that its own command line and API have filled; its packages must be installed.
//
// BENCH_CONNECTIONS (64), BENCH_SUB_USERS (100000), BENCH_ROUNDS (40), BENCH_TURN_MS (60), BENCH_COPIES (2)
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { endpoints } from '@bursar/contract';
import { openLoad, requestOf } from './load.ts';
import { processorMs } from './processor-time.ts';
import { print, printComparison, printHeader, tell } from './report.ts';
import { runBenchmark } from './run.ts';
import { type Reseller, randomRequests, seedResellers, seedUsage } from './seed.ts';
import { type Server, startBursar, startProgram } from './servers.ts';
import { type Engine, openPostgres, openSqlite } from './stores.ts';
import { type Contender, compareInTurns } from './turns.ts';

const CONNECTIONS = (process.env.BENCH_CONNECTIONS ?? '64').split(',').map(Number);
const SUB_USERS = Number(process.env.BENCH_SUB_USERS ?? 100_000);
const COPIES = Number(process.env.BENCH_COPIES ?? 2);
const TURNS = {
	rounds: Number(process.env.BENCH_ROUNDS ?? 40),
	turnMs: Number(process.env.BENCH_TURN_MS ?? 60),
	warmUpRounds: 20,
};

const CALLS = {
	my_info: ({ token }: Reseller) => [requestOf(endpoints.myInfo.path, token)],
	view_single: (reseller: Reseller) => randomRequests(endpoints.viewSubUser.path, [reseller], SUB_USERS),
	give_balance: (reseller: Reseller) =>
		randomRequests(endpoints.giveBalance.path, [reseller], SUB_USERS, { amount_usd_cents: 1 }),
};

const { against, metered } = parseArgs({
	options: { against: { type: 'string' }, metered: { type: 'boolean', default: false } },
}).values;

await runBenchmark(async (stops) => {
	const engines = [openSqlite(stops), await openPostgres(stops)];
	print(`${TURNS.rounds} rounds of turns of ${TURNS.turnMs} ms, ${COPIES} copies of each server, one reseller with`);
	print(`${SUB_USERS} sub-users. "us" is microseconds of processor time for each request, of PostgreSQL too.\n`);
	printHeader();
	for (const engine of engines) {
		const running = new AsyncDisposableStack();
		stops.use(running);
		const ours = await startCheckout('Bursar', engine, running, { hasPrice: metered });
		const reference = metered
			? await startCheckout('without a price', engine, running)
			: against === undefined
				? await startBareFastify(ours.reseller, running)
				: await startCheckout('the other checkout', engine, running, { checkout: resolve(against) });
		await compareCalls(engine.name, ours, reference);
		// What the other engine does is measured alone.
		await running.disposeAsync();
	}
});

interface Candidate {
	readonly name: string;
	readonly reseller: Reseller;
	readonly copies: readonly { readonly url: string; processorMs(): number }[];
}

async function startCheckout(
	name: string,
	engine: Engine,
	stops: AsyncDisposableStack,
	{ checkout, hasPrice = false }: { readonly checkout?: string; readonly hasPrice?: boolean } = {},
): Promise<Candidate> {
	tell(`filling a store of ${name} on ${engine.name}...`);
	const seeded = await engine.newStore();
	const [reseller] = (await seedResellers(seeded, ['bench'], SUB_USERS, checkout)) as [Reseller];
	if (hasPrice) await seedUsage(seeded, reseller, SUB_USERS);
	const copies = await startCopies(stops, async () => startBursar(await engine.copyOf(seeded), checkout));
	const used = copies.map(({ url, pid }) => ({ url, processorMs: () => processorMs(pid) + engine.processorMs() }));
	return { name, reseller, copies: used };
}

async function startBareFastify(reseller: Reseller, stops: AsyncDisposableStack): Promise<Candidate> {
	const copies = await startCopies(stops, () => startProgram('bare-fastify.ts'));
	const used = copies.map(({ url, pid }) => ({ url, processorMs: () => processorMs(pid) }));
	return { name: 'bare Fastify', reseller, copies: used };
}

async function startCopies(stops: AsyncDisposableStack, start: () => Promise<Server>): Promise<readonly Server[]> {
	const copies: Server[] = [];
	for (let copy = 0; copy < COPIES; copy++) {
		const server = await start();
		stops.defer(server.stop);
		copies.push(server);
	}
	return copies;
}

async function compareCalls(engine: string, ours: Candidate, reference: Candidate): Promise<void> {
	for (const [call, requestsOf] of Object.entries(CALLS)) {
		for (const connections of CONNECTIONS) {
			await using loads = new AsyncDisposableStack();
			const open = async ({ name, reseller, copies }: Candidate): Promise<Contender> => {
				const requests = requestsOf(reseller);
				const opened = copies.map(async (copy) => {
					const { work, close } = await openLoad(copy.url, requests, connections);
					loads.defer(close);
					return { work, processorMs: copy.processorMs };
				});
				return { name, copies: await Promise.all(opened) };
			};
			const compared = await compareInTurns(await open(ours), [await open(reference)], TURNS);
			for (const one of compared) printComparison(`${call}, ${engine}, ${connections} connections`, one);
		}
	}
}
