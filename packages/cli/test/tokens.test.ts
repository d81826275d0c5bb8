import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bursarctlFor, saidIn } from './support/bursarctl.ts';
import { startMiddle } from './support/middle.ts';
import { openShop } from './support/shop.ts';

const DAY = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
const SHOP = ['create', 'shop', '--scope', 'read', 'money', '--expires', DAY] as const;

describe('tokens', { concurrency: 2 }, () => {
	test('a token is made, shown once, listed and ended', async (t) => {
		const { service, bursarctl } = await openShop(t);
		const made = await bursarctl.json('tokens', ...SHOP, '--allowed-ips', '127.0.0.1,::1');
		const { token, confirmed_by, ...details } = made;
		assert.match(token, /^brs_\w{46}$/);
		assert.equal(confirmed_by, 'answer');
		const { id, date_created } = details;
		assert.deepEqual(details, {
			...{ id, name: 'shop', scopes: ['read', 'money'], allowed_ips: ['127.0.0.1', '::1'], tail: token.slice(-4) },
			...{ made_by: 'api', expires_at: `${DAY}T00:00:00.000Z`, last_used: null, date_created },
		});
		const shown = await bursarctl.print(
			'tokens',
			'create',
			'other',
			'--scope',
			'read',
			'--scope',
			'read',
			'--expires',
			DAY,
		);
		assert.match(shown, /^Name +other\nId +tok_\w+\nScopes +read\nAddresses +any\nUntil +\S+\nToken +brs_\w{46}\n$/);
		const list = await bursarctl.print('tokens', 'list');
		assert.match(list, /^NAME +ENDS IN +SCOPES +ADDRESSES +UNTIL +LAST USED +MADE BY +ID\nother +\w{4} +read +any +/);
		assert.match(list, /\nshop +\w{4} +read,money +127\.0\.0\.1,::1 +\S+ +never +api +tok_\w+\n$/);
		assert.ok(!list.includes('brs_'));

		const shop = bursarctlFor(t, service.url, token);
		const refused = await shop.run('account', '--json');
		assert.deepEqual([refused.code, saidIn(refused.stderr).error.code], [3, 'missing_scope']);
		assert.match(saidIn(refused.stderr).error.message, /lacks the scope sub_users/);
		assert.equal((await shop.run('api', 'GET', '/reseller/my_info')).code, 3);
		assert.equal((await shop.run('statement')).code, 0);

		assert.deepEqual(await bursarctl.json('tokens', 'end', 'shop'), { id, confirmed_by: 'answer' });
		assert.equal((await shop.run('statement')).code, 3);
		const [other] = await bursarctl.json('tokens', 'list');
		assert.equal(await bursarctl.print('tokens', 'end', other.id), `Ended  ${other.id}\n`);
	});

	test('a refusal has its exit code', async (t) => {
		const { bursarctl } = await openShop(t);
		for (const named of ['shop', `tok_${'x'.repeat(22)}`]) {
			const { code, stderr } = await bursarctl.run('tokens', 'end', named, '--json');
			assert.deepEqual([code, saidIn(stderr).error.code], [4, 'unknown_token']);
		}
		await bursarctl.print('tokens', ...SHOP);
		for (const [args, error] of [
			[SHOP, 'token_exists'],
			[['create', '-', '--scope', 'read', '--expires', DAY], 'invalid_token'],
			[['create', 'old', '--scope', 'read', '--expires', '2020-01-01T00:00:00+01:00'], 'invalid_token'],
		] as const) {
			const { code, stderr } = await bursarctl.run('tokens', ...args, '--json');
			assert.deepEqual([code, saidIn(stderr).error.code], [5, error]);
		}
		for (const args of [
			['create', 'shop', '--expires', DAY],
			['create', 'shop', '--scope', 'read'],
			['create', 'shop', '--scope', 'all', '--expires', DAY],
			['create', 'shop', '--scope', 'read', '--expires', '2027-02-30'],
			['create', 'shop', '--scope', 'read', '--expires', '2027-01-01T00:00:00'],
			['create', 'shop', '--scope', 'read', '--expires', DAY, '--allowed-ips', 'here'],
		]) {
			assert.equal((await bursarctl.run('tokens', ...args)).code, 2, args.join(' '));
		}
	});

	test('a create whose answer was lost says that the token is lost, and how to end it', async (t) => {
		const { service, token, bursarctl } = await openShop(t);
		const middle = await startMiddle(t, service.url);
		middle.fateOf = (path) => (path === '/reseller/tokens/create' ? 'lose_answer' : 'pass');
		const lost = await bursarctlFor(t, middle.url, token).run('tokens', ...SHOP, '--json');
		assert.deepEqual([lost.code, lost.stdout], [6, '']);
		const { error } = saidIn(lost.stderr);
		assert.equal(error.code, 'token_lost');
		assert.match(error.message, new RegExp(`bursarctl tokens end ${error.id}, `));
		assert.equal((await bursarctl.json('tokens', 'end', error.id)).id, error.id);
	});
});
