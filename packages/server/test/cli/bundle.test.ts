// Runs first: it takes long.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	symlinkSync,
	truncateSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';

const REPOSITORY = join(import.meta.dirname, '../../../..');
const { bundlePrograms } = (await import(`${pathToFileURL(REPOSITORY)}/scripts/bundle.mjs`)) as {
	bundlePrograms(root: string): Promise<void>;
};
const { PROGRAMS, currentBundle } = (await import(`${pathToFileURL(REPOSITORY)}/packages/pinned-node/bundle.js`)) as {
	PROGRAMS: { bursar: { commands: string } };
	currentBundle(root: string, name: string): string | undefined;
};

const WORD = 'packages/server/src/word.ts';
const GREETING = 'packages/server/src/greeting.ts';
const NUMBER = 'packages/server/src/number.ts';
const SOURCES = {
	'package.json': '{ "type": "module" }',
	'tsconfig.json': '{}',
	'scripts/bundle.mjs': '',
	'scripts/compile-bundle.mjs': '',
	'scripts/loading-graph.mjs': '',
	'scripts/stamped-folder.mjs': '',
	'node_modules/.package-lock.json': '{}',
	[WORD]: "export const word: string = 'one';",
	'packages/server/src/cli/bursar.ts': `
		import { word } from '../word.ts';
		function isStrict(this: unknown) {
			return this === undefined;
		}
		export async function bursar(): Promise<void> {
			const { place } = await import('../later.ts');
			if (process.argv.includes('greet')) (await import('./commands/greet.ts')).greet();
			if (process.argv.includes('count')) (await import('./commands/count.ts')).count();
			console.log(word, typeof require === 'function' ? 'bundled' : 'source', isStrict() ? 'and strict' : '', place);
		}
	`,
	'packages/server/src/cli/commands/greet.ts': `
		import { greeting } from '../../greeting.ts';
		export const greet = () => console.log(greeting);
	`,
	[GREETING]: "export const greeting = 'hello';",
	'packages/server/src/cli/commands/count.ts': "export { count } from '../../store/sqlite/reading-threads.ts';",
	'packages/server/src/store/sqlite/reading-threads.ts': `
		import { Worker } from 'node:worker_threads';
		export const count = () => new Worker(new URL('./reading-thread.ts', import.meta.url));
	`,
	'packages/server/src/store/sqlite/reading-thread.ts': `
		import { number } from '../../number.ts';
		console.log(number);
	`,
	[NUMBER]: 'export const number = 3;',
	'packages/server/src/later.ts': "export const place = import.meta.dirname.replaceAll('\\\\', '/');",
	'packages/server/src/store/sqlite/writer-thread.ts': '',
	'packages/cli/src/bursarctl.ts': 'export {};',
	'packages/edge/src/bursar-edge.ts': 'export {};',
	'packages/client/src/index.ts': 'export {};',
	'packages/contract/src/index.ts': 'export {};',
	'packages/terminal/src/index.ts': 'export {};',
};

/** Installs a small program with the launcher of the real one. */
function newInstallation(): string {
	const root = join(mkdtempSync(join(tmpdir(), 'bursar-test-')), 'an installation');
	after(() => rmSync(dirname(root), { recursive: true, force: true }));
	for (const [file, text] of Object.entries(SOURCES)) {
		mkdirSync(dirname(join(root, file)), { recursive: true });
		writeFileSync(join(root, file), text);
	}
	for (const name of ['server', 'cli', 'client', 'contract', 'edge', 'terminal']) {
		writeFileSync(join(root, 'packages', name, 'package.json'), '{ "type": "module" }');
	}
	for (const folder of ['packages/pinned-node', 'packages/server/bin']) {
		cpSync(join(REPOSITORY, folder), join(root, folder), { recursive: true });
	}
	return root;
}

/** Made once, because most of the time goes into the bundles of the other programs, and no test is about them. */
const shared = newInstallation();

/** The installation with its original sources, and without a bundle of `bursar`. */
function install(): string {
	restoreSources();
	rmSync(homeIn(shared), { recursive: true, force: true });
	return shared;
}

