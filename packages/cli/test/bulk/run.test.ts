import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { rowsIn, saidIn } from '../support/bursarctl.ts';
import { fileOf, names } from '../support/input.ts';
import { startMiddle } from '../support/middle.ts';
import { openShop, shopWith } from '../support/shop.ts';

describe('bulk forms', { concurrency: 2 }, () => {
	test('every line is checked before anything is sent, and bad ones are named', async (t) => {
		const { bursarctl, service } = await openShop(t);
		const middle = await startMiddle(t, service.url);
		for (const [command, text, message] of [
			['sub-user create', 'alice\n.bob\n\n# fine\nx\nAlice\n', /input:2: .*; .*input:5: .*; .*input:6: .* line 1\./],
			['sub-user create', 'alice,5\n', /input:1: must be a username/],
			['sub-user reset-key', 'alice\nalice\n', /input:2: the same username as in line 1/],
			['balance give', 'alice\n', /input:1: must be username,amount/],
			[
				'balance give',
				'alice,5.00\nalice,0.00\nalice,1.5\nalice,90071992547409.92\n',
				/input:2: .*input:3: .*input:4: /,
			],
			['balance give', 'username,amount\nalice,5\n', /input:2: .* 5\.00 for five dollars or 0\.05 for five cents/],
			['balance take', 'username,cents\n', /no lines/],
			[
				'balance take',
				'username,amount_usd_cents\nalice,5.00\n',
				/input:2: the amount must be a whole number of USD cents/,
			],
			['balance take', '# nothing\n\n', /no lines/],
			[
				'sub-user create',
				'x\n'.repeat(9),
				/input:5: this is not a valid username \(4 to 32 .*\); and 4 more\. Nothing was sent/,
			],
		] as const) {
			const file = fileOf(t, text);
			const args = [...command.split(' '), '--all', file, '--yes', '--json', '--url', middle.url];
			const { code, stdout, stderr } = await bursarctl.run(...args);
			assert.deepEqual([code, stdout], [2, ''], command);
			assert.match(saidIn(stderr).error.message, message);
			assert.ok(!existsSync(`${file}.journal`));
		}
		const { code, stderr } = await bursarctl.run('sub-user', 'create', '--all', fileOf(t, 'alice\n'), '--json');
		assert.deepEqual([code, saidIn(stderr).error.code], [2, 'not_confirmed']);
		assert.deepEqual(middle.paths, []);
	});

	test('create: prints a row for each line and a summary; afterwards nothing is left to do', async (t) => {
		const { bursarctl } = await shopWith(t, 'owned');
		const file = fileOf(t, `\ufeff# new ones\r\nAlice\r\n\r\n  bruno  \r\nowned`);
		const create = ['sub-user', 'create', '--all', file, '--yes'];
		const { code, stdout, stderr } = await bursarctl.run(...create, '--json');
		assert.equal(code, 0, stderr);
		const rows = rowsIn(stdout).sort((one, other) => one.line - other.line);
		assert.deepEqual(
			rows.map(({ line, username, state, created, fee }) => [line, username, state, created, fee.max_cents]),
			[
				[2, 'alice', 'done', true, 10],
				[4, 'bruno', 'done', true, 10],
				[5, 'owned', 'done', false, 0],
			],
		);
		assert.match(rows[0].proxy_authkey, /^\w{16}$/);
		assert.deepEqual(saidIn(stderr).summary, {
			lines: 3,
			done: 3,
			done_before: 0,
			not_done: {},
			unknown: [],
			left: 0,
			fee: { min_cents: 20, max_cents: 20 },
		});
		assert.equal(statSync(`${file}.journal`).mode & 0o777, 0o600);

		const journal = readFileSync(`${file}.journal`, 'utf8');
		const again = await bursarctl.run('sub-user', 'create', '--all', file);
		assert.deepEqual([again.code, again.stdout, again.stderr], [0, '', 'all 3 lines are done already\n']);
		assert.equal(readFileSync(`${file}.journal`, 'utf8'), journal);
		assert.ok(!existsSync(`${file}.journal.lock`));
		assert.equal((await bursarctl.json('account')).balance_usd_cents, 10_000 - 30);
	});

	test('reset-key, give and take: lines of one username are done in order', async (t) => {
		const { bursarctl, service } = await shopWith(t, 'alice', 'bruno');
		const middle = await startMiddle(t, service.url);
		const amounts = [100, 20, 3, 400, 50, 6, 700];
		const lines = amounts.map((cents) => `alice,${cents}\nbruno, ${cents}\n`).join('');
		const text = `username,amount_usd_cents\n${lines}`;
		const give = await bursarctl.run('balance', 'give', '--all', fileOf(t, text), '-y', '--json', '--url', middle.url);
		assert.equal(give.code, 0);
		const ofAlice = rowsIn(give.stdout).filter(({ username }) => username === 'alice');
		assert.deepEqual(
			ofAlice.map(({ amount_usd_cents: cents, balance_usd_cents: balance }) => [cents, balance]),
			amounts.map((cents, index) => [cents, amounts.slice(0, index + 1).reduce((sum, one) => sum + one)]),
		);
		assert.equal(middle.paths.filter((path) => path.endsWith('give_balance')).length, 14);

		const take = await bursarctl.run('balance', 'take', '--all', fileOf(t, 'alice,12.78\nbruno,12.80\nalice,0.01\n'));
		assert.equal(take.code, 5, 'if one sub-user cannot pay, the others still do');
		assert.match(take.stdout, /^LINE {2}USERNAME {2}RESULT {4}BALANCE USD\n/);
		assert.match(take.stdout, /^ {3}2 {2}bruno {5}not done {2}.*insufficient_balance/m);
		assert.match(
			take.stderr,
			/^careful: .*\n2 done, 1 not done \(1 insufficient_balance\)\njournal: .*\nthe same command goes on .*--left FILE .*\nbursarctl: 1 line could not/,
		);
		const list = await bursarctl.json('sub-user', 'list');
		assert.deepEqual(
			list.map((row: { balance_usd_cents: number }) => row.balance_usd_cents),
			[0, 1279],
		);

		const reset = await bursarctl.run('sub-user', 'reset-key', '--all', fileOf(t, 'alice\nnobody\n'), '--json');
		assert.equal(reset.code, 4);
		const key = rowsIn(reset.stdout).find(({ username }) => username === 'alice').proxy_authkey;
		assert.equal((await bursarctl.json('sub-user', 'show', 'alice')).proxy_authkey, key);
		assert.notEqual(list[0].proxy_authkey, key);
	});

	test("another reseller's username is paid for only once, also over several runs", async (t) => {
		const { bursarctl, service } = await openShop(t);
		await service.openReseller('other', 0);
		const file = fileOf(t, 'alice\nother\n');
		for (const run of [0, 1, 2]) {
			const { code, stderr } = await bursarctl.run('sub-user', 'create', '--all', file, '--yes', '--json');
			const { summary, error } = saidIn(stderr);
			assert.deepEqual([code, error.code], [5, 'username_taken']);
			assert.deepEqual([summary.done_before, summary.not_done], [run === 0 ? 0 : 1, { username_taken: 1 }]);
			assert.deepEqual(summary.fee, { min_cents: 20, max_cents: 20 });
		}
		assert.equal((await bursarctl.json('account')).balance_usd_cents, 10_000 - 20);
	});

	test('an empty balance or a refused token stops the run, and the same command goes on from there', async (t) => {
		const { bursarctl, service } = await openShop(t, 40);
		const file = fileOf(t, names(30));
		const args = ['sub-user', 'create', '--all', file, '--yes', '--json', '--concurrency', '2'];
		const poor = await bursarctl.run(...args);
		assert.equal(poor.code, 5);
		const { summary, error } = saidIn(poor.stderr);
		assert.equal(error.code, 'insufficient_balance');
		assert.match(error.message, /stopped, with 2[45] lines not begun/);
		assert.deepEqual([summary.done, summary.fee.max_cents], [4, 40]);

		const stranger = await bursarctl.runWith({ BURSAR_TOKEN: 'brs_wrong' }, ...args);
		assert.deepEqual([stranger.code, stranger.stdout], [3, '']);
		const other = await service.openReseller('other', 10_000);
		const elsewhere = await bursarctl.runWith({ BURSAR_TOKEN: other.token }, ...args);
		assert.deepEqual([elsewhere.code, saidIn(elsewhere.stderr).error.code], [2, 'other_journal']);

		const gives = fileOf(t, 'user.0,0.01\nuser.1,0.01\n');
		const refused = await bursarctl.run('balance', 'give', '--all', gives, '--yes', '--json', '--concurrency', '1');
		assert.equal(refused.code, 5);
		assert.equal(rowsIn(refused.stdout).length, 1);
	});

	test('the run stops if the service keeps failing', async (t) => {
		const { bursarctl, service } = await openShop(t);
		const middle = await startMiddle(t, service.url);
		middle.fateOf = (path) => (path.endsWith('my_info') ? 'pass' : 'lose_request');
		const args = ['--all', fileOf(t, names(200)), '--yes', '--json', '--url', middle.url, '--timeout', '1'];
		const { code, stderr } = await bursarctl.run('sub-user', 'create', ...args, '--concurrency', '10');
		assert.equal(code, 1);
		const { summary, error } = saidIn(stderr);
		assert.equal(error.code, 'connection_failed');
		assert.ok(summary.left >= 150 && summary.left < 200, JSON.stringify(summary));
		assert.equal(summary.fee.max_cents, 0, 'only looks were sent, nothing that could cost');
	});

	test('after Ctrl-C, the run waits for the lines in progress and stops; the next run goes on', async (t) => {
		const { bursarctl, service } = await openShop(t);
		const middle = await startMiddle(t, service.url);
		middle.fateOf = (path) => (path.endsWith('create') ? { lateMs: 700 } : 'pass');
		const file = fileOf(t, names(20));
		const args = ['sub-user', 'create', '--all', file, '--yes', '--json', '--concurrency', '4'];
		const { child, ended } = bursarctl.spawn([...args, '--url', middle.url]);
		while (!middle.paths.some((path) => path.endsWith('create'))) await setTimeout(5);
		child.kill('SIGINT');
		// A parent process may send the same signal again.
		child.kill('SIGINT');
		const { code, stdout, stderr } = await ended;
		assert.equal(code, 130, stderr);
		const { summary, error } = saidIn(stderr);
		assert.equal(error.code, 'interrupted');
		assert.ok(summary.done > 0 && summary.done <= 4);
		assert.equal(rowsIn(stdout).length, summary.done);
		assert.equal(summary.left, 20 - summary.done);
		middle.fateOf = () => 'pass';
		assert.equal((await bursarctl.run(...args, '--url', middle.url)).code, 0);
		assert.equal((await bursarctl.json('account')).balance_usd_cents, 10_000 - 200);
	});

	test('a second Ctrl-C abandons the lines in progress: they are unknown, and the next run looks', async (t) => {
		const { bursarctl, service } = await openShop(t);
		const middle = await startMiddle(t, service.url);
		middle.fateOf = (path) => (path.endsWith('create') ? { lateMs: 1500 } : 'pass');
		const file = fileOf(t, names(3));
		const args = ['sub-user', 'create', '--all', file, '--yes', '--json', '--url', middle.url];
		const { child, ended } = bursarctl.spawn(args);
		while (middle.paths.filter((path) => path.endsWith('create')).length < 3) await setTimeout(5);
		child.kill('SIGINT');
		await setTimeout(600);
		// A parent process sends both signals again, perhaps only just before it ends.
		for (const _ of [1, 2, 3]) {
			child.kill('SIGINT');
			await setTimeout(3);
		}
		const left = await ended;
		assert.deepEqual([left.code, left.signal], [6, null], left.stderr);
		assert.deepEqual(saidIn(left.stderr).summary.fee, { min_cents: 0, max_cents: 30 });
		middle.fateOf = () => 'pass';
		const again = await bursarctl.run(...args);
		assert.equal(again.code, 0, again.stderr);
		assert.deepEqual(
			rowsIn(again.stdout).map(({ created }) => created),
			[true, true, true],
		);
		assert.equal((await bursarctl.json('account')).balance_usd_cents, 10_000 - 30);
	});
});
