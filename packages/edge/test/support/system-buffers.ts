import { readFileSync } from 'node:fs';

const ESTABLISHED = '01';

/**
 * How many bytes a server on this port of 127.0.0.1 has sent that its clients have not read: what the system holds for
 * them, at both ends. Reads what Linux tells about its connections.
 */
export function bytesInSystem(port: number): number {
	const [, ...lines] = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n');
	let bytes = 0;
	for (const line of lines) {
		const [, local, remote, state, queues] = line.trim().split(/\s+/) as [string, string, string, string, string];
		if (state !== ESTABLISHED) continue;
		const [sent, received] = queues.split(':').map((hex) => Number.parseInt(hex, 16)) as [number, number];
		if (portOf(local) === port) bytes += sent;
		if (portOf(remote) === port) bytes += received;
	}
	return bytes;
}

function portOf(address: string): number {
	return Number.parseInt(address.split(':')[1] as string, 16);
}
