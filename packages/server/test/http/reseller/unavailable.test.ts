import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { allEndpoints, type Endpoint, endpoints } from '@bursar/contract';
import { assertFailure, call, resellerApi } from '@bursar/testing/api';
import { startTestService } from '@bursar/testing/service';
import { openStore } from '../../../src/engine.ts';
import { StoreUnavailableError } from '../../../src/store/reading.ts';
import type { BatchAnswer, Store } from '../../../src/store/store.ts';
import { wholeFile } from '../../support/whole-file.ts';

const { createSubUser, giveBalance, takeBalance, resetAuthKey, viewSubUser, myInfo } = endpoints;
const { suspendSubUser, deleteSubUser, createWebhook } = allEndpoints;
const WRITES = [createSubUser, giveBalance, takeBalance, resetAuthKey, suspendSubUser, deleteSubUser, createWebhook];
const READS = [
	...[myInfo, endpoints.viewAllSubUsers, viewSubUser, endpoints.viewUsage],
	...[allEndpoints.viewAccount, allEndpoints.viewChange, allEndpoints.viewDetails],
	...[allEndpoints.viewSubUserPage, allEndpoints.viewStatementPage, allEndpoints.viewEventPage],
	allEndpoints.viewAllWebhooks,
];
const BODY = {
	...{ username: 'alice', amount_usd_cents: 1, change_id: 'change-number-01' },
	url: 'https://shop.example.com/events',
};

/** Functions that stand in the place of those of the store. */
let faults: Partial<Store> = {};
afterEach(() => {
	faults = {};
});
const { url, openReseller } = await startTestService(
	wholeFile,
	{},
	{
		async openStore(config) {
			const store = await openStore(config);
			return new Proxy(store, { get: (_, name: keyof Store) => faults[name] ?? store[name] });
		},
	},
);
const { token } = await openReseller('acme', 1000);
const api = resellerApi(url, token);
await api.create({ username: 'alice' });
await api.give({ username: 'alice', amount_usd_cents: 100 });

const ask = ({ method, path }: Endpoint) =>
	call(url, path, { token, method, ...(method === 'POST' && { body: BODY }) });

function readsEndWith(fail: () => Promise<never>): Partial<Store> {
	return {
		...{ findAccount: fail, listSubUsers: fail, listUsageDays: fail, findChange: fail },
		...{ findDetails: fail, listSubUsersInState: fail, listMovements: fail, readEvents: fail },
		listWebhooks: fail,
	};
}

async function unreadable(): Promise<never> {
	throw new StoreUnavailableError('no such disk');
}

test('a write that was not done says when to try again, one whose outcome is unknown does not; reads go on', async () => {
	for (const [kind, code] of [
		['not_done', 'unavailable'],
		['outcome_unknown', 'outcome_unknown'],
	] as const) {
		faults = { runCommands: async () => ({ kind, cause: new Error('no room') }) };
		for (const endpoint of WRITES) {
			const answer = await ask(endpoint);
			assertFailure(answer, 503, code);
			assert.equal(answer.headers.get('retry-after'), kind === 'not_done' ? '1' : null);
		}
		for (const endpoint of READS) assert.equal((await ask(endpoint)).status, 200);
	}
	faults = {};
	assert.equal((await api.myInfo()).data.balance, 890);
	assert.equal((await ask(giveBalance)).status, 200, 'it recovers by itself');
});

test('every read is 503 while the store cannot be read', async () => {
	faults = readsEndWith(unreadable);
	for (const endpoint of READS) assertFailure(await ask(endpoint), 503, 'unavailable', endpoint.path);
	faults = {};
	for (const endpoint of READS) assert.equal((await ask(endpoint)).status, 200);
});

test('a repeated change does nothing, and tells what was done, or is 503 while that cannot be read', async () => {
	const before = (await api.viewSingle({ username: 'alice' })).data.balance;
	const options = { headers: { 'x-change-id': 'change-number-02' } };
	await api.give({ username: 'alice', amount_usd_cents: 7 }, options);
	const { data: change } = await api.viewChange({ change_id: 'change-number-02' });
	assert.equal(change.amount, 7);
	const again = () => api.give({ username: 'alice', amount_usd_cents: 8 }, options);
	assert.deepEqual((await again()).data, { change });
	faults = { findChange: unreadable };
	assertFailure(await again(), 503, 'unavailable');
	faults = {};
	assert.deepEqual((await again()).data, { change });
	assert.equal((await api.viewSingle({ username: 'alice' })).data.balance, before + 7);
});

test('a token that cannot be looked up is 503, neither accepted nor refused', async () => {
	const bolt = await openReseller('bolt', 1000);
	faults = { findToken: unreadable };
	assertFailure(await call(url, myInfo.path, { token: bolt.token }), 503, 'unavailable');
	assertFailure(await call(url, createSubUser.path, { token: bolt.token, body: BODY }), 503, 'unavailable');
	assertFailure(await call(url, myInfo.path, { token: 'ill-formed' }), 401, 'unauthorized');
	faults = {};
	assert.equal((await resellerApi(url, bolt.token).myInfo()).data.balance, 1000);
});

test('a bug is 500 and its answer has no details; the service goes on', async () => {
	const failing: BatchAnswer<{ ok: false; error: 'rules_failed' }> = {
		kind: 'committed',
		results: [{ ok: false, error: 'rules_failed' }],
		faults: [new Error('secret internal detail')],
	};
	const bug = async (): Promise<never> => {
		throw new TypeError('secret internal detail');
	};
	faults = { ...readsEndWith(bug), runCommands: async () => failing };
	for (const endpoint of [...READS, ...WRITES]) {
		const answer = await ask(endpoint);
		assertFailure(answer, 500, 'internal_error', endpoint.path);
		assert.doesNotMatch(answer.text, /secret|internal detail|TypeError|at /);
	}
	faults = {};
	for (const endpoint of READS) assert.equal((await ask(endpoint)).status, 200);
});

test('input that needs no store is refused the same way while the store is down', async () => {
	faults = { findAccount: unreadable, runCommands: async () => ({ kind: 'not_done', cause: new Error('x') }) };
	assertFailure(await call(url, giveBalance.path, { token, body: '{' }), 400, 'invalid_request');
	assertFailure(await call(url, viewSubUser.path, { token, body: { username: '.' } }), 404, 'unknown_sub_user');
	const create = await call(url, createSubUser.path, { token, body: '{' });
	assertFailure(create, 503, 'unavailable', 'the fee could not be charged');
});
