import { postgresEngine } from './postgres-engine.ts';
import { modelSuite } from './suite/model-suite.ts';

modelSuite(await postgresEngine(), 60);
