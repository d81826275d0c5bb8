import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CREATE_FEE_CENTS, endpoints } from '@bursar/contract';
import { assertFailure, type CallOptions, call, resellerApi } from '@bursar/testing/api';
import { startTestService } from '@bursar/testing/service';

const { path } = endpoints.createSubUser;
const type = (value: string | null): CallOptions => ({ headers: { 'content-type': value } });

/** What can be wrong with a call of `create`, and what it is answered. */
const FAILURES: readonly [what: string, options: CallOptions, status: number, code: string][] = [
	['a body over the limit', { body: 'x'.repeat(16 * 1024 + 1) }, 413, 'payload_too_large'],
	['another content type', { body: { username: 'alice' }, ...type('text/plain') }, 415, 'unsupported_media_type'],
	[
		'an ill-formed content type',
		{ body: { username: 'alice' }, ...type('application') },
		415,
		'unsupported_media_type',
	],
	['an ill-formed parameter', { body: { username: 'alice' }, ...type('a/b; =;') }, 415, 'unsupported_media_type'],
	['no content type', { body: { username: 'alice' }, ...type(null) }, 415, 'unsupported_media_type'],
	['no body at all', {}, 415, 'unsupported_media_type'],
	['an empty body', { body: '' }, 400, 'invalid_request'],
	['malformed JSON', { body: '{"username":' }, 400, 'invalid_request'],
	['an array', { body: '["alice"]' }, 400, 'invalid_request'],
	['a key that stands twice', { body: '{"username":"alice","username":"bob1"}' }, 400, 'invalid_request'],
	['invalid UTF-8', { body: Buffer.from('{"username":"al\xffce"}', 'latin1') }, 400, 'invalid_request'],
	['no username', { body: {} }, 400, 'invalid_request'],
	['a username that is no string', { body: { username: 12345 } }, 400, 'invalid_request'],
	['a username that breaks the rules', { body: { username: '.alice' } }, 400, 'invalid_username'],
	['an empty username', { body: { username: '' } }, 400, 'invalid_username'],
	['a taken username', { body: { username: 'taken' } }, 409, 'username_taken'],
	['a taken username, in capitals', { body: { username: 'TAKEN' } }, 409, 'username_taken'],
	["the reseller's own name", { body: { username: 'acme' } }, 409, 'username_taken'],
];

test('every create that fails after the reseller could pay costs exactly the fee, and makes no sub-user', async (t) => {
	const service = await startTestService(t);
	const { token } = await service.openReseller('acme', 1000);
	const api = resellerApi(service.url, token);
	await api.create({ username: 'taken' });
	for (const [what, options, status, code] of FAILURES) {
		const before = (await api.myInfo()).data.balance;
		assertFailure(await call(service.url, path, { token, method: 'POST', ...options }), status, code, what);
		assert.equal((await api.myInfo()).data.balance, before - CREATE_FEE_CENTS, what);
	}
	assert.equal((await api.viewAll()).data.length, 1);
});

test('below the fee every create answers 402 first, whatever its body, and costs nothing', async (t) => {
	const service = await startTestService(t);
	const { token } = await service.openReseller('acme', CREATE_FEE_CENTS - 1);
	const api = resellerApi(service.url, token);
	for (const [what, options] of [...FAILURES, ['a good body', { body: { username: 'alice' } }] as const]) {
		const answer = await call(service.url, path, { token, method: 'POST', ...options });
		assertFailure(answer, 402, 'insufficient_balance', what);
	}
	assert.equal((await api.myInfo()).data.balance, CREATE_FEE_CENTS - 1);
	assert.deepEqual((await api.viewAll()).data, []);
});

test('the last ten cents pay for one create, and the next is refused', async (t) => {
	const service = await startTestService(t);
	const { token } = await service.openReseller('acme', CREATE_FEE_CENTS);
	const api = resellerApi(service.url, token);
	const [first, second] = await Promise.all([api.create({ username: 'alice' }), api.create({ username: 'bob1' })]);
	assert.deepEqual([first.status, second.status].sort(), [200, 402]);
	assert.equal((await api.myInfo()).data.balance, 0);
	assert.equal((await api.viewAll()).data.length, 1);
});

test('a create that is not authenticated, or that comes by another method, costs nothing', async (t) => {
	const service = await startTestService(t);
	const { token } = await service.openReseller('acme', 1000);
	for (const [, options] of FAILURES) {
		assertFailure(await call(service.url, path, { method: 'POST', ...options }), 401, 'unauthorized');
		assertFailure(await call(service.url, path, { token, ...options, method: 'PUT' }), 405, 'method_not_allowed');
	}
	assert.equal((await resellerApi(service.url, token).myInfo()).data.balance, 1000);
});

test('two creates of one name at the same time make one sub-user, and both pay', async (t) => {
	const service = await startTestService(t);
	const [acme, bolt] = [await service.openReseller('acme', 1000), await service.openReseller('bolt', 1000)];
	const apis = [resellerApi(service.url, acme.token), resellerApi(service.url, bolt.token)] as const;
	const answers = await Promise.all(
		Array.from({ length: 8 }, (_, i) => apis[i % 2 === 0 ? 0 : 1].create({ username: 'alice' })),
	);
	assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(7).fill(409)]);
	for (const api of apis) assert.equal((await api.myInfo()).data.balance, 1000 - 4 * CREATE_FEE_CENTS);
});
