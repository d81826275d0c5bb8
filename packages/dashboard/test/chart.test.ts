import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
	barsOf,
	dayAfterKey,
	dayAt,
	labelledDays,
	middleOf,
	scaleOf,
	totalsOf,
} from '../src/features/bandwidth/chart.ts';

const day = (up: number, down: number) => ({ date: '2026-11-21T00:00:00.000Z', up, down });

test('the scale has few round lines, and its top is not below the largest value', () => {
	assert.deepEqual(scaleOf(54), { top: 60, lines: [0, 15, 30, 45, 60] });
	assert.deepEqual(scaleOf(440e6).lines, [0, 150e6, 300e6, 450e6]);
	for (const max of [1, 2, 3, 7, 9, 10, 11, 999, 1000, 1001, 123_456_789, 2 ** 53, 2 * 2 ** 53]) {
		const { top, lines } = scaleOf(max);
		assert.ok(top >= max, `${max}: ${top}`);
		assert.ok(top <= max * 2 || top <= 4, `${max}: ${top}`);
		assert.ok(lines.length >= 2 && lines.length <= 6, `${max}: ${lines}`);
		assert.ok(lines.every(Number.isInteger), `${max}: ${lines}`);
		assert.equal(lines.at(-1), top);
	}
});

test('bars lie side by side within the chart, and up stands on down', () => {
	const bars = barsOf([day(10, 90), day(0, 50), day(0, 0)], 100);
	assert.deepEqual(
		bars.map(({ up, down }) => [up, down]),
		[
			[10, 90],
			[0, 50],
			[0, 0],
		],
	);
	for (const [index, { x, width }] of bars.entries()) {
		assert.ok(x > (index * 100) / 3 && x + width < ((index + 1) * 100) / 3);
	}
});

test('one day fills the chart, and 90 have their places', () => {
	const [bar] = barsOf([day(1, 1)], 2);
	assert.ok(bar && bar.width > 50 && bar.x + bar.width < 100);
	assert.equal(
		barsOf(
			Array.from({ length: 90 }, () => day(1, 1)),
			2,
		).length,
		90,
	);
});

test('a little usage can be seen beside a lot', () => {
	const [bar] = barsOf([day(1, 0)], Number.MAX_SAFE_INTEGER);
	assert.ok(bar && bar.up >= 1);
	assert.equal(bar.down, 0);
});

test('sums are those of all days', () => {
	assert.deepEqual(totalsOf([day(1, 2), day(3, 4)]), { up: 4, down: 6 });
	assert.deepEqual(totalsOf([]), { up: 0, down: 0 });
});

test('the pointer chooses the day below it, also at the edges', () => {
	assert.equal(dayAt(0, 30), 0);
	assert.equal(dayAt(0.5, 30), 15);
	assert.equal(dayAt(1, 30), 29);
	assert.equal(dayAt(-0.1, 30), 0);
	assert.equal(dayAt(1.1, 30), 29);
	for (let index = 0; index < 90; index++) assert.equal(dayAt(middleOf(index, 90) / 100, 90), index);
});

test('keys move between days and stop at the ends', () => {
	assert.equal(dayAfterKey('ArrowLeft', 5, 30), 4);
	assert.equal(dayAfterKey('ArrowRight', 5, 30), 6);
	assert.equal(dayAfterKey('ArrowLeft', 0, 30), 0);
	assert.equal(dayAfterKey('ArrowRight', 29, 30), 29);
	assert.equal(dayAfterKey('PageDown', 5, 30), 0);
	assert.equal(dayAfterKey('PageUp', 5, 30), 12);
	assert.equal(dayAfterKey('Home', 5, 30), 0);
	assert.equal(dayAfterKey('End', 5, 30), 29);
	for (const key of ['Tab', 'Enter', 'a', 'toString', '']) assert.equal(dayAfterKey(key, 5, 30), undefined, key);
});

test('the last day has its date below it, and at most five days have one', () => {
	for (const count of [1, 2, 7, 30, 90]) {
		const indexes = labelledDays(count);
		assert.equal(indexes.at(-1), count - 1);
		assert.ok(indexes.length <= 5 && indexes.every((index) => index >= 0), `${count}: ${indexes}`);
	}
});
