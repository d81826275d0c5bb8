import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Bursar } from '@bursar/client';
import { createChange } from '../../src/bulk/changes.ts';
import { type InputLine, readInput } from '../../src/bulk/input/read-input.ts';
import { JOURNAL_VERSION } from '../../src/bulk/journal/journal-file.ts';
import { openJournal } from '../../src/bulk/journal/open-journal.ts';
import { resultPrinter } from '../../src/bulk/run/result-printer.ts';
import { runLines } from '../../src/bulk/run/run-lines.ts';
import { rowsIn, saidIn } from '../support/bursarctl.ts';
import { fileOf, names } from '../support/input.ts';
import { movementsOf } from '../support/ledger.ts';
import { withChangedFs } from '../support/preload.ts';
import { openShop, shopWith } from '../support/shop.ts';

const INTO_FULL = ['sh', '-c', 'exec "$0" "$@" > /dev/full'];
const intoFile = (file: string) => ['sh', '-c', `exec "$0" "$@" > ${file}`];
const withoutShell = { skip: process.platform === 'win32' && 'there is no sh here' };
const withoutFull = { skip: process.platform !== 'linux' && 'there is no /dev/full here' };

describe('the rows of a bulk form', { concurrency: 2 }, () => {
	test('each row is written before the journal says that its line is done', async (t) => {
		const { service, token } = await openShop(t);
		const file = fileOf(t, names(20));
		const { lines, sha256 } = readInput(file, createChange);
		const path = `${file}.journal`;
		const header = {
			version: JOURNAL_VERSION,
			operation: 'create',
			url: '',
			reseller: '',
			input_sha256: sha256,
			began: '',
		} as const;
		const journal = await openJournal(path, header, undefined);
		t.after(() => journal.close());
		const never = new AbortController().signal;
		const client = new Bursar({ baseUrl: service.url, token });
		await client.account.retrieve();
		let rows = 0;
		const stoppedBy = await runLines({
			change: createChange,
			client,
			lines,
			journal,
			concurrency: 4,
			interrupts: { stop: never, abandon: never, changeBegins() {} },
			patience: { timeoutMs: 10_000, totalTimeoutMs: 60_000 },
			async printResult({ input, outcome, fee }) {
				// Longer than the disk takes.
				await setTimeout(20);
				const written = readFileSync(path, 'utf8');
				assert.match(written, new RegExp(`"line":${input.line},"state":"begun"`));
				assert.doesNotMatch(written, new RegExp(`"line":${input.line},"state":"done"`));
				assert.deepEqual([outcome.state, fee], ['done', { minCents: 10, maxCents: 10 }]);
				rows++;
			},
		});
		assert.deepEqual([stoppedBy, rows], [undefined, 20]);
	});

	test(
		'a line whose proxy auth key could not be printed stays in doubt: the run stops, and the next run prints the key',
		withoutFull,
		async (t) => {
			const { bursarctl } = await openShop(t);
			const file = fileOf(t, names(30));
			const create = ['sub-user', 'create', '--all', file, '--yes', '--json', '--concurrency', '3'];
			const full = await bursarctl.spawn(create, {}, INTO_FULL).ended;
			const { summary, error } = saidIn(full.stderr);
			assert.deepEqual([full.code, error.code], [6, 'outcome_unknown'], full.stderr);
			assert.match(error.message, /could not be written \(ENOSPC\); stopped, with 2[789] lines not begun/);
			assert.equal(rowsIn(full.stderr).length, 2, 'one summary, one error');
			const created = (await bursarctl.json('sub-user', 'list')).length;
			assert.ok(created >= 1 && created <= 3, String(created));
			assert.deepEqual([summary.done, summary.not_done, summary.unknown.length], [0, {}, created]);
			assert.deepEqual(summary.fee, { min_cents: 0, max_cents: created * 10 });

			const again = await bursarctl.run(...create);
			assert.equal(again.code, 0, again.stderr);
			const keys = new Map(rowsIn(again.stdout).map((row) => [row.username, row.proxy_authkey]));
			for (const { username, proxy_authkey: key } of await bursarctl.json('sub-user', 'list')) {
				assert.equal(keys.get(username), key);
			}
			assert.equal(keys.size, 30);
			assert.deepEqual(saidIn(again.stderr).summary.fee, { min_cents: 300, max_cents: 300 });
			assert.equal((await bursarctl.json('account')).balance_usd_cents, 10_000 - 300);

			const reset = ['sub-user', 'reset-key', '--all', file, '--journal', `${file}.2`];
			const titles = await bursarctl.spawn(reset, {}, INTO_FULL).ended;
			assert.equal(titles.code, 1);
			assert.equal(titles.stderr, 'bursarctl: standard output could not be written (ENOSPC)\n');
			assert.equal((await bursarctl.json('sub-user', 'show', 'user.0')).proxy_authkey, keys.get('user.0'));
		},
	);

	test('a key that was replaced and could not be printed is not replaced again', withoutFull, async (t) => {
		const { bursarctl } = await shopWith(t, 'alice');
		const file = fileOf(t, 'alice\n');
		const reset = ['sub-user', 'reset-key', '--all', file, '--yes', '--json'];
		const keyNow = async () => (await bursarctl.json('sub-user', 'show', 'alice')).proxy_authkey;
		const first = await keyNow();
		assert.equal((await bursarctl.spawn(reset, {}, INTO_FULL).ended).code, 6);
		const replaced = await keyNow();
		assert.notEqual(replaced, first);
		const again = await bursarctl.run(...reset);
		assert.equal(again.code, 0, again.stderr);
		assert.deepEqual(
			rowsIn(again.stdout).map(({ proxy_authkey: key, confirmed_by: by }) => [key, by]),
			[[replaced, 'look']],
		);
		assert.equal(await keyNow(), replaced);
	});

	test('a transfer whose row could not be printed is done, and is not sent again', withoutFull, async (t) => {
		const { bursarctl } = await shopWith(t, 'alice');
		const file = fileOf(t, 'alice,0.01\nalice,0.20\n');
		const give = ['balance', 'give', '--all', file, '--yes', '--json'];
		const full = await bursarctl.spawn(give, {}, INTO_FULL).ended;
		const { summary, error } = saidIn(full.stderr);
		assert.deepEqual([full.code, error.code, summary.done, summary.left], [1, 'output_failed', 1, 1]);
		const again = await bursarctl.run(...give);
		assert.equal(again.code, 0, again.stderr);
		assert.deepEqual(
			rowsIn(again.stdout).map(({ line, balance_usd_cents: balance }) => [line, balance]),
			[[2, 21]],
		);
	});

	test(
		'a row in a file survives a crash of the machine before the journal says that its line is done',
		withoutShell,
		async (t) => {
			const { bursarctl } = await openShop(t);
			const file = fileOf(t, names(60));
			const out = `${file}.out`;
			// Each line that is done when a flush ends must be in what this flush or an earlier one has covered.
			const watch = withChangedFs(
				t,
				`const { fsync, fstatSync, readFileSync, writeFileSync } = fs;
			let flushes = 0;
			fs.fsync = (descriptor, done) => {
				if (descriptor !== 1) return fsync(descriptor, done);
				const { size } = fstatSync(1);
				fsync(descriptor, (error) => setTimeout(() => {
					const flushed = readFileSync(${JSON.stringify(out)}).subarray(0, size).toString();
					const isDone = readFileSync(${JSON.stringify(`${file}.journal`)}, 'utf8').matchAll(/"line":(\\d+),"state":"done"/g);
					for (const [, line] of isDone) {
						if (!flushed.includes('{"line":' + line + ',')) process.stderr.write('line ' + line + ' was not flushed');
					}
					writeFileSync(${JSON.stringify(`${out}.flushes`)}, String(++flushes));
					done(error);
				}, 5));
			};`,
			);
			const create = ['sub-user', 'create', '--all', file, '--yes', '--json'];
			const { code, stderr } = await bursarctl.spawn(create, watch, intoFile(out)).ended;
			assert.equal(code, 0, stderr);
			assert.equal(saidIn(stderr).summary.done, 60, 'no line was done too early');
			const flushes = Number(readFileSync(`${out}.flushes`, 'utf8'));
			t.diagnostic(`${flushes} flushes`);
			assert.ok(flushes > 1 && flushes < 60, 'rows share a flush');
			assert.equal(rowsIn(readFileSync(out, 'utf8')).length, 60);
		},
	);

	test('if a flush fails, the error says so, and the lines are not done', withoutShell, async (t) => {
		for (const errno of ['EIO', 'ENOSPC']) {
			const { bursarctl, service } = await openShop(t);
			const file = fileOf(t, names(20));
			const create = ['sub-user', 'create', '--all', file, '--yes', '--json', '--concurrency', '3'];
			const failing = withChangedFs(
				t,
				`const { fsync } = fs;
				const error = Object.assign(new Error('made up'), { code: '${errno}' });
				fs.fsync = (descriptor, done) => (descriptor === 1 ? setTimeout(done, 1, error) : fsync(descriptor, done));`,
			);
			const failed = await bursarctl.spawn(create, failing, intoFile(`${file}.out`)).ended;
			const { summary, error } = saidIn(failed.stderr);
			assert.deepEqual([failed.code, error.code, summary.done], [6, 'outcome_unknown', 0], failed.stderr);
			assert.match(error.message, new RegExp(`standard output could not be written \\(${errno}\\)`));
			assert.doesNotMatch(readFileSync(`${file}.journal`, 'utf8'), /"state":"done"/);
			const again = await bursarctl.run(...create);
			assert.equal(again.code, 0, again.stderr);
			assert.equal(rowsIn(again.stdout).length, 20, 'each key is printed');
			assert.equal((await movementsOf(service)).fees, 20);
		}
	});

	test('a row that a full disk cuts short counts as not written', withoutShell, async (t) => {
		const { bursarctl, service } = await openShop(t);
		const file = fileOf(t, names(30));
		const out = `${file}.out`;
		// Room for the journal of these lines, and not for their rows after these blank lines.
		writeFileSync(out, '\n'.repeat(4096));
		const limited = ['sh', '-c', `trap '' XFSZ; ulimit -f 16; exec "$0" "$@" >> ${out}`];
		const create = ['sub-user', 'create', '--all', file, '--yes', '--json'];
		const full = await bursarctl.spawn(create, {}, limited).ended;
		assert.deepEqual([full.code, saidIn(full.stderr).error.code], [6, 'outcome_unknown'], full.stderr);
		const told = readFileSync(out, 'utf8');
		const [whole, torn] = [told.slice(0, told.lastIndexOf('\n') + 1), told.slice(told.lastIndexOf('\n') + 1)];
		assert.notEqual(torn, '');
		const done = readFileSync(`${file}.journal`, 'utf8').matchAll(/"line":(\d+),"state":"done"/g);
		const toldLines = rowsIn(whole).map(({ line }) => line);
		for (const [, line] of done)
			assert.ok(toldLines.includes(Number(line)), `line ${line} is done, and its row is torn`);
		const again = await bursarctl.run(...create);
		assert.equal(again.code, 0, again.stderr);
		const keys = new Map([...rowsIn(whole), ...rowsIn(again.stdout)].map((row) => [row.username, row.proxy_authkey]));
		for (const { username, proxy_authkey: key } of await bursarctl.json('sub-user', 'list')) {
			assert.equal(keys.get(username), key);
		}
		assert.equal((await movementsOf(service)).fees, 30);

		const list = ['sh', '-c', `trap '' XFSZ; ulimit -f 1; exec "$0" "$@" > ${out}.csv`];
		const short = await bursarctl.spawn(['sub-user', 'list', '--csv'], {}, list).ended;
		assert.deepEqual(
			[short.code, short.stderr],
			[1, 'bursarctl: standard output could not be written (EFBIG)\n'],
			'the same for a command that is not a bulk form',
		);
	});

	test('the run also stops if the reader of its output is gone', async (t) => {
		const { bursarctl } = await openShop(t);
		const file = fileOf(t, names(200));
		const create = ['sub-user', 'create', '--all', file, '--yes', '--json'];
		const { child, ended } = bursarctl.spawn(create);
		child.stdout?.once('data', () => child.stdout?.destroy());
		const { code, stderr } = await ended;
		const { summary, error } = saidIn(stderr);
		assert.deepEqual([code, error.code], [6, 'outcome_unknown'], stderr);
		assert.match(error.message, /its reader is gone/);
		assert.ok(summary.left > 0, stderr);
		const again = await bursarctl.run(...create);
		assert.equal(again.code, 0, again.stderr);
		assert.equal((await bursarctl.json('account')).balance_usd_cents, 10_000 - 2000);
	});
});

test('failed output is reported once, with --json as an object', withoutFull, async (t) => {
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

/** More than the arguments that a function can take. */
const MANY = 300_000;

test('a file of many lines and a table of many rows have the same columns as small ones', async () => {
	const lines = Array.from({ length: MANY }, (_, index): InputLine => {
		return { line: index + 1, username: `user.${index}`, amountCents: 0 };
	});
	const printed: string[] = [];
	const progress = {
		update() {},
		say: () => true,
		async print(line: string) {
			printed.push(line);
		},
	};
	await resultPrinter(createChange, lines, undefined, progress);
	assert.deepEqual(printed, ['  LINE  USERNAME     RESULT    PROXY AUTH KEY']);

	const program = `
		import { printTable } from ${JSON.stringify(join(import.meta.dirname, '../../../terminal/src/index.ts'))};
		printTable([{ title: 'NAME' }, { title: 'N', isNumber: true }], Array.from({ length: ${MANY} }, (_, n) => ['x', String(n)]));
	`;
	const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
		encoding: 'utf8',
		maxBuffer: 64 * 1024 ** 2,
	});
	assert.equal(stdout.split('\n').at(-2), `x     ${MANY - 1}`, stderr);
});
