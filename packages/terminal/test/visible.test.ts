import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvLine, parseCsvLine, visible } from '../src/index.ts';

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

test('no cell of a CSV line is a formula, and numbers stay numbers', () => {
	for (const start of ['=', '+', '-', '@']) assert.equal(csvLine([`${start}1+1`]), `'${start}1+1`);
	assert.equal(csvLine(['\t=1', '\r=1', ' =1']), "'\\u0009=1,'\\u000d=1, =1");
	assert.equal(csvLine(['alice', -5, 10, '']), 'alice,-5,10,');
	assert.equal(csvLine(['=HYPERLINK("http://x","y")']), `"'=HYPERLINK(""http://x"",""y"")"`);
	assert.equal(csvLine(['a\nb', '\u001b[2J']), 'a\\u000ab,\\u001b[2J');
});

test('a line of CSV is read as in RFC 4180: quotes, doubled quotes, commas inside quotes', () => {
	for (const [line, cells] of [
		['alice', ['alice']],
		['', ['']],
		[' alice , 250 ', ['alice', '250']],
		['"alice","250"', ['alice', '250']],
		['  "alice"\t, 250', ['alice', '250']],
		['"a ""quoted"" name","1,000",', ['a "quoted" name', '1,000', '']],
		['""', ['']],
		[',', ['', '']],
	] as const) {
		assert.deepEqual(parseCsvLine(line), cells, line);
	}
	for (const line of ['"alice', 'al"ice', '"alice"x', '"alice" x,5', 'alice,"5', '"a"b"', '"""']) {
		assert.equal(parseCsvLine(line), undefined, line);
	}
	assert.deepEqual(parseCsvLine(csvLine(['a "b", c', 5])), ['a "b", c', '5']);
});
