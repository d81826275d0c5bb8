import { describe } from 'node:test';
import { actSuite } from './act-suite.ts';
import type { Engine } from './engine.ts';
import { invitationSuite } from './invitation-suite.ts';
import { personFactorSuite } from './person-factor-suite.ts';
import { rightsSuite } from './rights-suite.ts';
import { sessionSuite } from './session-suite.ts';
import { throttleSuite } from './throttle-suite.ts';
import { verificationSuite } from './verification-suite.ts';

/** Tests people: links, sessions, factors, throttles and acts. */
export function peopleSuite(engine: Engine): void {
	describe('people', () => {
		invitationSuite(engine);
		sessionSuite(engine);
		personFactorSuite(engine);
		throttleSuite(engine);
		actSuite(engine);
		rightsSuite(engine);
		verificationSuite(engine);
	});
}
