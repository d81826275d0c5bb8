import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callBursar } from '@bursar/testing/bursar-in-process';
import { Bursar } from '../src/index.ts';
import { serveReseller } from './support/client.ts';

const DAY_MS = 86_400_000;

test('a reseller creates a sub-user for one fee, moves balance to it and back, and replaces its key', async (t) => {
	const { reliable: client } = await serveReseller(t);
	assert.equal(client.serviceTime(), undefined);
	const { username, balanceCents, proxyAuthkey, dateCreated, ...rest } = await client.account.retrieve();
	assert.deepEqual([username, balanceCents, rest], ['acme', 10_000, {}]);
	assert.ok(Math.abs((client.serviceTime()?.getTime() ?? 0) - Date.now()) < 600_000);
	assert.match(proxyAuthkey, /^[0-9A-Za-z]{16}$/);
	assert.ok(Math.abs(dateCreated.getTime() - Date.now()) < 600_000);

	const details = { balanceCents: 10_000, debtCents: 0, lineCents: 500, priceMicroUsd: undefined };
	assert.deepEqual(await client.account.retrieveDetails(), { ...details, isUsable: true, reason: undefined });

	const { subUser, created, fee, confirmedBy } = await client.subUsers.create('Alice.Smith');
	assert.deepEqual([created, confirmedBy], [true, 'answer']);
	assert.deepEqual(fee, { minCents: 10, maxCents: 10 });
	assert.deepEqual([subUser.username, subUser.balanceCents], ['alice.smith', 0]);
	assert.deepEqual(await client.subUsers.retrieve('ALICE.smith'), subUser);
	const used = { dayBytes: 0, monthBytes: 0, totalBytes: 0 };
	const listed = { ...subUser, state: 'active', isUsable: true, reason: undefined, used };
	assert.deepEqual((await client.subUsers.list().page()).items, [listed]);

	const given = await client.subUsers.give('alice.smith', 300);
	assert.deepEqual([given.balanceCents, given.confirmedBy], [300, 'answer']);
	assert.match(given.requestId ?? '', /./, 'the ledger has it too');
	const taken = await client.subUsers.take('alice.smith', 100);
	assert.deepEqual([taken.username, taken.balanceCents], ['alice.smith', 200]);
	assert.equal((await client.account.retrieve()).balanceCents, 9_790);

	const replaced = await client.subUsers.resetAuthKey('alice.smith');
	assert.notEqual(replaced.proxyAuthkey, subUser.proxyAuthkey);
	assert.equal((await client.subUsers.retrieve('alice.smith')).proxyAuthkey, replaced.proxyAuthkey);
});

test('usage is sorted by day', async (t) => {
	const { reliable: client, service } = await serveReseller(t);
	await client.subUsers.create('alice.smith');
	const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
	const dayOf = (daysAgo: number) => new Date(today - daysAgo * DAY_MS);
	const reports = [3, 1, 0, 2].map((daysAgo, index) => {
		const bytes = { up: daysAgo, down: 1000 + daysAgo };
		return { source: 'test', id: String(index), username: 'alice.smith', timestamp: dayOf(daysAgo), ...bytes };
	});
	const input = reports.map((report) => `${JSON.stringify(report)}\n`).join('');
	const { code, stderr } = await callBursar(service.config.dataDir, ['usage', 'import', '-'], { input });
	assert.equal(code, 0, stderr);
	assert.deepEqual(
		await client.subUsers.retrieveUsage('alice.smith'),
		[3, 2, 1, 0].map((daysAgo) => ({ day: dayOf(daysAgo), bytesUp: daysAgo, bytesDown: 1000 + daysAgo })),
	);
});

test('the environment supplies the address and the token', async (t) => {
	const { service, token } = await serveReseller(t);
	const before = process.env;
	t.after(() => {
		process.env = before;
	});
	process.env = { ...before, BURSAR_URL: `${service.url}/`, BURSAR_TOKEN: token };
	assert.equal((await new Bursar().account.retrieve()).username, 'acme');
});
