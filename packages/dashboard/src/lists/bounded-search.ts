import { ROWS_ON_A_PAGE } from '@bursar/contract/dashboard';

/** One step of a search that looks back in bounded steps. */
export interface SearchStep {
	/** Where the next step goes on; `null` if nothing older can match. */
	readonly next_before: number | null;
	/** How far back it has looked, if it found less than a page; otherwise `null`. */
	readonly searched_to: string | null;
}

/**
 * Where the next step of the same page begins: a page grows by steps until it is full. `undefined` if it is full, or if
 * nothing older can match.
 */
export function nextStepOf(steps: readonly SearchStep[], rows: number): number | undefined {
	const last = steps.at(-1);
	if (!last || last.searched_to === null || rows >= ROWS_ON_A_PAGE) return undefined;
	return last.next_before ?? undefined;
}

/** Where the page after this one begins; `undefined` if this one can grow, or if nothing older can match. */
export function nextPageOf(steps: readonly SearchStep[], rows: number): number | undefined {
	return nextStepOf(steps, rows) === undefined ? (steps.at(-1)?.next_before ?? undefined) : undefined;
}
