import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPrintableAscii } from '../src/ascii.ts';

test('a text of printable ASCII has no control character and nothing beyond ASCII', () => {
	for (let unit = 0; unit <= 0xffff; unit++) {
		const isPrintable = unit >= 0x20 && unit <= 0x7e;
		assert.equal(isPrintableAscii(`a${String.fromCharCode(unit)}b`), isPrintable, `\\u${unit.toString(16)}`);
		assert.equal(isPrintableAscii(String.fromCharCode(unit)), isPrintable, `\\u${unit.toString(16)}`);
	}
	assert.equal(isPrintableAscii(''), true);
});
