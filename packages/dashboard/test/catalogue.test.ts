import assert from 'node:assert/strict';
import { test } from 'node:test';
import { speak, texts, textsWith } from '../src/preferences/catalogue.ts';

test('a text with placeholders takes their values in the order of English, also in another language', () => {
	speak({ table: { lead: 'Bis {until} für {name}, {name}!', plain: 'Ja' } });
	const english = { lead: 'For {name} until {until}', plain: 'Yes', onlyEnglish: 'Of {name}' } as const;
	const spoken = texts('table', english);
	speak({});
	assert.equal(spoken.lead('Ann', 'noon'), 'Bis noon für Ann, Ann!');
	assert.equal(spoken.plain, 'Ja');
	assert.equal(spoken.onlyEnglish('Ann'), 'Of Ann', 'what a catalogue lacks is in English');
	assert.equal(texts('table', english).lead('Ann', 'noon'), 'For Ann until noon');
});

test('what stands in a value is text, not a placeholder', () => {
	const { lead } = texts('table', { lead: '{one} and {other}' });
	assert.equal(lead('{other} $& $1', '{one}'), '{other} $& $1 and {one}');
});

test('a count chooses the form of a plural, and numbers are written in groups', () => {
	const { hits, paid } = texts('table', {
		hits: { one: 'A hit', other: '{count} hits' },
		paid: { one: '{amount} in {count} transfer', other: '{amount} in {count} transfers' },
	});
	assert.deepEqual([0, 1, 2, 5000].map(hits), ['0 hits', 'A hit', '2 hits', '5,000 hits']);
	assert.deepEqual([paid('$2.00', 1), paid('$2.00', 3)], ['$2.00 in 1 transfer', '$2.00 in 3 transfers']);
});

test('a value that is always the same is not asked for', () => {
	const { fee, taken } = textsWith('table', { fee: '$0.10' }, { fee: 'It costs {fee}', taken: '{name} cost {fee}' });
	assert.equal(fee, 'It costs $0.10');
	assert.equal(taken('alice'), 'alice cost $0.10');
});

test('a call with a wrong key or too few values is a type error', () => {
	const { lead, hits } = texts('table', { lead: 'For {name}', hits: { one: '{count} hit', other: '{count} hits' } });
	// @ts-expect-error A value is missing.
	lead();
	// @ts-expect-error There are too many.
	hits(1, 2);
	// @ts-expect-error Money is formatted before.
	lead(null);
	// @ts-expect-error There is no such text.
	texts('table', { yes: 'Yes' }).no;
});
