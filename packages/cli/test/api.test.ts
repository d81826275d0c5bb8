import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { callBursarctl, saidIn } from './support/bursarctl.ts';
import { movementsOf } from './support/ledger.ts';
import { startMiddle } from './support/middle.ts';
import { openShop, shopWith } from './support/shop.ts';

const GIVE = '/reseller/sub_users/give_balance';

describe('bursarctl api', { concurrency: 2 }, () => {
	test('prints the body of the answer as it came; the body of the request is an argument, a file or standard input', async (t) => {
		const { bursarctl } = await shopWith(t, 'alice');
		const account = await bursarctl.print('api', 'GET', '/reseller/my_info');
		assert.equal(JSON.parse(account).data.username, 'acme');
		assert.ok(!account.endsWith('\n'));
		const body = '{"username":"alice"}';
		const file = join(temporaryFolder(t), 'body');
		writeFileSync(file, body);
		const view = ['api', 'POST', '/reseller/sub_users/view_single', '--body'];
		const typed = await callBursarctl([...view, '-'], bursarctl.environment, body);
		for (const text of [
			typed.stdout,
			await bursarctl.print(...view, body),
			await bursarctl.print(...view, `@${file}`),
		]) {
			assert.equal(JSON.parse(text).data.username, 'alice');
		}
	});

	test('exits as other commands, and prints what the service says', async (t) => {
		const { bursarctl } = await openShop(t, 5);
		const post = (path: string, body: object) => ['api', 'POST', `/reseller/${path}`, '--body', JSON.stringify(body)];
		for (const [args, exitCode, code, environment] of [
			[['api', 'GET', '/reseller/my_info'], 3, 'unauthorized', { BURSAR_TOKEN: 'brs_wrong' }],
			[post('sub_users/view_single', { username: 'nobody' }), 4, 'unknown_sub_user', {}],
			[post('sub_users/create', { username: 'alice' }), 5, 'insufficient_balance', {}],
			[post('statement/view_page', { limit: 'x' }), 5, 'invalid_request', {}],
			[['api', 'GET', '/reseller/nothing'], 1, 'not_found', {}],
			[['api', 'GET', '/reseller/my_info', '--url', 'http://127.0.0.1:1'], 1, 'connection_failed', {}],
		] as const) {
			const { code: ended, stdout, stderr } = await bursarctl.runWith(environment, ...args, '--json');
			assert.deepEqual([ended, saidIn(stderr).error.code], [exitCode, code], args.join(' '));
			if (code !== 'connection_failed') assert.equal(JSON.parse(stdout).status, saidIn(stderr).error.status);
		}
	});

	test('a POST whose answer is lost names the id of its change, and a given id is used', async (t) => {
		const { bursarctl, service, token } = await shopWith(t, 'alice');
		const middle = await startMiddle(t, service.url);
		middle.fateOf = (path) => (path.endsWith('give_balance') ? 'lose_answer' : 'pass');
		const body = '{"username":"alice","amount_usd_cents":5}';
		const give = ['api', 'POST', GIVE, '--body', body, '--url', middle.url];
		const { code, stdout, stderr } = await bursarctl.run(...give);
		assert.deepEqual([code, stdout], [6, '']);
		assert.ok(!stderr.includes(token));
		const [, id = ''] = /To look later: bursarctl change (\S+)\n$/.exec(stderr) ?? [];
		assert.match(await bursarctl.print('change', id), /^Operation +give\n/);
		const again = await bursarctl.run(...give.slice(0, -2), '--change-id', id);
		assert.equal(again.code, 5);
		assert.match(again.stderr, /409 change_repeated/);
		middle.fateOf = () => ({ status: 502 });
		assert.equal((await bursarctl.run(...give)).code, 6, 'a gateway may answer after the service did it');
		assert.deepEqual((await movementsOf(service)).moved, { alice: 5 });
		const unprinted = ['sh', '-c', 'exec "$0" "$@" > /dev/full'];
		if (process.platform !== 'linux') return;
		const done = await bursarctl.spawn(give.slice(0, -2), {}, unprinted).ended;
		assert.equal(done.code, 6);
		assert.match(done.stderr, /it was done, but .*ENOSPC.*do not repeat it/);
	});

	test('the token goes to no other host', async (t) => {
		const { bursarctl, service } = await openShop(t);
		const middle = await startMiddle(t, service.url);
		const { host } = new URL(middle.url);
		for (const path of [`//${host}/`, `${middle.url}/`, `@${host}/`, `/\\${host}/`, `/../..//${host}/`]) {
			const { code } = await bursarctl.run('api', 'GET', path);
			assert.ok(code === 2 || code === 1, path);
		}
		assert.deepEqual(middle.paths, []);
	});
});
