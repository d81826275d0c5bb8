import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { PLATFORMS } from '../../src/programs.ts';
import { artifacts, VERSION } from '../support/artifacts.ts';

const PAGE = join(import.meta.dirname, '../../../docs/releasing.md');
/** These are made only with a key. */
const SIGNED = ['SHA256SUMS.sig', 'allowed_signers'];

test('docs/releasing.md names each file of a release, and no other', async () => {
	const platform = `linux-${process.arch}`;
	const documented = namesInTable(readFileSync(PAGE, 'utf8')).map((name) =>
		name
			.replace('PLATFORM', platform)
			.replace('ARCH', PLATFORMS[platform]?.debian ?? '')
			.replace('VERSION', name.endsWith('.deb') ? VERSION.replace('-', '~') : VERSION),
	);
	const made = readdirSync(await artifacts()).filter((name) => !name.startsWith('made-for-'));
	assert.deepEqual(documented.filter((name) => !SIGNED.includes(name)).sort(), made.sort());
	assert.deepEqual(documented.filter((name) => SIGNED.includes(name)).sort(), SIGNED);
});

/** What stands in the first column as code. */
function namesInTable(page: string): readonly string[] {
	const rows = page.match(/^\| (?!in )[^|]+/gm) ?? [];
	return rows.flatMap((row) => Array.from(row.matchAll(/`([^`]+)`/g), ([, name = '']) => name));
}
