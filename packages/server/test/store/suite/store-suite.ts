import { after, describe } from 'node:test';
import { bandwidthSuite } from './bandwidth-suite.ts';
import { batchSuite } from './batch-suite.ts';
import { changeSuite } from './change-suite.ts';
import { concurrencySuite } from './concurrency-suite.ts';
import { correctionSuite } from './correction-suite.ts';
import { counterSuite } from './counter-suite.ts';
import { credentialSuite } from './credential-suite.ts';
import { edgeSuite } from './edge-suite.ts';
import type { Engine } from './engine.ts';
import { ledgerSuite } from './ledger-suite.ts';
import { lifeSuite } from './life-suite.ts';
import { listingSuite } from './listing-suite.ts';
import { mailSuite } from './mail-suite.ts';
import { meteringReadsSuite } from './metering-reads-suite.ts';
import { meteringStepsSuite } from './metering-steps-suite.ts';
import { meteringSuite } from './metering-suite.ts';
import { movementSuite } from './movement-suite.ts';
import { noteSuite } from './note-suite.ts';
import { peopleSuite } from './people-suite.ts';
import { periodSuite } from './period-suite.ts';
import { platformSuite } from './platform-suite.ts';
import { reportSuite } from './report-suite.ts';
import { searchSuite } from './search-suite.ts';
import { sharedStores } from './shared-stores.ts';
import { usageSuite } from './usage-suite.ts';
import { whoSuite } from './who-suite.ts';

/** Tests what every engine promises (see `store.ts`) on one engine. */
export function storeSuite(engine: Engine): void {
	describe(`the store on ${engine.name}`, () => {
		const stores = sharedStores(engine);
		after(stores.close);
		batchSuite(stores);
		changeSuite(stores);
		concurrencySuite(stores);
		listingSuite(stores);
		credentialSuite(stores);
		peopleSuite(stores);
		noteSuite(stores);
		mailSuite(stores);
		usageSuite(stores);
		counterSuite(stores);
		correctionSuite(stores);
		bandwidthSuite(stores);
		meteringSuite(stores);
		meteringStepsSuite(stores);
		meteringReadsSuite(stores);
		lifeSuite(stores);
		edgeSuite(stores);
		ledgerSuite(stores);
		movementSuite(stores);
		periodSuite(stores);
		searchSuite(stores);
		whoSuite(stores);
		reportSuite(stores);
		platformSuite(stores);
	});
}
