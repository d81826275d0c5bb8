import { describe } from 'node:test';
import { actSuite } from './act-suite.ts';
import { brandSuite } from './brand-suite.ts';
import type { Engine } from './engine.ts';
import { peopleRacesSuite } from './people-races-suite.ts';
import { personSuite } from './person-suite.ts';

/**
 * Tests that an engine loads and writes what the rules about people need, also for several processes at once. The rules
 * themselves are tested in `test/domain/people`.
 */
export function peopleSuite(engine: Engine): void {
	describe('people', () => {
		personSuite(engine);
		actSuite(engine);
		brandSuite(engine);
		peopleRacesSuite(engine);
	});
}
