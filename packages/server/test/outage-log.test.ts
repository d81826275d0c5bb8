import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOutageLog } from '../src/outage-log.ts';

const COUNT_MS = 1_000;

function setUp(isOverWhenQuiet: boolean) {
	const lines: unknown[] = [];
	const outage = createOutageLog({
		failing: ({ ...fields }) => lines.push('err' in fields ? (fields.err as Error).message : fields.count),
		over: () => lines.push('over'),
		isOverWhenQuiet,
		countMs: COUNT_MS,
	});
	return { lines, outage };
}

test('of an outage, each cause is logged once, then counts at intervals, then its end', (t) => {
	t.mock.timers.enable({ apis: ['setInterval'] });
	const { lines, outage } = setUp(false);
	for (let i = 0; i < 1_000; i++) outage.failed(new Error(i < 500 ? 'first' : 'second'));
	assert.deepEqual(lines.splice(0), ['first', 'second']);
	t.mock.timers.tick(COUNT_MS);
	assert.deepEqual(lines.splice(0), [998]);
	outage.failed(new Error('first'));
	t.mock.timers.tick(3 * COUNT_MS);
	assert.deepEqual(lines.splice(0), [1], 'it is not over by itself');
	outage.over();
	outage.over();
	assert.deepEqual(lines.splice(0), ['over']);
	t.mock.timers.tick(COUNT_MS);
	outage.failed(new Error('first'));
	assert.deepEqual(lines.splice(0), ['first'], 'the next outage is logged from its beginning');
});

test('however many causes an outage has, a few are logged', (t) => {
	t.mock.timers.enable({ apis: ['setInterval'] });
	const { lines, outage } = setUp(false);
	for (let i = 0; i < 100; i++) outage.failed(new Error(`row ${i}`));
	t.mock.timers.tick(COUNT_MS);
	assert.deepEqual(lines, ['row 0', 'row 1', 'row 2', 'row 3', 'row 4', 95]);
});

test('an outage that no success ends is over when nothing has failed for as long as between two counts', (t) => {
	t.mock.timers.enable({ apis: ['setInterval'] });
	const { lines, outage } = setUp(true);
	outage.failed(new Error('first'));
	t.mock.timers.tick(COUNT_MS - 1);
	outage.failed(new Error('first'));
	t.mock.timers.tick(1);
	assert.deepEqual(lines.splice(0), ['first', 1]);
	t.mock.timers.tick(COUNT_MS);
	assert.deepEqual(lines.splice(0), ['over']);
	t.mock.timers.tick(10 * COUNT_MS);
	assert.deepEqual(lines, []);
});
