import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { temporaryFolder } from '../../server/test/support/service.ts';
import { saidIn } from './support/bursarctl.ts';
import { startMiddle } from './support/middle.ts';
import { openShop } from './support/shop.ts';

describe('the token', { concurrency: 2 }, () => {
	test('is never an argument: --token is refused, whatever is pasted is not said again', async (t) => {
		const { bursarctl, token } = await openShop(t);
		for (const args of [
			['account', '--token', token],
			['account', `--token=${token}`],
			['--token', token, 'account', '--json'],
			['account', `--tokn=${token}`],
			[token],
			['account', token],
			['usage', token],
			['sub-user', 'create', token, '--yes'],
			['balance', 'give', 'alice', token, '--yes'],
			['account', `--${token}`],
			['account', `-x${token}`],
			['account', '--timeout', token],
			['account', '--timeout', `'${token}' is invalid`],
			['account', '--token-file', token],
			['account', '--url', `http://127.0.0.1:1/${token}`, '--timeout', '0.1'],
		]) {
			const { code, stdout, stderr } = await bursarctl.run(...args);
			assert.notEqual(code, 0);
			assert.ok(!(stdout + stderr).includes(token.slice(4, 20)), stderr);
		}
		// Tokens of other services may look like anything.
		for (const args of [
			['opensesame'],
			['account', 'opensesame'],
			['account', '--tokn=opensesame'],
			['account', '-xopensesame'],
			['account', '--timeout', 'opensesame'],
			['account', '--token-file', 'opensesame'],
			['completion', 'opensesame'],
			['balance', 'give', 'alice', 'opensesame'],
		]) {
			const { code, stdout, stderr } = await bursarctl.run(...args);
			assert.equal(code, 2);
			assert.match(stderr, /^bursarctl: [^\n]+\n$/);
			assert.ok(!(stdout + stderr).includes('opensesame'), stderr);
		}
		assert.match((await bursarctl.run('account', '--tokn=x')).stderr, /unknown option --tokn /);
		assert.match((await bursarctl.run('acount')).stderr, /unknown command \(Did you mean account\?\)/);
		const { code, stderr } = await bursarctl.run('account', '--token', 'opensesame', '--json');
		assert.equal(code, 2);
		assert.match(saidIn(stderr).error.message, /no --token.*everybody.*BURSAR_TOKEN.*--token-file/);
		assert.ok(!stderr.includes('opensesame'));
	});

	test('comes from a file too, which others had better not be able to read', async (t) => {
		const { bursarctl, token } = await openShop(t);
		const folder = temporaryFolder(t);
		const file = join(folder, 'token');
		writeFileSync(file, `${token}\n`, { mode: 0o600 });
		const account = ['account', '--token-file', file];
		const quiet = await bursarctl.spawn([...account], { BURSAR_TOKEN: 'brs_wrong' }).ended;
		assert.deepEqual([quiet.code, quiet.stderr], [0, '']);

		writeFileSync(file, `\ufeff${token} \r\n\n`);
		assert.equal((await bursarctl.run(...account)).code, 0, 'as editors leave it');

		chmodSync(file, 0o640);
		const warned = await bursarctl.run(...account);
		assert.equal(warned.code, 0);
		assert.match(warned.stderr, /^bursarctl: warning: others .* chmod 600 it\n$/);
		assert.equal(saidIn((await bursarctl.run(...account, '--json')).stderr).warning.code, 'token_file_mode');

		writeFileSync(join(folder, 'empty'), '\n', { mode: 0o600 });
		writeFileSync(join(folder, 'two'), `${token}\n${token}\n`, { mode: 0o600 });
		mkdirSync(join(folder, 'folder'), { mode: 0o700 });
		for (const name of ['empty', 'two', 'folder', 'none', '-']) {
			const path = name === '-' ? '-' : join(folder, name);
			const { code, stdout, stderr } = await bursarctl.run('account', '--token-file', path);
			assert.deepEqual([code, stdout], [2, ''], name);
			assert.ok(!stderr.includes(token.slice(4)), stderr);
			if (name === 'two') assert.ok(stderr.includes(`${path} must hold the token and nothing else`), stderr);
		}
	});

	test('stands in no list of processes, no output and no journal, also while things fail', {
		skip: process.platform !== 'linux',
	}, async (t) => {
		const { bursarctl, service, token } = await openShop(t);
		const middle = await startMiddle(t, service.url);
		const file = join(temporaryFolder(t), 'names');
		writeFileSync(file, 'alice\nacme\nbruno\n');
		middle.fateOf = (path) => (path.endsWith('create') ? { lateMs: 300 } : 'pass');
		const args = ['sub-user', 'create', '--all', file, '--yes', '--json', '--url', middle.url];
		const { child, ended } = bursarctl.spawn(args);
		while (middle.paths.length < 2) await setTimeout(5);
		const commandLine = readFileSync(`/proc/${child.pid}/cmdline`, 'utf8');
		assert.ok(commandLine.includes('bursarctl'));
		const { code, stdout, stderr } = await ended;
		assert.equal(code, 5);
		const wrong = await bursarctl.spawn([...args, '--journal', `${file}.2`], { BURSAR_TOKEN: `${token}x` }).ended;
		assert.equal(wrong.code, 3);
		const journal = readFileSync(`${file}.journal`, 'utf8');
		const keys = (await bursarctl.json('sub-user', 'list')).map((row: { proxy_authkey: string }) => row.proxy_authkey);
		for (const text of [commandLine, stdout, stderr, wrong.stdout, wrong.stderr, journal]) {
			assert.ok(!text.includes(token.slice(4)), text);
		}
		for (const key of keys) assert.ok(!journal.includes(key));
	});
});

test('what the service says cannot steer a terminal', async (t) => {
	const { bursarctl, service } = await openShop(t);
	const middle = await startMiddle(t, service.url);
	middle.rewrite = (text) =>
		text
			.replace('"acme"', '"ac\\u001b[2Jme\\r\\u202e\\u2066\\u200b\\u2028"')
			.replace(/"message":"[^"]+/, '$&\\u001b[31m');
	const shown = await bursarctl.print('account', '--url', middle.url);
	assert.match(shown, /^Username {8}ac \[2Jme $/m);
	const { stderr } = await bursarctl.run('usage', 'nobody', '--url', middle.url);
	assert.match(stderr, /^bursarctl: .* \[31m.*\n$/);
	assert.ok(!(shown + stderr).includes('\u001b'));
});
