import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { endpoints, type SubUser } from '@bursar/contract';
import { assertFailure, resellerApi } from '@bursar/testing/api';
import { eventually } from '@bursar/testing/eventually';
import { startTestService } from '@bursar/testing/service';
import { openStore } from '../../../src/engine.ts';
import { StoreUnavailableError } from '../../../src/store/store.ts';
import { largeReseller } from '../../support/large-reseller.ts';
import { rawConnection, requestText } from '../../support/raw-socket.ts';

type Api = ReturnType<typeof resellerApi>;

const name = (i: number) => `user.${String(i).padStart(5, '0')}`;

async function createMany(api: Api, from: number, count: number): Promise<void> {
	const answers = await Promise.all(Array.from({ length: count }, (_, i) => api.create({ username: name(from + i) })));
	for (const answer of answers) assert.equal(answer.status, 200);
}

function namesIn(data: readonly SubUser[]): string[] {
	const names = data.map(({ username }) => username);
	assert.equal(new Set(names).size, names.length, 'a username is listed twice');
	return names;
}

test('the list of a reseller without sub-users is an empty array', async (t) => {
	const { url, openReseller } = await startTestService(t);
	const { text } = await resellerApi(url, (await openReseller('acme', 0)).token).viewAll();
	assert.match(text, /^\{"status":200,"message":"","timestamp":\d+,"data":\[\]\}$/);
});

test('a list of any length is complete, also around the limits of its pages', async (t) => {
	const { url, openReseller } = await startTestService(t);
	// The reseller's name sorts before or between its sub-users, but is never in its list.
	for (const [reseller, prefix] of [
		['user.00100.x', ''],
		['aaaa', 'z'],
	] as const) {
		const api = resellerApi(url, (await openReseller(reseller, 1_000_000)).token);
		let count = 0;
		for (const target of prefix ? [1, 2] : [1, 249, 250, 251, 499, 500, 501]) {
			if (prefix) await api.create({ username: `${prefix}${name(target)}` });
			else await createMany(api, count, target - count);
			count = target;
			const listed = await api.viewAll();
			const names = namesIn(listed.data);
			assert.deepEqual(
				names.toSorted(),
				Array.from({ length: count }, (_, i) => `${prefix}${name(prefix ? i + 1 : i)}`),
			);
		}
	}
});

test('each existing sub-user is listed exactly once while others are created', async (t) => {
	const { url, openReseller } = await startTestService(t);
	const api = resellerApi(url, (await openReseller('acme', 1_000_000)).token);
	// Every other name, so that new names fall between listed ones.
	const before = Array.from({ length: 600 }, (_, i) => name(i * 2));
	for (const answer of await Promise.all(before.map((username) => api.create({ username }))))
		assert.equal(answer.status, 200);
	let creating = true;
	const creation = (async () => {
		for (let i = 0; i < 100; i++) await api.create({ username: name(i * 4 + 1) });
		creating = false;
	})();
	let lists = 0;
	while (creating) {
		const names = new Set(namesIn((await api.viewAll()).data));
		for (const username of before) assert.ok(names.has(username), username);
		lists++;
	}
	await creation;
	assert.ok(lists > 0);
	assert.equal((await api.viewAll()).data.length, 700);
});

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
