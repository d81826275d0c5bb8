import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { withBank } from '@bursar/testing/service';
import { saidIn } from './support/bursarctl.ts';
import { fileOf } from './support/input.ts';
import { movementsOf } from './support/ledger.ts';
import { startMiddle } from './support/middle.ts';
import { openShop, shopWith } from './support/shop.ts';

describe('the state, limits and note of a sub-user', { concurrency: 2 }, () => {
	test('suspend, resume, limits, note and addresses are set, and details shows them', async (t) => {
		const { bursarctl, service } = await shopWith(t, 'alice');
		assert.deepEqual(await bursarctl.json('sub-user', 'suspend', 'Alice'), {
			username: 'alice',
			state: 'suspended',
			confirmed_by: 'answer',
		});
		assert.equal(await bursarctl.print('sub-user', 'suspend', 'alice'), 'Username  alice\nState     suspended\n');
		assert.equal((await bursarctl.json('sub-user', 'resume', 'alice')).state, 'active');
		const set = await bursarctl.json(
			...['sub-user', 'limits', 'alice', '--day-bytes', '1.1GB', '--connections', '20', '--bytes-per-second', '10Mbit'],
			...['--allowed-ips', '192.0.2.9/24, 2001:db8:0::7', '--expires-at', '2126-12-31T23:00:00+01:00'],
		);
		const limits = {
			day_bytes: 1_100_000_000,
			month_bytes: null,
			total_bytes: null,
			connections: 20,
			bytes_per_second: 1_250_000,
			allowed_ips: ['192.0.2.0/24', '2001:db8::7'],
			expires_at: '2126-12-31T22:00:00.000Z',
		};
		assert.deepEqual(set, { username: 'alice', limits, confirmed_by: 'answer' });
		assert.equal(
			await bursarctl.print('sub-user', 'limits', 'alice', '--allowed-ips', 'none', '--expires-at', 'none'),
			'Username  alice\nLimits    1.10 GB a day; 20 connections; 10 Mbit/s\n',
		);
		await bursarctl.print('sub-user', 'note', 'alice', 'pays by invoice');
		const off = await bursarctl.run('sub-user', 'sign-in-ips', 'alice', '192.0.2.7', '--json');
		assert.deepEqual([off.code, JSON.parse(off.stderr).error.code], [5, 'sign_in_by_address_off']);
		await service.submit({ kind: 'allow_sign_in_by_address', reseller: 'acme', isAllowed: true });
		const signIn = await bursarctl.json('sub-user', 'sign-in-ips', 'alice', '2001:db8::7/64', '192.0.2.7');
		const sign_in_ips = ['192.0.2.7', '2001:db8::/64'];
		assert.deepEqual(signIn, { username: 'alice', sign_in_ips, confirmed_by: 'answer' });
		assert.equal(
			await bursarctl.print('sub-user', 'details', 'alice'),
			[
				'Username          alice',
				'State             active',
				'Usable            yes',
				'Today (UTC)       0 B of 1.10 GB',
				'This month (UTC)  0 B',
				'In total          0 B',
				'Connections       0 of 20',
				'Speed             10 Mbit/s',
				'Signs in from     192.0.2.7, 2001:db8::/64',
				'Note              pays by invoice',
				'Last seen         never',
				'',
			].join('\n'),
		);
		assert.deepEqual(await bursarctl.json('sub-user', 'details', 'alice'), {
			username: 'alice',
			...{ state: 'active', usable: true, reason: null },
			limits: { ...limits, allowed_ips: null, expires_at: null },
			used: { day_bytes: 0, month_bytes: 0, total_bytes: 0, connections: 0 },
			sign_in_ips,
			note: 'pays by invoice',
			last_seen: null,
			last_refusal: null,
			refusals: [],
		});
		assert.equal(
			await bursarctl.print('sub-user', 'sign-in-ips', 'alice'),
			'Username       alice\nSigns in from  nowhere\n',
		);
		assert.equal((await bursarctl.run('sub-user', 'sign-in-ips', 'alice', '127.0.0.1')).code, 5);
		assert.equal((await bursarctl.run('sub-user', 'suspend', 'nobody')).code, 4);
		const wrong = await bursarctl.run('sub-user', 'limits', 'alice', '--allowed-ips', '300.1.1.1');
		assert.equal(wrong.code, 5);
		assert.match(wrong.stderr, /allowed_ips/);
		assert.equal((await bursarctl.run('sub-user', 'note', 'alice', 'two\nlines')).code, 5);
	});

	test('details shows when, where and why a proxy last refused it', async (t) => {
		const { bursarctl, service } = await shopWith(t, 'alice');
		const at = new Date().toISOString();
		const refused = { edge: 'eu-1', reason: 'exhausted', network: '192.0.2.0/24' } as const;
		await withBank(service.config, (bank) =>
			bank.keep({ kind: 'refused_on_edge', username: 'alice', count: 12, atMs: Date.parse(at), ...refused }),
		);
		const shown = await bursarctl.print('sub-user', 'details', 'alice');
		assert.ok(shown.includes(`${at} at eu-1: balance used up (from 192.0.2.0/24)\n`), shown);
		assert.ok(shown.includes('12 balance used up\n'), shown);
		const { last_refusal: last, refusals } = await bursarctl.json('sub-user', 'details', 'alice');
		assert.deepEqual(last, { at, ...refused });
		assert.deepEqual(refusals, [{ reason: 'exhausted', count: 12 }]);
	});

	test('a limit that cannot be one is refused before anything is sent', async (t) => {
		const { bursarctl } = await openShop(t);
		for (const args of [
			[],
			['--day-bytes', '0'],
			['--day-bytes', '2GiB'],
			['--day-bytes', '10PB', '--month-bytes', 'x'],
			['--total-bytes', '9007199254740992'],
			['--connections', '1000001'],
			['--allowed-ips', 'example.com'],
			['--allowed-ips', ''],
			['--expires-at', '2026-12-31'],
			['--expires-at', '2026-12-31T23:00:00'],
			['--expires-at', '2026-02-31T23:00:00Z'],
			['--expires-at', '2026-12-31T25:00:00Z'],
		]) {
			// Nothing listens there: a request would fail with another code.
			const { code } = await bursarctl.run('sub-user', 'limits', 'alice', ...args, '--url', 'http://127.0.0.1:1');
			assert.equal(code, 2, args.join(' '));
		}
	});

	test('delete needs --yes without a terminal, returns the rest, and ends the sub-user', async (t) => {
		const { bursarctl } = await shopWith(t, 'alice');
		await bursarctl.print('balance', 'give', 'alice', '2.50', '--yes');
		const refused = await bursarctl.run('sub-user', 'delete', 'alice', '--json');
		assert.equal(refused.code, 2);
		assert.equal(saidIn(refused.stderr).error.code, 'not_confirmed');
		assert.match(saidIn(refused.stderr).error.message, /deletes sub-users for ever.*--yes/);
		assert.equal((await bursarctl.json('sub-user', 'show', 'alice')).balance_usd_cents, 250);
		assert.equal(
			await bursarctl.print('sub-user', 'delete', 'alice', '--yes'),
			'Deleted          alice\nReturned in USD  2.50\n',
		);
		assert.equal((await bursarctl.run('sub-user', 'show', 'alice')).code, 4);
		assert.equal((await bursarctl.json('account')).balance_usd_cents, 10_000 - 10);
	});

	test('list chooses by state, prefix and whether the proxies accept them, and says why not', async (t) => {
		const { bursarctl } = await shopWith(t, 'team.b', 'team.a', 'other');
		await bursarctl.print('sub-user', 'suspend', 'team.a');
		await bursarctl.print('sub-user', 'limits', 'other', '--expires-at', '2020-01-01T00:00:00Z');
		const list = (...args: readonly string[]) => bursarctl.print('sub-user', 'list', ...args);
		const names = async (...args: readonly string[]) =>
			JSON.parse(await list(...args, '--json=username,state')).map(Object.values);
		assert.deepEqual(await names('--state', 'suspended'), [['team.a', 'suspended']]);
		assert.deepEqual(await names('--state', 'expired', '--usable'), []);
		assert.deepEqual(await names('--prefix', 'team'), [
			['team.a', 'suspended'],
			['team.b', 'active'],
		]);
		assert.deepEqual(await names('--unusable', '--prefix', 'team'), [['team.a', 'suspended']]);
		assert.deepEqual(await names('--reason', 'expired'), [['other', 'expired']]);
		assert.deepEqual(await names('--usable'), [['team.b', 'active']]);
		const rows = (await list()).trimEnd().split('\n');
		assert.deepEqual(
			rows.map((row) => row.split(/ {2,}/).toSpliced(1, 2)),
			[
				['USERNAME', 'STATE', 'USABLE'],
				['other', 'expired', 'no: expired'],
				['team.a', 'suspended', 'no: suspended'],
				['team.b', 'active', 'yes'],
			],
		);
		const csv = await list('--prefix', 'team', '--csv');
		assert.match(
			csv,
			/,state,usable,reason,day_bytes,month_bytes,total_bytes\nteam\.a,0\.00,.*,suspended,false,suspended,0,0,0\n/,
		);
		assert.match(csv, /\nteam\.b,0\.00,.*,active,true,,0,0,0\n$/);
		assert.match(await bursarctl.print('sub-user', 'details', 'other'), /^Usable +no: expired$/m);
		for (const wrong of [
			['--state', 'gone'],
			['--reason', 'gone'],
			['--usable', '--unusable'],
		])
			assert.equal((await bursarctl.run('sub-user', 'list', ...wrong)).code, 2);
	});

	test('create-with makes a sub-user that has balance, limits and note, or nothing', async (t) => {
		const { bursarctl } = await openShop(t);
		const {
			proxy_authkey,
			date_created: _,
			...created
		} = await bursarctl.json(
			...['sub-user', 'create-with', 'Alice', '--yes', '--balance', '25.00', '--total-bytes', '10GB'],
			...[
				'--expires-at',
				'2126-12-31T23:00:00Z',
				'--connections',
				'none',
				'--note',
				'order 1042',
				'--reference',
				'order-1042',
			],
		);
		assert.match(proxy_authkey, /^\w{16}$/);
		const [given] = await bursarctl.json('statement', '--reference', 'order-1042');
		assert.deepEqual([given.kind, given.amount_usd_cents], ['give', -2_500]);
		assert.deepEqual(created, {
			...{ username: 'alice', balance_usd_cents: 2_500, note: 'order 1042', confirmed_by: 'answer' },
			limits: {
				day_bytes: null,
				month_bytes: null,
				total_bytes: 10_000_000_000,
				connections: null,
				bytes_per_second: null,
				allowed_ips: null,
				expires_at: '2126-12-31T23:00:00.000Z',
			},
			fee: { min_cents: 10, max_cents: 10 },
		});
		assert.match(
			await bursarctl.print('sub-user', 'create-with', 'bruno', '--yes', '--balance', '0.05'),
			/^Username +bruno\nBalance in USD +0\.05\nProxy auth key +\w{16}\nCreated +\S+\nLimits +none\nFee paid +0\.10 USD\n$/,
		);
		for (const [args, code, said] of [
			[['alice'], 'username_taken', /you own alice already: nothing was sent/],
			[['chiara', '--balance', '75.00'], 'insufficient_balance', /./],
			[['a..b'], 'invalid_username', /nothing was sent/],
		] as const) {
			const { stderr } = await bursarctl.run('sub-user', 'create-with', ...args, '--yes', '--json');
			const { error } = saidIn(stderr);
			assert.equal(error.code, code);
			assert.match(error.message, said);
		}
		const unasked = await bursarctl.run('sub-user', 'create-with', 'chiara');
		assert.match(unasked.stderr, /--yes/);
		assert.equal((await bursarctl.json('account')).balance_usd_cents, 10_000 - 2_510 - 15);
	});

	test('statement shows the newest movements first, and says if there are older ones', async (t) => {
		const { bursarctl } = await openShop(t);
		assert.equal((await bursarctl.json('statement')).length, 1);
		await bursarctl.print('sub-user', 'create', 'alice', '--yes');
		await bursarctl.print('balance', 'give', 'alice', '2.50', '--yes', '--reference', 'order-1');
		const movements = await bursarctl.json('statement');
		assert.deepEqual(
			movements.map((row: Record<string, unknown>) => [
				row.id,
				row.kind,
				row.username,
				row.amount_usd_cents,
				row.balance_usd_cents,
				row.sub_user_balance_usd_cents,
				row.reference,
			]),
			[
				[3, 'give', 'alice', -250, 9_740, 250, 'order-1'],
				[2, 'create_fee', 'alice', -10, 9_990, null, null],
				[1, 'top_up', null, 10_000, 10_000, null, null],
			],
		);
		const cut = await bursarctl.run('statement', '--rows', '1');
		assert.match(
			cut.stdout,
			/^ID +WHEN +KIND +USERNAME +USD +YOUR BALANCE +ITS BALANCE +REFERENCE\n +3 +\S+ +give +alice +-2\.50 +97\.40 +2\.50 +order-1\n$/,
		);
		assert.match(cut.stderr, /older/);
		assert.equal((await bursarctl.run('statement', '--rows', '3')).stderr, '');
		const csv = (await bursarctl.print('statement', '--csv')).split('\n');
		assert.equal(
			csv[0],
			'id,timestamp,kind,username,amount_usd,balance_usd,sub_user_balance_usd,request_id,change_id,reference',
		);
		assert.match(csv[1] ?? '', /,give,alice,-2\.50,97\.40,2\.50,/);
		assert.deepEqual(await bursarctl.json('statement', '--to', '2020-01-01'), []);
		assert.equal((await bursarctl.run('statement', '--from', '2026-02-30')).code, 2);
	});
});

