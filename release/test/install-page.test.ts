import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

test('the operating guide and the first page of the site name this version, and the address of this repository', () => {
	const { version, homepage } = JSON.parse(read('package.json')) as { version: string; homepage: string };
	const repository = homepage.replace('#readme', '');
	const page = read('docs/operating/install.md');
	assert.ok(page.includes(`\nVERSION=${version}\nRELEASE=${repository}/releases/download/v$VERSION\n`));
	const fetched = `${repository}/releases/download/v${version}/install.sh`;
	assert.ok(read('site/index.md').includes(`\ncurl -fLO ${fetched} && sudo sh install.sh\n`));
	for (const name of ['install.md', 'container.md']) {
		const named = read(`docs/operating/${name}`).matchAll(/(?:VERSION=|bursar[:@_])(\d+\.\d+\.\d+(?:[-~]\w+\.\d+)?)/g);
		const versions = Array.from(named, ([, text = '']) => text.replace('~', '-'));
		assert.deepEqual([...new Set(versions)], [version], name);
	}
});

test('the installer has no name of a version or of a server until the release writes it', () => {
	const script = read('release/install.sh');
	for (const name of ['RELEASED_VERSION', 'RELEASES_URL', 'ALLOWED_SIGNERS']) {
		assert.equal(script.split(`\n${name}=''\n`).length, 2, name);
	}
});
