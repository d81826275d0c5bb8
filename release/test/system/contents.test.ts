import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { pythonVersion } from '../../../clients/python/generate/version.ts';
import { debianVersion } from '../../src/debian.ts';
import { PLATFORMS } from '../../src/programs.ts';
import { artifacts, unpackedArchive, unpackedPackage, VERSION } from '../support/artifacts.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PAGE = join(ROOT, 'docs/releasing.md');
/** These are made only with a key. */
const SIGNED = ['SHA256SUMS.sig', 'allowed_signers'];

test('docs/releasing.md names each file of a release, and no other', async () => {
	const platform = `linux-${process.arch}`;
	const documented = namesInTable(readFileSync(PAGE, 'utf8')).map((name) =>
		name
			.replace('PLATFORM', platform)
			.replace('ARCH', PLATFORMS[platform]?.debian ?? '')
			.replace('VERSION', versionIn(name)),
	);
	const made = readdirSync(await artifacts()).filter((name) => !name.startsWith('made-for-'));
	assert.deepEqual(documented.filter((name) => !SIGNED.includes(name)).sort(), made.sort());
	assert.deepEqual(documented.filter((name) => SIGNED.includes(name)).sort(), SIGNED);
});

test('each archive and each package of npm has the documents, and links only to what exists', async (t) => {
	const service = [...documentsOf('docs'), 'README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md'];
	const edge = [...documentsOf('docs/edge'), 'README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md'];
	for (const name of [
		'docs/examples/alerts.yaml',
		'docs/examples/grafana-dashboard.json',
		'docs/examples/haproxy.cfg',
	]) {
		assert.ok(service.includes(name), name);
	}
	const unpacked = await Promise.all([
		unpackedArchive(t, 'bursar'),
		unpackedPackage(t, 'bursar'),
		unpackedArchive(t, 'bursar-edge'),
		unpackedPackage(t, 'bursar-edge'),
	]);
	for (const [index, folder] of unpacked.entries()) {
		for (const name of index < 2 ? service : edge) {
			assert.ok(existsSync(join(folder, name)), `${folder} has ${name}`);
			if (name.endsWith('.md')) assertLinks(join(folder, name));
		}
		assert.deepEqual(
			readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /^docs\/.*\.png$/.test(name)),
			[],
		);
	}
	// Each document stands once.
	for (const folder of [unpacked[0], unpacked[2]] as string[]) {
		const all = readdirSync(folder, { recursive: true, encoding: 'utf8' });
		assert.deepEqual(
			all.filter((name) => name.endsWith('squid.md')),
			['docs/edge/squid.md'],
		);
	}
});

/** The version as it stands in the name of such a file. */
function versionIn(name: string): string {
	if (name.endsWith('.deb')) return debianVersion(VERSION);
	return /\.(whl|tar\.gz)$/.test(name) ? pythonVersion(VERSION) : VERSION;
}

/** The files below a folder of the repository that packages bring along. */
function documentsOf(folder: string): readonly string[] {
	return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && !entry.name.endsWith('.png'))
		.map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
}

/** Links of an installed page lead to what is installed, or to the Internet. */
function assertLinks(path: string): void {
	const text = readFileSync(path, 'utf8').replace(/```.*?```/gs, '');
	for (const [, target = ''] of text.matchAll(/\]\((?![a-z]+:|#)([^)\s#]+)/g)) {
		assert.ok(existsSync(join(dirname(path), target)), `${path} links to ${target}`);
	}
}

/** What stands in the first column as code. */
function namesInTable(page: string): readonly string[] {
	const rows = page.match(/^\| (?!in )[^|]+/gm) ?? [];
	return rows.flatMap((row) => Array.from(row.matchAll(/`([^`]+)`/g), ([, name = '']) => name));
}
