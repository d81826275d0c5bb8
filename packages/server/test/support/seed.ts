import type { TestContext } from 'node:test';

/** A seed for this run of a property, printed, so that a failure can be run again with `TEST_SEED`. */
export function printedSeed(test: TestContext): number {
	const seed = Number(process.env.TEST_SEED ?? Date.now() % 2 ** 31);
	test.diagnostic(`TEST_SEED=${seed}`);
	return seed;
}