test('statement goes on behind a place, the oldest first, and finds a reference', async (t) => {
	const { bursarctl } = await shopWith(t, 'alice');
	for (const order of ['order-1', 'order-2', 'order-1']) {
		await bursarctl.print('balance', 'give', 'alice', '0.05', '--yes', '--reference', order);
	}
	await bursarctl.print('balance', 'take', 'alice', '0.01', '--reference', 'order-1');
	const statement = async (...args: string[]) => {
		const { code, stdout, stderr } = await bursarctl.run('statement', ...args, '--json');
		assert.equal(code, 0, stderr);
		const rows: { id: number; change_id: string | null }[] = JSON.parse(stdout);
		return [rows.map(({ id }) => id), stderr === '' ? undefined : JSON.parse(stderr)] as const;
	};
	const [first, { next, left_out }] = await statement('--oldest', '--rows', '4');
	assert.deepEqual([first, left_out], [[1, 2, 3, 4], true]);
	assert.match(next, /^4-[0-9a-f]{16}$/);
	const [rest, end] = await statement('--oldest', '--after', next);
	assert.deepEqual([rest, end.left_out], [[5, 6], false]);
	assert.deepEqual(await statement('--oldest', '--after', '4'), [rest, end]);
	assert.deepEqual(await statement('--reference', 'order-1'), [[6, 5, 3], undefined]);
	assert.deepEqual((await statement('--reference', 'order-1', '--oldest', '--after', '3'))[0], [5, 6]);
	assert.deepEqual(await statement('--reference', 'order-1', '--rows', '1'), [[6], { left_out: true }]);
	const told = await bursarctl.run('statement', '--oldest', '--after', '6');
	assert.match(told.stderr, /^For those to come, go on with --after 6-[0-9a-f]{16}\n$/);
	const rewound = await bursarctl.run('statement', '--oldest', '--after', '7', '--json');
	assert.deepEqual([rewound.code, saidIn(rewound.stderr).error.code], [5, 'statement_rewound']);
	for (const wrong of [
		['--after', '4'],
		['--oldest', '--after', 'newest'],
		['--reference', 'two words'],
	]) {
		assert.equal((await bursarctl.run('statement', ...wrong)).code, 2, wrong.join(' '));
	}
	for (const reference of ['two words', '', 'ü', 'x'.repeat(129)]) {
		const give = await bursarctl.run('balance', 'give', 'alice', '0.05', '--yes', '--reference', reference);
		assert.equal(give.code, 2, reference);
	}
});

