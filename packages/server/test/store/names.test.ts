import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statementOf } from '../../src/store/search.ts';
import { hasInNote } from '../../src/store/tables/accounts/names.ts';

test('a text of many letters outside ASCII costs each note few passes', () => {
	const passes = (text: string) => statementOf((bind) => hasInNote(text, bind)).sql.split('replace(').length - 1;
	assert.equal(passes('plain'), 0);
	assert.equal(passes('überweisung für günther'), 1);
	const cyrillic = Array.from({ length: 32 }, (_, index) => String.fromCodePoint(0x4_30 + index)).join('');
	assert.equal(passes(cyrillic), 8);
});
