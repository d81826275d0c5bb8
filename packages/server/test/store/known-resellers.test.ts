import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rememberResellers } from '../../src/store/tables/usage/known-resellers.ts';

test('resellers are remembered for a minute, and then all of them are forgotten', () => {
	let nowMs = 0;
	const resellers = rememberResellers(() => nowMs);
	resellers().set('alice', 'acme');
	nowMs = 60_000;
	assert.equal(resellers().get('alice'), 'acme');
	resellers().set('bruno', 'acme');
	nowMs = 60_001;
	assert.equal(resellers().size, 0);
});

test('a hundred thousand names are remembered, and those of one batch more', () => {
	const resellers = rememberResellers(() => 0);
	for (let number = 0; number <= 100_000; number++) resellers().set(`user${number}`, 'acme');
	const known = resellers();
	assert.equal(known.size, 0);
	for (let number = 0; number < 100_000; number++) known.set(`user${number}`, 'acme');
	assert.equal(resellers().size, 100_000);
});
