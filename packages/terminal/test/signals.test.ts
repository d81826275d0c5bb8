import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';

test('copies of one signal count as one, and none of them ends the process', {
	skip: process.platform === 'win32' && 'there are no such signals here',
}, async (t) => {
	const program = `
		import { onSignals, signalExitCodes } from ${JSON.stringify(join(import.meta.dirname, '../src/index.ts'))};
		const waiting = setInterval(() => {}, 1000);
		let count = 0;
		onSignals(['SIGTERM', 'SIGINT'], (signal) => {
			console.log(signal);
			if (++count < 2) return;
			process.exitCode = signalExitCodes[signal];
			clearInterval(waiting);
		});
		console.log('ready');
	`;
	const child = spawn(process.execPath, ['--input-type=module', '-e', program]);
	t.after(() => child.kill('SIGKILL'));
	const ended = once(child, 'close');
	const lines = child.stdout.setEncoding('utf8')[Symbol.asyncIterator]();
	assert.equal((await lines.next()).value, 'ready\n');
	for (const signal of ['SIGTERM', 'SIGINT'] as const) {
		child.kill(signal);
		child.kill(signal);
		assert.equal((await lines.next()).value, `${signal}\n`);
		// Longer than copies can take.
		if (signal === 'SIGTERM') await setTimeout(1_000);
	}
	assert.deepEqual(await ended, [130, null]);
});
