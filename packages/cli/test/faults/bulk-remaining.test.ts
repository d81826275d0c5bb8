import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { Bursar } from '@bursar/client';
import { eventually } from '@bursar/testing/eventually';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { rowsIn, saidIn } from '../support/bursarctl.ts';
import { fileOf } from '../support/input.ts';
import { begunAgo, journalOf } from '../support/journal.ts';
import { movementsOf } from '../support/ledger.ts';
import { startMiddle } from '../support/middle.ts';
import { withChangedFs } from '../support/preload.ts';
import { shopWith } from '../support/shop.ts';

/** A shop with these sub-users, and the name of a file for the rest. */
async function shopAndRest(t: TestContext, ...usernames: string[]) {
	return { ...(await shopWith(t, ...usernames)), to: join(temporaryFolder(t), 'rest') };
}

describe('a file that was corrected', { concurrency: 2 }, () => {
	test('give: the error says what a new journal would move again, and --left moves the rest once', async (t) => {
		const { bursarctl, service, to } = await shopAndRest(t, 'alice', 'bruno', 'chiara');
		const file = fileOf(t, 'alice,1.00\nnobody,0.50\nbruno,2.00\nalice,0.03\n');
		const give = ['balance', 'give', '--yes', '--all'];
		assert.equal((await bursarctl.run(...give, file)).code, 4);
		writeFileSync(file, '# corrected\nalice,1.00\nchiara,0.50\nbruno,2.00\nalice,0.03\nalice,0.03\n');
		const journal = readFileSync(`${file}.journal`, 'utf8');
		for (const more of [[], ['--dry-run']]) {
			const changed = await bursarctl.run(...give, file, ...more, '--json');
			const { error } = saidIn(changed.stderr);
			assert.deepEqual([changed.code, changed.stdout, error.code], [2, '', 'changed_file']);
			assert.match(error.message, /would give 3\.03 USD in 3 transfers a second time\. .*--left FILE/);
			assert.doesNotMatch(error.message, /--journal/);
			assert.equal(readFileSync(`${file}.journal`, 'utf8'), journal);
		}

		const left = await bursarctl.run(...give, file, '--left', to);
		assert.deepEqual([left.code, left.stdout], [0, ''], left.stderr);
		const twice = 'careful: 1 username on several lines, and each line counts: alice (lines 2, 5, 6)\n';
		assert.equal(left.stderr, `${twice}2 of 5 lines left, to give 0.53 USD in 2 transfers: ${to}\n`);
		assert.equal(readFileSync(to, 'utf8'), 'username,amount_usd_cents\nchiara,50\nalice,3\n');
		assert.ok(!existsSync(`${to}.journal`), 'the file may be corrected before its first run');
		assert.deepEqual((await movementsOf(service)).moved, { alice: 103, bruno: 200 }, 'nothing was sent');

		assert.equal((await bursarctl.run(...give, to)).code, 0);
		assert.equal((await bursarctl.run(...give, to)).code, 0);
		for (const more of [[], ['--dry-run'], ['--left', to], ['--left', `${to}.2`]]) {
			const ended = await bursarctl.run(...give, file, ...more, '--json');
			assert.deepEqual([ended.code, saidIn(ended.stderr).error.code], [2, 'handed_on']);
			assert.ok(saidIn(ended.stderr).error.message.includes(`${to}: go on with that file`));
		}
		assert.deepEqual(await movementsOf(service), {
			fees: 3,
			moved: { alice: 106, bruno: 200, chiara: 50 },
			transfers: 5,
		});
		assert.equal((await bursarctl.json('account')).balance_usd_cents, 10_000 - 30 - 356);
	});

	test('a line whose amount was changed after it was sent is sent in addition, with a warning', async (t) => {
		const { bursarctl, service, to } = await shopAndRest(t, 'alice', 'bruno');
		const file = fileOf(t, 'alice,1.00\nbruno,1.00\nnobody,0.01\n');
		const give = ['balance', 'give', '--yes', '--all'];
		assert.equal((await bursarctl.run(...give, file)).code, 4);
		writeFileSync(file, 'alice,1.50\nbruno,1.00\n');
		const left = await bursarctl.run(...give, file, '--left', to, '--json');
		assert.deepEqual(JSON.parse(left.stdout), {
			file: to,
			lines: 1,
			spends_max_cents: 150,
			never_again: 0,
			settled: [],
			unknown: [],
			moved_otherwise: ['alice'],
		});
		assert.equal((await bursarctl.run(...give, to)).code, 0);
		assert.deepEqual((await movementsOf(service)).moved, { alice: 250, bruno: 100 });
	});

	test('lines with references: each is given once, under its reference, also in the file that is left', async (t) => {
		const { bursarctl, service, to } = await shopAndRest(t, 'alice', 'bruno');
		const heading = 'username,amount_usd_cents,reference\n';
		const file = fileOf(t, `${heading}alice,5,order-1\nnobody,1,\nalice,5,"=a,b"\n`);
		const give = ['balance', 'give', '--yes', '--all'];
		const first = await bursarctl.run(...give, file, '--json');
		assert.equal(first.code, 4);
		assert.deepEqual(
			rowsIn(first.stdout)
				.map(({ line, reference }) => [line, reference])
				.sort(),
			[
				[2, 'order-1'],
				[3, undefined],
				[4, '=a,b'],
			],
		);
		// Another order of alice with the same amount, one that was done, and one whose reference was wrong.
		writeFileSync(file, `${heading}alice,5,order-2\nalice,5,order-1\nbruno,1,"=c,d"\nalice,5,order-3\n`);
		const left = await bursarctl.run(...give, file, '--left', to);
		assert.match(left.stderr, /careful: lines with other amounts or references were sent before for alice\./);
		assert.equal(readFileSync(to, 'utf8'), `${heading}alice,5,order-2\nbruno,1,"=c,d"\nalice,5,order-3\n`);
		assert.equal((await bursarctl.run(...give, to)).code, 0);
		assert.deepEqual((await movementsOf(service)).moved, { alice: 20, bruno: 1 });
		const statement = await bursarctl.json('statement', '--oldest', '--after', '3');
		assert.deepEqual(statement.map((row: { reference: string }) => row.reference).sort(), [
			'=a,b',
			'=c,d',
			'order-1',
			'order-2',
			'order-3',
		]);
		assert.ok(statement.every((row: { change_id: string | null }) => row.change_id !== null));
		const both = await bursarctl.run(...give, file, '--reference', 'order-1', '--json');
		assert.deepEqual([both.code, saidIn(both.stderr).error.code], [2, 'usage']);
	});

	test('create and reset-key: the error says what a new journal would repeat, and the cost', async (t) => {
		const { bursarctl, service, to } = await shopAndRest(t);
		await service.openReseller('other', 0);
		const file = fileOf(t, 'alice\nother\nbruno\n');
		const create = ['sub-user', 'create', '--yes', '--all', file];
		assert.equal((await bursarctl.run(...create)).code, 5);
		writeFileSync(file, 'alice\nother\nbruno\nchiara\n');
		const changed = await bursarctl.run(...create);
		assert.equal(changed.code, 2);
		assert.match(
			changed.stderr,
			/would look again for 2 sub-users that you own, for free, and pay 0\.10 USD again for 1 username of others\. /,
		);
		const left = await bursarctl.run(...create, '--left', to);
		assert.match(
			left.stderr,
			/^1 of 4 lines left, to create 1 sub-user for up to 0\.10 USD: .*\nnever tried again.*1 line\n$/,
		);
		assert.equal(readFileSync(to, 'utf8'), 'username\nchiara\n');
		assert.equal((await bursarctl.run('sub-user', 'create', '--yes', '--all', to)).code, 0);
		assert.equal((await movementsOf(service)).fees, 4);
		assert.equal((await bursarctl.json('account')).balance_usd_cents, 10_000 - 40);

		const reset = ['sub-user', 'reset-key', '--all', fileOf(t, 'alice\nnobody\n')];
		assert.equal((await bursarctl.run(...reset)).code, 4);
		const { proxy_authkey: key } = await bursarctl.json('sub-user', 'show', 'alice');
		writeFileSync(reset[3] as string, 'alice\nbruno\n');
		const again = await bursarctl.run(...reset);
		assert.match(again.stderr, /would replace 1 proxy auth key a second time\. /);
		assert.equal((await bursarctl.run(...reset, '--left', `${to}.2`)).code, 0);
		assert.equal((await bursarctl.run('sub-user', 'reset-key', '--all', `${to}.2`)).code, 0);
		assert.equal((await bursarctl.json('sub-user', 'show', 'alice')).proxy_authkey, key, 'it was replaced once');
	});

	test('a transfer whose outcome cannot be known is named, is not left, and is never sent again', async (t) => {
		const { bursarctl, service, to } = await shopAndRest(t, 'alice', 'bruno');
		const file = fileOf(t, 'alice,0.05\nnobody,0.01\nalice,0.05\n');
		const begun = { state: 'begun', ...begunAgo(48), username: 'alice', amount_usd_cents: 5 } as const;
		journalOf(file, 'give', service.url, [
			{ line: 1, change_id: 'mgd3k1c0-is-forgotten', ...begun },
			{ line: 2, state: 'not_done', code: 'unknown_sub_user' },
			{ line: 3, change_id: 'mgd3k1c0-was-done', ...begun },
			{ line: 3, state: 'done' },
		]);
		const give = ['balance', 'give', '--yes', '--json', '--all'];
		writeFileSync(file, 'alice,0.05\nbruno,0.01\nalice,0.05\n');
		const changed = saidIn((await bursarctl.run(...give, file)).stderr).error.message;
		assert.match(changed, /would give 0\.05 USD in 1 transfer a second time, and send 1 line again whose outcome/);
		const left = await bursarctl.run(...give, file, '--left', to);
		assert.deepEqual(JSON.parse(left.stdout).unknown, [{ line: 1, username: 'alice', amount_usd_cents: 5 }]);
		assert.equal(readFileSync(to, 'utf8'), 'username,amount_usd_cents\nbruno,1\n');
		assert.equal((await bursarctl.run(...give, to)).code, 0);
		assert.deepEqual((await movementsOf(service)).moved, { bruno: 1 });
	});

	test('the request of a line that was removed can no longer arrive once the rest is written', async (t) => {
		const { bursarctl, service, to } = await shopAndRest(t, 'alice', 'bruno');
		const middle = await startMiddle(t, service.url);
		middle.fateOf = (path) => (path.endsWith('give_balance') ? { lateMs: 1_500 } : 'pass');
		const file = fileOf(t, 'alice,0.05\nbruno,0.07\n');
		const give = ['balance', 'give', '--yes', '--json', '--concurrency', '1', '--url', middle.url, '--all'];
		const { child, ended } = bursarctl.spawn([...give, file, '--timeout', '1']);
		await eventually(async () => assert.ok(middle.paths.some((path) => path.endsWith('give_balance'))), 60_000);
		child.kill('SIGKILL');
		await ended;
		writeFileSync(file, 'bruno,0.07\n');
		const left = await bursarctl.run(...give, file, '--left', to);
		const { settled, unknown } = JSON.parse(left.stdout);
		assert.deepEqual(settled, [{ line: 1, username: 'alice', amount_usd_cents: 5, state: 'done' }]);
		assert.deepEqual(unknown, []);
		assert.deepEqual((await movementsOf(service)).moved, { alice: 5 }, 'it has arrived by now');
	});

	test('removed lines in doubt are looked for: if one of two equal lines was done, the other is not left', async (t) => {
		const { bursarctl, service, token, to } = await shopAndRest(t, 'alice', 'bruno');
		const changeIds = ['mgd3k1c0-was-never-done', 'mgd3k1c0-was-done-once'] as const;
		await new Bursar({ baseUrl: service.url, token }).subUsers.give('alice', 5, { changeId: changeIds[1] });
		const file = fileOf(t, 'alice,0.05\nalice,0.05\nbruno,0.05\n');
		const begun = { state: 'begun', ...begunAgo(1), username: 'alice', amount_usd_cents: 5 } as const;
		journalOf(file, 'give', service.url, [
			{ line: 1, change_id: changeIds[0], ...begun },
			{ line: 2, change_id: changeIds[1], ...begun },
			{ line: 3, change_id: 'mgd3k1c0-may-happen-later', ...begun, username: 'bruno', may_happen_later: true },
		]);
		writeFileSync(file, 'alice,0.05\n');
		const left = await bursarctl.run('balance', 'give', '--all', file, '--left', to, '--yes');
		assert.equal(left.code, 0, left.stderr);
		assert.equal(
			left.stderr,
			'nothing is left of 1 line, so nothing was written\nwas not done, and can no longer be: line 1, alice\nwas done, so it is not left: line 2, alice\noutcome unknown, and never sent again: line 3, bruno\n',
		);
	});
});

