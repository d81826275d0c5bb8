// `bursar-edge proxy`, compared with plain proxy-chain, on which it is built, and with Squid if it is installed.
//
//   npm run bench -- proxy      with Squid: apt-get install squid
//
// Only ours asks for a password, checks pairs with a service and counts bytes. The processor time is that of the proxy
// alone.
//
// BENCH_ROUNDS (6), BENCH_TURN_MS (2000)
import { processorMs } from './processor-time.ts';
import type { ProxyLoad } from './programs/proxy-client.ts';
import { type RunningProxy, startBursarEdge, startPlainProxyChain, startSquid } from './proxies.ts';
import { print, printComparison, printHeader } from './report.ts';
import { runBenchmark } from './run.ts';
import { runProgram, startProgram } from './servers.ts';
import { type Contender, compareInTurns } from './turns.ts';

const TURNS = {
	rounds: Number(process.env.BENCH_ROUNDS ?? 6),
	turnMs: Number(process.env.BENCH_TURN_MS ?? 2000),
	warmUpRounds: 1,
};

interface Scene {
	readonly kind: ProxyLoad['kind'];
	readonly connections: number;
	readonly what: string;
	/** How much of what the clients count makes one unit. */
	readonly unitSize: number;
}

const SCENES: readonly Scene[] = [
	{ kind: 'requests', connections: 32, what: 'GET of 1 KiB', unitSize: 1 },
	{ kind: 'tunnels', connections: 32, what: 'tunnel, set up and closed', unitSize: 1 },
	{ kind: 'bytes', connections: 8, what: 'MiB through tunnels', unitSize: 2 ** 20 },
];

await runBenchmark(async (stops) => {
	const target = await startProgram('proxy-origin.ts');
	stops.defer(target.stop);
	const origin = new URL(target.url).host;
	const ours = await startBursarEdge(origin, stops);
	const squid = await startSquid(stops);
	const references = [await startPlainProxyChain(stops), ...(squid ? [squid] : [])];
	print(`${TURNS.rounds} rounds of turns of ${TURNS.turnMs} ms. "us" is microseconds of processor time of the proxy.`);
	if (!squid) print('Squid is not installed here, so it was not measured.');
	print('');
	printHeader();
	for (const scene of SCENES) {
		const contender = (proxy: RunningProxy) => contenderOf(scene, proxy, origin);
		const compared = await compareInTurns(contender(ours), references.map(contender), TURNS);
		for (const one of compared) printComparison(scene.what, one);
	}
});

function contenderOf({ kind, connections, unitSize }: Scene, proxy: RunningProxy, origin: string): Contender {
	const { name, pid, port: proxyPort, authorization } = proxy;
	async function work(ms: number) {
		const load: ProxyLoad = { proxyPort, origin, authorization, kind, connections, seconds: ms / 1000 };
		const done = await runProgram<number>('proxy-client.ts', load);
		return { units: done / unitSize, seconds: load.seconds };
	}
	return { name, copies: [{ work, processorMs: () => processorMs(pid) }] };
}
