import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';

/** HTML, code and styles, without the font (decision 0034). */
const MAX_BYTES = 180_000;
/** The first pages: of all people, of people of a reseller, and of operators. */
const START_PAGES = [
	'src/features/sign-in/sign-in-page.tsx',
	'src/features/overview/overview-page.tsx',
	'src/features/home/home-page.tsx',
];

/** What every page needs. */
const FRAME = ['index.html', 'style.css', 'src/start.tsx'];
/** What is loaded once the start page is shown. */
const LATER = [
	...['src/acts/opened-dialog.tsx', 'src/features/proof/proof-form.tsx', 'src/features/search/search-panel.tsx'],
	'src/shared-pages.ts',
];

interface Chunk {
	readonly file: string;
	readonly css?: readonly string[];
	/** Chunks that are loaded with it, by their keys. */
	readonly imports?: readonly string[];
}

for (const page of START_PAGES) {
	test(`the first load of ${page} takes at most 180 kB with brotli`, (t) => {
		const sizes = sizesOf([...FRAME, page]);
		const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
		const list = [...sizes].map(([name, size]) => `${name} ${size}`).join(', ');
		t.diagnostic(`${bytes} bytes: ${list}`);
		assert.ok(bytes <= MAX_BYTES, `it takes ${bytes} bytes, more than ${MAX_BYTES}: ${list}`);
		assert.ok(bytes > 50_000, `it takes only ${bytes} bytes, so files are missing: ${list}`);
	});
}

test('texts are loaded after the language is known: what starts the pages loads nothing of them by itself', () => {
	const scripts = scriptsOf('index.html');
	assert.equal(scripts.length, 1, scripts.join(', '));
	assert.ok(scriptsOf('src/start.tsx').length > 1);
});

for (const page of START_PAGES) {
	test(`the first load of ${page} is at most 12 files`, () => {
		const names = [...sizesOf([...FRAME, page]).keys()];
		assert.ok(names.length > 3 && names.length <= 12, names.join(', '));
	});
}

test('all pages that a person has, with their dialogs, are at most 36 files', () => {
	for (const pages of [
		['src/features/overview/overview-page.tsx', 'src/features/overview/later.ts', 'src/reseller-pages.ts'],
		['src/features/home/home-page.tsx', 'src/operator-pages.ts'],
	]) {
		const names = [...sizesOf([...FRAME, ...LATER, ...pages]).keys()];
		assert.ok(names.length > 10 && names.length <= 36, names.join(', '));
	}
});

test('the font takes at most 40 kB', () => {
	const assets = join(import.meta.dirname, '../dist/assets');
	const fonts = readdirSync(assets).filter((name) => name.endsWith('.woff2'));
	assert.equal(fonts.length, 1);
	for (const name of fonts) assert.ok(statSync(join(assets, name)).size <= 40_000, name);
});

function scriptsOf(chunk: string): readonly string[] {
	return [...sizesOf([chunk]).keys()].filter((name) => name.endsWith('.js'));
}

/** The compressed sizes of the files that are needed before these chunks are shown. */
function sizesOf(chunks: readonly string[]): ReadonlyMap<string, number> {
	const dist = join(import.meta.dirname, '../dist');
	const read = (file: string) => readFileSync(join(dist, file));
	const manifest = JSON.parse(read('manifest.json').toString()) as Record<string, Chunk>;
	const sizes = new Map([['index.html', brotliCompressSync(read('index.html')).length]]);
	const seen = new Set<string>();

	function load(key: string): void {
		if (seen.has(key)) return;
		seen.add(key);
		const { file, css = [], imports = [] } = manifest[key] ?? assert.fail(`the build has no ${key}`);
		for (const name of [file, ...css]) sizes.set(name, read(`${name}.br`).length);
		imports.forEach(load);
	}
	chunks.forEach(load);
	return sizes;
}
