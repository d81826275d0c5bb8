// Runs first: it takes long.
import { sqliteEngine } from './sqlite-engine.ts';
import { storeSuite } from './suite/store-suite.ts';

storeSuite(sqliteEngine);
