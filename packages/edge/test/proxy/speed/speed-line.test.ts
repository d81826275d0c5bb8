import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printedSeed, type Random, randomFrom } from '@bursar/testing/random';
import {
	createSpeedLine,
	LEAST_BURST_BYTES,
	LEAST_TURN_BYTES,
	type Sender,
	type SpeedLine,
} from '../../../src/proxy/speed/speed-line.ts';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';

const MEGABYTE = 1_000_000;
const READ_BYTES = 65_536;

interface TestSender extends Sender {
	readonly passed: number;
	ask(): void;
	stop(): void;
}

/** A sender that always has more to send, in pieces of this size. */
function endless(line: SpeedLine, pieceBytes = READ_BYTES): TestSender {
	let passed = 0;
	let left = pieceBytes;
	let isStopped = false;
	const sender: TestSender = {
		get passed() {
			return passed;
		},
		get wantedBytes() {
			return left;
		},
		pass(bytes) {
			passed += bytes;
			left -= bytes;
			if (left === 0) left = pieceBytes;
			if (!isStopped) line.ask(sender);
		},
		ask: () => line.ask(sender),
		stop() {
			isStopped = true;
			line.leave(sender);
		},
	};
	return sender;
}

function setUp(bytesPerSecond: number | undefined, waits = () => {}) {
	const clock = createFakeClock();
	const line = createSpeedLine(clock, waits);
	line.setSpeed(bytesPerSecond);
	return { clock, line };
}

const sum = (senders: readonly TestSender[]) => senders.reduce((all, { passed }) => all + passed, 0);

for (const [count, speed] of [
	[1, 8_000],
	[1, MEGABYTE],
	[10, MEGABYTE],
	[100, MEGABYTE],
	[100, 125 * MEGABYTE],
] as const) {
	test(`${count} senders pass ${speed} bytes a second together, and each as much as the others`, () => {
		const { clock, line } = setUp(speed);
		const senders = Array.from({ length: count }, () => endless(line));
		for (const sender of senders) sender.ask();
		assert.ok(sum(senders) <= Math.max(LEAST_BURST_BYTES, speed / 4));
		clock.pass(5_000);
		const before = senders.map(({ passed }) => passed);
		const all = sum(senders);
		clock.pass(60_000);
		const parts = senders.map(({ passed }, index) => passed - (before[index] as number));
		assert.ok(Math.abs(sum(senders) - all - 60 * speed) <= 0.02 * 60 * speed + LEAST_TURN_BYTES * count);
		const oneTurn = Math.max(LEAST_TURN_BYTES, (0.02 * speed) / count);
		assert.ok(Math.max(...parts) - Math.min(...parts) <= 2 * oneTurn + 0.02 * Math.max(...parts), String(parts));
		assert.equal(clock.timers, 1);
	});
}

test('a line that rests saves up a quarter of a second, and a slow one a handshake', () => {
	for (const [speed, most] of [
		[4 * MEGABYTE, MEGABYTE],
		[8_000, LEAST_BURST_BYTES],
	] as const) {
		const { clock, line } = setUp(speed);
		for (let times = 0; times < 2; times++) {
			const sender = endless(line, 2 * MEGABYTE);
			sender.ask();
			assert.equal(sender.passed, most);
			sender.stop();
			clock.pass(3_600_000);
		}
	}
});

test('who comes new waits for few turns, however many others there are', () => {
	const { clock, line } = setUp(MEGABYTE);
	const senders = Array.from({ length: 1_000 }, () => endless(line));
	for (const sender of senders) sender.ask();
	clock.pass(5_000);
	for (let times = 0; times < 10; times++) {
		const late = endless(line, 100);
		late.ask();
		clock.pass(41);
		assert.ok(late.passed >= 100);
		late.stop();
		clock.pass(1_000);
	}
});

test('those that come new again and again leave half to those that stay', () => {
	const { clock, line } = setUp(MEGABYTE);
	const senders = Array.from({ length: 100 }, () => endless(line));
	for (const sender of senders) sender.ask();
	clock.pass(5_000);
	const before = sum(senders);
	for (let ms = 0; ms < 10_000; ms++) {
		const late: Sender = { wantedBytes: LEAST_TURN_BYTES, pass() {} };
		line.ask(late);
		clock.pass(1);
	}
	assert.ok(sum(senders) - before > 4.9 * MEGABYTE, String(sum(senders) - before));
});

