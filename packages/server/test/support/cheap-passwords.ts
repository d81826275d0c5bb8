import crypto, { type Argon2Algorithm, type Argon2Parameters } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import type { TestContext } from 'node:test';

/** The least that argon2 accepts, in KiB and passes. */
const LEAST = { memory: 8, passes: 1 };

const { argon2 } = crypto;
let testsUnderWay = 0;

// It stays, so that no mock of a test puts the cheap one back after that test.
crypto.argon2 = (algorithm: Argon2Algorithm, parameters: Argon2Parameters, done: Parameters<typeof argon2>[2]) =>
	argon2(algorithm, testsUnderWay > 0 ? { ...parameters, ...LEAST } : parameters, done);
syncBuiltinESMExports();

/** Until the test ends, a password of this process takes almost no time. */
export function cheapPasswords(test: TestContext): void {
	testsUnderWay++;
	test.after(() => {
		testsUnderWay--;
	});
}
