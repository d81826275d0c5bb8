// Tests behaviour that the conformance suite leaves open or cannot test on every server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allEndpoints, CREATE_FEE_CENTS, endpoints, errors, MAX_CENTS } from '@bursar/contract';
import { assertFailure, type CallOptions, call, resellerApi } from '@bursar/testing/api';
import { startTestService } from '@bursar/testing/service';
import { expiring } from '../../support/expiry-service.ts';
import { wholeFile } from '../../support/whole-file.ts';

const { url, openReseller, submit } = await startTestService(wholeFile);

/** A reseller of the test's own, and its API. */
async function open(reseller: string, balanceCents = 1000) {
	const { token } = await openReseller(reseller, balanceCents);
	return { token, api: resellerApi(url, token) };
}

/** Bodies that a framework would refuse before the route. */
const UNREADABLE: readonly [options: CallOptions, status: number, code: string][] = [
	[{ body: '{}', headers: { 'content-type': 'application' } }, 415, 'unsupported_media_type'],
	[{ body: '{}', headers: { 'content-type': 'a/b; =;' } }, 415, 'unsupported_media_type'],
	[{}, 415, 'unsupported_media_type'],
	[{ body: Buffer.from('{"username":"al\xffce"}', 'latin1') }, 400, 'invalid_request'],
	[{ body: 'x'.repeat(20_000) }, 413, 'payload_too_large'],
	[{ body: { username: 'bruno' }, headers: { 'x-request-expires': 'soon' } }, 400, 'invalid_request'],
];

test('a create with an unreadable body costs the fee, which its change id tells; with too little balance it costs nothing', async () => {
	const rich = await open('rich');
	const poor = await open('poor', CREATE_FEE_CENTS - 1);
	const create = (token: string, options: CallOptions) =>
		call(url, endpoints.createSubUser.path, { token, method: 'POST', ...options });
	for (const [index, [options, status, code]] of UNREADABLE.entries()) {
		const change_id = `failed-create-${String(index).padStart(4, '0')}`;
		const answer = await create(rich.token, { ...options, headers: { ...options.headers, 'x-change-id': change_id } });
		assertFailure(answer, status, code);
		assert.equal((await rich.api.myInfo()).data.balance, 1000 - CREATE_FEE_CENTS * (index + 1));
		const { kind, amount, error, request_id } = (await rich.api.viewChange({ change_id })).data;
		const told = ['create', CREATE_FEE_CENTS, code, answer.headers.get('x-request-id')];
		assert.deepEqual([kind, amount, error, request_id], told);
		assertFailure(await create(poor.token, options), 402, 'insufficient_balance');
		assertFailure(await create(poor.token, { ...options, ...expiring(1) }), 503, 'unavailable');
	}
	assert.equal((await poor.api.myInfo()).data.balance, CREATE_FEE_CENTS - 1);
});

test('a transfer of the largest exact JSON number stays exact', async () => {
	const { api } = await open('largest', MAX_CENTS);
	const username = 'largest.1';
	await api.create({ username });
	const rest = MAX_CENTS - 10;
	assert.equal((await api.give({ username, amount_usd_cents: rest })).data.balance, rest);
	assert.match((await api.viewSingle({ username })).text, /"balance":9007199254740981,/);
	assert.equal((await api.take({ username, amount_usd_cents: rest })).data.balance, 0);
	assert.equal((await api.myInfo()).data.balance, rest);
});

test('names of built-in JavaScript properties are ordinary usernames', async () => {
	const { api } = await open('builtin');
	for (const username of ['constructor', 'tostring', 'valueof', 'hasownproperty', 'null', 'undefined', 'nan0']) {
		assert.equal((await api.create({ username })).status, 200, username);
		assert.equal((await api.viewSingle({ username })).data.username, username);
	}
	assert.equal((await api.viewAll()).data.length, 7);
});

test('a suspended reseller reads, and changes nothing; a create costs no fee', async () => {
	const { api } = await open('stopped');
	const body = { username: 'stopped.1', amount_usd_cents: 1, note: 'x', day_bytes: 5 };
	await api.create(body);
	await submit({ kind: 'suspend_reseller', reseller: 'stopped' });
	const { create, give, take, resetAuthKey, suspend, resume, setLimits, setNote } = api;
	for (const change of [create, give, take, resetAuthKey, suspend, resume, setLimits, setNote, api.delete])
		assertFailure(await change(body), 403, 'suspended');
	assertFailure(await api.create({}), 403, 'suspended');
	assert.equal((await api.myInfo()).data.balance, 990);
	for (const read of [api.viewSingle, api.viewTxs, api.viewDetails, api.viewPage, api.viewStatement])
		assert.equal((await read({ username: body.username })).status, 200);
	await submit({ kind: 'resume_reseller', reseller: 'stopped' });
	assert.equal((await give(body)).status, 200);
});

test('the message of a refusal names what is wrong', async () => {
	const { token } = await open('told');
	const messageOf = async (path: string, options: CallOptions) =>
		(await call(url, path, { token, ...options })).message;
	const ofName = [
		[{ amount_usd_cents: 5 }, 'username of the request body is missing'],
		[{ username: 5 }, 'username of the request body must be a string'],
		[{ username: null }, 'username of the request body must be a string'],
	] as const;
	const { createSubUser, viewSubUser, viewUsage, resetAuthKey, giveBalance, takeBalance } = endpoints;
	for (const { path } of [createSubUser, viewSubUser, viewUsage, resetAuthKey, giveBalance, takeBalance])
		for (const [body, words] of ofName) assert.match(await messageOf(path, { body }), new RegExp(words));
	for (const { path } of [giveBalance, takeBalance]) {
		for (const [amount_usd_cents, words] of [
			[undefined, 'amount_usd_cents of the request body is missing'],
			['5', 'amount_usd_cents of the request body must be a number'],
			[null, 'amount_usd_cents of the request body must be a number'],
		] as const) {
			assert.match(await messageOf(path, { body: { username: 'alice', amount_usd_cents } }), new RegExp(words));
		}
	}
	for (const { path, method } of Object.values(allEndpoints)) {
		const body = { username: 'alice', amount_usd_cents: 5 };
		const asked = { method, ...(method === 'POST' && { body }) };
		assert.match(await messageOf(path, { ...asked, ...expiring('soon') }), /^X-Request-Expires must be/);
		if (method === 'POST') assert.match(await messageOf(path, { body: '[]' }), /must be a JSON object/);
	}
	for (const { path } of [createSubUser, giveBalance, takeBalance, resetAuthKey]) {
		const message = await messageOf(path, { body: { username: 'told.1', amount_usd_cents: 5 }, ...expiring(1) });
		assert.match(message, /X-Request-Expires is over/);
		assert.notEqual(message, errors.unavailable.message);
	}
});
