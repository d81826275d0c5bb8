import '../support/browser.ts';
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import german from '../../src/german.json' with { type: 'json' };

type Entry = string | { readonly [key: string]: Entry };

const source = join(import.meta.dirname, '../../src');
const FORMS = new Intl.PluralRules('de').resolvedOptions().pluralCategories;
const english = await englishTables();

/** What is the same in both languages: names, words that German has taken over, and texts for programs. */
const SAME = new Set([
	'API',
	'Auto',
	'Bursar',
	'Bytes',
	'Code',
	'Edge',
	'Edges',
	'GB',
	'Go',
	'HTTP',
	'Import',
	'Logo',
	'\u00a0Mbit/s',
	'Manager',
	'Name',
	'Node.js',
	'Passkey',
	'Passkeys',
	'Playwright',
	'Proxy',
	'Python (requests)',
	'Reseller',
	'Person',
	'SOCKS5',
	'Scrapy',
	'Team',
	'Token',
	'URL',
	'UTC',
	'Webhooks',
	'curl',
	'BURSAR_PROXY_URLS=http://proxy.example:3128,socks5://proxy.example:3128',
	'read -rs BURSAR_TOKEN && export BURSAR_TOKEN',
]);

test('German has each text of English, with the same placeholders, and no other', () => {
	assert.ok(Object.keys(english).length > 50, 'the tables are found');
	assert.deepEqual(differences(english, german), []);
});

test('German says the same as English only where both have the same word', () => {
	assert.deepEqual(sameTexts(english, german, ''), []);
});

test('a table, a text, a form or a placeholder that is missing or superfluous is found', () => {
	const table = { lead: 'For {email}', hits: { one: '{count} hit', other: '{count} hits' }, states: { on: 'On' } };
	const hits = { one: '{count} Treffer', other: '{count} Treffer' };
	const translated = { lead: 'Für {email}', hits, states: { on: 'An' } };
	const found = (changed: Entry) => differences({ table }, { table: changed });
	assert.deepEqual(found(translated), []);
	assert.deepEqual(found({ ...translated, hits: { one: 'Ein Treffer', other: '{count} Treffer' } }), []);
	assert.deepEqual(differences({ table, other: { yes: 'Yes' } }, { table: translated }), ['German lacks .other']);
	assert.deepEqual(differences({}, { table: translated }), ['English lacks .table']);
	assert.deepEqual(found({ ...translated, states: {} }), ['German lacks .table.states.on']);
	assert.deepEqual(found({ ...translated, states: { on: 'An', off: 'Aus' } }), ['English lacks .table.states.off']);
	assert.deepEqual(found({ ...translated, states: { on: ' ' } }), ['.table.states.on is empty']);
	for (const [lead, isRight] of [
		['Für {name}', false],
		['Für alle', false],
		['Für {email} und {name}', false],
		['{email}: {email}', true],
	] as const) {
		assert.equal(found({ ...translated, lead }).length === 0, isRight, lead);
	}
	for (const wrong of [
		'{count} Treffer',
		{ other: '{count} Treffer' },
		{ ...hits, few: '{count} Treffer' },
		{ ...hits, one: '{number} Treffer' },
		{ ...hits, other: 'Treffer' },
	] as const) {
		assert.equal(found({ ...translated, hits: wrong }).length, 1, JSON.stringify(wrong));
	}
});

/** The English of all tables, by their names. Each file that makes one is loaded with a catalogue that only collects it. */
async function englishTables(): Promise<Readonly<Record<string, Entry>>> {
	const collecting = `
		export const tables = {};
		export const textsWith = (name, known, english) => (tables[name] = english);
		export const texts = (name, english) => textsWith(name, {}, english);`;
	registerHooks({
		load: (url, context, nextLoad) =>
			url.endsWith('/preferences/catalogue.ts')
				? { format: 'module', source: collecting, shortCircuit: true }
				: nextLoad(url, context),
	});
	const files = globSync('**/*.{ts,tsx}', { cwd: source }).filter((file) =>
		/\btexts(With)?\b.* from '.*\/catalogue\.ts'/.test(readFileSync(join(source, file), 'utf8')),
	);
	for (const file of files) await import(pathToFileURL(join(source, file)).href);
	const { tables } = (await import(`${pathToFileURL(source)}/preferences/catalogue.ts`)) as {
		readonly tables: Readonly<Record<string, Entry>>;
	};
	return tables;
}

/** Where the keys or the placeholders of German are others than those of English, or a text is empty. */
function differences(ours: Entry | undefined, theirs: Entry | undefined, path = ''): readonly string[] {
	if (ours === undefined) return [`English lacks ${path}`];
	if (theirs === undefined) return [`German lacks ${path}`];
	if (typeof ours === 'string') return textDifferences(ours, theirs, path);
	if (typeof theirs === 'string') return [`${path} is one text`];
	if (isPlural(ours)) return pluralDifferences(ours.other, theirs, path);
	const keys = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
	return [...keys].flatMap((key) => differences(ours[key], theirs[key], `${path}.${key}`));
}

function textDifferences(ours: string, theirs: Entry, path: string): readonly string[] {
	if (typeof theirs !== 'string') return [`${path} is more than one text`];
	if (theirs.trim() === '') return [`${path} is empty`];
	const [expected, found] = [placeholders(ours), placeholders(theirs)].map((names) => [...names].sort().join());
	return expected === found ? [] : [`${path} has the placeholders ${found}, not ${expected}`];
}

/** A form may leave out the number, because it may have a word for it: all but `other`. */
function pluralDifferences(ours: string, theirs: Readonly<Record<string, Entry>>, path: string): readonly string[] {
	if (Object.keys(theirs).sort().join() !== [...FORMS].sort().join()) return [`${path} has not the forms ${FORMS}`];
	return Object.entries(theirs).flatMap(([form, text]) => {
		const needsCount = form === 'other' || placeholders(String(text)).has('{count}');
		return textDifferences(needsCount ? ours : ours.replaceAll('{count}', ''), text, `${path}.${form}`);
	});
}

function isPlural(entry: Readonly<Record<string, Entry>>): entry is { readonly one: string; readonly other: string } {
	return Object.keys(entry).sort().join() === 'one,other';
}

function placeholders(text: string): ReadonlySet<string> {
	return new Set(text.match(/\{\w+\}/g));
}

/** Where both say the same. */
function sameTexts(ours: Entry, theirs: Entry | undefined, path: string): readonly string[] {
	if (typeof ours === 'object') {
		if (typeof theirs !== 'object') return [];
		return Object.entries(ours).flatMap(([key, text]) => sameTexts(text, theirs[key], `${path}.${key}`));
	}
	const words = ours.replaceAll(/\{\w+\}/g, '');
	return ours === theirs && /\p{L}/u.test(words) && !SAME.has(words) ? [`${path}: ${words}`] : [];
}
