import type { StoredAct } from './business-reads.ts';
import type { StoredMovement } from './movement-reads.ts';

/** The operator's look at one request. It throws `StoreUnavailableError` if the store cannot be asked. */
export interface RequestReads {
	/** What a request did: by its id, and by an index. Both lists are empty if nothing is recorded. */
	findRequest(id: string): Promise<RequestTraces>;
}

/** The oldest first. */
interface RequestTraces {
	readonly movements: readonly StoredMovement[];
	readonly acts: readonly StoredAct[];
}
