import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type UsageReport, usageDayOf } from '../../src/domain/usage.ts';
import { COUNT_LASTING } from '../../src/store/sqlite/usage-counters.ts';
import { createReseller, NOON_MS } from '../support/commands.ts';
import { sqliteEngine, storeFolder } from './sqlite-engine.ts';
import { record, runAll } from './suite/engine.ts';

test('reports whose ids have the same hash stay distinct, in one batch and in several', async (t) => {
	const { open } = storeFolder(t);
	const store = await open();
	await runAll(store, [createReseller('acme')]);
	const [first, second] = idsWithOneHash();
	const report = (id: string, bytesUp: number): UsageReport => {
		return { source: 'eu', id, username: 'acme', atMs: NOON_MS, bytesUp, bytesDown: 0 };
	};
	assert.deepEqual(await record(store, [report(first, 1)]), ['counted']);
	assert.deepEqual(await record(store, [report(second, 2), report(first, 1)]), ['counted', 'repeated']);
	assert.deepEqual(await record(store, [report(second, 2), report(first, 3)]), ['repeated', { refused: 'conflict' }]);
	const day = usageDayOf(NOON_MS);
	assert.deepEqual(await store.listUsageDays('acme', 'acme', day, day), [
		{ reseller: 'acme', username: 'acme', day, bytesUp: 3, bytesDown: 0 },
	]);
});

test('the counters of an edge that are never forgotten are counted without its other counters', async (t) => {
	const { rows } = await sqliteEngine.open(t);
	const plan = await rows(`EXPLAIN QUERY PLAN ${COUNT_LASTING.replace('?', "'eu'").replace('?', '9')}`);
	assert.match(JSON.stringify(plan), /SEARCH usage_counters USING COVERING INDEX usage_counters_lasting/);
});

/** Two ids whose names with source `eu` have the same 32-bit FNV-1a, by which the engine finds reports. */
function idsWithOneHash(): [string, string] {
	const ids = new Map<number, string>();
	for (let n = 0; ; n++) {
		const id = `id ${n}`;
		const hash = fnv1a(`eu\n${id}`);
		const other = ids.get(hash);
		if (other !== undefined) return [other, id];
		ids.set(hash, id);
	}
}

function fnv1a(text: string): number {
	let hash = 0x811c9dc5;
	for (let place = 0; place < text.length; place++) hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193);
	return hash;
}
