import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvLine } from '../src/csv.ts';

test('no cell of a CSV line is a formula, and numbers stay numbers', () => {
	for (const start of ['=', '+', '-', '@']) assert.equal(csvLine([`${start}1+1`]), `'${start}1+1`);
	assert.equal(csvLine(['\t=1', '\r=1', ' =1']), "'\\u0009=1,'\\u000d=1,' =1");
	for (const space of [' ', '\u00a0', '\u2003', '\u3000', ' \u00a0 ']) {
		for (const sign of ['=', '+', '-', '@']) assert.match(csvLine([`${space}${sign}1+1`]), /^'/);
		assert.match(csvLine([`x;${space}=1`]), /^x;'/);
	}
	assert.equal(csvLine([' alice', 'x; y']), ' alice,x; y');
	assert.equal(csvLine(['alice', -5, 10, '']), 'alice,-5,10,');
	assert.equal(csvLine(['=HYPERLINK("http://x","y")']), `"'=HYPERLINK(""http://x"",""y"")"`);
	assert.equal(csvLine(['x;=1+1;y;@z;1']), "x;'=1+1;y;'@z;1", 'some spreadsheets split lines at semicolons');
	assert.equal(csvLine(['a\nb', '\u001b[2J']), 'a\\u000ab,\\u001b[2J');
	for (const number of ['-5', '-0.10', '90071992547409.91']) assert.equal(csvLine([number]), number);
	for (const text of ['-5-1', '-.5', '--5', '-5e3', '-5 ', '\uff1d1', '\uff0b1', '\uff0d1', '\uff201']) {
		assert.equal(csvLine([text]), `'${text}`);
	}
});
