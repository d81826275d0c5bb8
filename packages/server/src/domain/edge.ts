/** A proxy host that may check pairs and report bytes. */
export interface Edge {
	/** Unique. The counters of an edge belong to its name: a new key after a revocation goes on with them. */
	readonly name: string;
	/** SHA-256, base64url; `null` if the edge was revoked, or has not joined yet. */
	readonly keyHash: string | null;
	/** The last four characters of the newest key; empty if the edge has never had one. */
	readonly keyTail: string;
	/** SHA-256 of the secret of its link, base64url, also after the link was used; `null` if there is none. */
	readonly linkHash: string | null;
	readonly linkExpiresAtMs: number | null;
	readonly createdAtMs: number;
	readonly revokedAtMs: number | null;
	/** When it last asked or reported anything; up to 10 seconds late; `null` if never. */
	readonly lastSeenAtMs: number | null;
	/** The newest time of a reading that was counted or repeated: how far it has reported. `null` if it never has. */
	readonly reportedToMs: number | null;
	/** How many pairs it has checked, and how many of them were refused. About 10 seconds late. */
	readonly checks: number;
	readonly refusals: number;
}

/** @bound A link with which an edge joins: then it is refused. It is good for one key. */
export const EDGE_LINK_MS = 24 * 60 * 60_000;

/** An edge of which nothing was heard for this long is silent, in milliseconds. It says something every ten seconds. */
export const SILENT_MS = 10 * 60_000;

/** Whether an edge was heard from before, but not since. One that has never asked was never there. */
export function isSilent({ keyHash, lastSeenAtMs }: Pick<Edge, 'keyHash' | 'lastSeenAtMs'>, sinceMs: number): boolean {
	return keyHash !== null && lastSeenAtMs !== null && lastSeenAtMs < sinceMs;
}

/**
 * Each process keeps all of them in memory. Revoked ones count, too.
 * @bound Edges, with revoked ones: a further one is refused.
 */
export const MAX_EDGES = 1_000;

const NAME = /^[a-z0-9](?:[a-z0-9.-]{0,61}[a-z0-9])?$/;

/** Whether an edge may have this name: like a host name, 1 to 63 lowercase letters, digits, periods and hyphens. */
export function isEdgeName(text: string): boolean {
	return NAME.test(text);
}
