// Compares `bursar-edge proxy` with plain proxy-chain, on which it is built, and with Squid if it is installed. Only ours
// checks pairs and counts bytes. They take turns in short slices.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Stops } from './edge-engines.ts';
import { processorMs } from './processor-time.ts';
import { type ProxyVariant, startBursarEdge, startPlainProxyChain, startSquid } from './proxy-variants.ts';
import { median, print } from './report.ts';
import { startTarget } from './target-process.ts';
import type { ProxyLoad } from './targets/proxy-client.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 6);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 2);

interface Scene {
	readonly kind: ProxyLoad['kind'];
	readonly connections: number;
	readonly unit: string;
	/** How much of what the clients count makes one unit. */
	readonly unitSize: number;
}

const SCENES: readonly Scene[] = [
	{ kind: 'requests', connections: 32, unit: 'GET of 1 KiB', unitSize: 1 },
	{ kind: 'tunnels', connections: 32, unit: 'tunnel, set up and closed', unitSize: 1 },
	{ kind: 'bytes', connections: 8, unit: 'MiB through tunnels', unitSize: 2 ** 20 },
];

interface Slice {
	readonly unitsPerSecond: number;
	/** Processor time of the proxy for one unit. */
	readonly microseconds: number;
}

const stops: Stops = [];
try {
	const target = await startTarget('the origin', ['proxy-origin.ts']);
	stops.push(() => target.stop());
	const origin = new URL(target.url).host;
	const plain = await startPlainProxyChain(stops);
	const squid = await startSquid(stops);
	const variants = [plain, await startBursarEdge(origin, stops), ...(squid ? [squid] : [])];
	print(
		`Proxies with ${ROUNDS} slices of ${SECONDS} s for each, in turns. The processor time is that of the proxy for one unit.`,
	);
	print('The ratio is to plain proxy-chain in the same round. Only bursar-edge asks for a password and counts bytes.');
	if (!squid) print('Squid is not installed here, so it was not measured.');
	print('\n| unit | proxy | units a second | processor time of one | ratio of the times | spread of the ratios |');
	print('|---|---|---:|---:|---:|---|');
	for (const scene of SCENES) await compare(scene, variants, origin);
} finally {
	for (let stop = stops.pop(); stop; stop = stops.pop()) await stop();
}

async function compare(scene: Scene, variants: readonly ProxyVariant[], origin: string): Promise<void> {
	const slices = new Map<ProxyVariant, Slice[]>(variants.map((variant) => [variant, []]));
	// The first round warms up.
	for (let round = 0; round <= ROUNDS; round++) {
		// None is always the first.
		for (const variant of round % 2 ? variants : variants.toReversed()) {
			const slice = await measure(scene, variant, origin);
			if (round > 0) slices.get(variant)?.push(slice);
		}
	}
	const [plain = []] = slices.values();
	for (const [{ name }, own] of slices) {
		const ratios = own.map(({ microseconds }, round) => microseconds / (plain[round] as Slice).microseconds);
		const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
		const rate = median(own.map(({ unitsPerSecond }) => unitsPerSecond)).toFixed(0);
		const time = `${median(own.map(({ microseconds }) => microseconds)).toFixed(1)} us`;
		print(`| ${[scene.unit, name, rate, time, median(ratios).toFixed(2), spread].join(' | ')} |`);
	}
}

async function measure({ kind, connections, unitSize }: Scene, variant: ProxyVariant, origin: string): Promise<Slice> {
	const { port: proxyPort, authorization, pid } = variant;
	const load: ProxyLoad = {
		...{ proxyPort, origin, kind, connections, seconds: SECONDS },
		...(authorization !== undefined && { authorization }),
	};
	const client = spawn(process.execPath, [join(import.meta.dirname, 'targets/proxy-client.ts')], {
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	const beforeMs = processorMs(pid);
	client.stdin.end(JSON.stringify(load));
	const [output, [code]] = await Promise.all([text(client.stdout), once(client, 'exit')]);
	if (code !== 0) throw new Error(`the clients of ${variant.name} failed`);
	const units = Number(output) / unitSize;
	return { unitsPerSecond: units / SECONDS, microseconds: ((processorMs(pid) - beforeMs) * 1000) / units };
}
