import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { assertFailure, resellerApi } from '@bursar/testing/api';
import { testDatabases } from '@bursar/testing/postgres-server';
import { expiring } from '../support/expiry-service.ts';
import { serveDatabase } from '../support/served-database.ts';

const AN_HOUR_BEHIND = {
	NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, '../support/clock-behind.mjs'))}`,
};

const databases = await testDatabases();
after(() => databases.remove());

test('a change expires by the clock of the database, also in a process whose own clock is an hour behind', async (t) => {
	const served = await serveDatabase(t, await databases.createDatabase(), { processes: 1 });
	const behind = await served.startServer(AN_HOUR_BEHIND);
	const { token } = served.workload;
	const [first, second] = [served.urls[0] as string, behind.url].map((url) => resellerApi(url, token));
	assert.ok(first && second);
	await first.create({ username: 'expiring' });
	const nowSeconds = JSON.parse((await first.myInfo()).text).timestamp;
	const give = { username: 'expiring', amount_usd_cents: 5 };
	// By the late clock, the first change would still be valid for 59 minutes.
	for (const api of [first, second]) {
		assertFailure(await api.give(give, expiring(nowSeconds - 60)), 503, 'unavailable');
		assert.equal((await api.give(give, expiring(nowSeconds + 60))).status, 200);
	}
	assert.equal((await first.viewSingle({ username: 'expiring' })).data.balance, 10);
	assert.equal(await (await fetch(`${behind.opsUrl}/readyz`)).text(), 'ready\n');
});
