import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { BursarClient } from '@bursar/client';
import { createChange } from '../src/bulk/changes.ts';
import { readInput } from '../src/bulk/input.ts';
import { openJournal } from '../src/bulk/journal.ts';
import { runBulk } from '../src/bulk/run.ts';
import { rowsIn, saidIn } from './support/bursarctl.ts';
import { fileOf, names } from './support/input.ts';
import { openShop } from './support/shop.ts';

const INTO_FULL = ['sh', '-c', 'exec "$0" "$@" > /dev/full'];
const withoutFull = { skip: process.platform !== 'linux' && 'there is no /dev/full here' };

describe('the rows of a bulk form', { concurrency: 2 }, () => {
	test('each is out before the journal says that its line is done', async (t) => {
		const { service, token } = await openShop(t);
		const file = fileOf(t, names(20));
		const { lines, sha256 } = readInput(file, createChange);
		const path = `${file}.journal`;
		const header = {
			version: 1,
			operation: 'create',
			url: '',
			reseller: '',
			input_sha256: sha256,
			began: '',
		} as const;
		const journal = await openJournal(path, header, undefined);
		t.after(() => journal.close());
		const never = new AbortController().signal;
		let rows = 0;
		const stoppedBy = await runBulk({
			change: createChange,
			client: new BursarClient({ baseUrl: service.url, token }),
			lines,
			journal,
			concurrency: 4,
			isSoleWriter: false,
			settleLimitMs: 60_000,
			interrupts: { stop: never, leave: never, changeBegins() {} },
			async printRow({ input, verdict, fee }) {
				// Longer than the disk needs.
				await setTimeout(20);
				const written = readFileSync(path, 'utf8');
				assert.match(written, new RegExp(`"line":${input.line},"state":"begun"`));
				assert.doesNotMatch(written, new RegExp(`"line":${input.line},"state":"done"`));
				assert.deepEqual([verdict.state, fee], ['done', { minCents: 10, maxCents: 10 }]);
				rows++;
			},
		});
		assert.deepEqual([stoppedBy, rows], [undefined, 20]);
	});

	test(
		'proxy auth keys that could not be printed are not done: it stops, and the next run prints them',
		withoutFull,
		async (t) => {
			const { bursarctl } = await openShop(t);
			const file = fileOf(t, names(30));
			const create = ['sub-user', 'create', '--all', file, '--yes', '--json', '--concurrency', '3'];
			const full = await bursarctl.spawn(create, {}, INTO_FULL).ended;
			const { summary, error } = saidIn(full.stderr);
			assert.deepEqual([full.code, error.code], [1, 'output_failed'], full.stderr);
			assert.match(error.message, /could not be written \(ENOSPC\); stopped, with 2[789] lines not begun/);
			assert.equal(rowsIn(full.stderr).length, 2, 'one summary, one error');
			const created = (await bursarctl.json('sub-user', 'list')).length;
			assert.ok(created >= 1 && created <= 3, String(created));
			assert.deepEqual([summary.done, summary.not_done], [0, { output_failed: created }]);
			assert.deepEqual(summary.fee, { min_cents: created * 10, max_cents: created * 10 });

			const again = await bursarctl.run(...create);
			assert.equal(again.code, 0, again.stderr);
			const keys = new Map(rowsIn(again.stdout).map((row) => [row.username, row.proxy_authkey]));
			for (const { username, proxy_authkey: key } of await bursarctl.json('sub-user', 'list')) {
				assert.equal(keys.get(username), key);
			}
			assert.equal(keys.size, 30);
			assert.deepEqual(saidIn(again.stderr).summary.fee, { min_cents: 300, max_cents: 300 });
			assert.equal((await bursarctl.json('account')).balance, 10_000 - 300);

			const reset = ['sub-user', 'reset-key', '--all', file, '--journal', `${file}.2`];
			const titles = await bursarctl.spawn(reset, {}, INTO_FULL).ended;
			assert.equal(titles.code, 1);
			assert.equal(titles.stderr, 'bursarctl: standard output could not be written (ENOSPC)\n');
			assert.equal((await bursarctl.json('sub-user', 'show', 'user.0')).proxy_authkey, keys.get('user.0'));
		},
	);

	test(
		'a transfer whose row could not be printed is done all the same, and is not sent again',
		withoutFull,
		async (t) => {
			const { bursarctl } = await openShop(t);
			await bursarctl.print('sub-user', 'create', 'alice', '--yes');
			const file = fileOf(t, 'alice,1\nalice,20\n');
			const give = ['balance', 'give', '--all', file, '--yes', '--json'];
			const full = await bursarctl.spawn(give, {}, INTO_FULL).ended;
			const { summary, error } = saidIn(full.stderr);
			assert.deepEqual([full.code, error.code, summary.done, summary.left], [1, 'output_failed', 1, 1]);
			const again = await bursarctl.run(...give);
			assert.equal(again.code, 0, again.stderr);
			assert.deepEqual(
				rowsIn(again.stdout).map(({ line, balance }) => [line, balance]),
				[[2, 21]],
			);
		},
	);

	test('it stops too where nobody reads them any more', async (t) => {
		const { bursarctl } = await openShop(t);
		const file = fileOf(t, names(200));
		const create = ['sub-user', 'create', '--all', file, '--yes', '--json'];
		const { child, ended } = bursarctl.spawn(create);
		child.stdout?.once('data', () => child.stdout?.destroy());
		const { code, stderr } = await ended;
		const { summary, error } = saidIn(stderr);
		assert.deepEqual([code, error.code], [1, 'output_failed'], stderr);
		assert.match(error.message, /its reader is gone/);
		assert.ok(summary.left > 0, stderr);
		const again = await bursarctl.run(...create);
		assert.equal(again.code, 0, again.stderr);
		assert.equal((await bursarctl.json('account')).balance, 10_000 - 2000);
	});
});

test('what cannot be printed is told once, with --json as an object', withoutFull, async (t) => {
	const { bursarctl } = await openShop(t);
	const asJson = await bursarctl.spawn(['account', '--json'], {}, INTO_FULL).ended;
	assert.equal(asJson.code, 1);
	assert.deepEqual(JSON.parse(asJson.stderr), {
		error: { code: 'output_failed', message: 'standard output could not be written (ENOSPC)' },
	});
	const forPeople = await bursarctl.spawn(['account'], {}, INTO_FULL).ended;
	assert.deepEqual(
		[forPeople.code, forPeople.stderr],
		[1, 'bursarctl: standard output could not be written (ENOSPC)\n'],
	);
});
