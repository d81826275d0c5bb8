import type { Edge } from '../../domain/edge.ts';
import type { OpenInProcess } from '../../domain/open-connections.ts';
import type { PairBounds } from '../../domain/pair-state.ts';

/** The reads of the edge listener. Each throws `StoreUnavailableError` if the store cannot be asked. */
export interface EdgeReads {
	/** All edges by name, the revoked ones too. At most `MAX_EDGES`. */
	listEdges(): Promise<readonly Edge[]>;
	/**
	 * The pairs of these accounts (normalized usernames, at most 1,000), by username. Resellers have one, too. Names
	 * without an account are missing. `null`: the row of the account is damaged, and its key cannot be read.
	 */
	readPairs(usernames: readonly string[]): Promise<ReadonlyMap<string, StoredPair | null>>;
}

export interface StoredPair extends PairBounds {
	/** The proxy auth key. */
	readonly key: string;
	/** From where the pair is good: addresses and networks. `null`: from anywhere. */
	readonly allowedIps: readonly string[] | null;
	/** How many connections may be open at once over all edges. */
	readonly connections: number | null;
	/** What edges lately said is open. Empty without a limit of connections. */
	readonly open: readonly OpenInProcess[];
}
