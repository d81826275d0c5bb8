/** Numbers that are the same again with the same seed. */
export interface Random {
	/** A number from 0 to below 1. */
	next(): number;
	/** An integer from 0 to below `limit`. */
	below(limit: number): number;
}

/** Mulberry32. */
export function randomFrom(seed: number): Random {
	let state = seed;
	function next(): number {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	}
	return { next, below: (limit) => Math.floor(next() * limit) };
}
