import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMiddle } from './support/middle.ts';
import { openShop } from './support/shop.ts';

const PAGE_ROWS = 1_000;
const PAGES = 3;

test('a list of many pages is printed while it is read, in one piece, and ends with its reader', async (t) => {
	const { bursarctl, service } = await openShop(t);
	const middle = await startMiddle(t, service.url);
	let page = 0;
	middle.rewrite = (text) => {
		const envelope = JSON.parse(text);
		const first = page * PAGE_ROWS;
		const isLast = ++page === PAGES;
		const sub_users = Array.from({ length: isLast ? 1 : PAGE_ROWS }, (_, index) => ({
			username: `user.${first + index}`,
			balance: index,
			proxy_authkey: 'x',
			date_created: '2026-11-21T00:00:00.000Z',
			state: 'active',
			...{ usable: false, reason: 'exhausted', used: { day_bytes: 1, month_bytes: 2, total_bytes: 3 } },
		}));
		return JSON.stringify({ ...envelope, data: { sub_users, next: isLast ? null : `user.${first}` } });
	};
	const list = (...args: string[]) => {
		page = 0;
		return bursarctl.print('sub-user', 'list', '--url', middle.url, ...args);
	};
	const rows = (PAGES - 1) * PAGE_ROWS + 1;
	const names = Array.from({ length: rows }, (_, index) => `user.${index}`);
	assert.deepEqual(
		JSON.parse(await list('--json=username')).map(({ username }: { username: string }) => username),
		names,
	);
	const csv = (await list('--csv')).trimEnd().split('\n');
	assert.deepEqual(
		csv.map((line) => line.split(',')[0]),
		['username', ...names],
	);
	const table = (await list()).trimEnd().split('\n');
	assert.deepEqual(
		table.map((line) => line.split(' ')[0]),
		['USERNAME', ...names],
	);
	assert.match(table[1] ?? '', /^user\.0 {6}/, 'the columns fit a page');
	assert.match(table.at(-1) ?? '', /^user\.2000 {9}0\.00 /, 'those of a later page are not narrower');

	page = 0;
	const { child, ended } = bursarctl.spawn(['sub-user', 'list', '--csv', '--url', middle.url]);
	child.stdout.destroy();
	assert.deepEqual([(await ended).code, (await ended).stderr], [0, '']);
	assert.ok(page < PAGES, 'it reads no more pages');
});
