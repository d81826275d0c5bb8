import { describe } from 'node:test';
import { actSuite } from './act-suite.ts';
import { claimSuite } from './claim-suite.ts';
import type { Engine } from './engine.ts';
import { personFactorSuite } from './person-factor-suite.ts';
import { personSuite } from './person-suite.ts';
import { verificationSuite } from './verification-suite.ts';

/**
 * Tests that an engine loads and writes what the rules about people need, also for several processes at once. The rules
 * themselves are tested in `test/domain/people`.
 */
export function peopleSuite(engine: Engine): void {
	describe('people', () => {
		personSuite(engine);
		personFactorSuite(engine);
		claimSuite(engine);
		actSuite(engine);
		verificationSuite(engine);
	});
}
