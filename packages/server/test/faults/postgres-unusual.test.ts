import { unusualPostgresEngine } from '../store/postgres-engine.ts';
import { storeSuite } from '../store/suite/store-suite.ts';

storeSuite(await unusualPostgresEngine());
