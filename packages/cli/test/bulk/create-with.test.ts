import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { rowsIn, saidIn } from '../support/bursarctl.ts';
import { fileOf } from '../support/input.ts';
import { movementsOf } from '../support/ledger.ts';
import { startMiddle } from '../support/middle.ts';
import { openShop, shopWith } from '../support/shop.ts';

const FILE = `username;amount_usd;total_bytes;allowed_ips;expires_at;note;reference
alice;25,00;10GB;192.0.2.7 2001:db8::/32;2126-12-31T23:00:00Z;"pays; by invoice";order-7
bruno;;;;;;
`;

describe('create-with of a file', { concurrency: 2 }, () => {
	test('each line is created with all that it says, for one fee; afterwards nothing is left to do', async (t) => {
		const { bursarctl, service } = await openShop(t);
		const file = fileOf(t, FILE);
		const create = ['sub-user', 'create-with', '--all', file];
		const dry = await bursarctl.run(...create, '--dry-run', '--json');
		assert.equal(saidIn(dry.stderr).dry_run.spends_max_cents, 2_520);
		assert.deepEqual(
			rowsIn(dry.stdout).map(({ username, amount_usd_cents, note }) => [username, amount_usd_cents, note]),
			[
				['alice', 2_500, 'pays; by invoice'],
				['bruno', 0, ''],
			],
		);
		const { code, stdout, stderr } = await bursarctl.run(...create, '--yes', '--json');
		assert.equal(code, 0, stderr);
		const [alice, bruno] = rowsIn(stdout).sort((one, other) => one.line - other.line);
		assert.match(alice.proxy_authkey, /^\w{16}$/);
		assert.deepEqual(
			[alice.balance_usd_cents, alice.note, bruno.balance_usd_cents, bruno.note],
			[2_500, 'pays; by invoice', 0, ''],
		);
		assert.equal(alice.limits.total_bytes, 10_000_000_000);
		assert.deepEqual(alice.limits.allowed_ips, ['192.0.2.7', '2001:db8::/32']);
		assert.equal(alice.limits.expires_at, '2126-12-31T23:00:00.000Z');
		assert.deepEqual(await movementsOf(service), { fees: 2, moved: { alice: 2_500 }, transfers: 1 });
		assert.match((await bursarctl.run('statement', '--reference', 'order-7', '--json')).stdout, /2500/);
		const again = await bursarctl.run(...create);
		assert.deepEqual([again.code, again.stderr.split('\n').at(-2)], [0, 'all 2 lines are done already']);
	});

	test('a name of ones own is refused for free, and a balance that is not there costs nothing', async (t) => {
		const { bursarctl, service } = await shopWith(t, 'owned');
		const file = fileOf(t, 'username,amount_usd\nowned,1.00\nalice,99.90\n');
		const { code, stdout } = await bursarctl.run('sub-user', 'create-with', '--all', file, '--yes', '--json');
		assert.equal(code, 5);
		assert.deepEqual(
			rowsIn(stdout)
				.map(({ username, error, fee }) => `${username} ${error.code} ${fee.max_cents}`)
				.toSorted(),
			['alice insufficient_balance 0', 'owned username_taken 0'],
		);
		assert.deepEqual(await movementsOf(service), { fees: 1, moved: {}, transfers: 0 });
	});

	test('a lost answer is found by its id: nothing is created or given twice', async (t) => {
		const { bursarctl, service } = await openShop(t);
		const middle = await startMiddle(t, service.url);
		let lost = 0;
		middle.fateOf = (path) => (path.endsWith('/create_with') && ++lost <= 2 ? 'lose_answer' : 'pass');
		const create = ['sub-user', 'create-with', '--all', fileOf(t, FILE), '--yes', '--json', '--url', middle.url];
		const { code, stderr } = await bursarctl.run(...create);
		assert.equal(code, 0, stderr);
		assert.ok(lost >= 2);
		assert.deepEqual(await movementsOf(service), { fees: 2, moved: { alice: 2_500 }, transfers: 1 });
	});

	test('what is left goes to a new file with all that it said', async (t) => {
		const { bursarctl, service } = await shopWith(t, 'owned');
		const file = fileOf(t, `${FILE}owned;1,00;;;;;\n`);
		const middle = await startMiddle(t, service.url);
		middle.fateOf = (path) => (path.endsWith('/create_with') ? { status: 503 } : 'pass');
		const create = ['sub-user', 'create-with', '--all', file];
		await bursarctl.run(...create, '--yes', '--url', middle.url, '--timeout', '2');
		const rest = `${file}.rest`;
		const url = ['--url', middle.url];
		assert.equal((await bursarctl.run(...create, '--left', rest, ...url)).code, 0);
		assert.equal(
			readFileSync(rest, 'utf8'),
			`username,amount_usd_cents,day_bytes,month_bytes,total_bytes,connections,bytes_per_second,allowed_ips,expires_at,note,reference
alice,2500,,,10000000000,,,192.0.2.7 2001:db8::/32,2126-12-31T23:00:00.000Z,pays; by invoice,order-7
bruno,,,,,,,,,,
`,
		);
		middle.fateOf = () => 'pass';
		const again = await bursarctl.run('sub-user', 'create-with', '--all', rest, '--yes', ...url);
		assert.equal(again.code, 0, again.stderr);
		assert.deepEqual(await movementsOf(service), { fees: 3, moved: { alice: 2_500 }, transfers: 1 });
	});

	test('options that the file would say are refused with it; without a file, they need a username', async (t) => {
		const { bursarctl } = await openShop(t);
		const file = fileOf(t, FILE);
		for (const args of [
			['--balance', '1.00'],
			['--note', 'x'],
			['--total-bytes', '1GB'],
		]) {
			const { code, stderr } = await bursarctl.run('sub-user', 'create-with', '--all', file, '--yes', ...args);
			assert.equal(code, 2);
			assert.match(stderr, /the file says what each sub-user has/);
		}
		assert.equal((await bursarctl.run('sub-user', 'create-with', '--yes')).code, 2);
		assert.ok(!existsSync(`${file}.journal`));
	});
});

test('of transfers, usernames that stand twice are named before anything is sent', async (t) => {
	const { bursarctl } = await shopWith(t, 'alice');
	const file = fileOf(t, 'alice,1.00\nalice,2.00\n');
	const { stderr } = await bursarctl.run('balance', 'give', '--all', file, '--dry-run');
	assert.match(stderr, /^careful: 1 username on several lines, and each line counts: alice \(lines 1, 2\)\n/);
});
