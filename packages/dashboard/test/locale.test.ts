import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languageFor, localeFor } from '../src/preferences/language.ts';

test('the pages speak the language that was chosen, otherwise the first of the browser that they have', () => {
	assert.equal(languageFor(null, ['en-US']), 'en');
	assert.equal(languageFor(null, ['de-AT', 'en']), 'de');
	assert.equal(languageFor(null, ['fr-FR', 'de', 'en']), 'de');
	assert.equal(languageFor(null, ['fr-FR']), 'en');
	assert.equal(languageFor('de', ['en-US']), 'de');
	assert.equal(languageFor('en', ['de-DE']), 'en');
	for (const chosen of ['', 'fr', 'deutsch', '__proto__']) assert.equal(languageFor(chosen, ['de']), 'de', chosen);
});

test('amounts and times are written as the browser writes them in the language of the texts', () => {
	assert.equal(localeFor('en', ['en-US']), 'en-US');
	assert.equal(localeFor('en', ['fr-FR', 'en-IN']), 'en-IN');
	assert.equal(localeFor('de', ['de-AT', 'de']), 'de-AT');
	assert.equal(localeFor('de', ['en-US']), 'de-DE');
	assert.equal(localeFor('en', ['fr-FR']), 'en-GB');
});
