import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEdgeProcesses } from '../../../src/http/edge/edge-processes.ts';

test('an edge names at most 1,024 processes within a minute, and harms no other edge', () => {
	let nowMs = 0;
	const processes = createEdgeProcesses(() => nowMs);
	const take = (name: number | string, edge = 'frankfurt-1') => processes.take(edge, String(name));
	for (let name = 0; name < 1_024; name++) assert.ok(take(name));
	assert.ok(!take('one more'));
	assert.ok(take(1023), 'one that is known goes on');
	assert.ok(take('one more', 'paris-1'));
	nowMs = 60_000;
	assert.ok(take('one more'));
});
