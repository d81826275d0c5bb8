import type { TestContext } from 'node:test';

/** Random numbers. The same seed gives the same numbers. */
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

/** A seed for this run of a test, printed, so that a failure can be repeated with `TEST_SEED`. */
export function printedSeed(test: TestContext): number {
	const seed = Number(process.env.TEST_SEED ?? Date.now() % 2 ** 31);
	test.diagnostic(`TEST_SEED=${seed}`);
	return seed;
}
