import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { eventually } from '../src/eventually.ts';
import { startProcess } from '../src/test-process.ts';

const PINNED_NODE = join(import.meta.dirname, '../../../scripts/pinned-node.mjs');
const withSignals = { skip: process.platform === 'win32' && 'there are no such signals here' };

/** A launcher that runs a program's text on the pinned Node. */
function launch(t: TestContext, program: string) {
	const launcher = `
		import { runNode } from ${JSON.stringify(PINNED_NODE)};
		process.exitCode = await runNode(['--eval', ${JSON.stringify(program)}]);
	`;
	return startProcess(t, [process.execPath, '--input-type=module', '--eval', launcher]);
}

test(
	'a launcher ends like its program: with the exit code, or with 128 plus the number of the signal',
	withSignals,
	async (t) => {
		for (const [program, code] of [
			['0', 0],
			['process.exitCode = 6', 6],
			["process.kill(process.pid, 'SIGKILL')", 137],
			["process.kill(process.pid, 'SIGTERM')", 143],
		] as const) {
			const ended = await launch(t, program).ended;
			assert.deepEqual([ended.code, ended.stderr], [code, ''], program);
		}
	},
);

test('a launcher passes signals on and waits for its program', withSignals, async (t) => {
	const waiting = "process.on('SIGTERM', () => process.exit(9)); setInterval(() => {}, 1000); console.log('ready');";
	const launcher = launch(t, waiting);
	await eventually(async () => assert.match(launcher.stdout(), /ready/), 20_000);
	launcher.signal('SIGTERM');
	assert.equal((await launcher.ended).code, 9);
});
