import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spawnBursarctl } from './support/bursarctl.ts';

for (const shell of ['bash', 'zsh', 'fish']) {
	test(`the completion script for ${shell} names every command and option`, async (t) => {
		const { code, stdout, stderr } = await spawnBursarctl(t, ['completion', shell]).ended;
		assert.deepEqual([code, stderr], [0, '']);
		for (const word of [
			...['sub-user', 'reset-key', 'give', 'chart', 'concurrency', 'sole-writer', 'token-file'],
			...['dry-run', 'left'],
		]) {
			assert.ok(stdout.includes(word), word);
		}
	});
}
