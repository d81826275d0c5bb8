import assert from 'node:assert/strict';
import { existsSync, lstatSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { saidIn } from './support/bursarctl.ts';
import { startMiddle } from './support/middle.ts';
import { openShop } from './support/shop.ts';

const withoutLinks = process.platform === 'win32' && 'links need special rights here';

describe('a bulk form that is reached through links', { concurrency: 2, skip: withoutLinks }, () => {
	test('two runs never use one journal at the same time, whatever names they know it by', async (t) => {
		const { bursarctl, service } = await openShop(t);
		const middle = await startMiddle(t, service.url);
		middle.fateOf = (path) => (path.endsWith('create') ? { lateMs: 60_000 } : 'pass');
		const folder = temporaryFolder(t);
		const [real, link] = [join(folder, 'real'), join(folder, 'link')];
		mkdirSync(real);
		symlinkSync(real, link);
		writeFileSync(join(real, 'names'), 'alice\n');
		symlinkSync(join(link, 'names'), join(folder, 'names'));
		// A link whose target does not exist yet.
		symlinkSync('link/names.journal', join(folder, 'journal'));
		const create = (...args: string[]) => [
			...['sub-user', 'create', '--yes', '--json', '--url', middle.url, '--settle', '0'],
			...args,
		];
		const { child, ended } = bursarctl.spawn(
			create('--all', join(folder, 'names'), '--journal', join(folder, 'journal')),
		);
		await eventually(async () => assert.ok(middle.paths.some((path) => path.endsWith('create'))));
		for (const args of [
			['--all', join(real, 'names')],
			['--all', join(link, 'names')],
			['--all', join(folder, 'names')],
			['--all', join(link, 'names'), '--journal', join(folder, 'journal')],
		]) {
			const second = await bursarctl.run(...create(...args));
			assert.deepEqual([second.code, saidIn(second.stderr).error?.code], [2, 'journal_in_use'], args.join(' '));
		}
		child.kill('SIGKILL');
		await ended;
		assert.ok(lstatSync(join(folder, 'journal')).isSymbolicLink());
		assert.equal(realpathSync(join(folder, 'journal')), realpathSync(join(real, 'names.journal')));
		middle.fateOf = () => 'pass';
		const last = await bursarctl.run(...create('--all', join(real, 'names')));
		assert.equal(last.code, 0, last.stderr);
		assert.ok(!existsSync(join(real, 'names.journal.lock')));
		assert.equal((await bursarctl.json('account')).balance, 10_000 - 10);
	});
});
