import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** A TCP connection of this machine. */
export interface Connection {
	/** `ADDRESS:PORT` of the other side. */
	readonly peer: string;
	/** `ADDRESS:PORT` of this side. */
	readonly local: string;
}

/** @bound Connections that one call of `ss` ends: the next call has the rest. */
const AT_ONCE = 200;
/** @bound One call of `ss`: then it is given up. */
const LIMIT_MS = 5_000;
const TRIAL_MS = 1_000;
const ADDRESS = /^(?:[\d.]{7,15}|\[[\dA-Fa-f:]{2,39}\]):\d{1,5}$/;

/**
 * Has the kernel end these connections, by `ss -K` of the Debian package iproute2. Both sides see a reset. This needs
 * CAP_NET_ADMIN, and a kernel with CONFIG_INET_DIAG_DESTROY. Connections that are gone already are no error.
 */
export async function endConnections(connections: readonly Connection[]): Promise<void> {
	const named = connections.filter(({ peer, local }) => ADDRESS.test(peer) && ADDRESS.test(local));
	for (let from = 0; from < named.length; from += AT_ONCE) {
		const filter = named
			.slice(from, from + AT_ONCE)
			.map(({ peer, local }) => `( src ${local} and dst ${peer} )`)
			.join(' or ');
		await run('ss', ['-K', '-H', '-n', '-t', filter]);
	}
}

/** Tries it on a connection of its own. Resolves to the reason if connections cannot be ended. */
export async function whyNotEnded(): Promise<string | undefined> {
	const server = createServer((socket) => socket.on('error', () => {}));
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	const socket = connect(port, '127.0.0.1');
	try {
		await once(socket, 'connect');
		const ended = new Promise<boolean>((resolve) => {
			socket.on('error', () => {}).on('close', () => resolve(true));
		});
		const { localPort } = socket;
		await endConnections([{ peer: `127.0.0.1:${port}`, local: `127.0.0.1:${localPort}` }]);
		const isEnded = await Promise.race([ended, setTimeout(TRIAL_MS, false)]);
		return isEnded ? undefined : 'ss -K ended nothing (it needs CAP_NET_ADMIN and CONFIG_INET_DIAG_DESTROY)';
	} catch (cause) {
		return (cause as Error).message;
	} finally {
		socket.destroy();
		server.close();
	}
}

function run(program: string, args: readonly string[]): Promise<void> {
	return new Promise((resolve, reject) => {
		execFile(program, args, { timeout: LIMIT_MS }, (error, _output, complaint) => {
			if (!error) return resolve();
			const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
			reject(new Error(isMissing ? `the program ${program} is missing` : complaint.trim() || `${program} failed`));
		});
	});
}
