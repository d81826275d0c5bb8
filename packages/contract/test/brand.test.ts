import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brandTarget, isBrandColor, isBrandName, isLetterheadLine, readBrandTarget } from '../src/brand.ts';

/** What could end a line, turn it round, or hide in it. */
const HIDDEN = [
	'\0',
	'\n',
	'\r',
	'\t',
	'\u001b',
	'\u0085',
	'\u061c',
	'\u200b',
	'\u200e',
	'\u202e',
	'\u2028',
	'\u2066',
	'\ufeff',
];

test('a name is one line of 1 to 40 characters that people see, in any script', () => {
	for (const name of [
		'a',
		'North Proxies',
		'Nördlich & Söhne <GmbH>',
		'北方代理',
		'شبكة الشمال',
		'🛰️ Orbit',
		'x'.repeat(40),
		'😀'.repeat(40),
	]) {
		assert.ok(isBrandName(name), name);
	}
	for (const name of ['', ' ', ' a', 'a ', '\u2800', '\u200d', 'x'.repeat(41), '😀'.repeat(41), '\ufffd', '\ud800']) {
		assert.ok(!isBrandName(name), JSON.stringify(name));
	}
	for (const hidden of HIDDEN) assert.ok(!isBrandName(`a${hidden}b`), JSON.stringify(hidden));
});

test('a line of the letterhead may be empty, and has at most 80 characters', () => {
	for (const line of ['', 'Hafenstraße 1', 'x'.repeat(80)]) assert.ok(isLetterheadLine(line), line);
	for (const line of [' ', 'a ', '\u2800', 'x'.repeat(81), ...HIDDEN.map((hidden) => `a${hidden}b`)]) {
		assert.ok(!isLetterheadLine(line), JSON.stringify(line));
	}
});

test('a colour has six digits, and nothing that a style could read otherwise', () => {
	for (const color of ['#000000', '#4263eb', '#FFCC00']) assert.ok(isBrandColor(color), color);
	for (const color of [
		'',
		'red',
		'#fff',
		'#4263eb80',
		'4263eb',
		'#4263eg',
		'#4263eb;',
		' #4263eb',
		'#4263eb\n',
		'url(x)',
	]) {
		assert.ok(!isBrandColor(color), JSON.stringify(color));
	}
});

test('an act says which parts were changed', () => {
	assert.equal(brandTarget(['logo', 'name']), 'name logo');
	assert.deepEqual(readBrandTarget('name logo other'), ['name', 'logo']);
	assert.deepEqual(readBrandTarget(''), []);
});
