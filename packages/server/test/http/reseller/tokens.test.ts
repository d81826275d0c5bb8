import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allEndpoints } from '@bursar/contract';
import { ONE_TOKEN } from '@bursar/contract/routes';
import { RESELLER_SCOPES } from '@bursar/contract/scopes';
import { assertFailure, call, resellerApi } from '@bursar/testing/api';
import { startTestService } from '@bursar/testing/service';

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const WANTED = { name: 'shop', scopes: ['read'], expires_at: inDays(30) };

test('every endpoint with every scope: a further token does what its scopes say, and the one token all', async (t) => {
	const service = await startTestService(t);
	const { token } = await service.openReseller('acme', 100_000);
	const api = resellerApi(service.url, token);
	const tokens = new Map<string, string>();
	for (const scope of RESELLER_SCOPES) {
		tokens.set(scope, (await api.createToken({ ...WANTED, name: scope, scopes: [scope] })).data.token);
	}
	for (const [name, { method, path, scopes }] of Object.entries(allEndpoints)) {
		// A body that no call takes: what lacks the scope is refused before it is looked at, and costs nothing.
		const body = method === 'POST' ? [] : undefined;
		const isRefused = async (given: string) =>
			(await call(service.url, path, { method, body, token: given })).errorCode;
		for (const [scope, given] of tokens) {
			const mayDo = scopes !== ONE_TOKEN && scopes.every((needed) => needed === scope);
			const before = (await api.viewAccount({})).data.balance;
			assert.equal((await isRefused(given)) === 'missing_scope', !mayDo, `${name} with ${scope}`);
			if (!mayDo) assert.equal((await api.viewAccount({})).data.balance, before, 'it costs nothing');
		}
		assert.notEqual(await isRefused(token), 'missing_scope', name);
	}
});

test('a further token has an end and addresses, is listed, and is ended', async (t) => {
	const service = await startTestService(t, { BURSAR_TRUSTED_PROXIES: '127.0.0.1' });
	const { token } = await service.openReseller('acme', 1_000);
	const api = resellerApi(service.url, token);
	const made = await api.createToken({ ...WANTED, allowed_ips: ['192.0.2.7/24', '::1'] });
	const { token: further, ...listed } = made.data;
	assert.deepEqual((await api.viewTokens({})).data, [listed]);
	assert.deepEqual(listed.allowed_ips, ['192.0.2.0/24', '::1']);
	assert.equal(listed.tail, further.slice(-4));
	const from = (address: string) =>
		resellerApi(service.url, further).viewAccount({}, { headers: { 'x-forwarded-for': address } });
	assert.equal((await from('192.0.2.9')).status, 200);
	assertFailure(await from('198.51.100.1'), 403, 'address_not_allowed');

	assertFailure(await api.createToken(WANTED), 409, 'token_exists');
	for (const wrong of [
		...[
			{ name: '' },
			{ name: ' x' },
			{ name: 'x'.repeat(41) },
			{ name: 'a\u00e9' },
			{ scopes: [] },
			{ scopes: ['all'] },
		],
		...[{ scopes: ['read', 'read'] }, { expires_at: inDays(-1) }, { expires_at: inDays(400) }],
		...[{ expires_at: 'soon' }, { allowed_ips: ['x'] }, { allowed_ips: [] }],
	]) {
		const answer = await api.createToken({ ...WANTED, name: 'other', ...wrong });
		assertFailure(answer, 400, 'invalid_token', JSON.stringify(wrong));
	}
	for (const wrong of [{ name: 1 }, { scopes: 'read' }, { scopes: [1] }, { expires_at: 1 }, { allowed_ips: 'x' }]) {
		const answer = await api.createToken({ ...WANTED, name: 'other', ...wrong });
		assertFailure(answer, 400, 'invalid_request', JSON.stringify(wrong));
	}
	const ofFurther = resellerApi(service.url, further).createToken(WANTED, {
		headers: { 'x-forwarded-for': '192.0.2.9' },
	});
	assertFailure(await ofFurther, 403, 'missing_scope');

	assert.deepEqual((await api.endToken({ id: listed.id })).data, { id: listed.id });
	assertFailure(await from('192.0.2.9'), 401, 'unauthorized');
	assertFailure(await api.endToken({ id: listed.id }), 404, 'unknown_token');
	assert.equal((await api.myInfo()).status, 200, 'the one token stays');
});

test('a rotation keeps further tokens, and the end of all tokens ends them', async (t) => {
	const service = await startTestService(t);
	const { token } = await service.openReseller('acme', 1_000);
	const { data } = await resellerApi(service.url, token).createToken(WANTED);
	const further = resellerApi(service.url, data.token);
	const made = { reseller: 'acme', tokenTail: 'tail', madeBy: 'operator' };
	await service.submit({ kind: 'rotate_token', ...made, tokenHash: 'a', overlapMs: 0 });
	assert.equal((await further.viewAccount({})).status, 200);
	await service.submit({ kind: 'revoke_token', ...made, tokenHash: 'b' });
	// This process notices within a second, because another bank has changed it.
	while ((await further.viewAccount({})).status === 200) await new Promise((resolve) => setTimeout(resolve, 20));
	assertFailure(await further.viewAccount({}), 401, 'unauthorized');
});
