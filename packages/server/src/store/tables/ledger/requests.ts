import type { Reader } from '../../reading.ts';
import { type StoredAct, selectActs } from '../changes/acts.ts';
import { onceEach, type StoredMovement, selectMovements } from './movements.ts';

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

/**
 * A request has fewer. If the tables say otherwise, the rest is not read.
 * @bound Movements and acts of one request that are shown: the rest is left out.
 */
const MOST_OF_A_REQUEST = 100;

export function requestReads({ read }: Reader): RequestReads {
	const of = (table: string, order: string, select: (rows: string) => string, orderOfResult: string) =>
		`${select(`SELECT * FROM ${table} WHERE request_id = $1 ORDER BY ${order} LIMIT ${MOST_OF_A_REQUEST}`)} ORDER BY ${orderOfResult}`;
	const [movements, acts] = [
		// Only the movements of one reseller have an order of their own.
		of('transfers', 'at_ms, reseller, id', selectMovements, '"atMs", page.reseller, number'),
		of('acts', 'number', selectActs, 'number'),
	];
	return {
		findRequest: async (id) => ({
			movements: onceEach((await read({ sql: movements, values: [id] })) as StoredMovement[]),
			acts: (await read({ sql: acts, values: [id] })) as StoredAct[],
		}),
	};
}
