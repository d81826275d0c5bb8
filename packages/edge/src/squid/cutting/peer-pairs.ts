import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { listenOnPath } from '../../agent/listen-on-path.ts';
import type { KnownPair } from '../../agent/pair-checker.ts';
import { createLineSplitter } from '../split-lines.ts';

/** Knows which pair was used on which connection of Squid. The helpers report it over a socket. */
export interface PeerPairs {
	/** The pair that was good on this connection, if a helper reported it at this time or later (Unix milliseconds). */
	find(peer: string, fromMs: number): KnownPair | undefined;
	close(): Promise<void>;
}

interface KnownPeer {
	readonly pair: KnownPair;
	readonly atMs: number;
}

/**
 * @bound Connections of Squid whose pairs are remembered, besides open ones: the oldest are forgotten, and are not
 * cut.
 */
const MAX_PEERS = 200_000;
/** @bound Helpers that tell pairs: further ones are refused. */
const MAX_HELPERS = 64;
/** @bound Bytes of a line of a helper: a longer one is left out. */
const MAX_LINE = 1 << 10;
const LINE = /^(\S{3,64}) (\S{1,32}) (\S{1,64}) (\d{1,15})$/;

/** Listens on a Unix socket, which its owner and its group may use. Replaces a socket file that an earlier process left. */
export async function listenForPeerPairs(path: string): Promise<PeerPairs> {
	const known = new Map<string, KnownPeer>();
	const sockets = new Set<Socket>();

	function take(line: string): void {
		const [, peer, username, keyId, at] = LINE.exec(line) ?? [];
		if (!peer || !username || !keyId) return;
		known.delete(peer);
		known.set(peer, { pair: { username, keyId }, atMs: Number(at) });
		if (known.size <= MAX_PEERS) return;
		const [oldest] = known.keys();
		if (oldest !== undefined) known.delete(oldest);
	}

	const server = createServer((socket) => {
		const lines = createLineSplitter(MAX_LINE);
		sockets.add(socket);
		socket.on('data', (bytes: Buffer) => {
			for (const line of lines.push(bytes)) take(line);
		});
		socket.on('error', () => {});
		socket.on('close', () => sockets.delete(socket));
	});
	server.maxConnections = MAX_HELPERS;
	await listenOnPath(server, path);
	await chmod(path, 0o660);
	return {
		find(peer, fromMs) {
			const found = known.get(peer);
			return found && found.atMs >= fromMs ? found.pair : undefined;
		},
		async close() {
			const closed = once(server, 'close');
			server.close();
			for (const socket of sockets) socket.destroy();
			await closed;
		},
	};
}
