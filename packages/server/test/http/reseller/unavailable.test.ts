import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { allEndpoints, type Endpoint, endpoints } from '@bursar/contract';
import { assertFailure, call, resellerApi } from '@bursar/testing/api';
import { startTestService } from '@bursar/testing/service';
import { openStore } from '../../../src/engine.ts';
import { type BatchAnswer, type Store, StoreUnavailableError } from '../../../src/store/store.ts';

const WRITES = [
	endpoints.createSubUser,
	endpoints.giveBalance,
	endpoints.takeBalance,
	endpoints.resetAuthKey,
	allEndpoints.suspendSubUser,
	allEndpoints.deleteSubUser,
];
const READS = [
	endpoints.myInfo,
	endpoints.viewAllSubUsers,
	endpoints.viewSubUser,
	endpoints.viewUsage,
	allEndpoints.viewAccount,
	allEndpoints.viewChange,
	allEndpoints.viewDetails,
	allEndpoints.viewSubUserPage,
	allEndpoints.viewStatementPage,
];
const BODY = { username: 'alice', amount_usd_cents: 1, change_id: 'change-number-01' };

type Fault = (store: Store) => Partial<Store>;

/** A service on the real store. While `fault` is set, it replaces functions of the store. */
async function start(t: TestContext) {
	const state: { fault: Fault | undefined } = { fault: undefined };
	const parts = {
		async openStore(config: Parameters<typeof openStore>[0]) {
			const store = await openStore(config);
			return new Proxy(store, { get: (_, name: keyof Store) => state.fault?.(store)[name] ?? store[name] });
		},
	};
	const service = await startTestService(t, {}, parts);
	const { token } = await service.openReseller('acme', 1000);
	const api = resellerApi(service.url, token);
	await api.create({ username: 'alice' });
	await api.give({ username: 'alice', amount_usd_cents: 100 });
	const ask = ({ method, path }: Endpoint) =>
		call(service.url, path, { token, method, ...(method === 'POST' && { body: BODY }) });
	return { ...service, state, api, token, ask };
}

async function unreadable(): Promise<never> {
	throw new StoreUnavailableError('no such disk');
}

test('a write that was certainly not done is 503 with Retry-After, and changes nothing', async (t) => {
	const { state, api, ask } = await start(t);
	state.fault = () => ({ runCommands: async () => ({ kind: 'not_done', cause: new Error('no room') }) });
	for (const endpoint of WRITES) {
		const answer = await ask(endpoint);
		assertFailure(answer, 503, 'unavailable');
		assert.equal(answer.headers.get('retry-after'), '1');
	}
	for (const endpoint of READS) assert.equal((await ask(endpoint)).status, 200, 'reads go on');
	state.fault = undefined;
	assert.equal((await api.myInfo()).data.balance, 890);
	for (const endpoint of WRITES) assert.notEqual((await ask(endpoint)).status, 503, 'it recovers by itself');
});

test('a write with an unknown outcome is 503 without Retry-After', async (t) => {
	const { state, ask } = await start(t);
	state.fault = () => ({ runCommands: async () => ({ kind: 'outcome_unknown', cause: new Error('EIO') }) });
	for (const endpoint of WRITES) {
		const answer = await ask(endpoint);
		assertFailure(answer, 503, 'outcome_unknown');
		assert.equal(answer.headers.get('retry-after'), null);
	}
});

test('every read is 503 while the store cannot be read', async (t) => {
	const { state, ask } = await start(t);
	for (const endpoint of READS) await ask(endpoint);
	state.fault = () => ({
		findAccount: unreadable,
		listSubUsers: unreadable,
		listUsageDays: unreadable,
		findChange: unreadable,
		findDetails: unreadable,
		listSubUsersInState: unreadable,
		listMovements: unreadable,
	});
	for (const endpoint of READS) assertFailure(await ask(endpoint), 503, 'unavailable', endpoint.path);
	state.fault = undefined;
	for (const endpoint of READS) assert.equal((await ask(endpoint)).status, 200);
});

test('a token that cannot be looked up is 503, neither accepted nor refused', async (t) => {
	const { state, url, openReseller } = await start(t);
	const { token } = await openReseller('bolt', 1000);
	state.fault = () => ({ findToken: unreadable });
	assertFailure(await call(url, endpoints.myInfo.path, { token }), 503, 'unavailable');
	assertFailure(await call(url, endpoints.createSubUser.path, { token, body: BODY }), 503, 'unavailable');
	assertFailure(await call(url, endpoints.myInfo.path, { token: 'ill-formed' }), 401, 'unauthorized');
	state.fault = undefined;
	assert.equal((await resellerApi(url, token).myInfo()).data.balance, 1000);
});

test('a bug is 500 and its answer has no details; the service goes on', async (t) => {
	const { state, ask } = await start(t);
	const bug = async (): Promise<never> => {
		throw new TypeError('secret internal detail');
	};
	const failing: BatchAnswer<{ ok: false; error: 'rules_failed' }> = {
		kind: 'committed',
		results: [{ ok: false, error: 'rules_failed' }],
		faults: [new Error('secret internal detail')],
	};
	state.fault = () => ({
		findAccount: bug,
		listSubUsers: bug,
		listUsageDays: bug,
		findChange: bug,
		findDetails: bug,
		listSubUsersInState: bug,
		listMovements: bug,
		runCommands: async () => failing,
	});
	for (const endpoint of [...READS, ...WRITES]) {
		const answer = await ask(endpoint);
		assertFailure(answer, 500, 'internal_error', endpoint.path);
		assert.doesNotMatch(answer.text, /secret|internal detail|TypeError|at /);
	}
	state.fault = undefined;
	for (const endpoint of READS) assert.equal((await ask(endpoint)).status, 200);
});

test('input that needs no store is refused the same way while the store is down', async (t) => {
	const { state, url, token } = await start(t);
	state.fault = () => ({
		findAccount: unreadable,
		runCommands: async () => ({ kind: 'not_done', cause: new Error('x') }),
	});
	assertFailure(await call(url, endpoints.giveBalance.path, { token, body: '{' }), 400, 'invalid_request');
	assertFailure(
		await call(url, endpoints.viewSubUser.path, { token, body: { username: '.' } }),
		404,
		'unknown_sub_user',
	);
	assertFailure(
		await call(url, endpoints.createSubUser.path, { token, body: '{' }),
		503,
		'unavailable',
		'the fee could not be charged',
	);
});
