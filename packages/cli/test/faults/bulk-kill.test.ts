import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { resellerApi } from '@bursar/testing/api';
import { printedSeed, randomFrom } from '@bursar/testing/random';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { rowsIn, saidIn } from '../support/bursarctl.ts';
import {
	balances,
	cutOff,
	KILLS,
	killInTheMiddle,
	OPENING_CENTS,
	SETTLE,
	SUB_USERS,
	sums,
	type Transfer,
	transferShop,
} from '../support/killed-run.ts';
import { movementsOf } from '../support/ledger.ts';
import { startMiddle } from '../support/middle.ts';
import { openShop, shopWith } from '../support/shop.ts';

describe('kill -9 in the middle of a bulk form', { concurrency: 3 }, () => {
	test('create: after several kills, every sub-user exists and was paid for once', async (t) => {
		const random = randomFrom(printedSeed(t));
		const { bursarctl } = await openShop(t, OPENING_CENTS);
		const file = join(temporaryFolder(t), 'names');
		writeFileSync(file, Array.from({ length: SUB_USERS }, (_, index) => `user.${index}\n`).join(''));
		const args = ['sub-user', 'create', '--all', file, '--yes', '--json', ...SETTLE];
		let cut = 0;
		const keys = new Map<string, string>();
		const remember = (rows: ReturnType<typeof rowsIn>) => {
			for (const { username, proxy_authkey: key } of rows) keys.set(username, key);
		};
		for (let kill = 0; kill < KILLS; kill++) {
			const killed = await killInTheMiddle(bursarctl, args, `${file}.journal`, random);
			cut += killed.cut;
			remember(killed.rows);
		}
		t.diagnostic(`${cut} lines cut off by ${KILLS} kills`);
		assert.ok(cut > 0);

		const { code, stdout, stderr } = await bursarctl.run(...args);
		assert.equal(code, 0, stderr);
		remember(rowsIn(stdout));
		const { fee } = saidIn(stderr).summary;
		const spent = SUB_USERS * 10;
		assert.equal((await bursarctl.json('account')).balance_usd_cents, OPENING_CENTS - spent);
		const subUsers = await bursarctl.json('sub-user', 'list');
		assert.equal(subUsers.length, SUB_USERS);
		for (const { username, proxy_authkey: key } of subUsers) {
			assert.equal(keys.get(username), key, 'the runs have printed each key');
		}
		assert.deepEqual(fee, { min_cents: spent, max_cents: spent }, 'the ids of the lines tell what each has cost');
		assert.equal((await bursarctl.run(...args)).stderr.includes(`"done_before":${SUB_USERS}`), true);
	});

	test('give: every line was given exactly once, even if others move the balances', async (t) => {
		const { bursarctl, service, token, random, transfers, args, kill, journal } = await transferShop(t, {
			knowsChangeIds: true,
		});
		const other = resellerApi(service.url, token);
		let isOver = false;
		const moved: Record<string, number> = {};
		const moving = (async () => {
			while (!isOver) {
				const { username, cents } = transfers[random.below(transfers.length)] as Transfer;
				const isGive = random.below(2) === 0;
				const { status } = await other[isGive ? 'give' : 'take']({ username, amount_usd_cents: cents });
				if (status === 200) moved[username] = (moved[username] ?? 0) + (isGive ? cents : -cents);
				await setTimeout(5);
			}
		})();
		const cut = await kill(args);
		const { code, stdout, stderr } = await bursarctl.run(...args);
		isOver = true;
		await moving;
		assert.equal(code, 0, stderr);
		assert.deepEqual(cutOff(journal), []);
		assert.ok(rowsIn(stdout).length >= cut);
		const given = sums(transfers);
		for (const [name, balance] of Object.entries(await balances(bursarctl))) {
			assert.equal(balance, (given[name] ?? 0) + (moved[name] ?? 0), name);
		}
	});

	test('give with --sole-writer, to a service without change ids: every line was given exactly once', async (t) => {
		const { bursarctl, transfers, args, kill } = await transferShop(t, { knowsChangeIds: false });
		const give = [...args, '--sole-writer'];
		await kill(give);
		const { code, stderr } = await bursarctl.run(...give);
		assert.equal(code, 0, stderr);
		assert.deepEqual(await balances(bursarctl), sums(transfers));
	});

	test('give without both: no line was given twice, and unknown lines are reported', async (t) => {
		const { bursarctl, transfers, args, kill, journal } = await transferShop(t, { knowsChangeIds: false });
		const cut = await kill(args);
		const ending = await bursarctl.run(...args);
		assert.equal(ending.code, 6, ending.stderr);
		const { summary } = saidIn(ending.stderr);
		const unknown = new Set<number>(summary.unknown.map(({ line }: { line: number }) => line));
		assert.equal(unknown.size, cut, 'exactly the lines that were cut off are unknown');
		assert.equal(summary.done + summary.done_before + unknown.size, transfers.length);
		const least = sums(transfers.filter(({ line }) => !unknown.has(line)));
		const most = sums(transfers);
		for (const [name, balance] of Object.entries(await balances(bursarctl))) {
			assert.ok(balance >= (least[name] ?? 0) && balance <= (most[name] ?? 0), `${name}: ${balance}`);
		}
		const before = await balances(bursarctl);
		const again = await bursarctl.run(...args, '--sole-writer');
		assert.equal(again.code, 6, 'also with --sole-writer now: the balance before is not known');
		assert.deepEqual(await balances(bursarctl), before);
		assert.deepEqual(cutOff(journal).length, cut);
	});
});

