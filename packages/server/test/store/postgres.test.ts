import { describe } from 'node:test';
import { postgresEngine } from './postgres-engine.ts';
import { concurrencySuite } from './suite/concurrency-suite.ts';
import { storeSuite } from './suite/store-suite.ts';

const isLong = process.env.BURSAR_TEST_FAULTS === 'long';
const engine = await postgresEngine();

// `postgres-unusual.test.ts` always runs the whole suite. Its settings only make each test harder: every
// transaction overrides them, and the outcomes must be the same. The short form repeats what also depends on timing.
if (isLong) storeSuite(engine);
else describe(`the store on ${engine.name}, in short`, () => concurrencySuite(engine));
