import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { callBursar } from '@bursar/testing/bursar-in-process';
import { runBursar } from '@bursar/testing/bursar-process';
import { eventually } from '@bursar/testing/eventually';
import { startTestService } from '@bursar/testing/service';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import Database from 'better-sqlite3';

/** Runs a command with `--json`. Throws unless it prints one object on stdout or one error on stderr. */
async function runJson(dataDir: string, ...args: string[]) {
	const { code, stdout, stderr } = await callBursar(dataDir, [...args, '--json']);
	if (code === 0) assert.equal(stderr, '');
	else assert.equal(stdout, '');
	const text = code === 0 ? stdout : stderr;
	assert.equal(text.split('\n').length, 2, 'the output is not one line');
	return { code, value: JSON.parse(text) };
}

describe('bursar reseller', { concurrency: 2 }, () => {
	test('create prints the account and its token once, and both work in the API', async (t) => {
		const server = await startTestService(t);
		const { dataDir } = server.config;
		const { code, value } = await runJson(dataDir, 'reseller', 'create', 'Acme.Co', '--balance', '50.00');
		assert.equal(code, 0);
		assert.deepEqual(Object.keys(value), ['username', 'balance_cents', 'proxy_authkey', 'date_created', 'token']);
		const { token, balance_cents: balance, ...account } = value;
		assert.equal(account.username, 'acme.co');
		assert.deepEqual((await resellerApi(server.url, token).myInfo()).data, { ...account, balance });

		const again = await runJson(dataDir, 'reseller', 'create', 'acme.co');
		assert.equal(again.code, 1);
		assert.equal(again.value.error.code, 'username_taken');
		assert.deepEqual((await resellerApi(server.url, token).myInfo()).data, { ...account, balance });

		const plain = await callBursar(dataDir, ['reseller', 'create', 'umbrella']);
		assert.match(plain.stdout, /^token +brs_\w{46}$/m);
		assert.match(plain.stderr, /shown only this once/);
		const list = await callBursar(dataDir, ['reseller', 'list']);
		assert.match(list.stdout, /^USERNAME.*\nacme\.co +50\.00 USD +- +off .*\numbrella +0\.00 USD +- +off .*\n$/);
		assert.ok(!list.stdout.includes(account.proxy_authkey));
		assert.equal(list.stderr, '');
		const { resellers } = (await runJson(dataDir, 'reseller', 'list')).value;
		assert.deepEqual(
			resellers.map((reseller: object) => Object.keys(reseller)),
			Array(2).fill([
				'username',
				'balance_cents',
				'debt_cents',
				'micro_usd_per_gb',
				'date_suspended',
				'sign_in_by_address',
				'date_created',
			]),
		);
	});

	test('credit counts a reference once; a negative amount takes money back, up to the balance', async (t) => {
		const dataDir = temporaryFolder(t);
		await runJson(dataDir, 'reseller', 'create', 'acme');
		const credit = (amount: string, reference: string, name = 'acme') =>
			runJson(dataDir, 'reseller', 'credit', name, amount, '--reference', reference, '--reason', 'why');
		const first = { username: 'acme', amount_cents: 700, balance_cents: 700, reference: 'A', repeated: false };
		assert.deepEqual((await credit('7.00', 'A')).value, first);
		assert.deepEqual((await credit('-5.00', 'B')).value, {
			...first,
			amount_cents: -500,
			balance_cents: 200,
			reference: 'B',
		});
		assert.deepEqual((await credit('7.00', 'A')).value, { ...first, repeated: true });
		for (const [amount, reference, name, error] of [
			['-2.01', 'C', 'acme', 'insufficient_balance'],
			['7.01', 'A', 'acme', 'reference_conflict'],
			['0.00', 'D', 'acme', 'invalid_amount'],
			['0.01', '', 'acme', 'invalid_reference'],
			['0.01', 'E', 'nobody', 'unknown_reseller'],
			['90071992547409.91', 'F', 'acme', 'balance_limit'],
		] as const) {
			const { code, value } = await credit(amount, reference, name);
			assert.equal(code, 1);
			assert.equal(value.error.code, error);
		}
		// What a script sends whose variable is empty.
		for (const line of [['--reference'], ['--reference', '--reason', 'why'], ['--reference', 'G', '--reason']]) {
			assert.equal((await runJson(dataDir, 'reseller', 'credit', 'acme', '0.01', ...line)).code, 2, line.join(' '));
		}
		assert.equal((await runJson(dataDir, 'reseller', 'list')).value.resellers[0].balance_cents, 200);
	});

	test('credit keeps a reason for people; one that is too long or has line breaks is refused', async (t) => {
		const dataDir = temporaryFolder(t);
		await runJson(dataDir, 'reseller', 'create', 'acme');
		const credit = (reference: string, ...reason: readonly string[]) =>
			runJson(dataDir, 'reseller', 'credit', 'acme', '0.05', '--reference', reference, ...reason);
		assert.equal((await credit('A', '--reason', 'Gutschrift für März')).code, 0);
		assert.equal((await credit('A', '--reason', 'another')).value.repeated, true);
		assert.equal((await credit('B')).code, 0);
		for (const reason of ['x'.repeat(201), 'two\nlines']) {
			const { code, value } = await credit('C', '--reason', reason);
			assert.deepEqual([code, value.error.code], [1, 'invalid_reason']);
		}
		const { code, value } = await runJson(dataDir, 'reseller', 'credit', 'acme', '-0.01', '--reference', 'D');
		assert.deepEqual([code, value.error.code], [1, 'invalid_reason']);
		assert.match(value.error.message, /to take money back or to correct a day, a reason is needed/);
		const database = new Database(join(dataDir, 'bursar.db'), { readonly: true });
		const kept = database.prepare('SELECT reference, reason, request_id FROM top_ups ORDER BY reference').all();
		database.close();
		const [a, b, ...others] = kept as { reference: string; reason: string; request_id: string }[];
		assert.deepEqual(
			[a?.reference, a?.reason, b?.reference, b?.reason, others],
			['A', 'Gutschrift für März', 'B', '', []],
		);
		assert.match(a?.request_id ?? '', /^cli-/);
	});

	test('a reference that looks like another one is refused', {
		skip: process.platform === 'win32' && 'Windows has no shell that can write these bytes',
	}, async (t) => {
		const dataDir = temporaryFolder(t);
		await runJson(dataDir, 'reseller', 'create', 'acme');
		const credit = ['reseller', 'credit', 'acme', '0.05', '--json'];
		assert.equal((await callBursar(dataDir, [...credit, '--reference', 'café 1'])).code, 0);
		const alike = [' café 1', 'café 1 ', 'café  1', 'café\u00a01', 'cafe\u0301 1', 'café\u200b 1'];
		const endings = [];
		for (const reference of alike) endings.push(await callBursar(dataDir, [...credit, '--reference', reference]));
		// Bytes that are no UTF-8, which only a shell can give.
		const under = ['sh', '-c', `"$@" --reference "$(printf 'caf\\351 1')"`, 'sh'];
		endings.push(await runBursar(t, dataDir, credit, { under }));
		for (const { code, stderr } of endings) {
			assert.deepEqual([code, JSON.parse(stderr).error.code], [1, 'invalid_reference']);
		}
		const again = await callBursar(dataDir, [...credit, '--reference', 'café 1']);
		assert.equal(JSON.parse(again.stdout).repeated, true);
		assert.equal((await runJson(dataDir, 'reseller', 'list')).value.resellers[0].balance_cents, 5);
	});

	test('rotate-token keeps the previous token for the overlap; revoke-token ends all tokens', async (t) => {
		const server = await startTestService(t);
		const { dataDir } = server.config;
		const status = async (token: string) => (await resellerApi(server.url, token).myInfo()).status;
		const created = (await runJson(dataDir, 'reseller', 'create', 'acme')).value;

		const before = Date.now();
		const rotated = (await runJson(dataDir, 'reseller', 'rotate-token', 'acme', '--overlap-seconds', '100')).value;
		assert.deepEqual(Object.keys(rotated), ['username', 'token', 'previous_token_expires']);
		const overlapMs = Date.parse(rotated.previous_token_expires) - before;
		assert.ok(overlapMs >= 100_000 && overlapMs < 130_000, `${overlapMs}`);
		assert.equal(await status(created.token), 200);
		assert.equal(await status(rotated.token), 200);
		const pending = await runJson(dataDir, 'reseller', 'rotate-token', 'acme');
		assert.equal(pending.code, 1);
		assert.equal(pending.value.error.code, 'rotation_pending');

		const revoked = (await runJson(dataDir, 'reseller', 'revoke-token', 'acme')).value;
		assert.deepEqual(Object.keys(revoked), ['username', 'token', 'previous_token_expires']);
		assert.equal(await status(revoked.token), 200);
		for (const { token } of [created, rotated]) {
			await eventually(async () => assert.equal(await status(token), 401), 60_000);
		}
		assert.equal((await runJson(dataDir, 'reseller', 'revoke-token', 'nobody')).value.error.code, 'unknown_reseller');
	});
});