describe('a request that arrives only after its sender was killed', { concurrency: 4 }, () => {
	test('create: the next run waits for it, finds it, and pays nothing more', async (t) => {
		const { bursarctl, service, file, args, killOnTheWay } = await lateShop(t, 'create', 'dora\n');
		await killOnTheWay(['sub-user', 'create', ...args]);
		assert.equal((await movementsOf(service)).fees, 1, 'it has not arrived yet');
		const { code, stdout, stderr } = await bursarctl.run('sub-user', 'create', ...args);
		assert.equal(code, 0, stderr);
		assert.deepEqual(
			rowsIn(stdout).map(({ username, created, fee }) => [username, created, fee]),
			[['dora', false, { min_cents: 0, max_cents: 10 }]],
		);
		assert.equal((await bursarctl.json('account')).balance_usd_cents, 10_000 - 20);
		assert.ok(existsSync(`${file}.journal`));
	});

	test('reset-key: the printed key is the valid one', async (t) => {
		const { bursarctl, args, killOnTheWay } = await lateShop(t, 'reset_auth_key', 'alice\n');
		await killOnTheWay(['sub-user', 'reset-key', ...args]);
		const [row] = rowsIn((await bursarctl.run('sub-user', 'reset-key', ...args)).stdout);
		await setTimeout(1000);
		assert.equal((await bursarctl.json('sub-user', 'show', 'alice')).proxy_authkey, row.proxy_authkey);
	});

	test('give: the balance tells the sole writer; later lines of that username wait until it is judged', async (t) => {
		const { bursarctl, args, killOnTheWay } = await lateShop(t, 'give_balance', 'alice,0.05\nalice,0.70\n');
		const give = ['balance', 'give', ...args];
		await killOnTheWay([...give, '--sole-writer']);
		const undecided = await bursarctl.run(...give);
		assert.equal(undecided.code, 6);
		assert.match(saidIn(undecided.stderr).error.message, /run it again with --sole-writer/);
		assert.equal(undecided.stdout, '', 'the second line would hide the outcome of the first');
		const { code, stdout, stderr } = await bursarctl.run(...give, '--sole-writer');
		assert.equal(code, 0, stderr);
		assert.deepEqual(
			rowsIn(stdout).map(({ line, balance_usd_cents: balance, confirmed_by: by }) => [line, balance, by]),
			[
				[1, 5, 'look'],
				[2, 75, 'answer'],
			],
		);
	});

	test('give with change ids: each line is done once, even if others move the balance', async (t) => {
		const lines = 'alice,0.05\nalice,0.70\n';
		const { bursarctl, args, killOnTheWay } = await lateShop(t, 'give_balance', lines, 'all_headers');
		const give = ['balance', 'give', ...args];
		await killOnTheWay(give);
		await bursarctl.print('balance', 'give', 'alice', '0.05', '--yes');
		const { code, stdout, stderr } = await bursarctl.run(...give);
		assert.equal(code, 0, stderr);
		const rows = rowsIn(stdout);
		assert.deepEqual(
			rows.map(({ line, confirmed_by: by }) => [line, by]),
			[
				[1, 'look'],
				[2, 'answer'],
			],
		);
		assert.ok([5, 10].includes(rows[0].balance_usd_cents), 'the balance after that line');
		assert.deepEqual(await balances(bursarctl), { alice: 80 });
	});

	test('give: if another client moved the balance too, the line is not given again', async (t) => {
		const { bursarctl, args, killOnTheWay } = await lateShop(t, 'give_balance', 'alice,0.05\nalice,0.70\n');
		const give = ['balance', 'give', ...args, '--sole-writer'];
		await killOnTheWay(give);
		await bursarctl.print('balance', 'give', 'alice', '0.01', '--yes');
		for (const _ of [1, 2]) {
			const { code, stdout } = await bursarctl.run(...give);
			assert.equal(code, 6);
			assert.match(rowsIn(stdout)[0].error.message, /neither what it was nor what it should be/);
		}
		assert.deepEqual(await balances(bursarctl), { alice: 6 });
	});
});

/** A sub-user alice, and a proxy before the service that delays such requests. */
async function lateShop(t: TestContext, path: string, input: string, passes?: Parameters<typeof startMiddle>[2]) {
	const { bursarctl, service } = await shopWith(t, 'alice');
	const middle = await startMiddle(t, service.url, passes);
	const file = join(temporaryFolder(t), 'input');
	writeFileSync(file, input);
	return {
		bursarctl,
		service,
		file,
		args: ['--all', file, '--yes', '--json', '--url', middle.url, '--settle', '2.5'],
		async killOnTheWay(args: readonly string[]) {
			middle.fateOf = (sent) => (sent.endsWith(path) ? { lateMs: 1500 } : 'pass');
			const { child, ended } = bursarctl.spawn(args);
			while (!middle.paths.some((sent) => sent.endsWith(path))) await setTimeout(2);
			child.kill('SIGKILL');
			await ended;
			middle.fateOf = () => 'pass';
		},
	};
}
