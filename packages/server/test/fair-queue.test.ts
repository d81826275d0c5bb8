import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printedSeed } from '@bursar/testing/random';
import fc from 'fast-check';
import { createFairQueue } from '../src/fair-queue.ts';

/** The first character of an item is its owner. */
function queueOf(items: string, limits: { maxWaiting?: number; maxOfOwner?: number } = {}) {
	const queue = createFairQueue<string>({
		ownerOf: (item) => item[0] as string,
		maxWaiting: 100,
		maxOfOwner: 100,
		...limits,
	});
	const refused = items.split(' ').filter((item) => item !== '' && !queue.add(item));
	return { queue, refused };
}

test('owners take turns, and each has its own items in order', () => {
	const { queue } = queueOf('a1 a2 a3 a4 b1 b2 c1');
	assert.deepEqual(queue.take(4), ['a1', 'b1', 'c1', 'a2']);
	assert.equal(queue.size, 3);
	queue.add('d1');
	assert.deepEqual(queue.take(10), ['b2', 'a3', 'd1', 'a4']);
	assert.equal(queue.size, 0);
	assert.deepEqual(queue.take(10), []);
});

test('the turns continue after the previous take', () => {
	const { queue } = queueOf('a1 a2 b1 b2 c1 c2');
	assert.deepEqual([queue.take(1), queue.take(1), queue.take(1), queue.take(1)].flat(), ['a1', 'b1', 'c1', 'a2']);
});

test('a single owner gets all turns, in order', () => {
	const { queue } = queueOf('a1 a2 a3');
	assert.deepEqual([queue.take(2), queue.take(2)], [['a1', 'a2'], ['a3']]);
});

test('takeOfNext takes the first items of one owner, and then of the next owner', () => {
	const { queue } = queueOf('a1 a2 a3 b1 c1');
	assert.deepEqual([queue.takeOfNext(2), queue.takeOfNext(2), queue.takeOfNext(2)], [['a1', 'a2'], ['b1'], ['c1']]);
	assert.deepEqual([queue.takeOfNext(2), queue.takeOfNext(2), queue.size], [['a3'], [], 0]);
});

test('an item over a limit is refused; the limit of one owner does not affect the others', () => {
	const { queue, refused } = queueOf('a1 a2 a3 b1 c1 c2', { maxOfOwner: 2, maxWaiting: 4 });
	assert.deepEqual(refused, ['a3', 'c2']);
	queue.take(4);
	assert.equal(queue.add('a9'), true);
});

test('items that are put back come first again, in their order', () => {
	const { queue } = queueOf('a1 a2 a3 b1 b2 c1');
	const taken = queue.take(3);
	queue.add('d1');
	queue.putBack(taken);
	assert.equal(queue.size, 7);
	assert.deepEqual(queue.take(10), ['a1', 'b1', 'c1', 'd1', 'a2', 'b2', 'a3']);
});

test('removed items are gone, and the others keep their order', () => {
	const { queue } = queueOf('a1 a2 a3 b1 c1');
	assert.deepEqual(
		queue.remove((item) => item === 'a2' || item === 'b1'),
		['a2', 'b1'],
	);
	assert.equal(queue.size, 3);
	assert.deepEqual(queue.take(10), ['a1', 'c1', 'a3']);
});

test('no item is lost, repeated or overtaken by its owner, and no owner gets two turns before another gets one', (t) => {
	const step = fc.oneof(
		fc.record({ kind: fc.constant('add' as const), owner: fc.constantFrom('a', 'b', 'c', 'd') }),
		fc.record({ kind: fc.constantFrom('take' as const, 'take and put back' as const), most: fc.nat(5) }),
	);
	fc.assert(
		fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
			const { queue } = queueOf('', { maxWaiting: 1000, maxOfOwner: 1000 });
			const waiting = new Map<string, string[]>();
			let number = 0;
			for (const step of steps) {
				if (step.kind === 'add') {
					const item = `${step.owner}${number++}`;
					queue.add(item);
					waiting.set(step.owner, [...(waiting.get(step.owner) ?? []), item]);
					continue;
				}
				const taken = queue.take(step.most);
				const counts = Map.groupBy(taken, (item) => item[0] as string);
				assert.equal(taken.length, Math.min(step.most, [...waiting.values()].flat().length));
				for (const [owner, items] of waiting) {
					const got = counts.get(owner) ?? [];
					assert.deepEqual(got, items.slice(0, got.length));
					for (const others of counts.values())
						assert.ok(got.length === items.length || others.length <= got.length + 1);
				}
				if (step.kind === 'take and put back') queue.putBack(taken);
				else for (const [owner, items] of waiting) items.splice(0, counts.get(owner)?.length ?? 0);
			}
			assert.equal(queue.size, [...waiting.values()].flat().length);
		}),
		{ seed: printedSeed(t), numRuns: 500 },
	);
});
