// Runs alone: it takes as long as a group.
// Runs first: it takes long.
import { hostilePostgresEngine } from './postgres-engine.ts';
import { storeSuite } from './suite/store-suite.ts';

storeSuite(await hostilePostgresEngine());
