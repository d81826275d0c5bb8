import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchedText } from '../src/dashboard/searched-text.ts';

const KEY = 'abcdEFGH12345678';

test('of a pair of the proxies only the username is searched for', () => {
	for (const [typed, text] of [
		[`alice.b:${KEY}`, 'alice.b'],
		[`http://alice:${KEY}@proxy.example:8080`, 'alice'],
		[KEY, ''],
		[`${'x'.repeat(33)}:${KEY}`, ''],
	] as const) {
		assert.deepEqual(searchedText(typed), { text, hidden: 'proxy_auth_key' });
	}
	assert.deepEqual(searchedText(` alice:${KEY}9 `), { text: `alice:${KEY}9` });
});

test('a long text that was pasted keeps the page waiting for milliseconds', { timeout: 20_000 }, () => {
	for (const piece of ['a', 'a.', KEY, 'br_']) {
		const typed = piece.repeat(500_000);
		assert.equal(searchedText(typed).text, typed);
	}
});
