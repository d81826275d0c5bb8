import '../support/browser.ts';
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

type Tables = Readonly<Record<string, unknown>>;

const source = join(import.meta.dirname, '../../src');
const { speak } = await import('../../src/preferences/in-language.ts');
const english = await tablesOfAll('?english');
const german: Tables = await import('../../src/german.ts');
speak(german);
const spoken = await tablesOfAll();
const { ledgerTexts: germanLedgerTexts } = await import('../../src/features/ledger/texts.de.ts');
const { ledgerTexts } = english as typeof import('../../src/features/ledger/texts.ts');

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
	'UTC',
	'curl',
	'BURSAR_PROXY_URLS=http://proxy.example:3128,socks5://proxy.example:3128',
	'read -rs BURSAR_TOKEN && export BURSAR_TOKEN',
	' · Bursar',
]);

test('each table has German, which is spoken in the place of English', () => {
	const names = globSync('**/*.{ts,tsx}', { cwd: source }).flatMap((file) =>
		[...readFileSync(join(source, file), 'utf8').matchAll(/inLanguage\(\s*'(\w+)'/g)].map(([, name]) => name),
	);
	assert.deepEqual(names.toSorted(), Object.keys(german).toSorted());
	for (const [name, table] of Object.entries(german)) assert.equal(spoken[name], table, name);
});

test('each German table has the texts of the English one, and nothing else', () => {
	for (const [name, table] of Object.entries(german)) assert.deepEqual(shapeOf(table), shapeOf(english[name]), name);
});

test('German says the same as English only where both have the same word', () => {
	const same = Object.keys(german).flatMap((name) => sameTexts(german[name], english[name], name));
	assert.deepEqual(same, []);
});

test('each problem of the ledger is known by the words of the service, and has a name and a text in German', () => {
	const { meanings } = ledgerTexts;
	const { meanings: german, problemName } = germanLedgerTexts;
	assert.deepEqual(
		german.map(({ problem }) => problem),
		meanings.map(({ problem }) => problem),
	);
	for (const { problem } of meanings) assert.notEqual(problemName(`${problem}: gift`), `${problem}: gift`);
	assert.match(problemName(`${meanings[0].problem}: gift`), /: gift$/);
	assert.equal(problemName('something new'), 'something new');
});

/** All tables of the pages, loaded anew if `query` was not used before. */
async function tablesOfAll(query = ''): Promise<Tables> {
	const files = globSync('**/*texts.ts', { cwd: source });
	const modules = await Promise.all(files.map((file) => import(pathToFileURL(join(source, file)).href + query)));
	return Object.assign({}, ...modules);
}

/** The names in a table, and how many values its functions take. */
function shapeOf(texts: unknown): unknown {
	if (typeof texts === 'function') return texts.length;
	if (typeof texts !== 'object' || texts === null) return typeof texts;
	return Object.fromEntries(
		Object.entries(texts)
			.sort(([one], [other]) => (one < other ? -1 : 1))
			.map(([name, text]) => [name, shapeOf(text)]),
	);
}

/** Where both say the same. A function says the same if it is written in the same way. */
function sameTexts(ours: unknown, theirs: unknown, path: string): readonly string[] {
	if (typeof ours === 'object' && ours !== null) {
		return Object.entries(ours)
			.filter(([name]) => name !== 'problem')
			.flatMap(([name, text]) => sameTexts(text, (theirs as Tables)[name], `${path}.${name}`));
	}
	const isFunction = typeof ours === 'function';
	// Where a type stood, blanks stand.
	const [text, other] = [ours, theirs].map((text) => (isFunction ? String(text).replaceAll(/\s/g, '') : text));
	const words = isFunction ? wordsIn(String(ours)) : String(ours);
	return text === other && /\p{L}/u.test(words) && !SAME.has(words) ? [`${path}: ${words}`] : [];
}

/** The words in the texts of a function, without its values. */
function wordsIn(code: string): string {
	const texts = code.match(/`[^`]*`|'[^']*'/g) ?? [];
	return texts.map((text) => text.slice(1, -1).replaceAll(/\$\{[^}]*\}/g, '')).join('');
}
