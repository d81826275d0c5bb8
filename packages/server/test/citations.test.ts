import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';

const ROOT = resolve(import.meta.dirname, '../../..');
const FOLDERS = ['packages', 'clients', 'conformance', 'bench', 'docs', 'scripts'];
const UNTRACKED = ['node_modules', 'dist'];
const TEXT = /\.(?:ts|js|mjs|md)$/;

/** Citations that a reader of the repository cannot follow, or that have the wrong form. */
const WRONG_FORMS: Readonly<Record<string, RegExp>> = {
	'a section sign': /\u00a7/,
	'a heading of "the contract"': /\b[Cc]ontract, (?:"|[A-Z]|rules? \d)|\b[Cc]ontract: "/,
	'a design that is not in the repository':
		/\bDESIGN(?:\.md| section)|\b[Tt]he design (?:gives|knows|lets|names|resolves|says|settles)\b/,
	'docs/api.md in another form': /docs\/api\.md(?:,|,? sections?|\s*\n[\s/*]*) *\d/,
	'a decision in another form': /\b[Dd]ecision (?!\d{4}\b)\d/,
};

interface SourceFile {
	readonly name: string;
	readonly text: string;
}

function textFilesBelow(folder: string): SourceFile[] {
	return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) return UNTRACKED.includes(entry.name) ? [] : textFilesBelow(path);
		return TEXT.test(entry.name) ? [readText(path)] : [];
	});
}

function readText(path: string): SourceFile {
	return { name: relative(ROOT, path), text: readFileSync(path, 'utf8') };
}

const rootFiles = readdirSync(ROOT).filter((name) => name.endsWith('.md'));
const files = [
	...rootFiles.map((name) => readText(join(ROOT, name))),
	...FOLDERS.flatMap((folder) => textFilesBelow(join(ROOT, folder))),
];
const decisions = readdirSync(join(ROOT, 'docs/decisions'));
const apiText = readFileSync(join(ROOT, 'docs/api.md'), 'utf8');
const headings = Array.from(apiText.matchAll(/^##+ (\d+(?:\.\d+)?)\.? (.+)$/gm), ([line, number, title]) => {
	return { line, number: number as string, title: title as string };
});

/** The matches of a pattern's first group in all files. */
function citationsLike(pattern: RegExp): { readonly name: string; readonly cited: string }[] {
	return files.flatMap(({ name, text }) =>
		Array.from(text.matchAll(pattern), ([, cited]) => ({ name, cited: cited as string })),
	);
}

test('the headings of docs/api.md are numbered in order', () => {
	let [section, part] = [0, 0];
	for (const { line, number } of headings) {
		if (line.startsWith('### ')) part++;
		else [section, part] = [section + 1, 0];
		assert.equal(number, part === 0 ? `${section}` : `${section}.${part}`, line);
	}
	assert.ok(section > 5, 'too few headings were found');
});

test('every cited section of docs/api.md exists', () => {
	const numbers = new Set(headings.map(({ number }) => number));
	const citations = citationsLike(/docs\/api\.md (\d+(?:\.\d+)*)/g);
	assert.ok(citations.length > 100, `only ${citations.length} citations were found`);
	for (const { name, cited } of citations) {
		assert.ok(numbers.has(cited), `${name} cites docs/api.md ${cited}, which does not exist`);
	}
});

test('every link in a document leads to a file, and to a heading of it', () => {
	let count = 0;
	for (const { name, text } of files.filter(({ name }) => name.endsWith('.md'))) {
		for (const [, target = '', heading] of withoutCode(text).matchAll(/\]\((?!https?:)([^)\s#]*)(?:#([^)\s]+))?\)/g)) {
			count++;
			const path = target === '' ? join(ROOT, name) : resolve(ROOT, dirname(name), target);
			assert.ok(existsSync(path), `${name} links to ${target}, which does not exist`);
			if (heading === undefined || !path.endsWith('.md')) continue;
			assert.ok(headingsOf(path).has(heading), `${name} links to #${heading} of ${target}, which does not exist`);
		}
	}
	assert.ok(count > 200, `only ${count} links were found`);
});

function withoutCode(text: string): string {
	return text.replace(/```.*?```/gs, '');
}

/** The headings of a document, in the form in which links name them. */
function headingsOf(path: string): ReadonlySet<string> {
	const text = withoutCode(readFileSync(path, 'utf8'));
	return new Set(
		Array.from(text.matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
			heading
				.toLowerCase()
				.replace(/[^\w\- ]/g, '')
				.replaceAll(' ', '-'),
		),
	);
}

test('every page that a message names exists, and so does its heading, and each package has its pages', () => {
	const sources = files.filter(({ name }) => /^packages\/[a-z]+\/src\/.*\.tsx?$/.test(name.replaceAll('\\', '/')));
	const named = /\bpage\(\s*'([^']+)'(?:,\s*'([^']+)')?,?\s*\)/g;
	let count = 0;
	for (const { name, text } of sources) {
		for (const [, path = '', heading] of text.matchAll(named)) {
			count++;
			assert.ok(existsSync(join(ROOT, path)), `${name} names ${path}, which does not exist`);
			if (/^packages.edge/.test(name)) assert.match(path, /^docs\/edge\//, `the package of ${name} has no other pages`);
			if (heading === undefined) continue;
			const page = withoutCode(readFileSync(join(ROOT, path), 'utf8'));
			const found = Array.from(page.matchAll(/^#+ (.+)$/gm), ([, title]) => title);
			assert.ok(found.includes(heading), `${name} names "${heading}" of ${path}, which does not exist`);
		}
		// Where it is installed, a page has another path.
		const rest = text.replace(named, '').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
		assert.doesNotMatch(rest, /docs\/[\w/-]+\.md/, `${name} names a page without page()`);
	}
	assert.ok(count > 25, `only ${count} pages are named`);
});

test('every page of the operating guide that the dashboard names has that title', () => {
	const cited = citationsLike(/operating guide[^'\n]*\(page “([^”]+)”\)/g).filter(({ name }) =>
		name.startsWith('packages'),
	);
	assert.ok(cited.length > 0);
	const pages = files.filter(({ name }) => dirname(name) === join('docs', 'operating'));
	for (const { cited: title } of cited)
		assert.ok(
			pages.some(({ text }) => text.startsWith(`# ${title}\n`)),
			title,
		);
});

test('every page that settings, units and installers name exists', () => {
	const folders = ['docs/examples', 'docs/edge', 'release/container', 'release/debian'].map((folder) =>
		join(ROOT, folder),
	);
	const paths = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
	let count = 0;
	for (const { name, text } of [...paths, join(ROOT, 'release/install.sh')].map(readText)) {
		for (const [page] of text.matchAll(/\bdocs\/[\w/-]+\.md/g)) {
			count++;
			assert.ok(existsSync(join(ROOT, page)), `${name} names ${page}, which does not exist`);
		}
	}
	assert.ok(count > 10, `only ${count} pages are named`);
});

test('each decision has a number of its own', () => {
	const numbers = decisions.filter((name) => /^\d/.test(name)).map((name) => name.slice(0, 4));
	assert.deepEqual(
		numbers.filter((number, index) => numbers.indexOf(number) !== index),
		[],
	);
});

test('every cited decision exists', () => {
	const citations = [
		...citationsLike(/\b[Dd]ecision (\d{4})\b/g),
		...citationsLike(/decisions\/(\d{4}-[a-z0-9-]+\.md)/g),
	];
	assert.ok(citations.length > 10, 'too few citations were found');
	for (const { name, cited } of citations) {
		assert.ok(
			decisions.some((page) => page.startsWith(cited)),
			`${name} cites decision ${cited}, which does not exist`,
		);
	}
});

test('every citation has the right form, and is of a document in the repository', () => {
	const samples = [
		'design \u00a73, Create',
		`${'Contract'}, Limits: "Username length"`,
		`${'contract'}, Rules per endpoint 1`,
		`${'Contract'}, rule 7`,
		`${'Contract'}: "the username must belong"`,
		`${'DESIGN'} section 3`,
		`${'the'} design names a plugin`,
		`${'docs/api.md'}, section 3.2`,
		`${'docs/api.md'}\n * 3.2`,
		`${'decision'} 26`,
	];
	for (const sample of samples)
		assert.ok(
			Object.values(WRONG_FORMS).some((form) => form.test(sample)),
			sample,
		);
	for (const { name, text } of files) {
		for (const [what, form] of Object.entries(WRONG_FORMS)) {
			assert.equal(form.exec(text)?.[0], undefined, `${name} cites ${what}`);
		}
	}
});
