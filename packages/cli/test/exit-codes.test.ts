import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '@bursar/testing/free-port';
import { BURSARCTL, callBursarctl, callEachBursarctl, saidIn, spawnBursarctl } from './support/bursarctl.ts';
import { movementsOf } from './support/ledger.ts';
import { startMiddle } from './support/middle.ts';
import { openShop, shopWith } from './support/shop.ts';

const NOBODY_LISTENS = 'http://127.0.0.1:1';

describe('exit codes', { concurrency: 2 }, () => {
	test('0: help and version, on stdout, without a service', async (t) => {
		const commands = [
			'',
			'account',
			'sub-user',
			'sub-user create',
			'sub-user create-with',
			'sub-user list',
			'sub-user show',
			'sub-user reset-key',
			'sub-user details',
			'sub-user suspend',
			'sub-user resume',
			'sub-user limits',
			'sub-user note',
			'sub-user delete',
			'balance',
			'balance give',
			'balance take',
			'usage',
			'statement',
			'top-up',
			'top-up create',
			'top-up list',
			'events',
			'events list',
			'events follow',
			'webhooks',
			'webhooks create',
			'webhooks list',
			'webhooks update',
			'webhooks enable',
			'webhooks disable',
			'webhooks rotate-secret',
			'webhooks test',
			'webhooks tries',
			'webhooks delete',
			'webhooks listen',
			'tokens',
			'tokens create',
			'tokens list',
			'tokens end',
			'change',
			'api',
			'login',
			'logout',
			'profiles',
			'completion',
		];
		const lines = commands.map((command) => [...command.split(' ').filter(Boolean), '--help']);
		for (const { line, code, stdout, stderr } of await callEachBursarctl(lines)) {
			assert.equal(code, 0, line);
			assert.match(stdout, /Example:\n {2}\$ .*bursarctl/, line);
			assert.ok(!stdout.includes('\u001b'), line);
			assert.equal(stderr, '');
			const command = ['bursarctl', ...line.split(' ').slice(0, -1)].join(' ');
			assert.ok(stdout.startsWith(`Usage: ${command} [`), line);
			assert.equal(stdout.includes('--profile <name>'), line === '--help', 'only the root lists the global options');
			assert.equal(stdout.split('bursarctl --help\n').length - 1, line === '--help' ? 0 : 1, line);
			if (line !== '--help') continue;
			for (const exitCode of [0, 1, 2, 3, 4, 5, 6]) assert.match(stdout, new RegExp(`^ {2}${exitCode} {2}\\w`, 'm'));
		}
		assert.equal((await spawnBursarctl(t, ['--help']).ended).code, 0, 'as a process too');
		const wrong = await spawnBursarctl(t, ['nonsense', '--json']).ended;
		assert.deepEqual([wrong.code, wrong.stdout, saidIn(wrong.stderr).error.code], [2, '', 'usage']);
		assert.match((await spawnBursarctl(t, ['--version']).ended).stdout, /^\d+\.\d+\.\d+(-rc\.\d+)?\n$/);
	});

	test('0: the help of a command, in whatever order flags and words stand', async () => {
		const orders = [
			'--help balance give',
			'balance -h give',
			'--json balance --yes give alice 2.50 --help',
			'--profile usage balance give --journal --all --help',
			'--csv balance give --help',
			'help balance give',
			'balance help give',
		];
		for (const { line, code, stdout, stderr } of await callEachBursarctl(orders.map((words) => words.split(' ')))) {
			assert.deepEqual([code, stderr], [0, ''], line);
			assert.match(stdout, /^Usage: bursarctl balance give /, line);
		}
		const wrong = [
			['give', '--help'],
			['help', 'nonsense'],
			['usage', 'alice', '--', '--help'],
		];
		for (const { line, code, stdout } of await callEachBursarctl(wrong))
			assert.deepEqual([code, stdout], [2, ''], line);
	});

	test('1: no service answers, or something else does', async (t) => {
		const { service, token, bursarctl } = await openShop(t);
		const environment = { BURSAR_TOKEN: token };
		const unused = `http://127.0.0.1:${await freePort()}`;
		const down = await callBursarctl(['account', '--url', unused, '--timeout', '10'], environment);
		assert.deepEqual([down.code, down.stdout], [1, '']);
		assert.match(down.stderr, /^bursarctl: warning: .*ECONNREFUSED.*trying again.*\nbursarctl: .*ECONNREFUSED.*\n$/);
		const wrong = await bursarctl.run('account', '--url', `${service.url}/docs`, '--json');
		assert.equal(wrong.code, 1);
		assert.equal(saidIn(wrong.stderr).error.code, 'unexpected_answer');
	});

	test('2: wrong usage, and nothing was sent', async () => {
		const environment = { BURSAR_URL: NOBODY_LISTENS, BURSAR_TOKEN: 'brs_x' };
		const wrong = [
			[[], /command is missing \(see bursarctl --help\)$/],
			[['nonsense'], /unknown command/],
			[['account', 'extra'], /too many arguments/],
			[['usage'], /missing required argument/],
			[['sub-user', 'create'], /give a username, or --all/],
			[['sub-user', 'create', 'alice', '--all', 'x'], /not both/],
			[['sub-user', 'create', '.bad.', '--yes'], /not a valid username/],
			[['sub-user', 'create', 'alice'], /give --yes/],
			[['sub-user', 'create', 'alice', '--yes', '--journal', 'x'], /only go with --all/],
			[['sub-user', 'create', 'alice', '--yes', '--dry-run'], /only go with --all/],
			[['balance', 'give', 'alice', '0.05', '--yes', '--left', 'x'], /only go with --all/],
			[['balance', 'give', '--all', 'x', '--left', 'y', '--dry-run'], /one of --dry-run and --left/],
			[['sub-user', 'create', '--all', '-', '--yes'], /needs a file/],
			[['balance', 'give', 'alice', '0.05'], /give --yes/],
			[['balance', 'give', 'alice'], /the amount/],
			[
				['balance', 'give', 'alice', '0.00', '--yes'],
				/smallest amount is 0\.01.*\(see bursarctl balance give --help\)$/,
			],
			[['balance', 'give', 'alice', '5', '--yes'], /write 5\.00 for five dollars or 0\.05 for five cents/],
			[['balance', 'take', 'alice', '1.5'], /US dollars with two decimals/],
			[['balance', 'take', 'alice', '90071992547409.92'], /US dollars with two decimals/],
			[['account', '--timeout', '0'], /more than 0/],
			[['account', '--timeout', 'x'], /number of seconds/],
			[['account', '--sole-writer'], /unknown option --sole-writer/],
			[['api', 'PUT', '/x'], /Allowed choices are GET, POST/],
			[['api', 'GET', 'https://elsewhere.example/x'], /begin with one slash/],
			[['api', 'GET', '//elsewhere.example/x'], /begin with one slash/],
			[['api', 'GET', '/x', '--body', '{}'], /only go with POST/],
			[['api', 'POST', '/x', '--body', '{secret'], /must be JSON/],
			[['api', 'POST', '/x', '--change-id', 'x'], /16 to 64 characters/],
			[['balance', 'take', '--all', 'x', '--concurrency', '65'], /from 1 to 64/],
			[['account', '--url', 'ftp://host'], /begins with https/],
			[['account', '--url', 'http://bursar.example'], /--insecure-http/],
			[['account', '--url', 'http://me:secret@127.0.0.1:1'], /no credentials/],
			[['change', 'too-short'], /16 to 64 characters/],
			[['completion', 'tcsh'], /Allowed choices are bash, zsh, fish/],
		] as const;
		const lines = wrong.map(([args]) => [...args, '--json']);
		for (const [index, { code, stdout, stderr }] of (await callEachBursarctl(lines, environment)).entries()) {
			const [args, message] = wrong[index] as (typeof wrong)[number];
			assert.deepEqual([code, stdout], [2, ''], `${args.join(' ')}: ${stderr}`);
			assert.match(saidIn(stderr).error.message, message);
			assert.ok(!stderr.includes('secret'));
		}
		const noUrl = await callBursarctl(['account'], { BURSAR_TOKEN: 'brs_x' });
		assert.equal(noUrl.code, 2);
		assert.match(noUrl.stderr, /^bursarctl: .*BURSAR_URL.*--url/);
		const noToken = await callBursarctl(['account'], { BURSAR_URL: NOBODY_LISTENS });
		assert.equal(noToken.code, 2);
		assert.match(noToken.stderr, /^bursarctl: .*BURSAR_TOKEN.*--token-file/);
	});

	test('3: not authorised', async (t) => {
		const { bursarctl } = await openShop(t);
		const { code, stderr } = await bursarctl.runWith({ BURSAR_TOKEN: 'brs_wrong' }, 'account', '--json');
		assert.equal(code, 3);
		const { error } = saidIn(stderr);
		assert.deepEqual(Object.keys(error), ['code', 'message', 'request_id', 'status']);
		assert.deepEqual([error.code, error.status], ['unauthorized', 401]);
	});

	test('4: no such sub-user', async (t) => {
		const { bursarctl } = await openShop(t);
		for (const args of [
			['sub-user', 'show', 'nobody'],
			['sub-user', 'show', '..'],
			['sub-user', 'reset-key', 'nobody'],
			['balance', 'give', 'nobody', '0.05', '--yes'],
			['balance', 'take', 'nobody', '0.05'],
			['usage', 'nobody'],
		]) {
			const { code, stdout, stderr } = await bursarctl.run(...args, '--json');
			assert.deepEqual([code, stdout, saidIn(stderr).error.code], [4, '', 'unknown_sub_user'], args.join(' '));
		}
	});

	test('5: refused, and the error says what it cost', async (t) => {
		const { bursarctl, service } = await openShop(t, 30);
		const other = await service.openReseller('other', 0);
		await bursarctl.print('sub-user', 'create', 'alice', '--yes');
		for (const [args, code, fee] of [
			[['sub-user', 'create', 'other', '--yes'], 'username_taken', 10],
			[['balance', 'give', 'alice', '0.11', '--yes'], 'insufficient_balance', undefined],
			[['balance', 'take', 'alice', '0.01'], 'insufficient_balance', undefined],
		] as const) {
			const { code: exitCode, stderr } = await bursarctl.run(...args, '--json');
			const { error } = saidIn(stderr);
			assert.deepEqual([exitCode, error.code, error.fee?.min_cents], [5, code, fee]);
		}
		const people = await bursarctl.run('sub-user', 'create', 'other', '--yes');
		assert.equal(
			people.stderr,
			'bursarctl: that username is already registered (409 username_taken) (fee paid: 0.10 USD)\n',
		);
		const asOther = { BURSAR_TOKEN: other.token };
		const poor = await bursarctl.runWith(asOther, 'sub-user', 'create', 'bruno', '--yes', '--json');
		assert.deepEqual([poor.code, saidIn(poor.stderr).error.code], [5, 'insufficient_balance']);
	});

	test('6: done, and the result could not be printed', {
		skip: process.platform !== 'linux' && 'there is no /dev/full here',
	}, async (t) => {
		const { bursarctl } = await openShop(t);
		const full = ['sh', '-c', 'exec "$0" "$@" > /dev/full'];
		for (const [args, said] of [
			[['sub-user', 'create', 'alice', '--yes'], /alice was created, fee paid: 0\.10 USD, but .*ENOSPC/],
			[['balance', 'give', 'alice', '0.05', '--yes'], /the transfer was done, and alice has 0\.05 USD, but .*ENOSPC/],
			[['balance', 'take', 'alice', '0.01', '--json'], /the transfer was done, and alice has 0\.04 USD, but .*ENOSPC/],
			[['sub-user', 'reset-key', 'alice'], /the proxy auth key of alice was replaced, but .*ENOSPC/],
		] as const) {
			const { code, stderr } = await bursarctl.spawn(args, {}, full).ended;
			assert.equal(code, 6, stderr);
			assert.match(stderr, said);
		}
	});

	test('6: the service cannot be reached any more; the id in the message tells the outcome later', async (t) => {
		const { bursarctl, service } = await shopWith(t, 'alice');
		const middle = await startMiddle(t, service.url);
		for (const [fate, isDone] of [
			['lose_answer', true],
			['lose_request', false],
		] as const) {
			let isLost = false;
			middle.fateOf = (path) => {
				isLost ||= path.endsWith('give_balance');
				return path.endsWith('give_balance') ? fate : isLost ? 'lose_request' : 'pass';
			};
			const give = ['balance', 'give', 'alice', '0.05', '--yes', '--url', middle.url, '--timeout', '4'];
			const { code, stderr } = await bursarctl.run(...give);
			assert.equal(code, 6, stderr);
			const [, id = ''] = /To look later: bursarctl change (\S+)\n$/.exec(stderr) ?? [];
			assert.equal(stderr.match(new RegExp(id, 'g'))?.length, 1);
			await bursarctl.print('balance', 'give', 'alice', '0.70', '--yes');
			const look = await bursarctl.run('change', id, '--json');
			assert.equal(look.code, isDone ? 0 : 1, look.stderr);
			if (isDone) {
				const {
					change_id: changeId,
					operation,
					username,
					amount_usd_cents: cents,
					balance_usd_cents: balance,
				} = JSON.parse(look.stdout);
				assert.deepEqual([changeId, operation, username, cents, balance], [id, 'give', 'alice', 5, 5]);
				assert.match(await bursarctl.print('change', id), /^Operation +give\nUsername +alice\nAmount in USD +0\.05\n/);
			} else assert.equal(saidIn(look.stderr).error.code, 'no_such_change');
		}
	});

	test('6: the answer was lost, and the service does not show that it knows change ids', async (t) => {
		const { bursarctl, service } = await shopWith(t, 'alice');
		const middle = await startMiddle(t, service.url, 'few_headers');
		middle.fateOf = (path) => (path.endsWith('give_balance') ? 'lose_answer' : 'pass');
		const give = ['balance', 'give', 'alice', '0.05', '--yes', '--json', '--url', middle.url];
		const { code, stdout, stderr } = await bursarctl.run(...give);
		assert.deepEqual([code, stdout], [6, '']);
		const { error } = saidIn(stderr);
		assert.equal(error.code, 'outcome_unknown');
		const { expires, change_id: changeId, ...known } = error.known;
		assert.deepEqual(known, { operation: 'give', username: 'alice', amount_usd_cents: 5 });
		assert.match(changeId, /^\w{24}$/);
		assert.ok(Math.abs(expires * 1000 - Date.now()) < 3_600_000, 'when the lost request expires, in Unix seconds');
		assert.equal((await movementsOf(service)).moved.alice, 5, 'it was not sent again');
	});

	test('a signal: 130 or 143 if no outcome is unknown, 6 if a change was on its way', async (t) => {
		const { bursarctl, service } = await shopWith(t, 'alice');
		const middle = await startMiddle(t, service.url);
		for (const [args, held, signal, code] of [
			[['usage', 'alice'], '/view_txs', 'SIGINT', 130],
			[['account'], '/my_info', 'SIGTERM', 143],
			[['sub-user', 'create', 'bruno', '--yes'], '/view_single', 'SIGINT', 130],
			[['balance', 'give', 'alice', '0.05', '--yes'], '/give_balance', 'SIGINT', 6],
		] as const) {
			middle.fateOf = (path) => (path.endsWith(held) ? { lateMs: 60_000 } : 'pass');
			middle.paths.length = 0;
			const { child, ended } = bursarctl.spawn([...args, '--url', middle.url, '--json']);
			while (!middle.paths.at(-1)?.endsWith(held)) await setTimeout(5);
			child.kill(signal);
			const ending = await ended;
			assert.equal(ending.code, code, ending.stderr);
			assert.equal(saidIn(ending.stderr).error.code, code === 6 ? 'outcome_unknown' : 'interrupted');
		}
	});

	test('a third signal ends the process at once; copies of one signal count as one', {
		skip: process.platform === 'win32' && 'there are no such signals here',
	}, async (t) => {
		const script = `
			import { watchInterrupts } from ${JSON.stringify(join(import.meta.dirname, '../src/interrupts.ts'))};
			const { stop, abandon, changeBegins } = watchInterrupts();
			if (process.argv[1] === 'begun') changeBegins();
			stop.addEventListener('abort', () => console.log('stop'));
			abandon.addEventListener('abort', () => console.log('abandon'));
			setInterval(() => {}, 1000);
			console.log('ready');
		`;
		for (const [begun, code] of [
			['begun', 6],
			['', 143],
		] as const) {
			const child = spawn(process.execPath, ['--input-type=module', '-e', script, begun]);
			t.after(() => child.kill('SIGKILL'));
			const ended = once(child, 'close');
			const lines = child.stdout.setEncoding('utf8')[Symbol.asyncIterator]();
			for (const expected of ['ready\n', 'stop\n', 'abandon\n']) {
				assert.equal((await lines.next()).value, expected);
				if (expected !== 'ready\n') await setTimeout(550);
				for (const _ of [1, 2]) {
					child.kill('SIGTERM');
					await setTimeout(5);
				}
			}
			assert.deepEqual(await ended, [code, null]);
		}
	});

	test('if the reader of stdout stops, only the output ends', async (t) => {
		const { bursarctl } = await openShop(t);
		const env = { PATH: process.env.PATH, ...bursarctl.environment };
		const reader = spawn(process.execPath, [BURSARCTL, 'sub-user', 'list'], { env });
		reader.stdout.destroy();
		let words = '';
		reader.stderr.on('data', (text) => {
			words += text;
		});
		assert.deepEqual(await once(reader, 'close'), [0, null]);
		assert.equal(words, '');
	});
});
