import type { Edge } from '../../domain/edge.ts';

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

export interface StoredPair {
	/** The proxy auth key. */
	readonly key: string;
	/** After how many more bytes nothing is left of the balance. `null`: it does not limit the bandwidth. */
	readonly leftBytes: number | null;
}
