import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newRequestId } from '../src/credentials.ts';

test('request ids are UUIDs of version 7: they begin with the time, and no two are the same', (t) => {
	t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 10, 21, 14, 3) });
	const ids: string[] = [];
	for (let millisecond = 0; millisecond < 100; millisecond++) {
		const beginning = Date.now().toString(16).padStart(12, '0');
		for (let index = 0; index < 3; index++) {
			const id = newRequestId();
			assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
			assert.equal(id.replaceAll('-', '').slice(0, 12), beginning);
			ids.push(id);
		}
		t.mock.timers.tick(1);
	}
	assert.equal(new Set(ids).size, 300);
	assert.deepEqual(
		ids.map((id) => id.slice(0, 13)),
		ids.map((id) => id.slice(0, 13)).toSorted(),
	);
});
