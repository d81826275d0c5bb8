import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get } from 'node:http';
import { after, test } from 'node:test';
import { endpoints } from '@bursar/contract';
import { resellerApi } from '@bursar/testing/api';
import { inDatabase } from '@bursar/testing/postgres-books';
import { testDatabases } from '@bursar/testing/postgres-server';
import { openReseller } from '@bursar/testing/service';
import { readConfig } from '../../src/config.ts';
import { openStore } from '../../src/engine.ts';
import { runAll } from '../store/suite/engine.ts';
import { createSubUser } from '../support/commands.ts';
import { serveDatabase } from '../support/served-database.ts';

const ROUNDS = process.env.BURSAR_TEST_FAULTS === 'long' ? 500 : 40;

const databases = await testDatabases();
after(() => databases.remove());

test('reads of three processes on one database', async (t) => {
	const url = await databases.createDatabase();
	const served = await serveDatabase(t, url);

	await t.test('after a process acknowledges a change, every process reads it', async () => {
		const { token } = await openReseller(readConfig(served.environment), 'reader', 100_000);
		const apis = served.urls.map((url) => resellerApi(url, token));
		const through = (index: number) => apis[index % apis.length] as (typeof apis)[number];
		await through(0).create({ username: 'alice' });
		let authKey = '';
		for (let round = 1; round <= ROUNDS; round++) {
			const given = await through(round).give({ username: 'alice', amount_usd_cents: 1 });
			assert.deepEqual(given.data, { username: 'alice', balance: round });
			if (round % 10 === 0) {
				authKey = (await through(round + 1).resetAuthKey({ username: 'alice' })).data.proxy_authkey;
			}
			const [single, all, info] = await Promise.all([
				through(round + 1).viewSingle({ username: 'alice' }),
				through(round + 2).viewAll(),
				through(round + 1).myInfo(),
			]);
			assert.equal(single.data.balance, round);
			assert.deepEqual(all.data, [single.data]);
			assert.equal(info.data.balance, 100_000 - 10 - round);
			if (authKey) assert.equal(single.data.proxy_authkey, authKey);
		}
	});

	await t.test('slow readers of long lists hold neither a connection nor a snapshot', async () => {
		const config = readConfig(served.environment);
		const { token } = await openReseller(config, 'long', 1_000_000);
		const [server] = served.urls as [string];
		const api = resellerApi(server, token);
		// More than all buffers on the way can hold.
		const store = await openStore(config);
		// No larger than the batches of a service: on a slow machine, a COMMIT of thousands is given up.
		for (let from = 0; from < 20_000; from += 500) {
			const names = Array.from({ length: 500 }, (_, n) => `long.${String(from + n).padStart(6, '0')}`);
			await runAll(
				store,
				names.map((name) => createSubUser('long', name)),
			);
		}
		await store.close();
		const slow = await Promise.all(
			Array.from({ length: 20 }, async () => {
				const request = get(server + endpoints.viewAllSubUsers.path, { headers: { authorization: `Bearer ${token}` } });
				const [response] = await once(request, 'response');
				let isOver = false;
				response.on('close', () => {
					isOver = true;
				});
				await once(response, 'readable');
				return { request, isOver: () => isOver };
			}),
		);
		const { rows } = await inDatabase(url, (database) =>
			database.query(
				`SELECT state FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
				 AND (state LIKE 'idle in transaction%' OR backend_xmin IS NOT NULL) AND now() - xact_start > interval '1 s'`,
			),
		);
		assert.deepEqual(rows, []);
		const sinceMs = performance.now();
		assert.equal((await api.viewSingle({ username: 'long.000000' })).status, 200);
		assert.equal((await api.give({ username: 'long.000000', amount_usd_cents: 1 })).status, 200);
		assert.ok(performance.now() - sinceMs < 2_000);
		for (const { request, isOver } of slow) {
			assert.ok(!isOver(), 'the answer had ended already');
			request.destroy();
		}
	});
});