describe('--left', { concurrency: 2 }, () => {
	test('goes on with open lines: the next run looks for them, also after another correction', async (t) => {
		const { bursarctl, service, to } = await shopAndRest(t, 'alice', 'bruno');
		const middle = await startMiddle(t, service.url);
		const run = (...args: string[]) => bursarctl.run(...args, '--yes', '--json', '--url', middle.url);
		const give = ['balance', 'give', '--concurrency', '1', '--all'];
		const file = fileOf(t, 'alice,0.05\nbruno,0.07\n');
		// The looks after the lost answers fail too, so the lines stay open.
		let isDown = false;
		middle.fateOf = (path) => {
			if (path.endsWith('give_balance')) isDown = true;
			return path.endsWith('give_balance') ? 'lose_answer' : isDown ? { status: 503 } : 'pass';
		};
		assert.equal((await run(...give, file, '--timeout', '2')).code, 6);
		middle.fateOf = () => 'pass';
		assert.equal((await movementsOf(service)).moved.alice, 5, 'the transfer took effect');

		const left = await bursarctl.run(...give, file, '--url', middle.url, '--left', to);
		assert.match(
			left.stderr,
			/2 of 2 lines left, .*\nsome of them may have taken effect .*rest\.journal: keep both files as they are\n$/,
		);
		assert.equal(statSync(`${to}.journal`).mode & 0o777, 0o600);
		writeFileSync(to, `${readFileSync(to, 'utf8')}alice,1\n`);
		const changed = await run(...give, to);
		assert.deepEqual([changed.code, saidIn(changed.stderr).error.code], [2, 'changed_file']);
		assert.equal((await run(...give, to, '--left', `${to}.2`)).code, 0);
		const last = await run(...give, `${to}.2`);
		assert.equal(last.code, 0, last.stderr);
		assert.deepEqual(
			rowsIn(last.stdout)
				.sort((one, other) => one.line - other.line)
				.map(({ line, username, confirmed_by: by }) => [line, username, by]),
			[
				[2, 'alice', 'look'],
				[3, 'bruno', 'look'],
				[4, 'alice', 'answer'],
			],
		);
		assert.deepEqual(await movementsOf(service), { fees: 2, moved: { alice: 6, bruno: 7 }, transfers: 3 });
	});

	test('after a crash at any moment, the lines are in one place only, and the same command finishes', async (t) => {
		for (const [renames, isFinishable] of [
			[0, true],
			[1, true],
			[2, false],
		] as const) {
			const { bursarctl, service, to } = await shopAndRest(t, 'alice', 'bruno');
			const middle = await startMiddle(t, service.url);
			middle.fateOf = (path) => (path.endsWith('give_balance') ? { lateMs: 3_600_000 } : 'pass');
			const file = fileOf(t, 'alice,0.05\nbruno,0.07\n');
			const give = ['balance', 'give', '--yes', '--json', '--url', middle.url, '--all'];
			const { child, ended } = bursarctl.spawn([...give, file]);
			await eventually(async () => assert.ok(middle.paths.some((path) => path.endsWith('give_balance'))), 60_000);
			child.kill('SIGKILL');
			await ended;
			middle.fateOf = () => 'pass';
			// Leftovers of an earlier attempt under these names do no harm.
			writeFileSync(`${to}.unfinished-by-bursarctl`, 'bruno,70.00\n');
			writeFileSync(`${to}.journal.unfinished-by-bursarctl`, 'torn');

			const left = bursarctl.spawn([...give, file, '--left', to], killedAtRename(t, renames));
			assert.equal((await left.ended).signal, 'SIGKILL');
			assert.equal(existsSync(to), !isFinishable);
			const refused = await bursarctl.run(...give, file);
			assert.deepEqual([refused.code, saidIn(refused.stderr).error.code], [2, 'handed_on'], refused.stderr);
			assert.match(saidIn(refused.stderr).error.message, isFinishable ? /--left .* finishes it/ : /go on with that/);
			const elsewhere = await bursarctl.run(...give, file, '--left', `${to}.2`);
			assert.deepEqual([elsewhere.code, saidIn(elsewhere.stderr).error.code], [2, 'handed_on']);
			const again = await bursarctl.run(...give, file, '--left', to);
			assert.equal(again.code, isFinishable ? 0 : 2, again.stderr);
			assert.ok(!existsSync(`${to}.unfinished-by-bursarctl`) && !existsSync(`${to}.journal.unfinished-by-bursarctl`));

			const last = await bursarctl.run(...give, to);
			assert.equal(last.code, 0, last.stderr);
			assert.deepEqual(await movementsOf(service), { fees: 2, moved: { alice: 5, bruno: 7 }, transfers: 2 });
		}
	});

	test('overwrites no file; writes none without a journal or if all lines are done', async (t) => {
		const { bursarctl, service, to } = await shopAndRest(t, 'alice');
		const file = fileOf(t, 'alice,0.05\nnobody,0.01\n');
		const give = ['balance', 'give', '--yes', '--json', '--all', file];
		const refused = async (code: string, ...args: string[]) => {
			const { stderr, ...ending } = await bursarctl.run(...give, ...args);
			assert.deepEqual([ending.code, saidIn(stderr).error.code], [2, code], stderr);
		};
		await refused('no_journal', '--left', to);
		assert.equal((await bursarctl.run(...give)).code, 4);
		const before = readFileSync(`${file}.journal`, 'utf8');
		await refused('file_exists', '--left', file);
		writeFileSync(to, 'mine');
		await refused('file_exists', '--left', to);
		rmSync(to);
		writeFileSync(`${to}.journal`, 'mine');
		await refused('file_exists', '--left', to);
		await refused('other_journal', '--left', `${to}.2`, '--url', 'http://127.0.0.1:1');
		await refused('usage', '--left', `${to}.2`, '--dry-run');
		writeFileSync(`${to}.2.journal.lock`, JSON.stringify({ pid: 1, host: 'elsewhere.example' }));
		await refused('journal_in_use', '--left', `${to}.2`);
		const nowhere = await bursarctl.run(...give, '--left', '/nowhere/rest');
		assert.equal(nowhere.code, 1, nowhere.stderr);
		assert.equal(readFileSync(`${file}.journal`, 'utf8'), before);
		assert.equal(readFileSync(`${to}.journal`, 'utf8'), 'mine');

		await bursarctl.print('sub-user', 'create', 'nobody', '--yes');
		assert.equal((await bursarctl.run(...give)).code, 0);
		const done = await bursarctl.run(...give, '--left', `${to}.3`);
		assert.deepEqual([done.code, JSON.parse(done.stdout).file, existsSync(`${to}.3`)], [0, null, false]);
		assert.deepEqual((await movementsOf(service)).moved, { alice: 5, nobody: 1 });
	});
});

/** Dies after this many renames, at most two. */
function killedAtRename(t: TestContext, renames: number): Record<string, string> {
	return withChangedFs(
		t,
		`const { rename } = fs.promises;
		let count = 0;
		fs.promises.rename = async (...args) => {
			if (count === ${renames}) process.kill(process.pid, 'SIGKILL');
			await rename(...args);
			count++;
			if (count === 2) process.kill(process.pid, 'SIGKILL');
		};`,
	);
}
