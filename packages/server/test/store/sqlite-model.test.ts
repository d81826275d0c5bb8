import { sqliteEngine } from './sqlite-engine.ts';
import { modelSuite } from './suite/model-suite.ts';

modelSuite(sqliteEngine, 300);