describe('many at once', { concurrency: 2 }, () => {
	test('suspend, resume and limits do all lines in every run, and keep no journal', async (t) => {
		const { bursarctl } = await openShop(t);
		const file = fileOf(t, 'alice\nbruno\n');
		for (const name of ['alice', 'bruno']) await bursarctl.print('sub-user', 'create', name, '--yes');
		const suspended = async () => (await bursarctl.json('sub-user', 'list', '--state', 'suspended')).length;
		const all = (command: string, ...more: readonly string[]) =>
			bursarctl.run('sub-user', command, '--all', file, ...more);
		for (const _ of ['first', 'again']) {
			const run = await all('suspend');
			assert.equal(run.code, 0, run.stderr);
			assert.match(run.stdout, /alice {5}suspended {2}suspended/);
			assert.equal(run.stderr, '2 done\n');
			assert.equal(await suspended(), 2);
			assert.equal((await all('resume')).code, 0);
			assert.equal(await suspended(), 0);
		}
		const limits = await all('limits', '--day-bytes', '5GB', '--json');
		assert.equal(limits.code, 0, limits.stderr);
		assert.equal(JSON.parse(limits.stdout.split('\n')[0] ?? '').limits.day_bytes, 5_000_000_000);
		assert.ok(!existsSync(`${file}.journal`));
		assert.match((await all('suspend', '--dry-run')).stderr, /2 to send\nit would suspend 2 sub-users/);
		assert.equal((await all('suspend', '--journal', `${file}.j`)).code, 2);
		assert.equal(await suspended(), 0);
		const some = await bursarctl.run('sub-user', 'suspend', '--all', fileOf(t, 'nobody\nalice\n'));
		assert.equal(some.code, 4);
		assert.match(some.stderr, /1 done, 1 not done \(1 unknown_sub_user\)/);
		assert.doesNotMatch(some.stderr, /journal|--left/);
		assert.equal(await suspended(), 1);
	});

	test('a delete whose outcome an earlier run did not learn is settled by its id, with what went back', async (t) => {
		const { bursarctl, service } = await shopWith(t, 'alice');
		await bursarctl.print('balance', 'give', 'alice', '0.70', '--yes');
		const middle = await startMiddle(t, service.url);
		const args = ['sub-user', 'delete', '--all', fileOf(t, 'alice\n'), '--yes', '--url', middle.url];
		let isDeleted = false;
		middle.fateOf = (path) => {
			isDeleted ||= path.endsWith('/delete');
			return isDeleted ? 'lose_answer' : 'pass';
		};
		const cut = await bursarctl.run(...args, '--timeout', '2');
		assert.equal(cut.code, 6, cut.stderr);
		assert.match(cut.stderr, /run it again to have them looked for/);
		middle.fateOf = () => 'pass';
		const again = await bursarctl.run(...args, '--json');
		assert.equal(again.code, 0, again.stderr);
		const row = JSON.parse(again.stdout);
		assert.deepEqual([row.state, row.amount_usd_cents, row.confirmed_by], ['done', 70, 'look']);
	});

	test('delete keeps a journal, needs --yes, and a second run deletes nothing more', async (t) => {
		const { bursarctl, service } = await openShop(t);
		const file = fileOf(t, 'alice\nbruno\n');
		for (const name of ['alice', 'bruno']) await bursarctl.print('sub-user', 'create', name, '--yes');
		await bursarctl.print('balance', 'give', 'bruno', '0.70', '--yes');
		const args = ['sub-user', 'delete', '--all', file];
		assert.equal((await bursarctl.run(...args)).code, 2);
		const run = await bursarctl.run(...args, '--yes');
		assert.equal(run.code, 0, run.stderr);
		assert.match(run.stdout, /bruno {5}deleted {3}0\.70/);
		const again = await bursarctl.run(...args, '--yes');
		assert.deepEqual([again.code, again.stderr], [0, 'all 2 lines are done already\n']);
		assert.deepEqual((await movementsOf(service)).moved, { bruno: 0 });
	});
});
