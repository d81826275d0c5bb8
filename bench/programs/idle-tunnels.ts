// Tunnels through a proxy on which no byte moves. Reads `IdleTunnels` as a line of JSON from standard input. For each
// further line, moves a MiB down through each tunnel. Prints a line after each of these steps, and ends with its input.
import { createInterface } from 'node:readline';
import { move } from './move.ts';
import { openTunnel, type ProxyAddress, type Tunnel } from './open-tunnel.ts';

export interface IdleTunnels {
	readonly proxy: ProxyAddress;
	/** `ADDRESS:PORT` of the origin. */
	readonly origin: string;
	readonly tunnels: number;
}

/** Fewer than may wait for a listener to accept them. */
const AT_ONCE = 32;

const tunnels: Tunnel[] = [];
for await (const line of createInterface({ input: process.stdin })) {
	if (tunnels.length === 0) await openAll(JSON.parse(line));
	else await forEach(tunnels, (tunnel) => move(tunnel, { direction: 'down', bytes: 1_048_576 }));
	process.stdout.write('done\n');
}
process.exit();

async function openAll({ proxy, origin, tunnels: count }: IdleTunnels): Promise<void> {
	await forEach(Array.from({ length: count }), async () => {
		tunnels.push(await openTunnel(proxy, origin));
	});
}

async function forEach<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
	const left = items.values();
	async function next(): Promise<void> {
		for (const item of left) await work(item);
	}
	await Promise.all(Array.from({ length: AT_ONCE }, next));
}
