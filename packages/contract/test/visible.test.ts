import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visible } from '../src/visible.ts';

const STEERING = [
	'\u0000',
	'\t',
	'\n',
	'\r',
	'\u001b',
	'\u007f',
	'\u0085',
	'\u009b',
	'\u00ad',
	'\u200b',
	'\u200e',
	'\u202e',
	'\u2028',
	'\u2029',
	'\u2066',
	'\ufeff',
	'\ud800',
	'\u{e0001}',
];

test('characters that could steer a terminal become visible, and nothing else changes', () => {
	for (const character of STEERING) {
		const shown = visible(`a${character}b`);
		assert.match(shown, /^a(\\u[0-9a-f]{4}){1,2}b$/);
		assert.equal(visible(shown), shown);
	}
	assert.equal(visible('\u001b[31m'), '\\u001b[31m');
	for (const text of ['', 'alice_1.b', 'Zoë', '日本', '😀', '"\\u001b"', '\u00a0']) assert.equal(visible(text), text);
});

test('a JSON text keeps its value', () => {
	const value = { [`key ${STEERING.join('')}`]: [STEERING.join('x'), 'plain', -1.5, null] };
	const text = visible(JSON.stringify(value));
	assert.doesNotMatch(text, /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
	assert.deepEqual(JSON.parse(text), value);
});
