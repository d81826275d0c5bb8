import '../support/browser.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import german from '../../src/german.json' with { type: 'json' };

// A choice counts from the next load of the pages on.
window.localStorage.setItem('bursar-language', 'de');
window.localStorage.setItem('bursar-time-zone', 'utc');
process.env.TZ = 'America/New_York';

const { shellTexts: english } = await import('../../src/shell/texts.ts');
const { speak, texts } = await import('../../src/preferences/catalogue.ts');
const { changeText, moneyText, parseMoney, priceText, typedMoney, typedPrice } = await import(
	'../../src/format/money.ts'
);
const { bytesText } = await import('../../src/format/bytes.ts');
const { browserZone, dayText, instantsOf } = await import('../../src/format/days.ts');
const { agoText, momentText } = await import('../../src/format/time.ts');
const { numberText } = await import('../../src/format/number.ts');
const { parseGb, typedGb } = await import('../../src/features/terms/typed-limits.ts');

const NO_BREAK = '\u00a0';

test('texts are in German once the pages speak it, with numbers and plurals as in German', () => {
	assert.equal(english.signOut, 'Sign out');
	speak(german);
	const { signOut } = texts('shellTexts', { signOut: 'Sign out' });
	assert.equal(signOut, 'Abmelden');
	const { count } = texts('searchTexts', { count: { one: '{count} hit', other: '{count} hits' } });
	assert.deepEqual([count(1), count(5000)], ['1 Treffer', '5.000 Treffer']);
});

test('amounts are written as in German, and exact', () => {
	assert.equal(moneyText(123_450), `1.234,50${NO_BREAK}$`);
	assert.equal(moneyText(-10), `−0,10${NO_BREAK}$`);
	assert.equal(changeText(500), `+5,00${NO_BREAK}$`);
	assert.equal(moneyText(Number.MAX_SAFE_INTEGER), `90.071.992.547.409,91${NO_BREAK}$`);
	assert.equal(priceText(3_500_001), `3,500001${NO_BREAK}$`);
	assert.equal(bytesText(1_200_000_000), '1,20 GB');
	assert.equal(numberText(5000), '5.000');
});

test('amounts are read as in German, and those of English are refused, never read as others', () => {
	assert.equal(parseMoney('12'), 1200);
	assert.equal(parseMoney('12,3'), 1230);
	assert.equal(parseMoney('1.234,50'), 123_450);
	assert.equal(parseMoney('1.234'), 123_400);
	assert.equal(parseMoney(`1.234,50${NO_BREAK}$`), 123_450);
	assert.equal(parseMoney('$ 7,00'), 700);
	for (const text of ['12.30', '1,234', '1,234.50', '1.23', '12.3456', '1.2345', '1 234', "1'234", ',50', '12,']) {
		assert.equal(parseMoney(text), undefined, text);
	}
	for (const cents of [0, 1, 99, 100, 12_345, 100_000_000, Number.MAX_SAFE_INTEGER]) {
		assert.equal(parseMoney(moneyText(cents)), cents);
		assert.equal(parseMoney(typedMoney(cents)), cents);
	}
});

test('a number that may have more than two decimals is refused if a point could be meant as theirs', () => {
	assert.equal(parseGb('1,234'), 1_234_000_000);
	assert.equal(parseGb('1.234'), undefined);
	assert.equal(parseGb('1.234,5'), 1_234_500_000_000);
	assert.equal(parseGb(typedGb(1_234_567_890)), 1_234_567_890);
	assert.deepEqual(typedPrice('3,5 $'), { state: 'right', price: 3_500_000 });
	assert.deepEqual(typedPrice('3.500'), { state: 'wrong', problem: 'unreadable' });
});

test('times and days are those of UTC if it was chosen', () => {
	assert.equal(browserZone(), 'UTC');
	assert.equal(momentText('2026-11-22T02:20:00.000Z'), '22.11.2026, 02:20');
	assert.equal(dayText('2026-11-21T00:00:00.000Z'), '21.11.2026');
	assert.equal(agoText('2026-11-22T02:20:00.000Z', Date.parse('2026-11-22T05:20:00.000Z')), 'vor 3 Stunden');
	assert.deepEqual(instantsOf({ from: '2026-05-03', to: '2026-05-03' }), {
		from: '2026-05-03T00:00:00.000Z',
		to: '2026-05-04T00:00:00.000Z',
	});
});
