import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isShortText } from '../../src/domain/short-text.ts';

test('a reason has at most 200 characters, in any script, and may be empty for a top-up', () => {
	for (const reason of [
		'',
		'x'.repeat(200),
		'💶'.repeat(200),
		'Gutschrift für März – danke!',
		'  two  spaces ',
		'می\u200cخواهم',
		'हिन्दी',
		'👩\u200d💻 🇩🇪 ❤\ufe0f',
		'葛\u{e0100}飾',
		'ᠠ\u180b',
		'⠓\u2800⠓',
		'=1+1',
		'<script>alert(1)</script>',
	]) {
		assert.equal(isShortText(reason, false), true, reason);
		assert.equal(isShortText(reason, true), reason !== '', reason);
	}
	for (const reason of ['x'.repeat(201), '💶'.repeat(201)]) assert.equal(isShortText(reason, false), false);
	for (const reason of ['', ' ', '\u00a0 \u3000', '\u200c\u200d', '\ufe0f', '\u2800'])
		assert.equal(isShortText(reason, true), false);
});

test('a reason has no line breaks, and nothing that changes how the line looks', () => {
	const invisible = ['\n', '\r', '\t', '\0', '\u001b[31m', '\u007f', '\u0085', '\u2028', '\u2029'];
	const deceptive = ['\u202e', '\u2066', '\u200b', '\u200e', '\u00ad', '\ufeff', '\u{e0041}', '\ud800', '\ufffd'];
	const ignored = ['\u3164', '\u115f', '\u1160', '\u034f', '\uffa0', '\u17b4', '\u{1d173}', '\u{e0fff}'];
	for (const each of [...invisible, ...deceptive, ...ignored])
		assert.equal(isShortText(`a${each}b`, false), false, JSON.stringify(each));
});
