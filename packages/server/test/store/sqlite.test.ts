import { sqliteEngine } from './sqlite-engine.ts';
import { storeSuite } from './suite/store-suite.ts';

storeSuite(sqliteEngine);
