import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { type Random, randomFrom } from '../../server/test/support/random.ts';
import { temporaryFolder } from '../../server/test/support/service.ts';
import { type Bursarctl, rowsIn, saidIn } from './support/bursarctl.ts';
import { movementsOf, transfersOf } from './support/ledger.ts';
import { startMiddle } from './support/middle.ts';
import { openShop } from './support/shop.ts';

const SUB_USERS = 400;
const KILLS = 5;
const OPENING_CENTS = 1_000_000;
const SETTLE = ['--settle', '1'];

interface Transfer {
	readonly line: number;
	readonly username: string;
	readonly cents: number;
}

function printedRandom(t: TestContext): Random {
	const seed = Number(process.env.BURSAR_TEST_SEED ?? randomInt(2 ** 31));
	t.diagnostic(`seed ${seed}`);
	return randomFrom(seed);
}

/** Lines that were begun in the journal and not ended: what only a kill leaves. */
function cutOff(journal: string): number[] {
	const states = new Map<number, string>();
	for (const text of readFileSync(journal, 'utf8').split('\n').slice(1, -1)) {
		const { line, state } = JSON.parse(text);
		states.set(line, state);
	}
	return [...states].filter(([, state]) => state === 'begun').map(([line]) => line);
}

/** Starts it and kills it once it has got a random way further; returns how many lines that has cut off, and what was printed. */
async function killInTheMiddle(bursarctl: Bursarctl, args: readonly string[], journal: string, random: Random) {
	const sizeOf = () => (existsSync(journal) ? statSync(journal).size : 0);
	const killAt = sizeOf() + 300 + random.below(9000);
	const { child, ended } = bursarctl.spawn(args);
	let isEnded = false;
	void ended.then(() => {
		isEnded = true;
	});
	while (!isEnded && sizeOf() < killAt) await setTimeout(1);
	await setTimeout(random.below(8));
	child.kill('SIGKILL');
	const { stdout } = await ended;
	return { cut: cutOff(journal).length, rows: wholeRows(stdout) };
}

/** All rows but one that the kill may have torn. */
function wholeRows(stdout: string) {
	return rowsIn(stdout.slice(0, stdout.lastIndexOf('\n') + 1));
}

describe('kill -9 in the middle of a bulk form', { concurrency: 2 }, () => {
	test('create: again and again, and every sub-user is there and was paid for once', async (t) => {
		const random = printedRandom(t);
		const { bursarctl } = await openShop(t, OPENING_CENTS);
		const file = join(temporaryFolder(t), 'names');
		writeFileSync(file, Array.from({ length: SUB_USERS }, (_, place) => `user.${place}\n`).join(''));
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
		assert.equal((await bursarctl.json('account')).balance, OPENING_CENTS - spent);
		const subUsers = await bursarctl.json('sub-user', 'list');
		assert.equal(subUsers.length, SUB_USERS);
		for (const { username, proxy_authkey: key } of subUsers) {
			assert.equal(keys.get(username), key, 'what the runs printed has the key of each');
		}
		assert.ok(fee.min_cents <= spent && spent <= fee.max_cents, JSON.stringify(fee));
		assert.equal((await bursarctl.run(...args)).stderr.includes('"done_before":400'), true);
	});

	test('give: as the sole writer, every line was given exactly once', async (t) => {
		const { bursarctl, transfers, args, kill } = await transferShop(t);
		const give = [...args, '--sole-writer'];
		await kill(give);
		const { code, stderr } = await bursarctl.run(...give);
		assert.equal(code, 0, stderr);
		assert.deepEqual(await balances(bursarctl), sums(transfers));
	});

	test('give: as one writer among others, no line was given twice; what cannot be known is said', async (t) => {
		const { bursarctl, transfers, args, kill, journal } = await transferShop(t);
		const cut = await kill(args);
		const ending = await bursarctl.run(...args);
		assert.equal(ending.code, 6, ending.stderr);
		const { summary } = saidIn(ending.stderr);
		const unknown = new Set<number>(summary.unknown.map(({ line }: { line: number }) => line));
		assert.equal(unknown.size, cut, 'each line that was cut off, and no other');
		assert.equal(summary.done + summary.done_before + unknown.size, transfers.length);
		const least = sums(transfers.filter(({ line }) => !unknown.has(line)));
		const most = sums(transfers);
		for (const [name, balance] of Object.entries(await balances(bursarctl))) {
			assert.ok(balance >= (least[name] ?? 0) && balance <= (most[name] ?? 0), `${name}: ${balance}`);
		}
		const before = await balances(bursarctl);
		const again = await bursarctl.run(...args, '--sole-writer');
		assert.equal(again.code, 6, 'also with that word: nobody looked at the balance before');
		assert.deepEqual(await balances(bursarctl), before);
		assert.deepEqual(cutOff(journal).length, cut);
	});
});

