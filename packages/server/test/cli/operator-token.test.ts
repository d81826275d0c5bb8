import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { describe, test } from 'node:test';
import { callBursar } from '@bursar/testing/bursar-in-process';
import { runBursar } from '@bursar/testing/bursar-process';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { readConfig } from '../../src/config.ts';
import { hashToken } from '../../src/credentials.ts';
import { openStore } from '../../src/engine.ts';
import type { Store } from '../../src/store/store.ts';

const DAY = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
const BILLING = ['create', 'billing', '--scope', 'resellers:read', 'money:write', '--expires', DAY] as const;
const NEEDS_LINUX = { skip: process.platform !== 'linux' && 'this system has no /dev/full' };

/** Runs `bursar operator-token` with `--json`, and returns its exit code and its object. */
async function runJson(dataDir: string, ...args: string[]) {
	const { code, stdout, stderr } = await callBursar(dataDir, ['operator-token', ...args, '--json']);
	return { code, value: JSON.parse(code === 0 ? stdout : stderr) };
}

async function inStore<Value>(dataDir: string, read: (store: Store) => Promise<Value>): Promise<Value> {
	const store = await openStore(readConfig({ BURSAR_DATA_DIR: dataDir }));
	try {
		return await read(store);
	} finally {
		await store.close();
	}
}

describe('bursar operator-token', { concurrency: 2 }, () => {
	test('create prints a token once, of which only the hash is kept; list shows no secret; end ends it', async (t) => {
		const dataDir = temporaryFolder(t);
		await callBursar(dataDir, ['migrate']);
		const made = await runJson(dataDir, ...BILLING);
		assert.equal(made.code, 0, JSON.stringify(made.value));
		assert.deepEqual(Object.keys(made.value), ['token']);
		const { token } = made.value;
		assert.match(token, /^bro_[0-9A-Za-z]{46}$/);
		const [kept] = await inStore(dataDir, (store) => store.listOperatorTokens());
		assert.equal(kept?.hash, hashToken(token));

		assert.equal((await runJson(dataDir, ...BILLING)).value.error.code, 'token_exists');
		const { tokens } = (await runJson(dataDir, 'list')).value;
		assert.deepEqual(tokens, [
			{
				...{ name: 'billing', tail: token.slice(-4), state: 'active', scopes: ['resellers:read', 'money:write'] },
				...{ made_by: userInfo().username, date_created: tokens[0].date_created },
				...{ expires_at: `${DAY}T00:00:00.000Z`, last_used: null },
			},
		]);
		const table = (await callBursar(dataDir, ['operator-token', 'list'])).stdout;
		assert.match(table, /^NAME +TOKEN +STATE +SCOPES +MADE BY +MADE +UNTIL +LAST USED\nbilling +\.\.\.\w{4} +active +/);
		assert.ok(!table.includes('bro_'));

		assert.deepEqual((await runJson(dataDir, 'end', 'billing')).value, { name: 'billing', ended: true });
		assert.equal((await runJson(dataDir, 'end', 'billing')).value.error.code, 'unknown_token');
		assert.deepEqual((await runJson(dataDir, 'list')).value, { tokens: [] });
		const again = await callBursar(dataDir, ['operator-token', ...BILLING]);
		assert.match(
			again.stdout,
			/^name +billing\nscopes +resellers:read money:write\nexpires_at +\S+\ntoken +bro_\w{46}\n$/,
		);
		assert.match(again.stderr, /shown only this once/);

		const query = { before: Number.MAX_SAFE_INTEGER, limit: 10 };
		const { rows } = await inStore(dataDir, (store) => store.searchActs(query));
		assert.deepEqual(
			rows.map(({ kind, target, systemUser }) => [kind, target, systemUser]),
			['create', 'end', 'create'].map((verb) => [`${verb}_operator_token`, 'billing', userInfo().username]),
		);
	});

	test('what no token can be is refused', async (t) => {
		const dataDir = temporaryFolder(t);
		await callBursar(dataDir, ['migrate']);
		for (const wrong of [
			['create', '-', '--scope', 'usage:read', '--expires', DAY],
			['create', 'old', '--scope', 'usage:read', '--expires', '2020-01-01'],
			['create', 'far', '--scope', 'usage:read', '--expires', '2999-01-01T00:00:00+01:00'],
		]) {
			const { code, value } = await runJson(dataDir, ...wrong);
			assert.deepEqual([code, value.error.code], [1, 'invalid_token'], wrong.join(' '));
		}
		for (const wrong of [
			['create', 'billing', '--expires', DAY],
			['create', 'billing', '--scope', 'usage:read'],
			['create', 'billing', '--scope', 'read', '--expires', DAY],
			['create', 'billing', '--scope', 'usage:read', '--expires', '2027-02-30'],
			['create', 'billing', '--scope', 'usage:read', '--expires', 'tomorrow'],
			['create', '--scope', 'usage:read', '--expires', DAY],
		]) {
			assert.equal((await runJson(dataDir, ...wrong)).code, 2, wrong.join(' '));
		}
		assert.deepEqual((await runJson(dataDir, 'list')).value, { tokens: [] });
	});

	test('a token that cannot be shown is not made, or the error says how to get another one', NEEDS_LINUX, async (t) => {
		const dataDir = temporaryFolder(t);
		await callBursar(dataDir, ['migrate']);
		const args = ['operator-token', ...BILLING, '--json'];
		const full = await runBursar(t, dataDir, args, { under: ['sh', '-c', '"$@" > /dev/full', 'sh'] });
		assert.equal(full.code, 1);
		const { error } = JSON.parse(full.stderr);
		assert.deepEqual([error.code, error.done], ['token_not_shown', { name: 'billing' }]);
		assert.match(error.message, /To get another one: bursar operator-token end 'billing', then /);
		assert.doesNotMatch(full.stderr, /bro_/);
		await runJson(dataDir, 'end', 'billing');
		const closed = await runBursar(t, dataDir, args, { under: ['sh', '-c', '"$@" >&-', 'sh'] });
		assert.equal(JSON.parse(closed.stderr).error.code, 'output_closed');
		assert.deepEqual((await runJson(dataDir, 'list')).value, { tokens: [] });
	});
});
