import crypto, { type Argon2Algorithm, type Argon2Parameters } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import type { TestContext } from 'node:test';

/** The least that argon2 accepts, in KiB and passes. */
const LEAST = { memory: 8, passes: 1 };

/** Until the test ends, a password takes almost no time, for tests that count hundreds of tries. */
export function cheapPasswords(test: TestContext): void {
	const { argon2 } = crypto;
	const { mock } = test.mock.method(
		crypto,
		'argon2',
		(algorithm: Argon2Algorithm, parameters: Argon2Parameters, done: Parameters<typeof argon2>[2]) =>
			argon2(algorithm, { ...parameters, ...LEAST }, done),
	);
	syncBuiltinESMExports();
	test.after(() => {
		mock.restore();
		syncBuiltinESMExports();
	});
}