describe('kill -9 in the middle, then the file is corrected, and what is left goes on in a file of its own', {
	concurrency: 2,
}, () => {
	test('create: every sub-user is there and was paid for once', async (t) => {
		const random = printedRandom(t);
		const { bursarctl, service } = await openShop(t, OPENING_CENTS);
		const file = join(temporaryFolder(t), 'names');
		const names = Array.from({ length: SUB_USERS }, (_, place) => `user.${place}`);
		writeFileSync(file, names.join('\n'));
		const create = ['sub-user', 'create', '--yes', '--json', ...SETTLE, '--all'];
		let from = file;
		for (let kill = 0; kill < KILLS; kill++) {
			const { cut } = await killInTheMiddle(bursarctl, [...create, from], `${from}.journal`, random);
			t.diagnostic(`${cut} lines cut off`);
			// Another one on top, and another order: no line stands where it stood.
			names.unshift(`new.${kill}`);
			writeFileSync(from, `# corrected\n${readFileSync(from, 'utf8')}\nnew.${kill}\n`);
			const to = `${file}.${kill}`;
			const left = await bursarctl.run(...create, from, '--left', to);
			assert.equal(left.code, 0, left.stderr);
			from = to;
		}
		const { code, stderr } = await bursarctl.run(...create, from);
		assert.equal(code, 0, stderr);
		assert.equal((await movementsOf(service)).fees, names.length);
		assert.equal((await bursarctl.json('account')).balance, OPENING_CENTS - names.length * 10);
		const list: { username: string }[] = await bursarctl.json('sub-user', 'list');
		assert.deepEqual(list.map(({ username }) => username).sort(), names.sort());
	});

	test('give: as the sole writer, every line was given exactly once', async (t) => {
		const { bursarctl, service, transfers, correctAndGoOn } = await leftShop(t, ['--sole-writer']);
		assert.deepEqual(await correctAndGoOn(), []);
		assert.deepEqual((await movementsOf(service)).moved, sums(transfers));
		assert.equal((await movementsOf(service)).transfers, transfers.length);
		assert.deepEqual(await balances(bursarctl), sums(transfers));
	});

	test('give: as one writer among others, each line that was cut off is said, and no line was given twice', async (t) => {
		const { bursarctl, service, transfers, correctAndGoOn } = await leftShop(t, []);
		const unknown = await correctAndGoOn();
		const given = (await transfersOf(service)).map(keyOf);
		assert.equal(new Set(given).size, given.length, 'no line was given twice');
		assert.deepEqual(new Set([...given, ...unknown]), new Set(transfers.map(keyOf)), 'each was given, or is unknown');
		const { moved } = await movementsOf(service);
		for (const [name, balance] of Object.entries(await balances(bursarctl))) assert.equal(balance, moved[name] ?? 0);
	});
});

describe('a request that arrives only after its sender was killed', { concurrency: 2 }, () => {
	test('create: the next run waits for it, finds it, and pays nothing more', async (t) => {
		const { bursarctl, file, args, killOnTheWay } = await lateShop(t, 'create', 'dora\n');
		await killOnTheWay(['sub-user', 'create', ...args]);
		assert.equal((await bursarctl.json('account')).balance, 10_000 - 10, 'it has not arrived yet');
		const { code, stdout, stderr } = await bursarctl.run('sub-user', 'create', ...args);
		assert.equal(code, 0, stderr);
		assert.deepEqual(
			rowsIn(stdout).map(({ username, created, fee }) => [username, created, fee]),
			[['dora', false, { min_cents: 0, max_cents: 10 }]],
		);
		assert.equal((await bursarctl.json('account')).balance, 10_000 - 20);
		assert.ok(existsSync(`${file}.journal`));
	});

	test('reset-key: the key that is told is the one that is valid', async (t) => {
		const { bursarctl, args, killOnTheWay } = await lateShop(t, 'reset_auth_key', 'alice\n');
		await killOnTheWay(['sub-user', 'reset-key', ...args]);
		const [row] = rowsIn((await bursarctl.run('sub-user', 'reset-key', ...args)).stdout);
		await setTimeout(1000);
		assert.equal((await bursarctl.json('sub-user', 'show', 'alice')).proxy_authkey, row.proxy_authkey);
	});

	test('give: the sole writer sees it in the balance; later lines of that name wait until it is judged', async (t) => {
		const { bursarctl, args, killOnTheWay } = await lateShop(t, 'give_balance', 'alice,5\nalice,70\n');
		const give = ['balance', 'give', ...args];
		await killOnTheWay([...give, '--sole-writer']);
		const undecided = await bursarctl.run(...give);
		assert.equal(undecided.code, 6);
		assert.match(saidIn(undecided.stderr).error.message, /run it again with --sole-writer/);
		assert.equal(undecided.stdout, '', 'the second line would hide what became of the first');
		const { code, stdout, stderr } = await bursarctl.run(...give, '--sole-writer');
		assert.equal(code, 0, stderr);
		assert.deepEqual(
			rowsIn(stdout).map(({ line, balance, confirmed_by: by }) => [line, balance, by]),
			[
				[1, 5, 'look'],
				[2, 75, 'answer'],
			],
		);
	});

	test('give: where somebody else moved the balance too, it is not given again', async (t) => {
		const { bursarctl, args, killOnTheWay } = await lateShop(t, 'give_balance', 'alice,5\nalice,70\n');
		const give = ['balance', 'give', ...args, '--sole-writer'];
		await killOnTheWay(give);
		await bursarctl.print('balance', 'give', 'alice', '1', '--yes');
		for (const _ of [1, 2]) {
			const { code, stdout } = await bursarctl.run(...give);
			assert.equal(code, 6);
			assert.match(rowsIn(stdout)[0].error.message, /neither what it was nor what it should be/);
		}
		assert.deepEqual(await balances(bursarctl), { alice: 6 });
	});
});

