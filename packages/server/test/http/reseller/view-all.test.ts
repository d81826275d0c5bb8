import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { endpoints, type SubUser } from '@bursar/contract';
import { assertFailure, resellerApi } from '@bursar/testing/api';
import { eventually } from '@bursar/testing/eventually';
import { startTestService } from '@bursar/testing/service';
import { openStore } from '../../../src/engine.ts';
import { StoreUnavailableError } from '../../../src/store/reading.ts';
import { largeReseller } from '../../support/large-reseller.ts';
import { rawConnection, requestText } from '../../support/raw-socket.ts';

function namesIn(data: readonly SubUser[]): string[] {
	const names = data.map(({ username }) => username);
	assert.equal(new Set(names).size, names.length, 'a username is listed twice');
	return names;
}

test('a slow reader gets a whole list, and does not delay other requests', async (t) => {
	const { url, config } = await startTestService(t);
	const { token, usernames } = await largeReseller(config, 'acme', 2000);
	const api = resellerApi(url, token);
	const connection = await rawConnection(t, url);
	connection.socket.pause();
	connection.write(requestText('GET', endpoints.viewAllSubUsers.path, [`Authorization: Bearer ${token}`]));
	for (const username of usernames.slice(0, 20)) {
		assert.equal((await api.give({ username, amount_usd_cents: 1 })).status, 200);
	}
	assert.equal(connection.received, '');
	connection.socket.resume();
	const [answer] = await connection.answers(1);
	assert.equal(namesIn(JSON.parse(answer?.body ?? '').data).length, 2000);
});

test('readers that disconnect in the middle do no harm', async (t) => {
	const { url, config } = await startTestService(t);
	const { token } = await largeReseller(config, 'acme', 600);
	const api = resellerApi(url, token);
	for (let i = 0; i < 10; i++) {
		const connection = await rawConnection(t, url);
		connection.write(requestText('GET', endpoints.viewAllSubUsers.path, [`Authorization: Bearer ${token}`]));
		connection.socket.once('data', () => connection.socket.destroy());
	}
	assert.equal((await api.viewAll()).data.length, 600);
});

test('a list that fails midway cuts the connection, and is never valid JSON', async (t) => {
	let failFrom = Number.POSITIVE_INFINITY;
	const { url, config } = await startTestService(
		t,
		{},
		{
			async openStore(config) {
				const store = await openStore(config);
				let page = 0;
				return {
					...store,
					async listSubUsers(reseller, after, limit) {
						page = after === '' ? 1 : page + 1;
						if (page >= failFrom) throw new StoreUnavailableError('the disk is gone');
						return store.listSubUsers(reseller, after, limit);
					},
				};
			},
		},
	);
	const { token } = await largeReseller(config, 'acme', 600);
	const api = resellerApi(url, token);
	failFrom = 3;
	const connection = await rawConnection(t, url);
	connection.write(requestText('GET', endpoints.viewAllSubUsers.path, [`Authorization: Bearer ${token}`]));
	await eventually(async () => assert.ok(connection.socket.destroyed || connection.socket.readableEnded));
	assert.match(connection.received, /^HTTP\/1\.1 200 /);
	assert.doesNotMatch(connection.received, /\r\n0\r\n\r\n$/, 'without the last chunk the client sees the cut');
	assert.doesNotMatch(connection.received, /\]\}/);
	await assert.rejects(api.viewAll());
	failFrom = 1;
	assertFailure(await api.viewAll(), 503, 'unavailable');
	failFrom = Number.POSITIVE_INFINITY;
	assert.equal((await api.viewAll()).data.length, 600);
});

