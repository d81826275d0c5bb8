import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { endProcess } from '@bursar/testing/processes';
import { descendantsOf } from './processor-time.ts';
import type { IdleTunnels } from './programs/idle-tunnels.ts';
import type { ProxyAddress } from './programs/open-tunnel.ts';
import type { RunningProxy } from './proxies.ts';

/** In KiB. */
export interface TunnelMemory {
	/** Of the proxy before the tunnels. */
	readonly atRest: number;
	/** Of each tunnel, before something moved on it and after a MiB. */
	readonly idle: number;
	readonly used: number;
}

export interface TunnelCounts {
	/** These come first, so that costs of the first tunnels are not counted. */
	readonly warmUp: number;
	readonly tunnels: number;
}

/** Meanwhile, unused memory is given back. */
const REST_MS = 3_000;

/** How much memory idle tunnels cost a proxy that was just started. The system's buffers are not counted. */
export async function measureMemory(
	{ pid, port, pair }: RunningProxy,
	protocol: ProxyAddress['protocol'],
	origin: string,
	{ warmUp, tunnels }: TunnelCounts,
): Promise<TunnelMemory> {
	const load = { proxy: { port, protocol, pair }, origin };
	await using first = openIdleTunnels({ ...load, tunnels: warmUp });
	await first.opened();
	await first.download();
	const atRest = await memoryAtRest(pid);
	await using measured = openIdleTunnels({ ...load, tunnels });
	await measured.opened();
	const idle = await memoryAtRest(pid);
	await measured.download();
	const used = await memoryAtRest(pid);
	return { atRest, idle: (idle - atRest) / tunnels, used: (used - atRest) / tunnels };
}

function openIdleTunnels(tunnels: IdleTunnels) {
	const child = spawn(process.execPath, [join(import.meta.dirname, 'programs/idle-tunnels.ts')], {
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
	async function done(): Promise<void> {
		if ((await lines.next()).done) throw new Error('the tunnels could not be opened or used');
	}
	child.stdin.write(`${JSON.stringify(tunnels)}\n`);
	return {
		opened: done,
		/** A MiB through each. */
		download() {
			child.stdin.write('\n');
			return done();
		},
		[Symbol.asyncDispose]: () => endProcess(child, 'SIGTERM'),
	};
}

async function memoryAtRest(pid: number): Promise<number> {
	await setTimeout(REST_MS);
	return [pid, ...descendantsOf(pid)].map(memoryOf).reduce((total, one) => total + one, 0);
}

/**
 * In KiB, without what is mapped from files. What several processes share counts once.
 */
function memoryOf(pid: number): number {
	const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
	return ['Pss_Anon', 'Pss_Shmem'].reduce((total, name) => {
		return total + Number(new RegExp(`^${name}: +(\\d+) kB$`, 'm').exec(text)?.[1]);
	}, 0);
}
