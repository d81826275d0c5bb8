import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runBursar } from '@bursar/testing/bursar-process';
import { BursarClient } from '../src/index.ts';
import { serveReseller } from './support/client.ts';

const DAY_MS = 86_400_000;

test("myInfo returns the reseller's account, with cents and a Date", async (t) => {
	const { reliable: client } = await serveReseller(t);
	const { username, balanceCents, proxyAuthkey, dateCreated, ...rest } = await client.myInfo();
	assert.equal(username, 'acme');
	assert.equal(balanceCents, 10_000);
	assert.match(proxyAuthkey, /^[0-9A-Za-z]{16}$/);
	assert.ok(Math.abs(dateCreated.getTime() - Date.now()) < 60_000);
	assert.deepEqual(rest, {});
});

test('a sub-user is created in lowercase for one fee, and can then be listed and viewed', async (t) => {
	const { reliable: client } = await serveReseller(t);
	const { subUser, created, fee, confirmedBy } = await client.createSubUser('Alice.Smith');
	assert.deepEqual([created, confirmedBy], [true, 'answer']);
	assert.deepEqual(fee, { minCents: 10, maxCents: 10 });
	assert.equal(subUser.username, 'alice.smith');
	assert.equal(subUser.balanceCents, 0);
	assert.deepEqual(await client.viewSubUser('ALICE.smith'), subUser);
	assert.deepEqual(await client.viewAllSubUsers(), [subUser]);
	assert.equal((await client.myInfo()).balanceCents, 9_990);
});

test('balance moves to a sub-user and back', async (t) => {
	const { reliable: client } = await serveReseller(t);
	await client.createSubUser('alice.smith');
	const given = await client.giveBalance('alice.smith', 300);
	assert.deepEqual([given.balanceCents, given.confirmedBy], [300, 'answer']);
	assert.match(given.requestId ?? '', /./, 'the ledger has it too');
	const taken = await client.takeBalance('alice.smith', 100, { soleWriter: true });
	assert.deepEqual([taken.username, taken.balanceCents], ['alice.smith', 200]);
	assert.equal((await client.myInfo()).balanceCents, 9_790);
});

test('resetAuthKey returns the key that is valid from then on', async (t) => {
	const { reliable: client } = await serveReseller(t);
	await client.createSubUser('alice.smith');
	const before = (await client.viewSubUser('alice.smith')).proxyAuthkey;
	const replaced = await client.resetAuthKey('alice.smith');
	assert.notEqual(replaced.proxyAuthkey, before);
	assert.equal((await client.viewSubUser('alice.smith')).proxyAuthkey, replaced.proxyAuthkey);
});

test('usage is sorted by day', async (t) => {
	const { reliable: client, service } = await serveReseller(t);
	await client.createSubUser('alice.smith');
	const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
	const reports = [3, 1, 0, 2].map((daysAgo, index) => ({
		source: 'test',
		id: String(index),
		username: 'alice.smith',
		timestamp: new Date(today - daysAgo * DAY_MS).toISOString(),
		up: daysAgo,
		down: 1000 + daysAgo,
	}));
	const input = reports.map((report) => `${JSON.stringify(report)}\n`).join('');
	const { code, stderr } = await runBursar(t, service.config.dataDir, ['usage', 'import', '-'], { input });
	assert.equal(code, 0, stderr);
	assert.deepEqual(
		await client.viewUsage('alice.smith'),
		[3, 2, 1, 0].map((daysAgo) => ({
			day: new Date(today - daysAgo * DAY_MS),
			bytesUp: daysAgo,
			bytesDown: 1000 + daysAgo,
		})),
	);
});

test('the environment supplies the address and the token', async (t) => {
	const { service, token } = await serveReseller(t);
	const before = { ...process.env };
	t.after(() => {
		process.env = before;
	});
	process.env.BURSAR_URL = `${service.url}/`;
	process.env.BURSAR_TOKEN = token;
	assert.equal((await new BursarClient().myInfo()).username, 'acme');
});
