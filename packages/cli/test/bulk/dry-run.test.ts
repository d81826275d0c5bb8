import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { JournalEntry } from '../../src/bulk/journal/line-history.ts';
import { rowsIn, saidIn } from '../support/bursarctl.ts';
import { fileOf } from '../support/input.ts';
import { begunAgo, journalOf } from '../support/journal.ts';
import { startMiddle } from '../support/middle.ts';
import { openShop } from '../support/shop.ts';

describe('--dry-run', { concurrency: 2 }, () => {
	test('shows what a run would send and what it costs; sends, writes and asks nothing', async (t) => {
		const { bursarctl, service } = await openShop(t);
		const middle = await startMiddle(t, service.url);
		const names = fileOf(t, 'username\nalice\nbruno\n');
		const create = ['sub-user', 'create', '--all', names, '--url', middle.url, '--dry-run'];
		const shown = await bursarctl.run(...create);
		assert.deepEqual(
			[shown.code, shown.stdout],
			[0, 'LINE  USERNAME  STEP\n   2  alice     to send\n   3  bruno     to send\n'],
		);
		assert.equal(
			shown.stderr,
			`${names}:1: this line is a heading and is skipped\ndry run, nothing was sent: 2 to send\nit would create 2 sub-users for up to 0.20 USD\n`,
		);
		const asJson = await bursarctl.run(...create, '--json');
		assert.deepEqual(rowsIn(asJson.stdout), [
			{ line: 2, username: 'alice', step: 'send' },
			{ line: 3, username: 'bruno', step: 'send' },
		]);
		assert.deepEqual(saidIn(asJson.stderr).dry_run, {
			lines: 2,
			send: 2,
			look: 0,
			done_before: 0,
			never_again: 0,
			spends_max_cents: 20,
		});
		const amounts = fileOf(t, 'alice,1.50\nbruno,0.05\n');
		const take = await bursarctl.run('balance', 'take', '--all', amounts, '--url', middle.url, '--dry-run');
		assert.match(take.stdout, /^LINE {2}USERNAME {2}STEP {5}AMOUNT USD\n {3}1 {2}alice {5}to send {8}1\.50\n/);
		assert.match(take.stderr, /it would take 1\.55 USD in 2 transfers\n$/);
		assert.deepEqual(middle.paths, []);
		for (const file of [names, amounts]) {
			assert.ok(!existsSync(`${file}.journal`) && !existsSync(`${file}.journal.lock`));
		}
	});

	test('uses the journal: shows which lines are done or open, without asking the service how old they are', async (t) => {
		const { bursarctl, service } = await openShop(t);
		const file = fileOf(t, 'alice,0.01\nalice,0.02\nalice,0.04\nbruno,0.08\nchiara,0.16\nbruno,0.32\n');
		const begun = (line: number, username: string, cents: number, hoursAgo = 0): JournalEntry => ({
			...{ line, state: 'begun', change_id: `mgd3k1c0-of-line-${line}`, username, amount_usd_cents: cents },
			...begunAgo(hoursAgo),
		});
		const journal = journalOf(file, 'give', service.url, [
			begun(1, 'alice', 1),
			{ line: 1, state: 'done' },
			begun(2, 'alice', 2),
			begun(5, 'chiara', 16, 48),
			{ line: 6, state: 'not_done', code: 'unavailable' },
		]);
		const give = ['balance', 'give', '--all', file, '--dry-run'];
		const asJson = await bursarctl.run(...give, '--json');
		assert.deepEqual(
			rowsIn(asJson.stdout).map(({ line, step }) => `${line} ${step}`),
			['2 look', '3 send', '4 send', '5 look', '6 send'],
		);
		assert.equal(saidIn(asJson.stderr).dry_run.spends_max_cents, 62);
		const { stderr } = await bursarctl.run(...give);
		assert.match(stderr, /^careful: .*\ndry run, nothing was sent: 3 to send, 2 to look for, 1 done before\n/);
		assert.match(stderr, /\nit would give 0\.62 USD in 5 transfers\njournal: .*\n$/);
		assert.equal(readFileSync(`${file}.journal`, 'utf8'), journal);
	});
});
