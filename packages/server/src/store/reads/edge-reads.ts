import type { Edge } from '../../domain/edge.ts';

/** The reads of the edge listener. Each throws `StoreUnavailableError` if the store cannot be asked. */
export interface EdgeReads {
	/** All edges by name, the revoked ones too. At most `MAX_EDGES`. */
	listEdges(): Promise<readonly Edge[]>;
	/**
	 * The proxy auth keys of these accounts (normalized usernames, at most 1,000), by username. Resellers have one, too.
	 * Names without an account are missing. `null`: the row of the account is damaged, and its key cannot be read.
	 */
	readPairs(usernames: readonly string[]): Promise<ReadonlyMap<string, string | null>>;
}
