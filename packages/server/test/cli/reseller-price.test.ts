import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { test } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { callBursar } from '@bursar/testing/bursar-in-process';
import { startTestService } from '@bursar/testing/service';
import { openStore } from '../../src/engine.ts';
import { record, runAll } from '../store/suite/engine.ts';
import { bothEngines } from '../support/both-engines.ts';
import { postUsage } from '../support/commands.ts';

const GB = 1_000_000_000;

for (const engine of await bothEngines()) {
	test(`${engine.name}: a price is set, shown with its history and who set it, and taken away; usage has its entries`, async (t) => {
		const environment = await engine.environment();
		const { url, config, openReseller } = await startTestService(t, environment);
		const run = (...args: string[]) => callBursar(config.dataDir, args, { environment });
		const json = async (...args: string[]) => {
			const { code, stdout, stderr } = await run(...args, '--json');
			return code === 0 ? JSON.parse(stdout) : { code, error: JSON.parse(stderr).error.code };
		};
		const price = (...args: string[]) => json('reseller', 'price', 'acme', ...args);
		const { token } = await openReseller('acme', 1_000);
		await openReseller('other', 0);
		const api = resellerApi(url, token);
		await api.create({ username: 'alice' });
		await api.give({ username: 'alice', amount_usd_cents: 500 });

		assert.deepEqual(await price(), { username: 'acme', micro_usd_per_gb: null, debt_line_cents: 500, history: [] });
		const plain = await run('reseller', 'price', 'ACME', '3.333333');
		assert.equal(plain.code, 0, plain.stderr);
		assert.match(
			plain.stdout,
			/^username +acme\nprice +3\.333333 USD per GB\nprevious_price +off\ndebt_line +5\.00 USD\n$/,
		);
		assert.match(plain.stderr, /^From now on, the balances of acme and its sub-users pay 3\.333333 USD for each GB/);
		const set = {
			username: 'acme',
			micro_usd_per_gb: 3_500_000,
			previous_micro_usd_per_gb: 3_333_333,
			debt_line_cents: 500,
			changed: true,
		};
		assert.deepEqual(await price('3.5'), set);
		assert.deepEqual(await price('3.500000'), { ...set, previous_micro_usd_per_gb: 3_500_000, changed: false });
		assert.deepEqual(
			(await json('reseller', 'list')).resellers.map(({ micro_usd_per_gb }: Price) => micro_usd_per_gb),
			[3_500_000, null],
		);
		assert.match((await run('reseller', 'list')).stdout, /^acme +\S+ USD +- +3\.50 USD per GB +active +\S+$/m);

		for (const bad of ['0.0000001', '.5', '1e3', '-1', '3,50']) assert.equal((await price(bad)).code, 2, bad);
		for (const bad of ['0', '1000.000001']) assert.deepEqual(await price(bad), { code: 1, error: 'invalid_price' });
		assert.equal((await price('3', '--off')).code, 2);
		for (const args of [[], ['1']]) {
			assert.equal((await json('reseller', 'price', 'alice', ...args)).error, 'unknown_reseller');
		}

		const off = await run('reseller', 'price', 'acme', '--off');
		assert.match(off.stderr, /^From now on, bandwidth of acme costs nothing, and balances do not limit it/);
		assert.match(
			(await run('reseller', 'price', 'acme', '--off')).stderr,
			/^That is the price already: it has not changed\.$/m,
		);
		const { history } = await price();
		assert.deepEqual(
			history.map((each: Price) => each.micro_usd_per_gb),
			[null, 3_500_000, 3_333_333],
		);
		const doer = { email: null, token_tail: null, address: null, system_user: userInfo().username };
		assert.partialDeepStrictEqual(history, Array(3).fill(doer));
		const { acts } = await json('request', history[1].request_id);
		assert.partialDeepStrictEqual(acts, [{ kind: 'set_price', target: 'acme 3.50', ...doer }]);
		assert.match(
			(await run('reseller', 'price', 'acme')).stdout,
			/^price +off$[\s\S]*^\S+Z +3\.50 USD per GB +\S+ +cli-/m,
		);

		await price('3.50');
		const store = await openStore(config);
		t.after(() => store.close());
		const nowMs = store.nowMs();
		const report = (username: string) => ({
			source: 's',
			id: username,
			username,
			atMs: nowMs,
			bytesUp: GB,
			bytesDown: 0,
		});
		assert.deepEqual(await record(store, [report('alice'), report('acme')], nowMs), ['counted', 'counted']);
		const posting = { ...postUsage('acme', 'alice', 'acme'), requestId: 'posting-1' };
		await runAll(store, [posting], nowMs);
		const usage = {
			reseller: 'acme',
			kind: 'usage',
			amount_cents: -350,
			email: null,
			token_tail: null,
			system_user: null,
		};
		const [ofAlice, ofAcme] = [
			{ ...usage, username: 'alice', balance_cents: 150 },
			{ ...usage, username: null, balance_cents: 140 },
		];
		assert.partialDeepStrictEqual(await json('request', 'posting-1'), { movements: [ofAlice, ofAcme], acts: [] });
		assert.partialDeepStrictEqual(await json('movements', '--limit', '2'), { movements: [ofAcme, ofAlice] });
		assert.match((await run('movements')).stdout, /^\S+ +acme +usage +alice +-3\.50 +1\.50 +- +posting-1$/m);
		assert.equal((await json('ledger', 'verify')).ok, true);
	});
}

interface Price {
	readonly micro_usd_per_gb: number | null;
}
