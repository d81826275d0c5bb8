import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { eventually } from '@bursar/testing/eventually';
import { BURSARCTL, saidIn } from './support/bursarctl.ts';
import { startMiddle } from './support/middle.ts';
import { openShop } from './support/shop.ts';

const LAUNCHER = join(import.meta.dirname, '../../pinned-node/index.js');

/** A Node that cannot run TypeScript itself, if this machine has one: npm's, or another. */
const OLD_NODE = [process.env.npm_node_execpath ?? '', '/usr/bin/node', '/usr/local/bin/node'].find(
	(node) => existsSync(node) && majorOf(node) < 24,
);

function majorOf(node: string): number {
	return Number(/^v(\d+)/.exec(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout)?.[1]);
}

function launch(program: string, ...args: string[]) {
	const script = `
		import { runInForeground } from ${JSON.stringify(LAUNCHER)};
		process.exit(await runInForeground(...JSON.parse(process.argv[1])));
	`;
	const json = JSON.stringify([program, args]);
	return spawnSync(OLD_NODE ?? process.execPath, ['--input-type=module', '-e', script, json], { encoding: 'utf8' });
}

describe('the launcher', { skip: process.platform === 'win32' && 'there are no such signals here' }, () => {
	test('ends like the program: with its exit code, or with 128 plus the number of the signal', () => {
		for (const [command, code] of [
			['exit 0', 0],
			['exit 6', 6],
			['kill -HUP $$', 129],
			['kill -INT $$', 130],
			['kill -KILL $$', 137],
			['kill -TERM $$', 143],
		] as const) {
			const { status, stderr } = launch('sh', '-c', command);
			assert.deepEqual([status, stderr], [code, ''], command);
		}
	});

	test('if the program cannot be started, it prints one line and ends with 1', () => {
		for (const args of [['/nowhere/node'], [LAUNCHER], ['sh', '-c', '\0']] as const) {
			const { status, stderr } = launch(...(args as [string]));
			assert.equal(status, 1);
			assert.match(stderr, /^[^\n]+ could not be started: [^\n]*\n$/);
		}
	});

	test('bursarctl under an old Node ends like bursarctl under the pinned one', {
		skip: (OLD_NODE === undefined || process.platform !== 'linux') && 'there is no old Node here, or no /proc',
	}, async (t) => {
		const { bursarctl, service } = await openShop(t);
		await bursarctl.print('sub-user', 'create', 'alice', '--yes');
		const middle = await startMiddle(t, service.url);
		const env = { PATH: process.env.PATH, ...bursarctl.environment, BURSAR_URL: middle.url };
		for (const [args, signal, code] of [
			[['account'], 'SIGTERM', 143],
			[['account'], 'SIGINT', 130],
			[['balance', 'give', 'alice', '5', '--yes'], 'SIGINT', 6],
			[['account'], 'SIGKILL', 137],
		] as const) {
			const held = code === 6 ? '/give_balance' : '/my_info';
			middle.fateOf = (path) => (path.endsWith(held) ? { lateMs: 60_000 } : 'pass');
			middle.paths.length = 0;
			const child = spawn(OLD_NODE as string, [BURSARCTL, ...args, '--json'], { env, detached: true });
			t.after(() => child.kill('SIGKILL'));
			let words = '';
			child.stderr.setEncoding('utf8').on('data', (text) => {
				words += text;
			});
			const ended = once(child, 'close');
			await eventually(async () => assert.ok(middle.paths.at(-1)?.endsWith(held)));
			// Like a terminal, to all processes of the group; the launcher then sends it to the program once more.
			if (signal === 'SIGKILL') process.kill(childOf(child.pid), signal);
			else process.kill(-(child.pid as number), signal);
			assert.deepEqual(await ended, [code, null], words);
			if (signal !== 'SIGKILL') assert.equal(saidIn(words).error.code, code === 6 ? 'outcome_unknown' : 'interrupted');
			await setTimeout(10);
		}
	});

	test('a program ends soon after its launcher was killed', {
		skip: (OLD_NODE === undefined || process.platform !== 'linux') && 'there is no old Node here, or no /proc',
	}, async (t) => {
		const { bursarctl, service } = await openShop(t);
		const middle = await startMiddle(t, service.url);
		middle.fateOf = () => ({ lateMs: 60_000 });
		const env = { PATH: process.env.PATH, ...bursarctl.environment, BURSAR_URL: middle.url };
		const launcher = spawn(OLD_NODE as string, [BURSARCTL, 'account'], { env, stdio: 'ignore' });
		await eventually(async () => assert.ok(middle.paths.length > 0));
		const program = childOf(launcher.pid);
		let hasEnded = false;
		t.after(() => {
			if (!hasEnded) process.kill(program, 'SIGKILL');
		});
		launcher.kill('SIGKILL');
		await eventually(async () => assert.equal(existsSync(`/proc/${program}`), false));
		hasEnded = true;
	});
});

function childOf(pid: number | undefined): number {
	return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]);
}
