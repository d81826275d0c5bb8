import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '@bursar/testing/temporary-folder';

const REPOSITORY = join(import.meta.dirname, '../../..');
const { buildDashboard } = (await import(`${pathToFileURL(REPOSITORY)}/scripts/build-dashboard.mjs`)) as {
	buildDashboard(root: string): Promise<void>;
};

/** An installation with a page that says a word. */
function install(t: TestContext): string {
	const root = join(temporaryFolder(t), 'an installation');
	mkdirSync(join(root, 'packages/dashboard/src'), { recursive: true });
	mkdirSync(join(root, 'packages/contract/src'), { recursive: true });
	mkdirSync(join(root, 'node_modules'));
	cpSync(join(REPOSITORY, 'scripts'), join(root, 'scripts'), { recursive: true });
	writeFileSync(join(root, 'node_modules/.package-lock.json'), '{}');
	for (const name of ['dashboard', 'contract']) writeFileSync(join(root, 'packages', name, 'package.json'), '{}');
	writeFileSync(join(root, 'packages/dashboard/index.html'), '<script type="module" src="/src/main.tsx"></script>');
	writeFileSync(join(root, 'packages/dashboard/build.ts'), '');
	say(root, 'one');
	return root;
}

function say(root: string, word: string): void {
	writeFileSync(join(root, 'packages/dashboard/src/main.tsx'), `document.title = '${word}';`);
}

const homeIn = (root: string) => join(root, 'packages/dashboard/dist');

interface Stamp {
	readonly folder: string;
	readonly groups: readonly [{ readonly files: readonly { file: string; size: number }[]; readonly sources?: object }];
}

function stampIn(root: string): Stamp {
	return JSON.parse(readFileSync(join(homeIn(root), 'stamp.json'), 'utf8'));
}

/** The script that a server would serve now. */
function built(root: string): string {
	const { folder, groups } = stampIn(root);
	const [{ files }] = groups;
	for (const { file, size } of files) assert.equal(statSync(join(homeIn(root), folder, file)).size, size);
	const { file: script } = files.find(({ file }) => file.endsWith('.js')) ?? assert.fail('there is no script');
	return readFileSync(join(homeIn(root), folder, script), 'utf8');
}

test('the pages are built again only if a source has changed', async (t) => {
	const root = install(t);
	await buildDashboard(root);
	assert.match(built(root), /one/);
	const { folder } = stampIn(root);
	await buildDashboard(root);
	assert.equal(stampIn(root).folder, folder);

	say(root, 'two');
	await buildDashboard(root);
	assert.match(built(root), /two/);
});

test('an edit during the build is built too, at the next set-up', async (t) => {
	const root = install(t);
	const building = buildDashboard(root);
	say(root, 'two');
	await building;
	assert.equal(stampIn(root).groups[0].sources, undefined);
	await buildDashboard(root);
	assert.match(built(root), /two/);
});

test('an interrupted build and a damaged one are built again', async (t) => {
	const root = install(t);
	mkdirSync(join(homeIn(root), 'interrupted/assets'), { recursive: true });
	await buildDashboard(root);
	const { folder, groups } = stampIn(root);
	const compressed = groups[0].files.find(({ file }) => file.endsWith('.br')) ?? assert.fail('no file is compressed');
	truncateSync(join(homeIn(root), folder, compressed.file), 3);
	assert.throws(() => built(root));
	await buildDashboard(root);
	assert.match(built(root), /one/);
});

test('two builds at once do not disturb each other', async (t) => {
	const root = install(t);
	await Promise.all([buildDashboard(root), buildDashboard(root)]);
	assert.match(built(root), /one/);
});

test('old builds are removed', async (t) => {
	const root = install(t);
	for (let build = 0; build < 10; build++) {
		rmSync(join(homeIn(root), 'stamp.json'), { force: true });
		await buildDashboard(root);
	}
	assert.ok(readdirSync(homeIn(root)).length <= 9);
	assert.match(built(root), /one/);
});