test('a reader that disconnects before its list begins is not counted as a failure', async (t) => {
	const asked = Promise.withResolvers<void>();
	const held = Promise.withResolvers<void>();
	const { url, opsUrl, openReseller } = await startTestService(
		t,
		{},
		{
			async openStore(config) {
				const store = await openStore(config);
				return {
					...store,
					async listSubUsers(...page) {
						asked.resolve();
						await held.promise;
						return store.listSubUsers(...page);
					},
				};
			},
		},
	);
	const { token } = await openReseller('acme', 1000);
	const connection = await rawConnection(t, url);
	connection.write(requestText('GET', endpoints.viewAllSubUsers.path, [`Authorization: Bearer ${token}`]));
	await asked.promise;
	connection.socket.resetAndDestroy();
	await setTimeout(50);
	held.resolve();
	const counted = await eventually(async () => {
		const text = await (await fetch(`${opsUrl}/metrics`)).text();
		const lines = text.split('\n').filter((line) => /^bursar_http_requests_total\{.*view_all/.test(line));
		assert.ok(lines.length > 0);
		return lines;
	});
	assert.doesNotMatch(counted.join(), /status="5/);
});

test('a reseller has at most 32 lists at once; a finished or abandoned list makes room', async (t) => {
	const held = Promise.withResolvers<void>();
	const { url, openReseller } = await startTestService(
		t,
		{},
		{
			async openStore(config) {
				const store = await openStore(config);
				return {
					...store,
					async listSubUsers(reseller, after, limit) {
						if (reseller === 'acme') await held.promise;
						return store.listSubUsers(reseller, after, limit);
					},
				};
			},
		},
	);
	const { token } = await openReseller('acme', 1000);
	const other = resellerApi(url, (await openReseller('bolt', 1000)).token);
	const list = requestText('GET', endpoints.viewAllSubUsers.path, [`Authorization: Bearer ${token}`]);
	const connections = await Promise.all(Array.from({ length: 32 }, () => rawConnection(t, url)));
	for (const connection of connections) connection.write(list);
	const api = resellerApi(url, token);
	await eventually(async () => assert.equal((await api.myInfo()).status, 200));
	assertFailure(await api.viewAll(), 503, 'unavailable');
	assert.equal((await other.viewAll()).status, 200, 'the limit of one reseller does not affect another');

	for (const connection of connections.slice(0, 5)) connection.socket.resetAndDestroy();
	held.resolve();
	for (const connection of connections.slice(5)) assert.equal((await connection.answers(1))[0]?.status, 200);
	await eventually(async () => {
		const again = await Promise.all(Array.from({ length: 32 }, () => api.viewAll()));
		assert.deepEqual(new Set(again.map(({ status }) => status)), new Set([200]));
	});
});

test('a request that breaks while its list is prepared no longer counts as in progress', async (t) => {
	const { url, openReseller } = await startTestService(t);
	const { token } = await openReseller('acme', 1000);
	const broken = [`Authorization: Bearer ${token}`, 'Transfer-Encoding: chunked'];
	for (let round = 0; round < 40; round++) {
		const connection = await rawConnection(t, url);
		connection.write(`${requestText('GET', endpoints.viewAllSubUsers.path, broken)}zz\r\n`);
		await connection.closed();
	}
	assert.equal((await resellerApi(url, token).viewAll()).status, 200);
});

test('a page is made of ten reads of the store at most, each with what it looks for, and says where it goes on', async (t) => {
	let reads = 0;
	const { url, openReseller } = await startTestService(
		t,
		{},
		{
			async openStore(config) {
				const store = await openStore(config);
				return {
					...store,
					async listSubUsersInState(query) {
						reads++;
						if (query.state === 'expired') return { subUsers: [], next: `name.${reads}` };
						return store.listSubUsersInState({ ...query, limit: 1 });
					},
					listMovements: (query) => store.listMovements({ ...query, limit: 1 }),
				};
			},
		},
	);
	const api = resellerApi(url, (await openReseller('acme', 1000)).token);
	for (const username of ['alice', 'bruno', 'carla']) await api.create({ username });
	const { data } = await api.viewPage({ limit: 3 });
	assert.deepEqual(namesIn(data.sub_users), ['alice', 'bruno', 'carla']);
	const { movements } = (await api.viewStatement({ limit: 4 })).data;
	assert.deepEqual(
		movements.map(({ username }: { username: string | null }) => username),
		['carla', 'bruno', 'alice', null],
	);
	reads = 0;
	assert.deepEqual((await api.viewPage({ state: 'expired' })).data, { sub_users: [], next: 'name.10' });
	assert.equal((await api.viewPage({ state: 'expired', after: 'name.10' })).data.next, 'name.20');
});
