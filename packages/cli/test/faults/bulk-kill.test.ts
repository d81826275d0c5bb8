import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { resellerApi } from '@bursar/testing/api';
import { eventually } from '@bursar/testing/eventually';
import { printedSeed, randomFrom } from '@bursar/testing/random';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { rowsIn, saidIn } from '../support/bursarctl.ts';
import {
	balances,
	cutOff,
	KILLS,
	killInTheMiddle,
	OPENING_CENTS,
	SUB_USERS,
	sums,
	type Transfer,
	transferShop,
} from '../support/killed-run.ts';
import { movementsOf } from '../support/ledger.ts';
import { type Middle, startMiddle } from '../support/middle.ts';
import { openShop, shopWith } from '../support/shop.ts';

describe('kill -9 in the middle of a bulk form', { concurrency: 3 }, () => {
	test('create: after several kills, every sub-user exists and was paid for once', async (t) => {
		const random = randomFrom(printedSeed(t));
		const { bursarctl } = await openShop(t, OPENING_CENTS);
		const file = join(temporaryFolder(t), 'names');
		writeFileSync(file, Array.from({ length: SUB_USERS }, (_, index) => `user.${index}\n`).join(''));
		const args = ['sub-user', 'create', '--all', file, '--yes', '--json'];
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
		const { bursarctl, service, token, random, transfers, args, kill, journal } = await transferShop(t);
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
});

describe('a request that arrives only after its sender was killed', { concurrency: 4 }, () => {
	test('create: the next run creates the sub-user, and the late request does and costs nothing', async (t) => {
		const { bursarctl, args, killOnTheWay, letArrive } = await lateShop(t, 'create', 'dora\n');
		await killOnTheWay(['sub-user', 'create', ...args]);
		const { code, stdout, stderr } = await bursarctl.run('sub-user', 'create', ...args);
		assert.equal(code, 0, stderr);
		const paid = { min_cents: 10, max_cents: 10 };
		assert.deepEqual(
			rowsIn(stdout).map(({ username, created, fee }) => [username, created, fee]),
			[['dora', true, paid]],
		);
		assert.deepEqual(saidIn(stderr).summary.fee, paid);
		await letArrive();
		assert.equal((await bursarctl.json('account')).balance_usd_cents, 10_000 - 20);
	});

	test('create: if the sub-user was created in another way meanwhile, the fee of the late request is reported', async (t) => {
		const { bursarctl, middle, args, killOnTheWay, letArrive } = await lateShop(t, 'create', 'dora\n');
		await killOnTheWay(['sub-user', 'create', ...args], LONG_SECONDS);
		await bursarctl.print('sub-user', 'create', 'dora', '--yes');
		const running = bursarctl.run('sub-user', 'create', ...args);
		await eventually(async () => assert.ok(looksBy(middle) >= 3));
		await letArrive();
		const { code, stdout, stderr } = await running;
		assert.equal(code, 0, stderr);
		assert.deepEqual(
			rowsIn(stdout).map(({ username, created, fee }) => [username, created, fee]),
			[['dora', false, { min_cents: 10, max_cents: 10 }]],
		);
		assert.equal((await bursarctl.json('account')).balance_usd_cents, 10_000 - 30);
	});

	test('reset-key: the printed key is the valid one', async (t) => {
		const { bursarctl, args, killOnTheWay, letArrive } = await lateShop(t, 'reset_auth_key', 'alice\n');
		await killOnTheWay(['sub-user', 'reset-key', ...args]);
		const [row] = rowsIn((await bursarctl.run('sub-user', 'reset-key', ...args)).stdout);
		await letArrive();
		assert.equal((await bursarctl.json('sub-user', 'show', 'alice')).proxy_authkey, row.proxy_authkey);
	});

	test('give: each line is done once, even if others move the balance', async (t) => {
		const lines = 'alice,0.05\nalice,0.70\n';
		const { bursarctl, args, killOnTheWay, letArrive } = await lateShop(t, 'give_balance', lines);
		const give = ['balance', 'give', ...args];
		await killOnTheWay(give);
		await bursarctl.print('balance', 'give', 'alice', '0.05', '--yes');
		const { code, stdout, stderr } = await bursarctl.run(...give);
		assert.equal(code, 0, stderr);
		assert.deepEqual(
			rowsIn(stdout).map(({ line, confirmed_by: by }) => [line, by]),
			[
				[1, 'answer'],
				[2, 'answer'],
			],
		);
		await letArrive();
		assert.deepEqual(await balances(bursarctl), { alice: 80 });
	});

	test('take: a refusal is not believed while the late request may still be done', async (t) => {
		const { bursarctl, service, token, middle, args, killOnTheWay, letArrive } = await lateShop(
			t,
			'take_balance',
			'alice,5.00\n',
		);
		const take = ['balance', 'take', ...args];
		await killOnTheWay(take, LONG_SECONDS);
		const running = bursarctl.run(...take);
		// The run looks, is refused because there is no balance, and looks again.
		await eventually(async () => assert.ok(looksBy(middle) >= 2));
		await resellerApi(service.url, token).give({ username: 'alice', amount_usd_cents: 700 });
		await letArrive();
		const { code, stdout, stderr } = await running;
		assert.equal(code, 0, stderr);
		assert.deepEqual(
			rowsIn(stdout).map(({ balance_usd_cents: cents, confirmed_by: by }) => [cents, by]),
			[[200, 'look']],
		);
		assert.deepEqual(await movementsOf(service), { fees: 1, moved: { alice: 200 }, transfers: 2 });
	});
});

function looksBy({ answered }: Middle): number {
	return answered.filter((path) => path.endsWith('changes/view')).length;
}

/**
 * A busy machine looks in time before it is over. It is less than what the journal says about a run with a time-out of one
 * second, because the next run waits that long.
 */
const LONG_SECONDS = 15;

/** A sub-user alice, and a proxy before the service that holds such requests. */
async function lateShop(t: TestContext, path: string, input: string) {
	const { bursarctl, service, token } = await shopWith(t, 'alice');
	const middle = await startMiddle(t, service.url);
	const file = join(temporaryFolder(t), 'input');
	writeFileSync(file, input);
	const held = Promise.withResolvers<void>();
	const isHeld = (sent: string) => sent.endsWith(path);
	return {
		bursarctl,
		service,
		token,
		middle,
		args: ['--all', file, '--yes', '--json', '--url', middle.url],
		/**
		 * Kills a run while its first such request is on its way. The request expires after about five seconds, or after
		 * `expiresIn` seconds.
		 */
		async killOnTheWay(args: readonly string[], expiresIn?: number) {
			const fate = { until: held.promise, ...(expiresIn !== undefined && { expiresIn }) };
			middle.fateOf = (sent) => (isHeld(sent) ? fate : 'pass');
			const { child, ended } = bursarctl.spawn([...args, '--timeout', '1']);
			while (!middle.paths.some(isHeld)) await setTimeout(2);
			child.kill('SIGKILL');
			await ended;
			middle.fateOf = () => 'pass';
		},
		/** Lets that request arrive, and waits until the service has answered it. */
		async letArrive() {
			const before = middle.answered.filter(isHeld).length;
			held.resolve();
			await eventually(async () => assert.equal(middle.answered.filter(isHeld).length, before + 1));
		},
	};
}
