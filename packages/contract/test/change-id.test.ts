import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isChangeId } from '@bursar/contract';

test('a change id has 16 to 64 letters, digits, hyphens and underscores', () => {
	for (const text of ['mgd3k1c0-Vn4xT8sQp2LzRw', '0'.repeat(16), 'Z'.repeat(64), '-_-_-_-_-_-_-_-_']) {
		assert.ok(isChangeId(text), text);
	}
	for (const text of [
		'',
		'honoured',
		'a'.repeat(15),
		'a'.repeat(65),
		`${'a'.repeat(16)}\n`,
		`${'a'.repeat(16)} `,
		`${'a'.repeat(16)}.`,
		`${'a'.repeat(16)}, ${'a'.repeat(16)}`,
		`${'a'.repeat(16)}é`,
	]) {
		assert.ok(!isChangeId(text), JSON.stringify(text));
	}
});
