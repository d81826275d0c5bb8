import { execFile } from 'node:child_process';
import type { TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * A client's machine and a server's machine with a router between them, as network namespaces of this kernel. The real
 * TCP sends dropped packets again, even after the connection was closed.
 */
export interface RoutedNetwork {
	/** The words before a command line that run it on this machine. */
	readonly onClient: readonly string[];
	readonly onServer: readonly string[];
	/** Two addresses of the server's machine, so that one of them never has a kept connection. */
	readonly serverAddresses: readonly [string, string];
	/** Whether the router passes packets. It drops packets silently. */
	setForwarding(isOn: boolean): Promise<void>;
	/** Resolves once no closed connection of the client's machine has data left to send. */
	quiet(): Promise<void>;
}

const SERVER_ADDRESSES = ['10.99.2.2', '10.99.2.3'] as const;
/** A kernel goes on sending the data of a closed connection for about 100 s. */
const QUIET_LIMIT_MS = 200_000;

let networks = 0;

/** Needs root and the program `ip`. The network ends with the test. */
export async function openRoutedNetwork(test: TestContext): Promise<RoutedNetwork> {
	const prefix = `bursar-${process.pid}-${networks++}`;
	const [client, router, server] = ['client', 'router', 'server'].map((name) => `${prefix}-${name}`) as [
		string,
		string,
		string,
	];
	const on = (namespace: string) => ['ip', 'netns', 'exec', namespace];
	const ip = (namespace: string, line: string) => run('ip', ['-netns', namespace, ...line.split(' ')]);
	for (const namespace of [client, router, server]) {
		await run('ip', ['netns', 'add', namespace]);
		test.after(() => run('ip', ['netns', 'del', namespace]));
		await ip(namespace, 'link set lo up');
	}
	await ip(client, `link add net0 type veth peer name near netns ${router}`);
	await ip(server, `link add net0 type veth peer name far netns ${router}`);
	await ip(client, 'addr add 10.99.1.2/24 dev net0');
	await ip(router, 'addr add 10.99.1.1/24 dev near');
	await ip(router, 'addr add 10.99.2.1/24 dev far');
	for (const address of SERVER_ADDRESSES) await ip(server, `addr add ${address}/24 dev net0`);
	for (const [namespace, device] of [
		[client, 'net0'],
		[server, 'net0'],
		[router, 'near'],
		[router, 'far'],
	] as const) {
		await ip(namespace, `link set ${device} up`);
	}
	await ip(client, 'route add default via 10.99.1.1');
	await ip(server, 'route add default via 10.99.2.1');

	async function setForwarding(isOn: boolean): Promise<void> {
		const [program, ...args] = on(router) as [string, ...string[]];
		await run(program, [...args, 'sh', '-c', `echo ${isOn ? 1 : 0} > /proc/sys/net/ipv4/ip_forward`]);
	}
	await setForwarding(true);
	return {
		onClient: on(client),
		onServer: on(server),
		serverAddresses: SERVER_ADDRESSES,
		setForwarding,
		async quiet() {
			const endsAt = performance.now() + QUIET_LIMIT_MS;
			while ((await closingConnections(on(client))) > 0) {
				if (performance.now() > endsAt) throw new Error('closed connections still have data to send');
				await setTimeout(500);
			}
		},
	};
}

async function closingConnections([program, ...args]: readonly string[]): Promise<number> {
	const states = ['fin-wait-1', 'closing', 'last-ack', 'close-wait'].flatMap((state) => ['state', state]);
	const { stdout } = await run(program as string, [...args, 'ss', '-Htn', ...states]);
	return stdout.split('\n').filter(Boolean).length;
}
