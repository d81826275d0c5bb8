import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { callBursarctl } from './support/bursarctl.ts';
import { openShop, shopWith } from './support/shop.ts';

const KEY = /^[0-9A-Za-z]{16}$/;
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('the commands', { concurrency: 2 }, () => {
	test("account shows the reseller's account: dollars for people, cents for scripts", async (t) => {
		const { bursarctl } = await openShop(t, 1234);
		const account = await bursarctl.json('account');
		assert.deepEqual(Object.keys(account), ['username', 'balance_usd_cents', 'proxy_authkey', 'date_created']);
		assert.equal(account.username, 'acme');
		assert.equal(account.balance_usd_cents, 1234);
		assert.match(account.proxy_authkey, KEY);
		assert.match(account.date_created, DATE);
		assert.equal(
			await bursarctl.print('account'),
			`Username        acme\nBalance in USD  12.34\nProxy auth key  ${account.proxy_authkey}\nCreated         ${account.date_created}\n`,
		);
	});

	test('create makes a sub-user once; the second time it finds the sub-user, for free', async (t) => {
		const { bursarctl } = await openShop(t);
		const first = await bursarctl.json('sub-user', 'create', 'Alice', '--yes');
		assert.match(first.proxy_authkey, KEY);
		assert.match(first.date_created, DATE);
		assert.deepEqual(
			{ ...first, proxy_authkey: '', date_created: '' },
			{
				username: 'alice',
				balance_usd_cents: 0,
				proxy_authkey: '',
				date_created: '',
				created: true,
				fee: { min_cents: 10, max_cents: 10 },
				confirmed_by: 'answer',
			},
		);
		const again = await bursarctl.json('sub-user', 'create', 'alice', '--yes');
		assert.deepEqual(again, { ...first, created: false, fee: { min_cents: 0, max_cents: 0 }, confirmed_by: 'look' });
		assert.equal((await bursarctl.json('account')).balance_usd_cents, 10_000 - 10);

		const people = await bursarctl.run('sub-user', 'create', 'bruno', '--yes');
		assert.match(people.stdout, /^Username {8}bruno\nBalance in USD {2}0\.00\nProxy auth key {2}\w{16}\nCreated .*\n$/);
		assert.equal(people.stderr, 'Created. Fee paid: 0.10 USD.\n');
	});

	test('list is sorted by username; only the table omits the keys', async (t) => {
		const { bursarctl } = await openShop(t);
		assert.deepEqual(await bursarctl.json('sub-user', 'list'), []);
		assert.equal(await bursarctl.print('sub-user', 'list'), 'USERNAME  BALANCE USD  CREATED  STATE  USABLE\n');
		for (const name of ['zora', 'alice', 'm.m.m.m.m.m']) await bursarctl.print('sub-user', 'create', name, '--yes');
		await bursarctl.print('balance', 'give', 'zora', '12.34', '--yes');

		const list = await bursarctl.json('sub-user', 'list');
		assert.deepEqual(
			list.map((row: { username: string; balance_usd_cents: number }) => [row.username, row.balance_usd_cents]),
			[
				['alice', 0],
				['m.m.m.m.m.m', 0],
				['zora', 1234],
			],
		);
		const table = (await bursarctl.print('sub-user', 'list')).split('\n');
		assert.deepEqual(
			table.map((line) => line.slice(0, 24)),
			[
				'USERNAME     BALANCE USD',
				'alice               0.00',
				'm.m.m.m.m.m         0.00',
				'zora               12.34',
				'',
			],
		);
		assert.ok(!table.join('\n').includes(list[0].proxy_authkey));
		const { proxy_authkey: key, date_created: created } = list[2];
		const csv = (await bursarctl.print('sub-user', 'list', '--csv')).split('\n');
		assert.equal(csv[0]?.slice(0, 53), 'username,balance_usd,proxy_authkey,date_created,state');
		assert.equal(csv[3], `zora,12.34,${key},${created},active,true,,0,0,0`);
	});

	test('reset-key replaces the key and prints it; show prints the new key', async (t) => {
		const { bursarctl } = await openShop(t);
		const {
			created: _,
			fee: __,
			confirmed_by: ___,
			...alice
		} = await bursarctl.json('sub-user', 'create', 'alice', '-y');
		assert.deepEqual(await bursarctl.json('sub-user', 'show', 'ALICE'), alice);
		const replaced = await bursarctl.json('sub-user', 'reset-key', 'alice');
		assert.deepEqual(replaced, { username: 'alice', proxy_authkey: replaced.proxy_authkey, confirmed_by: 'answer' });
		assert.notEqual(replaced.proxy_authkey, alice.proxy_authkey);
		const shown = await bursarctl.print('sub-user', 'show', 'alice');
		assert.match(shown, new RegExp(`^Proxy auth key {2}${replaced.proxy_authkey}$`, 'm'));
		assert.match(
			await bursarctl.print('sub-user', 'reset-key', 'alice'),
			/^Username {8}alice\nProxy auth key {2}\w{16}\n$/,
		);
	});

	test('give and take move cents, and print the balance of the sub-user', async (t) => {
		const { bursarctl } = await shopWith(t, 'alice');
		assert.deepEqual(await bursarctl.json('balance', 'give', 'alice', '2.50', '--yes'), {
			username: 'alice',
			balance_usd_cents: 250,
			confirmed_by: 'answer',
		});
		assert.deepEqual(await bursarctl.json('balance', 'take', 'alice', '0.49'), {
			username: 'alice',
			balance_usd_cents: 201,
			confirmed_by: 'answer',
		});
		assert.equal(
			await bursarctl.print('balance', 'take', 'alice', '0.01'),
			'Username        alice\nBalance in USD  2.00\n',
		);
		assert.equal((await bursarctl.json('account')).balance_usd_cents, 10_000 - 10 - 200);
	});

	test('options may come before or after the command', async (t) => {
		const { bursarctl, service } = await openShop(t);
		const other = await service.openReseller('other', 5);
		const { code, stdout } = await bursarctl.runWith(
			{ BURSAR_URL: 'http://127.0.0.1:1', BURSAR_TOKEN: other.token },
			...['--json', '--url', service.url, 'account', '--timeout', '20'],
		);
		assert.equal(code, 0);
		assert.equal(JSON.parse(stdout).username, 'other');
	});
});

for (const shell of ['bash', 'zsh', 'fish']) {
	test(`the completion script for ${shell} names every command and option`, async () => {
		const { code, stdout, stderr } = await callBursarctl(['completion', shell]);
		assert.deepEqual([code, stderr], [0, '']);
		for (const word of [
			...['sub-user', 'reset-key', 'give', 'chart', 'concurrency', 'api', 'token-file'],
			...['dry-run', 'left'],
		]) {
			assert.ok(stdout.includes(word), word);
		}
	});
}
