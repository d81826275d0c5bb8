import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exit } from '../../../src/proxy/upstream/exit.ts';
import { createTries } from '../../../src/proxy/upstream/tries.ts';

/** A request with this many exits, and a clock that the test sets. */
function start(count: number) {
	const clock = { ms: 5_000 };
	const told: string[] = [];
	const moved: number[] = [];
	const exitAt = (number: number): Exit => ({
		number,
		address: `e${number}:1`,
		protocol: 'http',
		host: `e${number}`,
		port: 1,
		isCurrent: true,
		others: count - number,
		another(tried) {
			const next = Array.from({ length: count }, (_, index) => index + 1).find((each) => !tried.includes(each));
			return next === undefined ? undefined : exitAt(next);
		},
		answered() {},
		failed() {},
		refused: (isRepeated) => void told.push(`${number}${isRepeated ? ' again' : ''}`),
	});
	const movedTo = ({ number }: Exit) => void moved.push(number);
	const tries = createTries({ kind: 'exit', exit: exitAt(1), to: { host: 'x', port: 1 }, movedTo }, () => clock.ms);
	return { tries, clock, told, moved };
}

test('a request tries three exits at most, and those after it go where it went', () => {
	const { tries, moved, told } = start(5);
	tries.refused();
	assert.ok(tries.goOn());
	assert.equal(tries.exit.number, 2);
	tries.refused();
	assert.ok(tries.goOn());
	assert.ok(!tries.goOn());
	assert.equal(tries.exit.number, 3);
	assert.deepEqual(moved, [2, 3]);
	assert.deepEqual(told, ['1', '2 again']);
	assert.ok(!start(1).tries.goOn());
});

test('exits have ten seconds to accept, and those after which there are others three', () => {
	assert.equal(start(1).tries.connectMs, 10_000);
	const { tries, clock } = start(3);
	for (const connectMs of [3_000, 3_000, 4_000]) {
		assert.equal(tries.connectMs, connectMs);
		clock.ms += connectMs;
		assert.equal(tries.goOn(), connectMs === 3_000);
	}
	const two = start(2);
	two.clock.ms += 3_000;
	assert.ok(two.tries.goOn());
	assert.equal(two.tries.connectMs, 7_000);
});

test('no exit is tried for which too little time is left', () => {
	const { tries, clock } = start(3);
	clock.ms += 7_001;
	assert.equal(tries.connectMs, 2_999);
	assert.ok(!tries.goOn());
});
