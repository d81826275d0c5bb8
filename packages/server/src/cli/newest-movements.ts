import type { ResellerListReads, ResellerQuery } from '../store/tables/accounts/resellers.ts';
import type { MovementReads, StoredMovement } from '../store/tables/ledger/movements.ts';

export interface WantedMovements {
	/** All resellers if it is absent. */
	readonly reseller?: string | undefined;
	/** Unix milliseconds; `toMs` is not included. */
	readonly fromMs?: number | undefined;
	readonly toMs?: number | undefined;
	readonly limit: number;
}

type Reads = Pick<MovementReads, 'listMovements'> & Pick<ResellerListReads, 'listResellersBy'>;

const RESELLERS_AT_ONCE = 1_000;

/**
 * The newest movements, by time. The ledger is read by reseller, as its index has it: those of all resellers are merged,
 * and of each only what is newer than the oldest that would be shown.
 */
export async function newestMovements(
	store: Reads,
	{ reseller, fromMs, toMs, limit }: WantedMovements,
): Promise<readonly StoredMovement[]> {
	let newest: readonly StoredMovement[] = [];
	for await (const name of reseller === undefined ? allResellers(store) : [reseller]) {
		const oldestMs = newest.length === limit ? (newest.at(-1)?.atMs ?? 0) : 0;
		const found = await movementsOf(store, name, { fromMs: Math.max(fromMs ?? 0, oldestMs), toMs, limit });
		newest = [...newest, ...found].sort((a, b) => b.atMs - a.atMs || b.number - a.number).slice(0, limit);
	}
	return newest;
}

async function* allResellers(store: Reads): AsyncGenerator<string> {
	let after: ResellerQuery['after'];
	do {
		const page = await store.listResellersBy({
			search: '',
			by: 'name',
			descends: false,
			after,
			limit: RESELLERS_AT_ONCE,
		});
		yield* page.map(({ username }) => username);
		const last = page.at(-1);
		after = last && { username: last.username, value: 0 };
	} while (after !== undefined);
}

async function movementsOf(store: Reads, reseller: string, { fromMs, toMs, limit }: WantedMovements) {
	const found: StoredMovement[] = [];
	let before: number | null = Number.MAX_SAFE_INTEGER;
	// A search of a span of time looks at a bounded number of rows at once.
	while (before !== null && found.length < limit) {
		const query = { reseller, before, ...(fromMs && { fromMs }), toMs, limit: limit - found.length };
		const page: Awaited<ReturnType<Reads['listMovements']>> = await store.listMovements(query);
		found.push(...page.rows);
		before = page.nextBefore;
	}
	return found;
}
