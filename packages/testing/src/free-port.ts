import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports of outgoing connections: one of those could take the port while its server is down. */
const PORTS = [15_000, 30_000] as const;

/** A port of 127.0.0.1 on which no process listens. */
export async function freePort(): Promise<number> {
	for (;;) {
		const port = randomInt(...PORTS);
		const socket = createServer().listen(port, '127.0.0.1');
		const isFree = await once(socket, 'listening').then(
			() => true,
			() => false,
		);
		socket.close();
		if (isFree) return port;
	}
}
