import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { startProcess } from '@bursar/testing/test-process';
import { BURSARCTL } from '../support/bursarctl.ts';
import { openShop } from '../support/shop.ts';

describe('on a terminal', { concurrency: 2 }, () => {
	test('it asks before it spends, and spends only after a yes', async (t) => {
		const { bursarctl } = await openShop(t);
		const cases = [
			['y\n', 0],
			['Yes\n', 0],
			['\n', 1],
			['n\n', 1],
			['yesterday\n', 1],
			['\u0004', 1],
			['\u0003', 130],
		] as const;
		for (const [index, [input, code]] of cases.entries()) {
			const answer = await bursarctl.onTerminal(input, 'sub-user', 'create', `user${index}`);
			assert.equal(answer.code, code, answer.shown);
			assert.ok(answer.shown.includes(`Create user${index} for 0.10 USD? [y/N]`));
		}
		const names = (await bursarctl.json('sub-user', 'list')).map(({ username }: { username: string }) => username);
		assert.deepEqual(names, ['user0', 'user1']);

		const declined = await bursarctl.onTerminal('n\n', 'balance', 'give', 'user0', '2.50');
		assert.match(declined.shown, /Give 2\.50 USD of your balance to user0\? \[y\/N\]/);
		assert.equal((await bursarctl.json('account')).balance_usd_cents, 10_000 - 20);
		const given = await bursarctl.onTerminal('y\n', 'balance', 'give', 'user0', '2.50');
		assert.match(given.shown, /Balance in USD {2}2\.50/);
		assert.equal((await bursarctl.json('account')).balance_usd_cents, 10_000 - 20 - 250);
	});

	test('it does not ask with --yes, or if the command spends nothing', async (t) => {
		const { bursarctl } = await openShop(t);
		for (const args of [
			['sub-user', 'create', 'alice', '--yes'],
			['balance', 'give', 'alice', '0.05', '-y'],
			['balance', 'take', 'alice', '0.05'],
			['sub-user', 'reset-key', 'alice', '--yes'],
		]) {
			const { code, shown } = await bursarctl.onTerminal('', ...args);
			assert.equal(code, 0);
			assert.ok(!shown.includes('[y/N]'));
		}
	});

	test('it asks before a key is replaced, and leaves the key after a no', async (t) => {
		const { bursarctl } = await openShop(t);
		await bursarctl.print('sub-user', 'create', 'alice', '--yes');
		const names = join(temporaryFolder(t), 'names');
		writeFileSync(names, 'alice\n');
		const key = async () => (await bursarctl.json('sub-user', 'show', 'alice')).proxy_authkey;
		for (const [args, question] of [
			[['alice'], /Replace the proxy auth key of alice\? .* \[y\/N\]/],
			[['--all', names], /Replace 1 proxy auth key\? .* \[y\/N\]/],
		] as const) {
			const before = await key();
			const declined = await bursarctl.onTerminal('n\n', 'sub-user', 'reset-key', ...args);
			assert.equal(declined.code, 1);
			assert.match(declined.shown, question);
			assert.equal(await key(), before);
			assert.equal((await bursarctl.onTerminal('y\n', 'sub-user', 'reset-key', ...args)).code, 0);
			assert.notEqual(await key(), before);
		}
	});

	test('it asks before a sub-user is deleted, and deletes it only after a yes', async (t) => {
		const { bursarctl } = await openShop(t);
		await bursarctl.print('sub-user', 'create', 'alice', '--yes');
		const names = join(temporaryFolder(t), 'names');
		writeFileSync(names, 'alice\n');
		for (const args of [['alice'], ['--all', names]]) {
			const declined = await bursarctl.onTerminal('n\n', 'sub-user', 'delete', ...args);
			assert.equal(declined.code, 1);
			assert.match(declined.shown, /Delete (alice|1 sub-user) for ever\? .*never given again\. \[y\/N\]/);
		}
		assert.equal((await bursarctl.run('sub-user', 'show', 'alice')).code, 0);
		assert.equal((await bursarctl.onTerminal('y\n', 'sub-user', 'delete', 'alice')).code, 0);
		assert.equal((await bursarctl.run('sub-user', 'show', 'alice')).code, 4);
	});

	test('login does not show the token, takes corrections, and can be interrupted', async (t) => {
		const { service, token } = await openShop(t);
		const folder = temporaryFolder(t);
		const login = async (typed: string) => {
			const command = `'${process.execPath}' '${BURSARCTL}' login --url ${service.url}`;
			const environment = { TERM: 'xterm', NO_COLOR: '1', XDG_CONFIG_HOME: folder };
			const { child, ended } = startProcess(t, ['script', '-qefc', command, '/dev/null'], { environment, input: null });
			child.stdout.on('data', (text: string) => {
				if (text.includes('Token')) child.stdin.write(typed);
			});
			return ended;
		};
		const interrupted = await login(`${token}\u0003`);
		assert.equal(interrupted.code, 130, interrupted.stdout);
		assert.throws(() => readdirSync(join(folder, 'bursarctl')), 'nothing was kept');
		const done = await login(`wrong\u0015x\u007f${token}\r`);
		assert.equal(done.code, 0, done.stdout);
		for (const { stdout } of [interrupted, done]) assert.ok(!stdout.includes(token.slice(4)), stdout);
		assert.deepEqual(readdirSync(join(folder, 'bursarctl', 'profiles')), ['default.json']);
	});

	test('a bulk form says what it will spend, and shows its progress, without colours', async (t) => {
		const { bursarctl } = await openShop(t, 4_000);
		const file = join(temporaryFolder(t), 'names');
		writeFileSync(file, Array.from({ length: 401 }, (_, index) => `user.${index}\n`).join(''));
		const declined = await bursarctl.onTerminal('n\n', 'sub-user', 'create', '--all', file);
		assert.equal(declined.code, 1);
		assert.match(
			declined.shown,
			/Create 401 sub-users for up to 40\.10 USD of your balance of 40\.00 USD, which is not enough\? \[y\/N\]/,
		);
		assert.deepEqual(await bursarctl.json('sub-user', 'list'), []);

		const { code, shown } = await bursarctl.onTerminal(
			'y\n',
			'sub-user',
			'create',
			'--all',
			file,
			'--concurrency',
			'1',
		);
		assert.equal(code, 5);
		assert.match(shown, /creating sub-users: \d+ of 401/);
		assert.match(shown, /\[K +400 {2}user\.399 {2}created {3}\w{16}\r\n/);
		assert.match(shown, /400 done, 1 not done \(1 insufficient_balance\)/);
		// biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes begin with one
		assert.doesNotMatch(shown, /\u001b\[[\d;]*m/);
	});
});
