import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COUNT_PERMANENT } from '../../src/store/usage/usage-load.ts';
import { sqliteEngine } from './sqlite-engine.ts';

test('the counters of an edge that are never forgotten are counted without its other counters', async (t) => {
	const { rows } = await sqliteEngine.open(t);
	const plan = await rows(`EXPLAIN QUERY PLAN ${COUNT_PERMANENT.replace('$1', "'eu'").replace('$2', '9')}`);
	assert.match(JSON.stringify(plan), /SEARCH usage_counters USING COVERING INDEX usage_counters_lasting/);
});
