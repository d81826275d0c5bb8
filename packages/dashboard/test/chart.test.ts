import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
	barsOf,
	labelledSpans,
	lineOf,
	middleOf,
	PAGE_STEPS,
	scaleOf,
	spanAfterKey,
	spanAt,
} from '../src/features/bandwidth/chart/chart.ts';
import { valuesOfParts } from '../src/features/bandwidth/chart/series.ts';

const span = (...values: number[]) => ({ at: '2026-11-21T00:00:00.000Z', values });

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

test('bars lie side by side within the chart, and each part stands on the one before it', () => {
	const bars = barsOf([span(60, 10, 30), span(0, 50, 0), span(0, 0, 0)], 100);
	assert.deepEqual(
		bars.map(({ parts }) => parts.map(({ from, height }) => [from, height])),
		[
			[
				[0, 60],
				[60, 10],
				[70, 30],
			],
			[
				[0, 0],
				[0, 50],
				[50, 0],
			],
			[
				[0, 0],
				[0, 0],
				[0, 0],
			],
		],
	);
	for (const [index, { x, width }] of bars.entries()) {
		assert.ok(x > (index * 100) / 3 && x + width < ((index + 1) * 100) / 3);
	}
});

test('one span fills the chart, and 168 have their places', () => {
	const [bar] = barsOf([span(1)], 2);
	assert.ok(bar && bar.width > 50 && bar.x + bar.width < 100);
	const week = Array.from({ length: 168 }, () => span(1));
	assert.equal(barsOf(week, 2).length, 168);
});

test('a little usage can be seen beside a lot', () => {
	const [bar] = barsOf([span(0, 1)], Number.MAX_SAFE_INTEGER);
	assert.ok((bar?.parts[1]?.height ?? 0) >= 1);
	assert.equal(bar?.parts[0]?.height, 0);
});

test('the line before leads through the middles of the spans', () => {
	assert.equal(lineOf([0, 50, 100, 25], 100), 'M12.5 100L37.5 50L62.5 0L87.5 75');
});

test('a rest is never below zero, although a correction took more away than it had', () => {
	const part = { name: 'eu-1', up: 0, down: 7, values: [5, 2] };
	assert.deepEqual(valuesOfParts([part], 0, 9), [5, 4]);
	assert.deepEqual(valuesOfParts([part], 1, 1), [2, 0]);
});

test('the pointer chooses the span below it, also at the edges', () => {
	assert.equal(spanAt(0, 30), 0);
	assert.equal(spanAt(0.5, 30), 15);
	assert.equal(spanAt(1, 30), 29);
	assert.equal(spanAt(-0.1, 30), 0);
	assert.equal(spanAt(1.1, 30), 29);
	for (let index = 0; index < 90; index++) assert.equal(spanAt(middleOf(index, 90) / 100, 90), index);
});

test('keys move between spans and stop at the ends', () => {
	assert.equal(spanAfterKey('ArrowLeft', 5, 30, PAGE_STEPS.day), 4);
	assert.equal(spanAfterKey('ArrowRight', 5, 30, PAGE_STEPS.day), 6);
	assert.equal(spanAfterKey('ArrowLeft', 0, 30, PAGE_STEPS.day), 0);
	assert.equal(spanAfterKey('ArrowRight', 29, 30, PAGE_STEPS.day), 29);
	assert.equal(spanAfterKey('PageDown', 5, 30, PAGE_STEPS.day), 0);
	assert.equal(spanAfterKey('PageUp', 5, 30, PAGE_STEPS.day), 12);
	assert.equal(spanAfterKey('PageDown', 30, 168, PAGE_STEPS.hour), 6);
	assert.equal(spanAfterKey('Home', 5, 30, PAGE_STEPS.day), 0);
	assert.equal(spanAfterKey('End', 5, 30, PAGE_STEPS.day), 29);
	for (const key of ['Tab', 'Enter', 'a', 'toString', ''])
		assert.equal(spanAfterKey(key, 5, 30, PAGE_STEPS.day), undefined, key);
});

test('the last span has its time below it, and at most five have one', () => {
	for (const count of [1, 2, 7, 24, 30, 90, 168]) {
		const indexes = labelledSpans(count);
		assert.equal(indexes.at(-1), count - 1);
		assert.ok(indexes.length <= 5 && indexes.every((index) => index >= 0), `${count}: ${indexes}`);
	}
});
