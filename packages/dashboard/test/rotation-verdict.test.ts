import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LostRotation, rotationVerdict } from '../src/features/token/rotation-verdict.ts';

const BEFORE = { tail: 'aB3d', made: '2026-11-22T12:00:00.000Z', made_by: 'operator', last_used: null };
const EMAIL = 'ann@example.com';
const MINE = { tail: 'Xy9z', made: '2026-11-22T13:00:00.000Z', made_by: EMAIL, last_used: null };

function verdict(known: Partial<LostRotation>) {
	return rotationVerdict({ before: BEFORE, after: BEFORE, email: EMAIL, readAfterMs: 0, isRepeated: false, ...known });
}

test('a new token of this person means that the rotation happened', () => {
	assert.equal(verdict({ after: MINE }), 'happened');
	assert.equal(verdict({ after: MINE, readAfterMs: 60_000 }), 'happened');
});

test('a new token with the same tail is told apart by its time', () => {
	assert.equal(verdict({ after: { ...MINE, tail: BEFORE.tail } }), 'happened');
});

test('an unchanged token means nothing until the server can begin the rotation no more', () => {
	assert.equal(verdict({ readAfterMs: 0 }), 'not_yet');
	assert.equal(verdict({ readAfterMs: 5_999 }), 'not_yet');
	assert.equal(verdict({ readAfterMs: 6_000 }), 'not_happened');
});

test('a use of the token is no change of it', () => {
	const used = { ...BEFORE, last_used: '2026-11-22T13:00:00.000Z' };
	assert.equal(verdict({ after: used, readAfterMs: 6_000 }), 'not_happened');
});

test('a token that somebody else made does not count as this rotation', () => {
	assert.equal(verdict({ after: { ...MINE, made_by: 'bob@example.com' } }), 'changed_by_other');
	assert.equal(verdict({ after: { ...MINE, made_by: 'operator' }, isRepeated: true }), 'changed_by_other');
});

test('a repeat that was refused means that the rotation happened', () => {
	assert.equal(verdict({ isRepeated: true, readAfterMs: 60_000 }), 'happened');
});

test('what was read before the answer was lost says nothing', () => {
	assert.equal(verdict({ readAfterMs: -1 }), 'unread');
	assert.equal(verdict({ readAfterMs: -1, isRepeated: true }), 'unread');
});
