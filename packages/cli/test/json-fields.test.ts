import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startStripe, stripeEnvironment } from '@bursar/testing/payment-providers/stripe';
import { rowsIn, saidIn } from './support/bursarctl.ts';
import { fileOf } from './support/input.ts';
import { movementsOf } from './support/ledger.ts';
import { openShop, shopWith } from './support/shop.ts';

describe('--json=FIELDS', { concurrency: 2 }, () => {
	test('prints these fields of an object, of each object of a list, and of each row of a file', async (t) => {
		const { bursarctl } = await shopWith(t, 'alice', 'bruno');
		const print = (...args: string[]) => bursarctl.print(...args);
		assert.equal(
			await print('account', '--json=balance_usd_cents,username'),
			'{"balance_usd_cents":9980,"username":"acme"}\n',
		);
		assert.equal(await print('--json=username', 'account'), '{"username":"acme"}\n');
		assert.equal(await print('sub-user', 'list', '--json=username'), '[{"username":"alice"},{"username":"bruno"}]\n');
		const give = ['balance', 'give', '--yes', '--json=line,username,error,balance_usd_cents'];
		const { code, stdout } = await bursarctl.run(...give, '--all', fileOf(t, 'alice,2.50\nzora,1.00\n'));
		assert.equal(code, 4);
		const [alice, zora] = rowsIn(stdout);
		assert.deepEqual(alice, { line: 1, username: 'alice', error: null, balance_usd_cents: 250 });
		assert.deepEqual(
			{ ...zora, error: zora.error.code },
			{ line: 2, username: 'zora', error: 'unknown_sub_user', balance_usd_cents: null },
		);
	});

	test('a field that is not known is refused before anything is sent, with those that are known', async (t) => {
		const { bursarctl, service } = await shopWith(t, 'alice');
		const file = fileOf(t, 'alice,1.00\n');
		const wrong = [
			[
				['balance', 'give', 'alice', '1.00', '--json=username,opensesame'],
				/fields are username, balance_usd_cents, confirmed_by$/,
			],
			[['balance', 'give', 'alice', '1.00', '--json=line'], /fields are username, balance_usd_cents, confirmed_by$/],
			[['balance', 'give', '--all', file, '--json=opensesame'], /fields are .*line, state, error, username/],
			[['balance', 'give', '--all', file, '--dry-run', '--json=line'], /give --json alone/],
			[['completion', 'bash', '--json=word'], /no fields to choose/],
		] as const;
		for (const [args, message] of wrong) {
			const { code, stdout, stderr } = await bursarctl.run(...args, '--yes');
			assert.deepEqual([code, stdout], [2, ''], args.join(' '));
			assert.match(saidIn(stderr).error.message, message);
			assert.ok(!stderr.includes('opensesame'));
		}
		assert.equal((await movementsOf(service)).transfers, 0);
	});

	test('the known fields are those that --json prints', async (t) => {
		const { bursarctl } = await openShop(t, 10_000, stripeEnvironment(await startStripe(t)));
		await bursarctl.print('sub-user', 'create', 'alice', '--yes');
		const known = async (args: readonly string[]) => {
			const { stderr } = await bursarctl.run(...args, '--json=x');
			const names = /The fields are (.*)$/.exec(saidIn(stderr).error.message)?.[1] ?? '';
			return names.split(', ').sort();
		};
		const commands = [
			['account'],
			['statement'],
			['top-up', 'create', '50.00', '--provider', 'stripe'],
			['top-up', 'list'],
			['events', 'list'],
			['events', 'follow', '--rows', '1'],
			['webhooks', 'create', 'https://shop.example.com/events'],
			['webhooks', 'list'],
			['tokens', 'create', 'shop', '--scope', 'read', '--expires', new Date(Date.now() + 86_400_000).toISOString()],
			['tokens', 'list'],
			['tokens', 'end', 'shop'],
			['sub-user', 'create', 'alice', '--yes'],
			['sub-user', 'create-with', 'bruno', '--yes'],
			['sub-user', 'show', 'alice'],
			['sub-user', 'list', '--state', 'active'],
			['sub-user', 'details', 'alice'],
			['sub-user', 'limits', 'alice', '--connections', '1'],
			['sub-user', 'suspend', 'alice'],
			['sub-user', 'note', 'alice', 'x'],
			['balance', 'give', 'alice', '1.00', '--yes'],
			['sub-user', 'reset-key', 'alice'],
			['sub-user', 'delete', 'alice', '--yes'],
		];
		for (const args of commands) {
			const printed = await bursarctl.json(...args);
			assert.deepEqual(
				await known(args),
				Object.keys(Array.isArray(printed) ? printed[0] : printed).sort(),
				args.join(' '),
			);
		}
	});
});
