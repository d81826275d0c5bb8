import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { startTestService } from '@bursar/testing/service';

test('a reseller creates a sub-user, gives it balance, and sees both in every view', async (t) => {
	const service = await startTestService(t);
	const { token } = await service.openReseller('acme', 1000);
	const api = resellerApi(service.url, token);

	const created = await api.create({ username: 'Alice.Smith' });
	assert.equal(created.status, 200);
	assert.equal(created.data.username, 'alice.smith');
	assert.equal(created.data.balance, 0);
	assert.match(created.data.proxy_authkey, /^[0-9A-Za-z]{16}$/);
	assert.equal((await api.myInfo()).data.balance, 990);

	const given = await api.give({ username: 'alice.smith', amount_usd_cents: 250 });
	assert.deepEqual(given.data, { username: 'alice.smith', balance: 250 });
	const seen = await api.viewSingle({ username: 'alice.smith' });
	assert.deepEqual(seen.data, { ...created.data, balance: 250 });
	assert.deepEqual((await api.viewAll()).data, [seen.data]);

	const taken = await api.take({ username: 'alice.smith', amount_usd_cents: 50 });
	assert.deepEqual(taken.data, { username: 'alice.smith', balance: 200 });
	assert.equal((await api.myInfo()).data.balance, 790);

	const reset = await api.resetAuthKey({ username: 'alice.smith' });
	assert.notEqual(reset.data.proxy_authkey, created.data.proxy_authkey);
	assert.equal((await api.viewSingle({ username: 'alice.smith' })).data.proxy_authkey, reset.data.proxy_authkey);
	assert.deepEqual((await api.viewTxs({ username: 'alice.smith' })).data, []);
});
