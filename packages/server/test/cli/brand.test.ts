import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { callBursar } from '@bursar/testing/bursar-in-process';
import { png } from '@bursar/testing/png';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { readConfig } from '../../src/config.ts';
import { openStore } from '../../src/engine.ts';

const OWN = { name: null, color: null, logo: null, legal_name: '', address: [], tax_number: '' };

/** A new store. Runs `bursar brand` on it. */
async function newStore(t: TestContext) {
	const dataDir = temporaryFolder(t);
	await callBursar(dataDir, ['migrate']);
	return {
		dataDir,
		/** With `--json`: its exit code and its object. */
		async run(...args: string[]) {
			const { code, stdout, stderr } = await callBursar(dataDir, ['brand', ...args, '--json']);
			return { code, value: JSON.parse(code === 0 ? stdout : stderr) };
		},
		file(name: string, bytes: Uint8Array | string): string {
			writeFileSync(join(dataDir, name), bytes);
			return join(dataDir, name);
		},
	};
}

describe('bursar brand', { concurrency: 2 }, () => {
	test('set changes what is given and keeps the rest, show shows it, reset takes parts or all of it back', async (t) => {
		const { dataDir, run, file } = await newStore(t);
		assert.deepEqual((await run('show')).value, OWN);
		const logo = file('logo.png', png(3, 2));
		const first = await run('set', '--name', 'North Proxies', '--color', '#0B7285', '--logo', logo);
		const image = { width: 3, height: 2, bytes: png(3, 2).length };
		assert.deepEqual(first.value, { ...OWN, name: 'North Proxies', color: '#0b7285', logo: image });
		await run('set', '--legal-name', 'North GmbH', '--address', 'Pier 1', '20457 Hamburg', '--tax-number', 'DE1');
		const all = {
			...{ name: 'North Proxies', color: '#0b7285', logo: image, legal_name: 'North GmbH' },
			...{ address: ['Pier 1', '20457 Hamburg'], tax_number: 'DE1' },
		};
		assert.deepEqual((await run('show')).value, all);
		const shown = (await callBursar(dataDir, ['brand', 'show'])).stdout;
		assert.match(shown, /^name +North Proxies\ncolor +#0b7285\nlogo +3 x 2 pixels, \d+ bytes\n/);
		assert.deepEqual((await run('reset', 'logo', 'color')).value, { ...all, color: null, logo: null });
		assert.deepEqual((await run('reset')).value, OWN);
		const store = await openStore(readConfig({ BURSAR_DATA_DIR: dataDir }));
		const { rows } = await store.searchActs({ before: Number.MAX_SAFE_INTEGER, limit: 10 });
		await store.close();
		assert.deepEqual(
			rows.map(({ kind, target }) => `${kind}: ${target}`),
			['name color logo letterhead', 'color logo', 'letterhead', 'name color logo'].map((each) => `set_brand: ${each}`),
		);
	});

	test('says what is wrong with a logo or a text, and changes nothing', async (t) => {
		const { run, file } = await newStore(t);
		for (const [code, args] of [
			['invalid_logo', ['--logo', file('logo.svg', '<svg/>')]],
			['invalid_logo', ['--logo', file('large.png', Buffer.alloc(70_000))]],
			['file_unreadable', ['--logo', '/nowhere/logo.png']],
			['invalid_brand_name', ['--name', 'a\u202eb']],
			['invalid_color', ['--color', 'red']],
			['invalid_letterhead', ['--address', 'a', 'b', 'c', 'd', 'e', 'f']],
			['usage', []],
		] as const) {
			const { value } = await run('set', ...args);
			assert.equal(value.error?.code, code, JSON.stringify(value));
		}
		assert.equal((await run('reset', 'font')).value.error.code, 'usage');
		assert.deepEqual((await run('show')).value, OWN);
	});
});
