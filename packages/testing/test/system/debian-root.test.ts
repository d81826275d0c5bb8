import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDebianRoot } from '@bursar/testing/debian-root';

test('what a test changes in its Debian is in no other one', async (t) => {
	const [first, second] = [await openDebianRoot(t), await openDebianRoot(t)];
	writeFileSync(join(first, 'etc/hostname'), 'changed\n');
	execFileSync('chroot', [first, 'dpkg', '--purge', 'ca-certificates']);
	const third = await openDebianRoot(t);
	assert.equal(existsSync(join(first, 'etc/ca-certificates.conf')), false);
	for (const root of [second, third]) {
		assert.equal(existsSync(join(root, 'etc/ca-certificates.conf')), true);
		assert.notEqual(execFileSync('cat', [join(root, 'etc/hostname')], { encoding: 'utf8' }), 'changed\n');
	}
});
