import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { buildPublished, PACKAGES } from '@bursar/testing/packed';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { startProcess } from '@bursar/testing/test-process';

test('the published package is the whole service, with only the dependencies that it declares', async (t) => {
	const home = join(temporaryFolder(t), 'installed here');
	cpSync(await buildPublished(t, 'server'), home, { recursive: true });
	const { dependencies } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
	for (const name of Object.keys(dependencies)) {
		const link = join(home, 'node_modules', name);
		mkdirSync(dirname(link), { recursive: true });
		symlinkSync(join(PACKAGES, '../node_modules', name), link, 'junction');
	}
	const dataDir = temporaryFolder(t);
	const bursar = (folder: string, ...args: string[]) =>
		startProcess(t, [process.execPath, join(home, 'bursar.js'), ...args], {
			environment: { BURSAR_DATA_DIR: folder, BURSAR_PORT: '0', BURSAR_OPS_PORT: '0' },
		});

	const created = await bursar(dataDir, 'reseller', 'create', 'acme', '--balance', '5.00').ended;
	assert.equal(created.code, 0, created.stderr);
	const listed = await bursar(dataDir, 'reseller', 'list').ended;
	assert.match(listed.stdout, /^acme +5\.00 USD /m, listed.stderr);

	// Its messages name pages that it brings along.
	const examined = await bursar(dataDir, 'doctor').ended;
	const pages = Array.from(examined.stdout.matchAll(/: ((?:(?!: ).)+\.md)/g), ([, path = '']) => path);
	assert.ok(pages.length > 1, examined.stdout);
	for (const path of pages) assert.ok(existsSync(path) && path.startsWith(realpathSync(home)), path);

	const demo = bursar(temporaryFolder(t), 'dev', '--json');
	const { url, proxy_url } = await eventually(async () => JSON.parse(demo.stdout()), 30_000);
	assert.match(proxy_url, /^http:/);
	for (const path of ['/dashboard', '/docs/', '/openapi.json']) {
		assert.equal((await fetch(new URL(path, url))).status, 200, path);
	}
	const verified = await bursar(dataDir, 'ledger', 'verify').ended;
	assert.equal(verified.code, 0, verified.stderr);
	demo.signal('SIGTERM');
	assert.equal((await demo.ended).code, 0);
});
