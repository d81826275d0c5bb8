import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { callEachBursarctl, saidIn } from './support/bursarctl.ts';
import { startMiddle } from './support/middle.ts';
import { openShop } from './support/shop.ts';

describe('the token', { concurrency: 2 }, () => {
	test('is never an argument: --token is refused, and no error repeats what was pasted', async (t) => {
		const { bursarctl, token } = await openShop(t);
		const withToken = [
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
		];
		for (const { code, stdout, stderr } of await callEachBursarctl(withToken, bursarctl.environment)) {
			assert.notEqual(code, 0);
			assert.ok(!(stdout + stderr).includes(token.slice(4, 20)), stderr);
		}
		// Tokens of other services may look like anything.
		const withSecret = [
			['opensesame'],
			['account', 'opensesame'],
			['account', '--tokn=opensesame'],
			['account', '-xopensesame'],
			['account', '--timeout', 'opensesame'],
			['account', '--token-file', 'opensesame'],
			['completion', 'opensesame'],
			['balance', 'give', 'alice', 'opensesame'],
		];
		for (const { code, stdout, stderr } of await callEachBursarctl(withSecret, bursarctl.environment)) {
			assert.equal(code, 2);
			assert.match(stderr, /^bursarctl: [^\n]+\n$/);
			assert.ok(!(stdout + stderr).includes('opensesame'), stderr);
		}
		assert.match((await bursarctl.run('account', '--tokn=x')).stderr, /unknown option --tokn /);
		assert.match((await bursarctl.run('acount')).stderr, /unknown command acount \(Did you mean account\?\)/);
		const { code, stderr } = await bursarctl.run('account', '--token', 'opensesame', '--json');
		assert.equal(code, 2);
		assert.match(saidIn(stderr).error.message, /no --token.*everybody.*BURSAR_TOKEN.*--token-file/);
		assert.ok(!stderr.includes('opensesame'));
	});

	test('can come from a file, with a warning if others can read it', async (t) => {
		const { bursarctl, token } = await openShop(t);
		const folder = temporaryFolder(t);
		const file = join(folder, 'token');
		writeFileSync(file, `${token}\n`, { mode: 0o600 });
		const account = ['account', '--token-file', file];
		const quiet = await bursarctl.runWith({ BURSAR_TOKEN: 'brs_wrong' }, ...account);
		assert.deepEqual([quiet.code, quiet.stderr], [0, '']);

		writeFileSync(file, `\ufeff${token} \r\n\n`);
		assert.equal((await bursarctl.run(...account)).code, 0, 'with a line end, as editors write it');

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

	test('is in no process list, no output and no journal, also if something fails', {
		skip: process.platform !== 'linux' && 'there is no /proc here',
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
		const journal = readFileSync(`${file}.journal`, 'utf8');
		rmSync(`${file}.journal`);
		const wrong = await bursarctl.runWith({ BURSAR_TOKEN: `${token}x` }, ...args);
		assert.equal(wrong.code, 3);
		const keys = (await bursarctl.json('sub-user', 'list')).map((row: { proxy_authkey: string }) => row.proxy_authkey);
		for (const text of [commandLine, stdout, stderr, wrong.stdout, wrong.stderr, journal]) {
			assert.ok(!text.includes(token.slice(4)), text);
		}
		for (const key of keys) assert.ok(!journal.includes(key));
	});
});

/** One character of each kind that steers a terminal or hides text. */
const STEERING = '\u001b[2J\r\n\t\u007f\u009b\u202e\u2066\u200b\u2028';
const IS_STEERING = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Line ends are the only control characters in the text. */
function assertHarmless(text: string): void {
	for (const line of text.split('\n')) assert.doesNotMatch(line, IS_STEERING);
}

test('no field of an answer can steer a terminal, in any output format', async (t) => {
	const { bursarctl, service } = await openShop(t);
	const formulas = ['=', '+', '-', '@', '\t', '\r'];
	const sent = formulas.map((start, index) => ({
		username: `${start}1+1|${index}${STEERING}`,
		balance: 1_000 + index,
		proxy_authkey: `${start}key${STEERING}`,
		date_created: '2026-11-21T00:00:00.000Z',
		state: 'active',
		...{ usable: false, reason: `${start}tired${STEERING}`, used: { day_bytes: 1, month_bytes: 2, total_bytes: 3 } },
	}));
	const usage = [{ bandwidth: { up: 1, down: 2 }, timestamp: '2026-11-21T00:00:00.000Z' }];
	const middle = await startMiddle(t, service.url);
	middle.rewrite = (text) => {
		const envelope = JSON.parse(text);
		envelope.message &&= `${envelope.message}${STEERING}`;
		if (Array.isArray(envelope.data)) envelope.data = usage;
		else if (envelope.data !== null) envelope.data = { ...envelope.data, username: sent[0]?.username };
		return JSON.stringify(envelope);
	};
	const account = await bursarctl.print('account', '--url', middle.url);
	assert.match(
		account,
		/^Username {8}=1\+1\|0\\u001b\[2J\\u000d\\u000a\\u0009\\u007f\\u009b\\u202e\\u2066\\u200b\\u2028$/m,
	);
	const { stderr } = await bursarctl.run('usage', 'nobody', '--url', middle.url);
	assert.match(stderr, /^bursarctl: .*\\u001b\[2J.*\n$/);
	const ofUsage = ['--csv', '--chart', '--json'].map((form) => ['usage', 'acme', form]);

	const page = { sub_users: sent, next: null };
	middle.rewrite = (text) => JSON.stringify({ ...JSON.parse(text), data: page });
	const csv = await bursarctl.print('sub-user', 'list', '--csv', '--url', middle.url);
	const [, ...rows] = csv.trimEnd().split('\n');
	assert.equal(rows.length, formulas.length);
	for (const row of rows) {
		const [username, balance, key] = row.split(',') as [string, string, string];
		for (const cell of [username, key]) assert.match(cell, /^'(?:[=+\-@]|\\u000[9d])/);
		assert.match(balance, /^10\.\d\d$/);
	}
	const list = await bursarctl.print('sub-user', 'list', '--url', middle.url);
	const json = await bursarctl.print('sub-user', 'list', '--json', '--url', middle.url);
	assert.deepEqual(
		new Set(JSON.parse(json).map((row: { username: string }) => row.username)),
		new Set(sent.map(({ username }) => username)),
	);
	middle.rewrite = (text) => JSON.stringify({ ...JSON.parse(text), status: 200, message: STEERING, data: usage });
	middle.fateOf = () => 'pass';
	for (const text of [account, stderr, csv, list, json]) assertHarmless(text);
	for (const args of ofUsage) assertHarmless((await bursarctl.run(...args, '--url', middle.url)).stdout);
});

test('an argument or a file name cannot steer a terminal either', async (t) => {
	const { bursarctl } = await openShop(t);
	const folder = temporaryFolder(t);
	const file = join(folder, 'names\u001b[2J\u009b\u202e.txt');
	writeFileSync(file, 'alice\n\u001b[2J\n');
	const commands = [
		['sub-user', 'show', 'a\u001b[2J\u202e'],
		['sub-user', 'create', 'a\u001b[2J\u202e', '--yes'],
		['sub-user', 'list', '\u001b[2J'],
		['sub-user', 'list', '--\u001b[2J'],
		['\u001b[2J'],
		['account', '--url', 'http://\u001b[2J'],
		['account', '--token-file', file],
		['account', '--token-file', `${folder}\u001b[2J`],
		['account', '--timeout', '\u001b[2J'],
		['balance', 'give', 'alice', '\u001b[2J'],
		['sub-user', 'create', '--all', file, '--yes'],
		['sub-user', 'reset-key', '--all', file],
		['sub-user', 'create', '--all', `${file}.none`, '--yes'],
		['sub-user', 'create', '--all', file, '--journal', folder, '--yes'],
	];
	const lines = commands.flatMap((args) => [args, [...args, '--json']]);
	for (const { line, stdout, stderr, code } of await callEachBursarctl(lines, bursarctl.environment)) {
		assert.notEqual(code, 0, line);
		assertHarmless(stdout + stderr);
	}
});

test('an endless token file is refused', async (t) => {
	const { bursarctl } = await openShop(t);
	const { code, stderr } = await bursarctl.run('account', '--token-file', '/dev/zero');
	assert.equal(code, 2);
	assert.match(stderr, /must hold the token and nothing else/);
});
