import type { Logger } from 'pino';
import type { KnownPair, PairChecker } from '../../agent/pair-checker.ts';
import type { ActiveRequest } from '../usage/active-requests.ts';
import type { Connection } from './end-connections.ts';
import type { PeerPairs } from './peer-pairs.ts';

/**
 * Ends connections of users: those whose pair is not good any more, or not from their address, and the newest ones of a
 * user with too many.
 */
export interface ConnectionCutter {
	/** Asks about the pairs of these requests, and ends the connections of refused ones. */
	cut(requests: readonly ActiveRequest[]): Promise<void>;
	/** How many connections are open of users with a limit of connections, as far as their pairs are known. */
	openNow(): ReadonlyMap<string, number>;
	/** Forgets the open connections: they are not known any more. */
	forget(): void;
	readonly stats: CutterStats;
}

interface CutterStats {
	/** Connections that were ended, or that could not be. */
	cut: number;
	/** Open connections whose pair is not known, so they are not ended. */
	unknown: number;
}

export interface CutterParts {
	readonly peers: Pick<PeerPairs, 'find'>;
	readonly checker: Pick<PairChecker, 'adopt' | 'recheck' | 'isAllowedFrom'>;
	readonly end: (connections: readonly Connection[]) => Promise<void>;
	readonly logger: Logger;
}

/** Squid may let a connection in without a check for as long as `credentialsttl`, which is a second. */
const CHECKED_BEFORE_MS = 2_000;

export function createConnectionCutter({ peers, checker, end, logger }: CutterParts): ConnectionCutter {
	/** The pairs of open requests, by the connection and the begin of its request. */
	let open = new Map<string, KnownPair>();
	/** How many connections stay, of users with a limit. */
	let limited = new Map<string, number>();
	const stats: CutterStats = { cut: 0, unknown: 0 };

	/** Requests with the same pair share it, so that it is asked about once. */
	function pairsOf(requests: readonly ActiveRequest[]): Map<string, KnownPair> {
		const before = new Map([...open.values()].map((pair) => [nameOf(pair), pair]));
		const pairs = new Map<string, KnownPair>();
		for (const request of requests) {
			const id = idOf(request);
			const used = open.get(id) ?? peers.find(request.peer, Number(request.begin) * 1000 - CHECKED_BEFORE_MS);
			if (!used) continue;
			const pair = before.get(nameOf(used)) ?? checker.adopt(used);
			before.set(nameOf(used), pair);
			pairs.set(id, pair);
		}
		return pairs;
	}

	/** The oldest connections stay. */
	function endedOf(
		requests: readonly ActiveRequest[],
		gone: ReadonlyMap<KnownPair, unknown>,
	): readonly ActiveRequest[] {
		const kept = new Map<string, number>();
		limited = new Map();
		return requests
			.toSorted((one, other) => Number(one.begin) - Number(other.begin))
			.filter((request) => {
				const pair = open.get(idOf(request));
				if (!pair) return false;
				const before = kept.get(pair.username) ?? 0;
				const isTooMuch = before >= (pair.maxConnections ?? Number.POSITIVE_INFINITY);
				if (gone.has(pair) || isTooMuch || !checker.isAllowedFrom(pair, addressOf(request))) return true;
				kept.set(pair.username, before + 1);
				if (pair.maxConnections !== undefined) limited.set(pair.username, before + 1);
				return false;
			});
	}

	return {
		openNow: () => limited,
		forget() {
			limited = new Map();
		},
		async cut(requests) {
			const allowed = requests.filter(({ isAllowed, username }) => isAllowed && username !== '-');
			open = pairsOf(allowed);
			stats.unknown = allowed.length - open.size;
			const gone = await checker.recheck(open.values());
			const ended = endedOf(allowed, gone);
			if (ended.length === 0) return;
			stats.cut += ended.length;
			logger.info({ connections: ended.length }, 'connections of refused users are ended');
			await end(ended);
		},
		stats,
	};
}

/** `192.0.2.1` of `192.0.2.1:5000`, and `2001:db8::1` of `[2001:db8::1]:5000`. */
function addressOf({ peer }: ActiveRequest): string {
	return peer.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
}

function idOf({ peer, begin }: ActiveRequest): string {
	return `${peer}@${begin}`;
}

function nameOf({ username, keyId }: KnownPair): string {
	return `${username} ${keyId}`;
}
