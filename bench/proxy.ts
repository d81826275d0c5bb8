// `bursar-edge proxy`, compared with Squid over HTTP and with dante over SOCKS5, if they are installed.
//
//   npm run bench -- proxy                      apt-get install squid dante-server
//   npm run bench -- proxy --against CHECKOUT   compares it over HTTP with that of another checkout too
//
// Ours checks pairs with a service, counts bytes and logs connections. Squid asks a helper that says yes, and logs
// requests. dante does nothing of the kind. The processor time is that of all processes of the proxy: microseconds for a
// MB are milliseconds for a GB.
//
// BENCH_ROUNDS (7), BENCH_TURN_MS (2000), BENCH_TURN_MB (1000), BENCH_SCENES (all: a part of their names),
// BENCH_IDLE_TUNNELS (2000, 0 leaves the memory out), BENCH_MEMORY_ROUNDS (3)
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { processorMs } from './processor-time.ts';
import type { ProxyAddress } from './programs/open-tunnel.ts';
import type { DoneLoad, ProxyLoad } from './programs/proxy-client.ts';
import { DANTE, isInstalled, type ProxyProgram, prepareBursarEdges, type RunningProxy, SQUID } from './proxies.ts';
import { measureMemory, type TunnelMemory } from './proxy-memory.ts';
import { print, printComparison, printHeader, printRow } from './report.ts';
import { runBenchmark } from './run.ts';
import { runProgram, startProgram } from './servers.ts';
import { median } from './spread.ts';
import { type Contender, compareInTurns } from './turns.ts';

const TURNS = {
	rounds: Number(process.env.BENCH_ROUNDS ?? 7),
	turnMs: Number(process.env.BENCH_TURN_MS ?? 2000),
	warmUpRounds: 1,
};
const TURN_BYTES = Number(process.env.BENCH_TURN_MB ?? 1000) * 1e6;
const NAME_PART = process.env.BENCH_SCENES ?? '';
const IDLE_TUNNELS = { warmUp: 50, tunnels: Number(process.env.BENCH_IDLE_TUNNELS ?? 2000) };
const MEMORY_ROUNDS = Number(process.env.BENCH_MEMORY_ROUNDS ?? 3);

interface Scene {
	readonly kind: ProxyLoad['kind'];
	readonly connections: number;
	readonly what: string;
}

const SCENES: readonly Scene[] = [
	{ kind: 'requests', connections: 32, what: 'GET of 1 KiB' },
	{ kind: 'tunnels', connections: 32, what: 'tunnel, set up and closed' },
	{ kind: 'down', connections: 1, what: 'MB down, 1 tunnel' },
	{ kind: 'down', connections: 64, what: 'MB down, 64 tunnels' },
	{ kind: 'up', connections: 1, what: 'MB up, 1 tunnel' },
	{ kind: 'up', connections: 64, what: 'MB up, 64 tunnels' },
];
const NAMES = { http: 'HTTP', socks5: 'SOCKS5' } as const;

const { against } = parseArgs({ options: { against: { type: 'string' } } }).values;

await runBenchmark(async (stops) => {
	const target = await startProgram('proxy-origin.ts');
	stops.defer(target.stop);
	const origin = new URL(target.url).host;
	const checkouts = against === undefined ? [] : [resolve(against)];
	const programs = [...(await prepareBursarEdges(origin, checkouts, stops)), ...[SQUID, DANTE].filter(isInstalled)];
	for (const one of [SQUID, DANTE]) {
		if (!isInstalled(one)) print(`${one.name} is not installed here, so it was not measured.`);
	}
	print(`${TURNS.rounds} rounds of turns of ${TURNS.turnMs} ms, or of ${TURN_BYTES / 1e6} MB. "us" is microseconds of`);
	print('processor time of the proxy.\n');
	await compareSpeed(programs, origin);
	if (IDLE_TUNNELS.tunnels > 0) await compareMemory(programs, origin);
});

async function compareSpeed(programs: readonly ProxyProgram[], origin: string): Promise<void> {
	await using stops = new AsyncDisposableStack();
	const running = new Map<ProxyProgram, RunningProxy>();
	for (const program of programs) running.set(program, await program.start(stops));
	const summary: string[][] = [];
	printHeader();
	for (const protocol of ['http', 'socks5'] as const) {
		const compared = programs.filter(({ protocols }) => protocols.includes(protocol));
		for (const scene of SCENES) {
			const what = `${scene.what}, ${NAMES[protocol]}`;
			if (!what.includes(NAME_PART) || (scene.kind === 'requests' && protocol === 'socks5')) continue;
			const [ours, ...references] = compared.map((program) =>
				contenderOf(scene, program.name, protocol, running.get(program) as RunningProxy, origin),
			);
			const results = await compareInTurns(ours as Contender, references, TURNS);
			for (const result of results) printComparison(what, result);
			const [first] = results;
			if (!first) continue;
			const times = new Map(results.map(({ reference, times: { reference: time } }) => [reference, time]));
			times.set(compared[0]?.name ?? '', first.times.ours);
			summary.push([thousand(what), ...programs.map(({ name }) => times.get(name)?.toFixed(0) ?? '')]);
		}
	}
	print('\nMilliseconds of processor time.\n');
	printRow(['what', ...programs.map(({ name }) => name)]);
	print(`|---|${'---:|'.repeat(programs.length)}`);
	for (const row of summary) printRow(row);
}

/** Microseconds for one are milliseconds for a thousand. */
function thousand(what: string): string {
	return what.startsWith('MB ') ? what.replace('MB', 'a GB') : `1,000 times a ${what}`;
}

function contenderOf(
	{ kind, connections }: Scene,
	name: string,
	protocol: ProxyAddress['protocol'],
	{ pid, port, pair }: RunningProxy,
	origin: string,
): Contender {
	const [bytes, unit] = [Math.round(TURN_BYTES / connections), kind === 'up' || kind === 'down' ? 1e6 : 1];
	async function work(ms: number) {
		const proxy = { port, protocol, pair };
		const load: ProxyLoad = { proxy, origin, kind, connections, seconds: ms / 1000, bytes };
		const { done, seconds } = await runProgram<DoneLoad>('proxy-client.ts', load);
		return { units: done / unit, seconds };
	}
	return { name, copies: [{ work, processorMs: () => processorMs(pid) }] };
}

async function compareMemory(programs: readonly ProxyProgram[], origin: string): Promise<void> {
	print(`\nMemory of ${IDLE_TUNNELS.tunnels} idle tunnels, medians of ${MEMORY_ROUNDS} rounds.\n`);
	printRow(['proxy', 'MiB before', 'KiB for each tunnel', 'KiB for each after 1 MiB']);
	print('|---|---:|---:|---:|');
	const measured = programs.flatMap((program) =>
		program.protocols.map((protocol) => ({ program, protocol, rounds: [] as TunnelMemory[] })),
	);
	for (let round = 0; round < MEMORY_ROUNDS; round++) {
		for (const { program, protocol, rounds } of measured) {
			await using stops = new AsyncDisposableStack();
			rounds.push(await measureMemory(await program.start(stops), protocol, origin, IDLE_TUNNELS));
		}
	}
	for (const { program, protocol, rounds } of measured) {
		const middle = (of: keyof TunnelMemory) => median(rounds.map((round) => round[of]));
		const atRest = (middle('atRest') / 1024).toFixed(0);
		printRow([`${program.name}, ${NAMES[protocol]}`, atRest, middle('idle').toFixed(1), middle('used').toFixed(1)]);
	}
}
