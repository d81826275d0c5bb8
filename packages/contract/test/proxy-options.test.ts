import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readProxyPassword, writeProxyPassword } from '@bursar/contract/proxy-options';
import { anyCharacter } from '@bursar/testing/any-character';
import fc from 'fast-check';

const KEY = '4fQ9sLw2ZbT7xKc1';

test('a password is a key, and options behind the first underscore', () => {
	const read: [text: string, key: string, options: Record<string, string>][] = [
		[KEY, KEY, {}],
		['', '', {}],
		['4f-Q9', '4f-Q9', {}],
		[`${KEY}_country-US`, KEY, { country: 'US' }],
		[`${KEY}_session-a1b2_country-US`, KEY, { session: 'a1b2', country: 'US' }],
		['_a-1', '', { a: '1' }],
		[`${KEY}_constructor-1_a1-1.5`, KEY, { constructor: '1', a1: '1.5' }],
		[`${KEY}_${'n'.repeat(32)}-${'v'.repeat(64)}`, KEY, { ['n'.repeat(32)]: 'v'.repeat(64) }],
	];
	for (const [text, key, options] of read) {
		const password = readProxyPassword(text);
		assert.equal(password.key, key);
		assert.deepEqual([...(password.options ?? [])], Object.entries(options), text);
		assert.equal(writeProxyPassword(key, new Map(Object.entries(options))), text);
	}
	const sixteen = Array.from({ length: 16 }, (_, n) => `n${n}-1`).join('_');
	assert.equal(readProxyPassword(`${KEY}_${sixteen}`).options?.size, 16);
	assert.deepEqual(readProxyPassword(`${KEY}_${sixteen}_more-1`), { key: KEY, options: undefined });
});

test('malformed options leave the key as it is', () => {
	for (const options of [
		'',
		'_',
		'country',
		'country-',
		'-US',
		'-',
		'country-US_',
		'country-US__city-x',
		'country-US_country-DE',
		'Country-US',
		'1country-US',
		'coun.try-US',
		'country-US-x',
		'country-U S',
		'country-U:S',
		'country-U@S',
		'country-U%41',
		'country-US\n',
		'country-US\r\nX: y',
		'country-\u00fc',
		`${'n'.repeat(33)}-1`,
		`n-${'v'.repeat(65)}`,
		'_country-US'.repeat(100_000),
	]) {
		assert.deepEqual(readProxyPassword(`${KEY}_${options}`), { key: KEY, options: undefined }, options.slice(0, 50));
	}
});

test('what would be read in another way is not written', () => {
	for (const [key, options] of [
		['a_b-1', {}],
		['a_b', {}],
		[KEY, { Country: 'US' }],
		[KEY, { country: '' }],
		[KEY, { country: 'US_city-x' }],
		[KEY, { country: 'US-x' }],
		[KEY, { 'a-1_b': '2' }],
		[KEY, Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`n${n}`, '1']))],
	] as const) {
		assert.throws(() => writeProxyPassword(key, new Map(Object.entries(options))), RangeError);
	}
});

test('any password that is read is written as it was, and any that is written is read', () => {
	const part = fc.string({ unit: fc.oneof({ weight: 20, arbitrary: fc.constantFrom(...'ab1._-') }, anyCharacter) });
	let written = 0;
	fc.assert(
		fc.property(part, fc.array(fc.tuple(part, part), { maxLength: 4 }), (key, pairs) => {
			const text = [key, ...pairs.map((pair) => pair.join('-'))].join('_');
			const password = readProxyPassword(text);
			if (password.options) {
				written++;
				assert.equal(writeProxyPassword(password.key, password.options), text);
			}
			const options = new Map(pairs);
			try {
				assert.deepEqual(readProxyPassword(writeProxyPassword(key, options)), { key, options });
			} catch (error) {
				assert.ok(error instanceof RangeError);
			}
		}),
		{ numRuns: 2_000 },
	);
	assert.ok(written > 100, `${written}`);
});
