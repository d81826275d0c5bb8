import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, linkSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Bursar } from '@bursar/client';
import { eventually } from '@bursar/testing/eventually';
import type { JournalEntry } from '../../src/bulk/journal/line-history.ts';
import { rowsIn, saidIn } from '../support/bursarctl.ts';
import { fileOf, names } from '../support/input.ts';
import { begunAgo, journalOf } from '../support/journal.ts';
import { movementsOf } from '../support/ledger.ts';
import { startMiddle, withClockAhead } from '../support/middle.ts';
import { openShop, shopWith } from '../support/shop.ts';

/** More than a command takes to start on a busy machine. */
const START_MS = 60_000;

describe('the journal of a bulk form', { concurrency: 2 }, () => {
	test('a journal belongs to one file, one operation and one service', async (t) => {
		const { bursarctl, service } = await openShop(t);
		const file = fileOf(t, 'alice\n');
		await bursarctl.print('sub-user', 'create', '--all', file, '--yes');
		const before = readFileSync(`${file}.journal`, 'utf8');
		const middle = await startMiddle(t, service.url);
		const refused = async (code: string, message: RegExp, ...args: string[]) => {
			const ending = await bursarctl.run(...args, '--all', file, '--yes', '--json');
			assert.equal(ending.code, 2, ending.stderr);
			assert.equal(saidIn(ending.stderr).error.code, code);
			assert.match(saidIn(ending.stderr).error.message, message);
		};
		await refused('other_journal', /another operation \(create\)/, 'sub-user', 'reset-key');
		await refused('other_journal', /another service/, 'sub-user', 'create', '--url', middle.url);
		await refused('not_a_journal', /not a journal/, 'sub-user', 'create', '--journal', file);
		assert.equal(readFileSync(file, 'utf8'), 'alice\n');
		appendFileSync(file, 'bruno\n');
		await refused('changed_file', /the file has changed/, 'sub-user', 'create');
		assert.equal(readFileSync(`${file}.journal`, 'utf8'), before);
		assert.deepEqual(middle.paths, []);
	});

	test('the torn end that a crash leaves is cut off; damage before complete lines is refused', async (t) => {
		const { bursarctl } = await openShop(t);
		const file = fileOf(t, 'alice\nbruno\nchiara\n');
		const create = ['sub-user', 'create', '--all', file, '--yes', '--json'];
		assert.equal((await bursarctl.run(...create)).code, 0);
		const whole = readFileSync(`${file}.journal`, 'utf8').split('\n');
		for (const torn of ['{"line":2,"sta', '{"line":2,"st\n', '\0\0\0\0\0', '\0\0\n\0\0']) {
			writeFileSync(`${file}.journal`, `${whole.slice(0, 4).join('\n')}\n${torn}`);
			const { code, stderr } = await bursarctl.run(...create);
			assert.equal(code, 0, stderr);
			assert.deepEqual(saidIn(stderr).summary.fee, { min_cents: 30, max_cents: 30 }, 'nothing more was paid');
			for (const line of readFileSync(`${file}.journal`, 'utf8').trimEnd().split('\n')) JSON.parse(line);
		}
		writeFileSync(`${file}.journal`, whole.with(2, 'damaged').join('\n'));
		const damaged = await bursarctl.run(...create);
		assert.deepEqual([damaged.code, saidIn(damaged.stderr).error.code], [2, 'damaged_journal']);
		assert.match(saidIn(damaged.stderr).error.message, /damaged in line 3/);
		assert.equal((await bursarctl.json('account')).balance_usd_cents, 10_000 - 30);
	});

	test('a file that is not a valid journal is refused, with advice that pays nothing twice', async (t) => {
		const { bursarctl, service } = await openShop(t);
		const middle = await startMiddle(t, service.url);
		const file = fileOf(t, 'alice\n');
		const journal = `${file}.journal`;
		const whole = journalOf(file, 'create', middle.url, []);
		const refused = async (code: string, message: RegExp, path = journal) => {
			const { stderr, ...ending } = await bursarctl.run(
				...['sub-user', 'create', '--all', file, '--journal', path, '--yes', '--json', '--url', middle.url],
			);
			assert.deepEqual([ending.code, saidIn(stderr).error.code], [2, code], stderr);
			assert.match(saidIn(stderr).error.message, message);
			assert.match(saidIn(stderr).error.message, /Nothing was sent$/);
		};
		for (const [text, code] of [
			['', 'empty_journal'],
			['\n', 'not_a_journal'],
			['\0'.repeat(4096), 'not_a_journal'],
			[gzipSync(whole), 'not_a_journal'],
			[Buffer.from(`\ufeff${whole}`, 'utf16le'), 'not_a_journal'],
			[whole.slice(0, -1), 'not_a_journal'],
			[whole.replace('"version":3', '"version":2'), 'not_a_journal'],
		] as const) {
			writeFileSync(journal, text);
			await refused(code, /a new journal would send all lines again\. Only if none/);
		}
		writeFileSync(journal, `${whole}${'\0'.repeat(100_000)}`);
		await refused('damaged_journal', /damaged in line 2/);
		writeFileSync(journal, whole.replace(middle.url, 'https://other.example'));
		await refused('other_journal', /If this is the same service under another address, give that address/);
		writeFileSync(journal, whole);
		linkSync(journal, `${file}.linked`);
		await refused('linked_journal', /has 2 names \(hard links\).*Make sure that none does/);
		await refused('linked_journal', /has 2 names/, `${file}.linked`);
		mkdirSync(`${file}.folder`);
		await refused('unreadable_file', /not a regular file/, `${file}.folder`);
		if (process.platform !== 'win32') {
			execFileSync('mkfifo', [`${file}.pipe`]);
			for (const path of [`${file}.pipe`, '/dev/null']) await refused('unreadable_file', /not a regular file/, path);
		}
		assert.deepEqual(middle.paths, []);
	});

	test('the output of a run cannot go into its own journal or file', {
		skip: process.platform === 'win32' && 'there is no sh here',
	}, async (t) => {
		const { bursarctl, service } = await openShop(t);
		const file = fileOf(t, 'alice\nbruno\n');
		const create = ['sub-user', 'create', '--all', file, '--yes', '--json'];
		assert.equal((await bursarctl.run(...create)).code, 0);
		const before = readFileSync(`${file}.journal`, 'utf8');
		for (const [redirection, kept] of [
			[`>> ${file}.journal`, before],
			[`2>> ${file}.journal`, before],
			[`> ${file}.2 --journal ${file}.2`, ''],
		] as const) {
			const { code } = await bursarctl.spawn(create, {}, ['sh', '-c', `exec "$0" "$@" ${redirection}`]).ended;
			assert.equal(code, 2, redirection);
			const after = readFileSync(kept === '' ? `${file}.2` : `${file}.journal`, 'utf8');
			assert.ok(after.startsWith(kept) && rowsIn(after.slice(kept.length)).every(({ error }) => error), after);
			writeFileSync(`${file}.journal`, before);
		}
		const asInput = await bursarctl.spawn(create, {}, ['sh', '-c', `exec "$0" "$@" >> ${file}`]).ended;
		assert.deepEqual([asInput.code, saidIn(asInput.stderr).error.code], [2, 'output_is_input']);
		assert.equal((await movementsOf(service)).fees, 2);
	});

	test('after outcome_unknown and a kill, a refusal proves nothing; the line is done once, with its id', async (t) => {
		const { bursarctl, service } = await shopWith(t, 'alice');
		const middle = await startMiddle(t, service.url);
		middle.fateOf = (path) => (path.endsWith('take_balance') ? 'say_unknown' : 'pass');
		const file = fileOf(t, 'alice,5.00\n');
		const take = ['balance', 'take', '--all', file, '--yes', '--json', '--url', middle.url];
		const { child, ended } = bursarctl.spawn(take);
		const isNoted = () => readFileSync(`${file}.journal`, 'utf8').includes('may_happen_later":true');
		await eventually(async () => assert.ok(isNoted()), START_MS);
		child.kill('SIGKILL');
		await ended;
		middle.fateOf = () => 'pass';
		// The last request of the killed run has expired.
		middle.rewrite = withClockAhead(120);
		const refused = await bursarctl.run(...take);
		assert.equal(refused.code, 6, refused.stderr);
		assert.match(rowsIn(refused.stdout)[0].error.message, /take alice 500 cents.*the service may still do it/);
		await bursarctl.print('balance', 'give', 'alice', '7.00', '--yes');
		const last = await bursarctl.run(...take);
		assert.equal(last.code, 0, last.stderr);
		assert.deepEqual(await movementsOf(service), { fees: 1, moved: { alice: 200 }, transfers: 2 });
	});

	test('after outcome_unknown on a full disk, each line is done once', {
		skip: process.platform !== 'linux' && 'the shell has no limit for files here',
	}, async (t) => {
		const { bursarctl, service } = await openShop(t);
		const people = Array.from({ length: 12 }, (_, index) => `user${index + 10}`);
		for (const name of people) await bursarctl.print('sub-user', 'create', name, '--yes');
		const middle = await startMiddle(t, service.url);
		middle.fateOf = (path) => (path.endsWith('give_balance') ? 'say_unknown' : 'pass');
		const file = fileOf(t, people.map((name) => `${name},0.05\n`).join(''));
		const give = ['balance', 'give', '--all', file, '--yes', '--json', '--concurrency', '12', '--url', middle.url];
		// Room for the beginnings of all lines, and not for their ends.
		const limited = ['sh', '-c', `trap '' XFSZ; ulimit -f 4; exec "$0" "$@"`];
		const full = await bursarctl.spawn(give, {}, limited).ended;
		assert.equal(full.code, 6, full.stderr);
		const begun = saidIn(full.stderr).summary.unknown.length;
		assert.equal(rowsIn(full.stdout).length, begun, 'each line prints its row');
		assert.ok(begun > 0);
		const noted = readFileSync(`${file}.journal`, 'utf8').split('may_happen_later":true').length - 1;
		assert.ok(noted >= begun, 'there is room for what the service itself does not know');

		middle.fateOf = () => 'pass';
		const again = await bursarctl.run(...give);
		assert.equal(again.code, 0, again.stderr);
		const moved = Object.fromEntries(people.map((name) => [name, 5]));
		assert.deepEqual(await movementsOf(service), { fees: people.length, moved, transfers: people.length });
	});

	test('a line in doubt is sent again with its id, and its outcome is found; after 47 hours, it is never sent', async (t) => {
		const { bursarctl, service, token } = await shopWith(t, 'alice');
		const client = new Bursar({ baseUrl: service.url, token });
		const file = fileOf(t, 'alice,0.01\nalice,0.02\nalice,0.04\nalice,0.08\n');
		const changeIds = ['mgd3k1c0-was-done', 'mgd3k1c0-was-never-done', 'mgd3k1c0-is-forgotten'];
		await client.subUsers.give('alice', 1, { changeId: changeIds[0] as string });
		await client.subUsers.take('alice', 1);
		const begun = (line: number, cents: number, hoursAgo: number): JournalEntry => ({
			...{ line, state: 'begun', ...begunAgo(hoursAgo), username: 'alice', amount_usd_cents: cents },
			change_id: changeIds[line - 1] as string,
		});
		journalOf(file, 'give', service.url, [begun(1, 1, 40), begun(2, 2, 46), begun(3, 4, 48)]);
		const { code, stdout, stderr } = await bursarctl.run('balance', 'give', '--all', file, '--yes', '--json');
		assert.equal(code, 6, stderr);
		assert.deepEqual(
			rowsIn(stdout).map(({ line, balance_usd_cents: balance, confirmed_by: by }) => [line, balance, by]),
			[
				[1, 1, 'look'],
				[2, 2, 'answer'],
				[4, 10, 'answer'],
			],
		);
		const { summary, error } = saidIn(stderr);
		assert.deepEqual(summary.unknown, [{ line: 3, username: 'alice' }]);
		assert.match(error.message, /look at them yourself: these lines are never sent again/);
		assert.equal((await client.subUsers.retrieve('alice')).balanceCents, 10);
		const journal = readFileSync(`${file}.journal`, 'utf8')
			.trimEnd()
			.split('\n')
			.map((line) => JSON.parse(line));
		const own = journal.find(({ line, state }) => line === 4 && state === 'begun');
		assert.equal(
			(await client.changes.retrieve(own.change_id))?.amountCents,
			8,
			'the journal names the id of each line',
		);
	});

	test("the service's clock tells how old a line in doubt is; if that clock was set back, the line is not old", async (t) => {
		const { bursarctl, service } = await shopWith(t, 'alice');
		const middle = await startMiddle(t, service.url);
		const file = fileOf(t, 'alice,0.01\nalice,0.02\n');
		const begun = (line: number, hoursAgo: number): JournalEntry => ({
			...{ line, state: 'begun', ...begunAgo(hoursAgo), username: 'alice', amount_usd_cents: line },
			change_id: `mgd3k1c0-of-line-${line}`,
		});
		journalOf(file, 'give', middle.url, [begun(1, 1), begun(2, -2)]);
		const give = ['balance', 'give', '--all', file, '--yes', '--json', '--url', middle.url];
		middle.rewrite = withClockAhead(50 * 3600);
		const late = await bursarctl.run(...give);
		assert.equal(late.code, 6, late.stderr);
		assert.match(saidIn(late.stderr).error.message, /these lines are never sent again/);
		assert.ok(!middle.paths.some((path) => path.endsWith('give_balance')));
		middle.rewrite = (text) => text;
		const early = await bursarctl.run(...give);
		assert.equal(early.code, 0, early.stderr);
		assert.deepEqual(await movementsOf(service), { fees: 1, moved: { alice: 3 }, transfers: 2 });
	});

	test("if the service's clock was ahead when a request was sent, no run believes a refusal before that time", async (t) => {
		const { bursarctl, service, token } = await shopWith(t, 'alice', 'bruno');
		const client = new Bursar({ baseUrl: service.url, token });
		const middle = await startMiddle(t, service.url);
		const file = fileOf(t, 'alice,1.00\n');
		const give = ['balance', 'give', '--all', file, '--yes', '--json', '--url', middle.url];
		const isGive = (path: string) => path.endsWith('give_balance');
		const held = Promise.withResolvers<void>();
		middle.rewrite = withClockAhead(600);
		middle.fateOf = (path) => (isGive(path) ? { until: held.promise } : 'pass');
		const { child, ended } = bursarctl.spawn(give);
		await eventually(async () => assert.ok(middle.paths.some(isGive)), START_MS);
		child.kill('SIGKILL');
		await ended;
		middle.rewrite = (text) => text;
		middle.fateOf = () => 'pass';
		const { balanceCents } = await client.account.retrieve();
		await client.subUsers.give('bruno', balanceCents);
		const refused = await bursarctl.run(...give);
		assert.equal(refused.code, 6, refused.stderr);
		assert.match(rowsIn(refused.stdout)[0].error.message, /no time to wait until it can no longer arrive/);
		await client.subUsers.take('bruno', balanceCents);
		held.resolve();
		await eventually(async () => assert.equal((await client.subUsers.retrieve('alice')).balanceCents, 100));
		const last = await bursarctl.run(...give);
		assert.equal(last.code, 0, last.stderr);
		assert.equal((await client.subUsers.retrieve('alice')).balanceCents, 100, 'it was given once');
	});

	test('a line in doubt is not sent again to a service that does not show that it knows ids, done or not', async (t) => {
		const { bursarctl, service, token } = await shopWith(t, 'alice');
		const client = new Bursar({ baseUrl: service.url, token });
		const middle = await startMiddle(t, service.url, 'few_headers');
		const file = fileOf(t, 'alice,0.05\nalice,0.07\n');
		const begun = (line: number, cents: number): JournalEntry => ({
			...{ line, state: 'begun', ...begunAgo(0), username: 'alice', amount_usd_cents: cents },
			change_id: `mgd3k1c0-of-line-${line}`,
		});
		await client.subUsers.give('alice', 7, { changeId: 'mgd3k1c0-of-line-2' });
		journalOf(file, 'give', middle.url, [begun(1, 5), begun(2, 7)]);
		const give = ['balance', 'give', '--all', file, '--yes', '--json', '--url', middle.url];
		const { code, stdout } = await bursarctl.run(...give);
		assert.equal(code, 6);
		for (const { error } of rowsIn(stdout)) assert.match(error.message, /do not show that it honours X-Change-Id/);
		assert.equal((await client.subUsers.retrieve('alice')).balanceCents, 7);
	});

	test('a lost answer leaves no line unknown', async (t) => {
		const { bursarctl, service } = await shopWith(t, 'alice', 'bruno');
		const middle = await startMiddle(t, service.url);
		let gives = 0;
		middle.fateOf = (path) => {
			if (!path.endsWith('give_balance')) return 'pass';
			return (['lose_answer', 'lose_request', 'pass'] as const)[gives++ % 3] ?? 'pass';
		};
		const file = fileOf(t, 'alice,0.01\nalice,0.02\nbruno,0.04\nalice,0.08\n');
		const args = ['balance', 'give', '--all', file, '--yes', '--json', '--concurrency', '1', '--url', middle.url];
		const { code, stderr } = await bursarctl.run(...args);
		assert.equal(code, 0, stderr);
		assert.deepEqual((await movementsOf(service)).moved, { alice: 11, bruno: 4 });
	});

	test('two runs of one file are never under way at the same time, with one journal or two; a killed one stops no other', async (t) => {
		const { bursarctl, service } = await openShop(t);
		const middle = await startMiddle(t, service.url);
		for (const [ofFirst, ofSecond, held] of [
			[[], [], 'create'],
			[[], ['--journal', 'other'], 'my_info'],
			[['--journal', 'other'], [], 'my_info'],
		] as const) {
			middle.fateOf = (path) => (path.endsWith(held) ? { lateMs: 60_000 } : 'pass');
			middle.paths.length = 0;
			const file = fileOf(t, 'alice\n');
			const create = (options: readonly string[]) => [
				...['sub-user', 'create', '--all', file, '--yes', '--json', '--url', middle.url],
				...options.map((option) => option.replace('other', `${file}.other`)),
			];
			const first = bursarctl.spawn(create(ofFirst));
			await eventually(async () => assert.ok(middle.paths.some((path) => path.endsWith(held))), START_MS);
			assert.equal(existsSync(`${file}.journal`), held === 'create', 'it asks first whether the reseller can pay');
			const second = await bursarctl.run(...create(ofSecond));
			assert.deepEqual([second.code, saidIn(second.stderr).error.code], [2, 'journal_in_use'], second.stderr);
			first.child.kill('SIGKILL');
			await first.ended;
			assert.ok(existsSync(`${file}.journal.lock`));
			middle.fateOf = () => 'pass';
			const third = await bursarctl.run(...create(ofSecond));
			assert.equal(third.code, 0, third.stderr);
			assert.ok(!existsSync(`${file}.journal.lock`));
		}
		const file = fileOf(t, 'bruno\n');
		writeFileSync(`${file}.journal.lock`, JSON.stringify({ pid: 1, host: 'elsewhere.example' }));
		const elsewhere = await bursarctl.run('sub-user', 'create', '--all', file, '--yes', '--json');
		assert.deepEqual([elsewhere.code, saidIn(elsewhere.stderr).error.code], [2, 'journal_in_use']);
	});

	test('if the journal cannot be written, nothing more is sent, and the run can go on later', {
		skip: process.platform !== 'linux' && 'the shell has no limit for files here',
	}, async (t) => {
		const { bursarctl } = await openShop(t);
		const file = fileOf(t, names(200));
		const args = ['sub-user', 'create', '--all', file, '--yes', '--json'];
		const noFolder = await bursarctl.run(...args, '--journal', '/nowhere/journal');
		assert.deepEqual([noFolder.code, saidIn(noFolder.stderr).error.code], [1, 'journal_failed']);
		assert.equal((await bursarctl.json('account')).balance_usd_cents, 10_000);

		// No file may grow beyond some kilobytes. To the journal, this is like a full disk.
		const limited = ['sh', '-c', `trap '' XFSZ; ulimit -f 8; exec "$0" "$@"`];
		const full = await bursarctl.spawn(args, {}, limited).ended;
		const { error, summary } = saidIn(full.stderr);
		const { code, message } = error;
		// Only a line that was sent and whose end could not be written is unknown.
		const expected = summary.unknown.length > 0 ? [6, 'outcome_unknown'] : [1, 'journal_failed'];
		assert.deepEqual([full.code, code], expected, full.stderr);
		assert.match(message, /the journal could not be written, so nothing more was begun/);
		const created = (await bursarctl.json('sub-user', 'list')).length;
		assert.equal(rowsIn(full.stdout).length, created, 'the results are printed anyway');
		assert.ok(created > 0 && created < 200, String(created));
		const again = await bursarctl.run(...args);
		assert.equal(again.code, 0, again.stderr);
		assert.equal((await bursarctl.json('account')).balance_usd_cents, 10_000 - 200 * 10);
	});
});
