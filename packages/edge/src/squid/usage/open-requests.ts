import { normalizeUsername } from '@bursar/contract/username';
import type { ActiveRequest } from './active-requests.ts';
import { type CounterNow, ownCounter, REPORTED_FROM_AGE_MS } from './usage-counters.ts';

/** Turns what Squid's manager tells about open requests into counters. */
export interface OpenRequests {
	/** The present values of the counters. Never more than what the access log will say. */
	counters(requests: readonly ActiveRequest[], atMs: number): readonly CounterNow[];
}

interface Connection {
	readonly begin: string;
	readonly requests: number;
	/** Bytes that were read before those of the present request. */
	readonly bytesBefore: number;
}

/** Keeps something only about connections with an open request. */
export function createOpenRequests(): OpenRequests {
	let connections = new Map<string, Connection>();

	/**
	 * Squid tells how many bytes it has read on a connection, for all its requests. The share of earlier requests is not
	 * known. So of a later one, only its headers count, and bytes that are read after its first look.
	 */
	function connectionOf(request: ActiveRequest): Connection {
		const { peer, begin, requests, bytesReadOnConnection, headerBytes } = request;
		const known = connections.get(peer);
		if (known?.begin === begin && known.requests === requests) return known;
		return { begin, requests, bytesBefore: requests === 1 ? 0 : bytesReadOnConnection - headerBytes };
	}

	return {
		counters(requests, atMs) {
			const seen = new Map<string, Connection>();
			const counters = requests.flatMap((request) => {
				const username = normalizeUsername(request.username);
				// If a connection works on several requests, its numbers tell nothing about one of them.
				if (username === undefined || !request.isAllowed || seen.has(request.peer)) return [];
				const connection = connectionOf(request);
				seen.set(request.peer, connection);
				if (request.ageMs < REPORTED_FROM_AGE_MS) return [];
				return [
					{
						counter: ownCounter(request.peer, request.begin),
						username,
						bytesUp: Math.max(0, request.bytesReadOnConnection - connection.bytesBefore),
						bytesDown: request.bytesDown,
						atMs,
					},
				];
			});
			connections = seen;
			return counters;
		},
	};
}