/** The installation with its original sources, and a bundle of them. */
async function bundled(): Promise<string> {
	restoreSources();
	await bundlePrograms(shared);
	assert.ok(currentBundle(shared, 'bursar'));
	return shared;
}

/** Writes only what a test has changed, because a file that is written makes the bundle out of date. */
function restoreSources(): void {
	for (const [file, text] of Object.entries(SOURCES)) {
		const path = join(shared, file);
		if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
	}
}

/** The program prints a word, whether it is bundled, and where its source is. */
function run(root: string, ...args: readonly string[]): string {
	const program = join(root, 'packages/server/bin/bursar.js');
	const { stdout, stderr, status } = spawnSync(process.execPath, [program, ...args], {
		encoding: 'utf8',
		env: { PATH: process.env.PATH },
	});
	assert.equal(status, 0, stderr);
	return stdout;
}

const placeIn = (root: string) => join(root, 'packages/server/src').replaceAll('\\', '/');
const bundleIn = (root: string) => currentBundle(root, 'bursar') as string;
const homeIn = (root: string) => join(root, 'node_modules/.bursar-bundles/bursar');

test('an edit that keeps the size and the time of a source takes effect at once', async () => {
	const root = install();
	const file = join(root, WORD);
	// A whole second, because the time of a change has more digits than a program can set.
	const time = new Date('2020-01-01');
	utimesSync(file, time, time);
	await bundlePrograms(root);
	assert.ok(currentBundle(root, 'bursar'));
	writeFileSync(file, SOURCES[WORD].replace('one', 'two'));
	utimesSync(file, time, time);
	assert.equal(run(root), `two source and strict ${placeIn(root)}\n`);

	await bundlePrograms(root);
	assert.equal(run(root), `two bundled and strict ${placeIn(root)}\n`);
});

test('without a folder for temporary files, the bundle is made', async () => {
	const root = install();
	const { TMPDIR } = process.env;
	process.env.TMPDIR = join(root, 'missing');
	try {
		await bundlePrograms(root);
	} finally {
		if (TMPDIR === undefined) delete process.env.TMPDIR;
		else process.env.TMPDIR = TMPDIR;
	}
	assert.equal(run(root), `one bundled and strict ${placeIn(root)}\n`);
	const entries = readdirSync(homeIn(root), { recursive: true, withFileTypes: true });
	assert.equal(entries.filter((entry) => entry.isDirectory()).length, 1, 'only the folder of the bundle stays');
});

test('a source replaced by an older file takes effect at once', async () => {
	const root = install();
	const older = join(root, 'older.ts');
	writeFileSync(older, SOURCES[WORD].replace('one', 'old'));
	await bundlePrograms(root);
	renameSync(older, join(root, WORD));
	assert.equal(run(root), `old source and strict ${placeIn(root)}\n`);
});

test('an edit takes effect in every command that can load it, and does not slow the others', async () => {
	const root = await bundled();
	const plain = run(root);
	const fromSources = plain.replace('bundled', 'source');
	writeFileSync(join(root, GREETING), "export const greeting = 'good morning';");
	assert.equal(run(root, 'greet'), `good morning\n${fromSources}`);
	assert.equal(run(root, 'count'), `${plain}3\n`);
	assert.equal(run(root), plain);

	await bundlePrograms(root);
	assert.equal(run(root, 'greet'), `good morning\n${plain}`);
	writeFileSync(join(root, NUMBER), 'export const number = 4;');
	assert.equal(run(root, 'greet'), `good morning\n${plain}`);
	assert.equal(run(root, 'count'), `${fromSources}4\n`);
	assert.equal(run(root, '--option', 'greet', 'count'), `good morning\n${fromSources}4\n`);
});

