import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readProxyPassword } from '@bursar/contract/proxy-options';
import { fillTemplate, leastBytes, parseTemplate } from '../../../src/proxy/upstream/template.ts';

/** Fills a template with options as a client sends them. */
function fill(template: string, sent = '', others = ''): string | undefined {
	const { options } = readProxyPassword(sent === '' ? 'KEY' : `KEY_${sent}`);
	assert.ok(options);
	return fillTemplate(parseTemplate(template), { options, others, session: 'RANDOM' });
}

test('a template takes options, defaults and parts that can be left out', () => {
	for (const [template, sent, filled] of [
		['', '', ''],
		['carol', 'country-US', 'carol'],
		['p%40ss%7Bx%7D%5B', '', 'p@ss{x}['],
		['m%C3%BCller', '', 'm\u00fcller'],
		['carol-{country}', 'country-US', 'carol-US'],
		['carol-{country}', '', undefined],
		['carol-{country}', 'city-x', undefined],
		['carol-{country=any}', '', 'carol-any'],
		['carol-{country=any}', 'country-US', 'carol-US'],
		['carol[-country-{country}]', '', 'carol'],
		['carol[-country-{country}]', 'country-US', 'carol-country-US'],
		['carol[-{country=any}]', '', 'carol-any'],
		['carol[-{country}-{city}]', 'country-US', 'carol'],
		['carol[-{country}-{city}]', 'country-US_city-x', 'carol-US-x'],
		['carol[-{country=any}-{city}]', '', 'carol'],
		['[{city}.]{country=us}[.{zip}]', 'zip-1', 'us.1'],
		['{a}{a}', 'a-1', '11'],
		['carol-{session}', '', 'carol-RANDOM'],
		['carol-{session}', 'session-s1', 'carol-s1'],
		['carol-{session=s0}', '', 'carol-s0'],
		['carol[-{session}]', '', 'carol'],
		['carol[-{session}-{lifetime}]', 'lifetime-30m', 'carol'],
		['carol-{constructor}', '', undefined],
	] as const) {
		assert.equal(fill(template, sent), filled, `${template} ${sent}`);
	}
});

test('all other options go where a template says so', () => {
	assert.equal(fill('carol_{options}', '', 'a-1_b-2'), 'carol_a-1_b-2');
	assert.equal(fill('carol{options}', ''), 'carol');
	assert.equal(fill('carol[_{options}]', ''), 'carol');
	assert.equal(fill('carol[_{options}]', '', 'a-1'), 'carol_a-1');
	const { names, takesOthers } = parseTemplate('{country}[-{city=x}][{options}]{country}');
	assert.deepEqual([...names], ['country', 'city']);
	assert.ok(takesOthers);
	assert.ok(!parseTemplate('{country}').takesOthers);
});

test('what is in the template at least can be told', () => {
	assert.equal(leastBytes(parseTemplate('m%C3%BC[-{a}]{b}-')), 4);
});

test('a template that cannot be read is refused, and the error shows nothing of it', () => {
	for (const template of [
		'secret{',
		'secret}',
		'secret{}',
		'secret{country',
		'secret{{country}}',
		'secret{Country}',
		'secret{coun-try}',
		'secret{country=}',
		'secret{country=a-b}',
		'secret{country=a=b}',
		'secret{options=secret}',
		'secret{ country }',
		'secret[',
		'secret]',
		'secret[]',
		'secret[-]',
		'[{a}[{b}]]secret',
		'secret[{a}',
		'secret{a]}',
		'secret%',
		'secret%zz',
		'secret%ff',
		'secret%0d%0aX',
		'secret%00',
		'secret%c2%85',
	]) {
		const show = (error: Error) => !error.message.includes('secret') && error.message.length > 20;
		assert.throws(() => parseTemplate(template), show, template);
	}
});
