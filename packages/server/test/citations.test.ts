import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { test } from 'node:test';

const ROOT = resolve(import.meta.dirname, '../../..');
const FOLDERS = ['packages', 'conformance', 'bench', 'docs', 'scripts'];
const UNTRACKED = ['node_modules', 'dist'];
const TEXT = /\.(?:ts|js|mjs|md)$/;

/** Citations that a reader of the repository cannot follow, and other ways to write those that one can. */
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

/** What a pattern's first group matches in all files, with the file in which it stands. */
function everywhere(pattern: RegExp): { readonly name: string; readonly cited: string }[] {
	return files.flatMap(({ name, text }) =>
		Array.from(text.matchAll(pattern), ([, cited]) => ({ name, cited: cited as string })),
	);
}

test('the headings of docs/api.md are numbered one after the other', () => {
	let [section, part] = [0, 0];
	for (const { line, number } of headings) {
		if (line.startsWith('### ')) part++;
		else [section, part] = [section + 1, 0];
		assert.equal(number, part === 0 ? `${section}` : `${section}.${part}`, line);
	}
	assert.ok(section > 5, 'the headings are found at all');
});

test('every section of docs/api.md that is cited exists', () => {
	const numbers = new Set(headings.map(({ number }) => number));
	const citations = everywhere(/docs\/api\.md (\d+(?:\.\d+)*)/g);
	assert.ok(citations.length > 100, `the citations are found at all: ${citations.length}`);
	for (const { name, cited } of citations) {
		assert.ok(numbers.has(cited), `${name} cites docs/api.md ${cited}, which does not exist`);
	}
});

test('every link into docs/api.md leads to one of its headings', () => {
	const anchors = new Set(
		headings.map(({ line }) =>
			line
				.replace(/^#+ /, '')
				.toLowerCase()
				.replace(/[^\w\- ]/g, '')
				.replaceAll(' ', '-'),
		),
	);
	const inside = Array.from(apiText.matchAll(/\]\(#([^)]+)\)/g), ([, cited]) => ({ name: 'docs/api.md', cited }));
	assert.ok(inside.length > 20, 'the links are found at all');
	for (const { name, cited } of [...inside, ...everywhere(/\bapi\.md#([\w-]+)/g)]) {
		assert.ok(anchors.has(cited as string), `${name} links to #${cited} of docs/api.md, which does not exist`);
	}
});

test('every decision that is cited exists', () => {
	const citations = [...everywhere(/\b[Dd]ecision (\d{4})\b/g), ...everywhere(/decisions\/(\d{4}-[a-z0-9-]+\.md)/g)];
	assert.ok(citations.length > 10, 'the citations are found at all');
	for (const { name, cited } of citations) {
		assert.ok(
			decisions.some((page) => page.startsWith(cited)),
			`${name} cites decision ${cited}, which does not exist`,
		);
	}
});

test('nothing is cited that is not in the repository, or in another form', () => {
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