test('each command has the name of its file', async () => {
	const commands = readdirSync(join(REPOSITORY, PROGRAMS.bursar.commands)).map((file) => basename(file, '.ts'));
	const text = readFileSync(join(REPOSITORY, 'packages/server/src/cli/bursar.ts'), 'utf8');
	const loaded = Array.from(text.matchAll(/name: '([\w-]+)',[^}]*? import\('\.\/commands\/([\w-]+)\.ts'\)/g));
	assert.deepEqual(loaded.map(([, name]) => name).sort(), commands.sort());
	for (const [, name, file] of loaded) assert.equal(file, name);
});

test('a removed source is an error, even with a bundle', async () => {
	const root = await bundled();
	rmSync(join(root, WORD));
	assert.throws(() => run(root), /word\.ts/);
});

test('an edit while the bundle is made invalidates the bundle', async () => {
	const root = install();
	const made = bundlePrograms(root);
	writeFileSync(join(root, WORD), SOURCES[WORD].replace('one', 'two'));
	await made;
	assert.equal(run(root), `two source and strict ${placeIn(root)}\n`);
});

test('a truncated stamp is invalid', async () => {
	const root = await bundled();
	truncateSync(join(homeIn(root), 'stamp.json'), 100);
	assert.equal(run(root), `one source and strict ${placeIn(root)}\n`);
});

test('a bundle with a missing or truncated file is not run, and is made again', async () => {
	for (const damage of [rmSync, (file: string) => truncateSync(file, 10)]) {
		const root = await bundled();
		damage(join(bundleIn(root), 'bursar.cjs'));
		assert.equal(run(root), `one source and strict ${placeIn(root)}\n`);
		await bundlePrograms(root);
		assert.equal(run(root), `one bundled and strict ${placeIn(root)}\n`);
	}
});

test('a bundle still works after its installation is moved', async () => {
	const root = await bundled();
	const moved = `${root} elsewhere`;
	renameSync(root, moved);
	try {
		assert.equal(run(moved), `one bundled and strict ${placeIn(moved)}\n`);
	} finally {
		renameSync(moved, root);
	}
});

test('a bundle contains compiled code for its usual commands and for a service, and works without it', async () => {
	const root = await bundled();
	const folder = bundleIn(root);
	const compiled = readdirSync(folder).filter((file) => file.endsWith('compiled'));
	for (const file of ['bursar.cjs.compiled', 'bursar.cjs.service-compiled']) {
		assert.ok(compiled.includes(file), String(compiled));
	}
	for (const file of compiled) {
		const bytes = readFileSync(join(folder, file));
		// The code is first, and its length last.
		bytes.fill(0, 0, bytes.readUInt32LE(bytes.length - 4));
		writeFileSync(join(folder, file), bytes);
	}
	assert.equal(run(root), `one bundled and strict ${placeIn(root)}\n`);
	// No other test takes this bundle for a whole one.
	rmSync(folder, { recursive: true });
});

test('two bundlings at once do not disturb each other', async () => {
	const root = install();
	await Promise.all([bundlePrograms(root), bundlePrograms(root)]);
	assert.equal(run(root), `one bundled and strict ${placeIn(root)}\n`);
});

test('old bundles are removed, but the latest are kept for processes that run them', async () => {
	const root = install();
	for (let number = 0; number < 12; number++) {
		const old = join(homeIn(root), `old-${number}`);
		mkdirSync(old, { recursive: true });
		// The clock was ahead when the bundle was made.
		utimesSync(old, new Date('2100-01-01'), new Date('2100-01-01'));
	}
	await bundlePrograms(root);
	const folders = readdirSync(homeIn(root)).filter((name) => name !== 'stamp.json');
	assert.equal(folders.length, 8);
	assert.equal(run(root), `one bundled and strict ${placeIn(root)}\n`);
});

test('no bundle is made in modules that several installations share', async () => {
	const root = newInstallation();
	renameSync(join(root, 'node_modules'), join(root, 'shared'));
	symlinkSync(join(root, 'shared'), join(root, 'node_modules'), 'junction');
	await bundlePrograms(root);
	assert.deepEqual(
		readdirSync(join(root, 'shared')).filter((name) => name.startsWith('.bursar')),
		[],
	);
});