test('a sender of small pieces gets what it asks for beside one that always waits', () => {
	const { clock, line } = setUp(MEGABYTE);
	endless(line).ask();
	let answered = 0;
	const small: Sender = { wantedBytes: 100, pass: () => void answered++ };
	for (let times = 0; times < 100; times++) {
		line.ask(small);
		clock.pass(41);
	}
	assert.equal(answered, 100);
});

test('a new speed holds at once for those that wait, and without one all pass', () => {
	const { clock, line } = setUp(8_000);
	const senders = Array.from({ length: 3 }, () => endless(line));
	for (const sender of senders) sender.ask();
	clock.pass(10_000);
	const slow = sum(senders);
	line.setSpeed(10 * MEGABYTE);
	clock.pass(1_000);
	const fast = sum(senders) - slow;
	assert.ok(fast > 9 * MEGABYTE && fast <= 10 * MEGABYTE, String(fast));
	line.setSpeed(8_000);
	const before = sum(senders);
	clock.pass(1_000);
	assert.ok(sum(senders) - before <= 8_000 + LEAST_BURST_BYTES);

	const last: Sender & { got: number } = {
		wantedBytes: 5 * MEGABYTE,
		got: 0,
		pass(bytes) {
			last.got += bytes;
		},
	};
	for (const sender of senders) sender.stop();
	line.ask(last);
	line.setSpeed(undefined);
	assert.equal(last.got, 5 * MEGABYTE);
	assert.equal(clock.timers, 0);
	line.ask(last);
	assert.equal(last.got, 10 * MEGABYTE);
});

test('a sender that leaves is not called, and the others go on', () => {
	const { clock, line } = setUp(MEGABYTE);
	const [first, second] = [endless(line), endless(line)];
	first.ask();
	second.ask();
	first.stop();
	const { passed } = first;
	clock.pass(1_000);
	assert.equal(first.passed, passed);
	assert.ok(second.passed > 0.9 * MEGABYTE);
	second.stop();
	clock.pass(1_000);
	assert.equal(clock.timers, 0);
});

test('it tells how many senders have waited', () => {
	let waits = 0;
	const { clock, line } = setUp(MEGABYTE, () => waits++);
	const first = endless(line);
	first.ask();
	assert.deepEqual([waits, line.takeWaited()], [1, 1]);
	const second = endless(line);
	second.ask();
	clock.pass(500);
	assert.equal(line.takeWaited(), 2);
	second.stop();
	assert.equal(line.takeWaited(), 1);
	first.stop();
	assert.equal(line.takeWaited(), 0);
});

test('whatever happens, nobody is forgotten, no line is faster than it may be, and one timer is enough', (t) => {
	const random = randomFrom(printedSeed(t));
	for (let round = 0; round < 200; round++) playOnce(random);
});

function playOnce({ next, below }: Random): void {
	const { clock, line } = setUp(undefined);
	const waiting = new Set<Sender>();
	let speed: number | undefined;
	let mayPass = 0;
	let isFree = true;

	function ask(): void {
		let left = 1 + below(next() < 0.5 ? 100 : 100_000);
		const sender: Sender = {
			get wantedBytes() {
				return left;
			},
			pass(bytes) {
				assert.ok(bytes > 0 && bytes <= left);
				left -= bytes;
				if (!isFree) mayPass -= bytes;
				if (left > 0) line.ask(sender);
				else waiting.delete(sender);
			},
		};
		waiting.add(sender);
		line.ask(sender);
	}

	function change(bytesPerSecond: number | undefined): void {
		isFree = true;
		line.setSpeed(bytesPerSecond);
		speed = bytesPerSecond;
		isFree = speed === undefined;
		mayPass = Math.max(LEAST_BURST_BYTES, (speed ?? 0) / 4);
	}

	for (let step = 0; step < 60; step++) {
		const choice = next();
		if (choice < 0.5) ask();
		else if (choice < 0.6) change([undefined, 8_000, 100_000, MEGABYTE][below(4)]);
		else if (choice < 0.7) {
			const [first] = waiting;
			if (first) {
				waiting.delete(first);
				line.leave(first);
			}
		} else passTime(clock, below(300));
		assert.ok(clock.timers <= 1);
		if (waiting.size > 0) assert.equal(clock.timers, 1, 'those that wait are called');
		if (speed === undefined) assert.equal(waiting.size, 0);
		else assert.ok(mayPass > -1, String(mayPass));
	}
	clock.pass(100_000_000);
	assert.equal(waiting.size, 0);
	assert.equal(clock.timers, 0);

	function passTime(clock: FakeClock, ms: number): void {
		mayPass += ((speed ?? 0) * ms) / 1_000;
		clock.pass(ms);
	}
}