/** Ten sub-users, and a file of transfers to them. */
async function transferShop(t: TestContext) {
	const random = printedRandom(t);
	const { bursarctl, service } = await openShop(t, OPENING_CENTS);
	const folder = temporaryFolder(t);
	const names = Array.from({ length: 10 }, (_, place) => `user.${place}`);
	writeFileSync(join(folder, 'names'), names.join('\n'));
	await bursarctl.print('sub-user', 'create', '--all', join(folder, 'names'), '--yes');
	const transfers = Array.from(
		{ length: 300 },
		(_, place): Transfer => ({
			line: place + 1,
			username: names[random.below(names.length)] as string,
			cents: 1 + random.below(9),
		}),
	);
	const file = join(folder, 'transfers');
	const journal = `${file}.journal`;
	writeFileSync(file, transfers.map(({ username, cents }) => `${username},${cents}\n`).join(''));
	return {
		bursarctl,
		service,
		random,
		file,
		transfers,
		journal,
		args: ['balance', 'give', '--all', file, '--yes', '--json', ...SETTLE],
		/** Kills it several times; returns how many lines are cut off in the end. */
		async kill(give: readonly string[]) {
			const cuts: number[] = [];
			for (let kill = 0; kill < KILLS; kill++) {
				cuts.push((await killInTheMiddle(bursarctl, give, journal, random)).cut);
			}
			t.diagnostic(`lines cut off after each kill: ${cuts.join(', ')}`);
			return cuts.at(-1) ?? 0;
		},
	};
}

/** The file of transfers, which is killed, corrected, and goes on in a file of its own, several times. */
async function leftShop(t: TestContext, more: readonly string[]) {
	const shop = await transferShop(t);
	const { bursarctl, random, file } = shop;
	// Each line is one of its kind, so that the ledger tells whether one was given twice.
	const transfers = shop.transfers.map((transfer) => ({ ...transfer, cents: transfer.line }));
	const give = ['balance', 'give', '--yes', '--json', ...SETTLE, ...more, '--all'];
	return {
		...shop,
		transfers,
		/** Returns the lines that are unknown in the end. */
		async correctAndGoOn(): Promise<string[]> {
			const unknown: string[] = [];
			let from = file;
			writeFileSync(from, transfers.map((transfer) => `${keyOf(transfer)}\n`).join(''));
			for (let kill = 0; kill < KILLS; kill++) {
				await killInTheMiddle(bursarctl, [...give, from], `${from}.journal`, random);
				const correction = { line: 0, username: 'user.0', cents: 1000 + kill };
				transfers.push(correction);
				writeFileSync(from, `# corrected\n${readFileSync(from, 'utf8')}${keyOf(correction)}\n`);
				const to = `${file}.${kill}`;
				const left = await bursarctl.run(...give, from, '--left', to);
				assert.equal(left.code, 0, left.stderr);
				for (const { username, amount_usd_cents: cents } of JSON.parse(left.stdout).unknown) {
					unknown.push(keyOf({ username, cents }));
				}
				from = to;
			}
			t.diagnostic(`${unknown.length} lines are unknown`);
			const { code, stderr } = await bursarctl.run(...give, from);
			assert.equal(code, 0, stderr);
			return unknown;
		},
	};
}

function keyOf({ username, cents }: { readonly username: string; readonly cents: number }): string {
	return `${username},${cents}`;
}

/** A sub-user alice, and something on the way to the service that delays such requests. */
async function lateShop(t: TestContext, path: string, input: string) {
	const { bursarctl, service } = await openShop(t);
	await bursarctl.print('sub-user', 'create', 'alice', '--yes');
	const middle = await startMiddle(t, service.url);
	const file = join(temporaryFolder(t), 'input');
	writeFileSync(file, input);
	return {
		bursarctl,
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

function sums(transfers: readonly Transfer[]): Record<string, number> {
	const balanceOf: Record<string, number> = {};
	for (const { username, cents } of transfers) balanceOf[username] = (balanceOf[username] ?? 0) + cents;
	return balanceOf;
}

async function balances(bursarctl: Bursarctl): Promise<Record<string, number>> {
	const list: { username: string; balance: number }[] = await bursarctl.json('sub-user', 'list');
	return Object.fromEntries(list.map(({ username, balance }) => [username, balance]));
}
