import { keepNewest } from '../../server/keep-newest.ts';

/** How old a list may be, in milliseconds. */
const LIST_LIFE_MS = 5 * 60_000;
/** How long a list that could not be made is not tried again, in milliseconds: it may be what keeps the store busy. */
const FAILURE_LIFE_MS = 60_000;
/** How many lists are kept, unless something else is said. */
const KEPT_LISTS = 1_000;

/** A list, or why it could not be made. */
interface KeptList<List> {
	readonly madeAtMs: number;
	readonly lifeMs: number;
	readonly list?: { readonly made: List };
	readonly cause?: unknown;
}

/** How the list of a reseller is made, in one of several variants. `nowMs` is in Unix milliseconds. */
interface Making<List, Variant> {
	make(reseller: string, variant: Variant, nowMs: number): Promise<List>;
	readonly nowMs: () => number;
	/** What tells variants apart. Default: the variant, which then has to be a text or a number. */
	keyOf?(variant: Variant): string;
	/** How many lists are kept. */
	readonly most?: number;
}

/**
 * Lists whose making takes the store about a second. So each is kept for a while, and one of a reseller is made at a
 * time.
 */
export function createKeptLists<List, Variant>({
	make,
	nowMs,
	keyOf = String,
	most = KEPT_LISTS,
}: Making<List, Variant>) {
	const kept = new Map<string, KeptList<List>>();
	const underWay = new Map<string, { readonly key: string; readonly list: Promise<List> }>();

	async function makeAndKeep(reseller: string, variant: Variant, key: string): Promise<List> {
		const madeAtMs = nowMs();
		try {
			const made = await make(reseller, variant, madeAtMs);
			keepNewest(kept, key, { madeAtMs, lifeMs: LIST_LIFE_MS, list: { made } }, most);
			return made;
		} catch (cause) {
			keepNewest(kept, key, { madeAtMs: nowMs(), lifeMs: FAILURE_LIFE_MS, cause }, most);
			throw cause;
		}
	}

	return async (reseller: string, variant: Variant): Promise<List> => {
		const key = `${reseller} ${keyOf(variant)}`;
		for (;;) {
			const found = kept.get(key);
			// The clock may have been set back.
			if (found && Math.abs(nowMs() - found.madeAtMs) < found.lifeMs) {
				if (found.list) return found.list.made;
				throw found.cause;
			}
			const other = underWay.get(reseller);
			if (other?.key === key) return other.list;
			if (!other) break;
			await other.list.catch(() => undefined);
		}
		const list = makeAndKeep(reseller, variant, key).finally(() => underWay.delete(reseller));
		underWay.set(reseller, { key, list });
		return list;
	};
}
