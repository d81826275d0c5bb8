import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printedSeed, randomFrom } from '@bursar/testing/random';
import { createLineSplitter } from '../../src/squid/split-lines.ts';

test('lines are the same however the bytes are cut into pieces', (t) => {
	const random = randomFrom(printedSeed(t));
	for (let round = 0; round < 300; round++) {
		const bytes = Buffer.from(
			Array.from({ length: random.below(200) }, () => [10, 13, 0, 65, 255][random.below(5)] ?? 0),
		);
		const splitter = createLineSplitter(1_000);
		const lines: string[] = [];
		for (let from = 0; from < bytes.length; ) {
			const to = from + random.below(9);
			lines.push(...splitter.push(bytes.subarray(from, to)));
			from = to;
		}
		assert.deepEqual(lines, bytes.toString('latin1').split('\n').slice(0, -1));
	}
});

test('of a long line only the beginning is kept, and the next line is whole', () => {
	const splitter = createLineSplitter(5);
	const lines = ['abc', 'defgh', 'ij\nkl', 'mnopqrst\nu\n', '\n'].flatMap((text) => splitter.push(Buffer.from(text)));
	assert.deepEqual(lines, ['abcde', 'klmno', 'u', '']);
});
