import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { mountSmallDisk } from '@bursar/testing/small-disk';
import { rowsIn, saidIn } from '../support/bursarctl.ts';
import { fileOf, names } from '../support/input.ts';
import { movementsOf } from '../support/ledger.ts';
import { startMiddle } from '../support/middle.ts';
import { openShop } from '../support/shop.ts';

/** So many that their rows and their journal need many pages of a disk. */
const SUB_USERS = 400;
/** Like a container: its own process numbers, but here the same host name as the others. */
const IN_A_NAMESPACE = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child'];
const appendTo = (file: string) => ['sh', '-c', `exec "$0" "$@" >> ${file}`];

test('two runs in two PID namespaces with one host name never use one journal at the same time', async (t) => {
	const { bursarctl, service } = await openShop(t);
	await bursarctl.print('sub-user', 'create', 'alice', '--yes');
	const middle = await startMiddle(t, service.url);
	middle.fateOf = (path) => (path.endsWith('give_balance') ? { lateMs: 3_600_000 } : 'pass');
	const file = fileOf(t, 'alice,0.05\nalice,0.07\n');
	const lock = `${file}.journal.lock`;
	const give = ['balance', 'give', '--all', file, '--yes', '--json'];
	const args = [...give, '--url', middle.url];
	const first = bursarctl.spawn(args, {}, IN_A_NAMESPACE);
	await eventually(async () => assert.ok(middle.paths.some((path) => path.endsWith('give_balance'))), 60_000);
	const asks = middle.paths.length;
	const assertRefused = async (under: readonly string[]) => {
		const { code, stderr } = await bursarctl.spawn(args, {}, under).ended;
		assert.deepEqual([code, saidIn(stderr).error.code], [2, 'journal_in_use'], stderr);
		assert.match(saidIn(stderr).error.message, /cannot be seen from here\)\. Only if you are sure that it has ended/);
	};
	for (const under of [IN_A_NAMESPACE, []]) await assertRefused(under);
	first.child.kill('SIGKILL');
	await first.ended;
	for (const under of [IN_A_NAMESPACE, []]) await assertRefused(under);
	assert.equal(middle.paths.length, asks, 'nothing was sent');

	rmSync(lock);
	middle.fateOf = () => 'pass';
	const last = await bursarctl.spawn(args, {}, IN_A_NAMESPACE).ended;
	assert.equal(last.code, 0, last.stderr);
	assert.ok(!existsSync(lock));
	assert.deepEqual(await movementsOf(service), { fees: 1, moved: { alice: 12 }, transfers: 2 });
});

describe('a disk', () => {
	test('that becomes full at any point loses no key and pays for nothing twice', async (t) => {
		const { bursarctl, service } = await openShop(t);
		const disk = mountSmallDisk(t, 256 * 1024);
		const file = join(disk.folder, 'names');
		const out = join(disk.folder, 'out');
		writeFileSync(file, names(SUB_USERS));
		const create = ['sub-user', 'create', '--all', file, '--yes', '--json'];
		for (let pages = 0; pages < 24; pages += 2) {
			disk.fillBut(pages);
			const { code, stderr } = await bursarctl.spawn(create, {}, appendTo(out)).ended;
			const { error } = saidIn(stderr);
			t.diagnostic(`${pages} pages: ${code} ${error?.code}`);
			disk.clear();
			if (code === 0) break;
			assert.match(error.code, /^(journal_failed|output_failed|outcome_unknown)$/);
			// A torn row has no line end.
			writeFileSync(out, '\n', { flag: 'a' });
		}
		const last = await bursarctl.spawn(create, {}, appendTo(out)).ended;
		assert.equal(last.code, 0, last.stderr);
		assert.equal((await movementsOf(service)).fees, SUB_USERS);
		assert.equal((await bursarctl.json('account')).balance_usd_cents, 10_000 - SUB_USERS * 10);
		assert.deepEqual(
			readdirSync(disk.folder).filter((name) => /unfinished|\.lock/.test(name)),
			[],
		);
		const keys = new Map(wholeRows(out).map((row) => [row.username, row.proxy_authkey]));
		const list: { username: string; proxy_authkey: string }[] = await bursarctl.json('sub-user', 'list');
		for (const { username, proxy_authkey: key } of list) assert.equal(keys.get(username), key, username);
	});

	test('that is full during --left loses no line', async (t) => {
		const { bursarctl, service } = await openShop(t);
		const disk = mountSmallDisk(t, 256 * 1024);
		const file = join(disk.folder, 'amounts');
		const to = join(disk.folder, 'rest');
		const usernames = Array.from({ length: 60 }, (_, index) => `user.${index}`);
		writeFileSync(file, usernames.map((username) => `${username},0.01\n`).join(''));
		const give = ['balance', 'give', '--yes', '--json', '--all'];
		assert.equal((await bursarctl.run(...give, file)).code, 4, 'no sub-user exists yet');
		let isWritten = false;
		for (let pages = 0; !isWritten && pages < 20; pages++) {
			disk.fillBut(pages);
			const { code, stderr } = await bursarctl.run(...give, file, '--left', to);
			t.diagnostic(`${pages} pages: ${code} ${saidIn(stderr).error?.code}`);
			isWritten = code === 0;
			assert.equal(existsSync(to), isWritten);
			disk.clear();
		}
		assert.ok(isWritten);
		const create = ['sub-user', 'create', '--yes', '--all', fileOf(t, names(60))];
		assert.equal((await bursarctl.run(...create)).code, 0);
		assert.equal((await bursarctl.run(...give, to)).code, 0);
		assert.equal((await bursarctl.run(...give, file)).code, 2);
		const moved = Object.fromEntries(usernames.map((username) => [username, 1]));
		assert.deepEqual(await movementsOf(service), { fees: 60, moved, transfers: 60 });
	});
});

function wholeRows(file: string): ReturnType<typeof rowsIn> {
	return readFileSync(file, 'utf8')
		.split('\n')
		.flatMap((line) => {
			try {
				return rowsIn(line);
			} catch {
				return [];
			}
		});
}
