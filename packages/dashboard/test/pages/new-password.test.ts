import '../support/browser.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_PASSWORD_BYTES } from '@bursar/contract/dashboard';

const { isComplete } = await import('../../src/features/factors/new-password.tsx');

test('a password that the service would refuse for its length is not sent', () => {
	const sent = (password: string) => isComplete({ password, repeated: password });
	assert.equal(sent('a'.repeat(11)), false);
	assert.equal(sent('a'.repeat(12)), true);
	assert.equal(sent('a'.repeat(MAX_PASSWORD_BYTES)), true);
	assert.equal(sent('\u00e9'.repeat(MAX_PASSWORD_BYTES / 2 + 1)), false);
});

test('two different passwords are not sent', () => {
	assert.equal(isComplete({ password: 'four unrelated words', repeated: 'four unrelated word' }), false);
});
