import { connect, type Socket } from 'node:net';
import type { Logger } from 'pino';
import type { KnownPair } from '../../agent/pair-checker.ts';

/** Tells `squid-usage --cut` which pair was used on which connection. */
export interface PeerPairTeller {
	tell(peer: string, pair: KnownPair): void;
	close(): void;
}

/**
 * @bound Connections of Squid that a helper remembers, the newest, to tell them again after the reader has restarted:
 * the oldest are forgotten.
 */
const MAX_PEERS = 100_000;
/** @bound Bytes about pairs that wait for the reader: further pairs are told when it is connected again. */
const MAX_WAITING_BYTES = 1 << 24;
const CONNECT_AGAIN_MS = 500;

/** Never delays a check, and never fails one. */
export function createPeerPairTeller(path: string, logger: Logger): PeerPairTeller {
	const lines = new Map<string, string>();
	let socket: Socket | undefined;
	let timer: NodeJS.Timeout | undefined;
	let isAway = false;
	let isClosed = false;

	function connectNow(): void {
		const next = connect(path);
		next.on('connect', () => {
			socket = next;
			if (isAway) logger.info('open connections are told again');
			isAway = false;
			for (const line of lines.values()) next.write(line);
		});
		next.on('error', (cause: NodeJS.ErrnoException) => {
			if (!isAway) logger.warn({ reason: cause.code }, 'squid-usage --cut cannot be told about open connections');
			isAway = true;
		});
		next.on('close', () => {
			socket = undefined;
			if (!isClosed) timer = setTimeout(connectNow, CONNECT_AGAIN_MS).unref();
		});
		next.unref();
	}

	connectNow();
	return {
		tell(peer, { username, keyId }) {
			const line = `${peer} ${username} ${keyId} ${Date.now()}\n`;
			lines.delete(peer);
			lines.set(peer, line);
			if (lines.size > MAX_PEERS) {
				const [oldest] = lines.keys();
				if (oldest !== undefined) lines.delete(oldest);
			}
			if (!socket) return;
			if (socket.writableLength > MAX_WAITING_BYTES) socket.destroy();
			else socket.write(line);
		},
		close() {
			isClosed = true;
			clearTimeout(timer);
			socket?.destroy();
		},
	};
}
