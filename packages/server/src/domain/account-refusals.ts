import type { AccountRefusal } from '@bursar/contract/account-refusals';

/** Clients of an account that an edge refused, or cut off, for one reason. */
export interface RefusedOnEdge {
	readonly edge: string;
	readonly username: string;
	readonly reason: AccountRefusal;
	readonly count: number;
	/** When the last one was refused, in Unix milliseconds. */
	readonly atMs: number;
	/** Its /24 or /48; `null` if it is not known. */
	readonly network: string | null;
}

/** Those of one UTC hour, by all edges. `edge` is that of the last one. */
export interface RefusalHour extends RefusedOnEdge {
	/** In hours since 1970-01-01. */
	readonly hour: number;
}

/** Adds up the hours of an account by reason. The reason of the last refusal comes first. */
export function refusalsByReason(hours: readonly RefusalHour[]): readonly RefusedOnEdge[] {
	return addUpRefused(hours, ({ reason }) => reason).sort((a, b) => b.atMs - a.atMs);
}

/** Adds up those with the same key. The rest is that of the last one. */
export function addUpRefused(
	refused: readonly RefusedOnEdge[],
	keyOf: (one: RefusedOnEdge) => string,
): RefusedOnEdge[] {
	const sums = new Map<string, RefusedOnEdge>();
	for (const one of refused) {
		const before = sums.get(keyOf(one));
		const last = before && before.atMs > one.atMs ? before : one;
		sums.set(keyOf(one), { ...last, count: one.count + (before?.count ?? 0) });
	}
	return [...sums.values()];
}
