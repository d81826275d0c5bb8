import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { test } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { callBursar } from '@bursar/testing/bursar-in-process';
import { startTestService } from '@bursar/testing/service';
import { openStore } from '../../src/engine.ts';

test('the operator suspends a reseller, which then reads and changes nothing, and resumes it', async (t) => {
	const { url, config, openReseller } = await startTestService(t);
	const run = (...args: string[]) => callBursar(config.dataDir, args);
	const json = async (...args: string[]) => {
		const { code, stdout, stderr } = await run(...args, '--json');
		return code === 0 ? JSON.parse(stdout) : { code, error: JSON.parse(stderr).error.code };
	};
	const { token } = await openReseller('acme', 1_000);
	const { token: otherToken } = await openReseller('bolt', 1_000);
	const api = resellerApi(url, token);
	const alice = { username: 'alice' };
	await api.create(alice);
	const { data: before } = await api.myInfo();

	const suspended = await run('reseller', 'suspend', 'ACME');
	assert.equal(suspended.code, 0, suspended.stderr);
	assert.match(suspended.stdout, /^username +acme\nsuspended +true\n$/);
	assert.match(suspended.stderr, /^Within seconds, all pairs of acme and its sub-users are refused/);
	for (const refused of [
		await api.create({ username: 'bruno' }),
		await api.create({}),
		await api.give({ ...alice, amount_usd_cents: 1 }),
		await api.resetAuthKey(alice),
	]) {
		assert.deepEqual([refused.status, refused.errorCode], [403, 'suspended']);
	}
	assert.deepEqual((await api.myInfo()).data, before, 'what is refused costs nothing');
	assert.equal((await resellerApi(url, otherToken).create({ username: 'carol' })).status, 200);
	const { date_suspended: since } = (await json('reseller', 'list')).resellers[0];
	assert.ok(Math.abs(Date.parse(since) - Date.now()) < 600_000, since);
	const listed = await run('reseller', 'list');
	assert.match(listed.stdout, /^acme +\S+ USD +- +off +suspended +\S+$/m);
	assert.match(listed.stdout, /^bolt +\S+ USD +- +off +active +\S+$/m);

	// A repeat neither fails nor begins the suspension anew.
	assert.deepEqual(await json('reseller', 'suspend', 'acme'), { username: 'acme', suspended: true });
	assert.equal((await json('reseller', 'list')).resellers[0].date_suspended, since);
	assert.equal(
		(await json('reseller', 'credit', 'acme', '0.05', '--reference', 'P-1')).balance_cents,
		before.balance + 5,
	);
	assert.deepEqual(await json('reseller', 'resume', 'acme'), { username: 'acme', suspended: false });
	assert.match((await run('reseller', 'resume', 'acme')).stderr, /^Within seconds, the pairs of acme are good again/);
	assert.equal((await api.give({ ...alice, amount_usd_cents: 1 })).status, 200);

	for (const command of ['suspend', 'resume']) {
		assert.deepEqual(await json('reseller', command, 'alice'), { code: 1, error: 'unknown_reseller' });
		assert.equal((await json('reseller', command)).code, 2);
	}
	assert.equal((await json('ledger', 'verify')).ok, true);
	assert.deepEqual(await actsOf(), [
		{ kind: 'suspend_reseller', target: 'acme', by: userInfo().username },
		{ kind: 'resume_reseller', target: 'acme', by: userInfo().username },
	]);

	/** What was recorded of both. What changed nothing was not. */
	async function actsOf() {
		const store = await openStore(config);
		const { rows } = await store.searchActsAfter({ after: 0, limit: 100 });
		await store.close();
		return rows
			.filter(({ kind }) => kind.endsWith('_reseller') && kind !== 'create_reseller')
			.map(({ kind, target, systemUser }) => ({ kind, target, by: systemUser }));
	}
});
