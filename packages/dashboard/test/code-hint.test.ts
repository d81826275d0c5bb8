import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tryTexts } from '../src/calls/failure-texts.ts';

test('only somebody who may have one-time codes is told to look at an app', () => {
	assert.doesNotMatch(tryTexts.codeHint(false), /app/);
	assert.match(tryTexts.codeHint(true), /app/);
	assert.match(tryTexts.codeHint(), /if you use one-time codes/);
	for (const hint of [tryTexts.codeHint(false), tryTexts.codeHint(true), tryTexts.codeHint()])
		assert.match(hint, /recovery code/);
});
