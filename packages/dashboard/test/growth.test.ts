import assert from 'node:assert/strict';
import { test } from 'node:test';
import { growthText } from '../src/format/number.ts';

test('a growth is a percentage, from ten times on a factor, and nothing if nearly nothing was before', () => {
	const texts = [
		[173, 100, '+73%'],
		[50, 100, '-50%'],
		[0, 100, '-100%'],
		[100, 100, '0%'],
		[999, 100, '+899%'],
		[1_000, 100, '10 times as much'],
		[10_000, 100, '100 times as much'],
		[10_001, 100, undefined],
		[5, 0, undefined],
		[0, 0, undefined],
	] as const;
	for (const [now, before, text] of texts) assert.equal(growthText(now, before), text);
});
