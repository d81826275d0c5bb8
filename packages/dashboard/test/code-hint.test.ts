import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeHint } from '../src/calls/failure-texts.ts';

test('only a person who may have one-time codes is told to look at an app', () => {
	assert.doesNotMatch(codeHint(false), /app/);
	assert.match(codeHint(true), /app/);
	assert.match(codeHint(), /if you use one-time codes/);
	for (const hint of [codeHint(false), codeHint(true), codeHint()]) assert.match(hint, /recovery code/);
});
