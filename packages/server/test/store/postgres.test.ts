import { postgresEngine } from './postgres-engine.ts';
import { storeSuite } from './suite/store-suite.ts';

storeSuite(await postgresEngine());
