import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const REPOSITORY = join(import.meta.dirname, '../../../..');
const HOOK = pathToFileURL(join(REPOSITORY, 'scripts/bundled-packages.mjs')).href;
const PACKAGES = ['typebox', 'typebox/compile', '@simplewebauthn/server', '@simplewebauthn/server/helpers'];

/** For each package, where a process finds it, and the names that it exports. */
async function packagesIn(...args: readonly string[]): Promise<readonly { place: string; names: readonly string[] }[]> {
	const script = `
		const found = ${JSON.stringify(PACKAGES)}.map(async (name) => {
			return { place: import.meta.resolve(name), names: Object.keys(await import(name)) };
		});
		console.log(JSON.stringify(await Promise.all(found)));`;
	const { stdout } = await promisify(execFile)(process.execPath, [...args, '--input-type=module', '--eval', script], {
		cwd: join(REPOSITORY, 'packages/server'),
	});
	return JSON.parse(stdout);
}

test('test processes load large packages from a bundle, which exports the same names', async (t) => {
	const own = await packagesIn();
	const bundled = await packagesIn('--import', HOOK);
	if (own.every(({ place }, index) => place === bundled[index]?.place)) return t.skip('the packages are not bundled');
	for (const [index, { place, names }] of bundled.entries()) {
		assert.match(place, /\.bursar-bundles\/packages\//);
		assert.deepEqual(names, own[index]?.names);
	}
});
