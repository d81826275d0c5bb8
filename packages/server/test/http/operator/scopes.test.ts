import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { test } from 'node:test';
import { OPERATOR_API, type OperatorOperation, operatorOperations } from '@bursar/contract/operator';
import { OPERATOR_SCOPES } from '@bursar/contract/scopes';
import { assertFailure, call } from '@bursar/testing/api';
import { startTestService } from '@bursar/testing/service';

const NO_TOKEN = 'bro_0000000000000000000000000000000000000000000000';

test('every call with every scope: a token does what its scopes say, and nothing else', async (t) => {
	const service = await startTestService(t, { BURSAR_OPERATOR_PORT: '0' });
	const url = service.operatorUrl as string;
	const { token: ofReseller } = await service.openReseller('acme', 1_000);
	const tokens = new Map<string, string>();
	for (const scope of OPERATOR_SCOPES)
		tokens.set(scope, await service.openOperatorToken(scope.replace(':', ' '), [scope]));

	for (const [name, operation] of Object.entries<OperatorOperation>(operatorOperations)) {
		const path = OPERATOR_API + operation.path;
		for (const token of [ofReseller, NO_TOKEN, undefined]) {
			assertFailure(await call(url, path, { body: operation.requestExample, token }), 401, 'unauthorized', name);
		}
		for (const [scope, token] of tokens) {
			// A body that no call takes: what lacks the scope is refused before it is looked at.
			const answer = await call(url, path, { body: [], token });
			if (operation.scope === null || operation.scope === scope) {
				assertFailure(answer, 400, 'invalid_request', `${name} with ${scope}`);
			} else {
				assertFailure(answer, 403, 'missing_scope', `${name} with ${scope}`);
				assert.match(answer.message, new RegExp(operation.scope));
				assert.match(answer.headers.get('www-authenticate') ?? '', new RegExp(`scope="${operation.scope}"`));
			}
		}
	}
});

test('a token of the operator is of no use elsewhere, and an ended one nowhere', async (t) => {
	const service = await startTestService(t, { BURSAR_OPERATOR_PORT: '0' });
	const url = service.operatorUrl as string;
	const token = await service.openOperatorToken('shop');
	assertFailure(await call(service.url, '/reseller/my_info', { token }), 401, 'unauthorized');
	const view = () => call(url, `${OPERATOR_API}/resellers/view`, { body: { username: 'acme' }, token });
	assertFailure(await view(), 404, 'unknown_reseller');
	assert.ok((await service.changePerson({ kind: 'end_operator_token', name: 'shop' })).ok);
	assertFailure(await view(), 401, 'unauthorized');
});

test('a change whose body comes after its token was ended is not made', async (t) => {
	const service = await startTestService(t, { BURSAR_OPERATOR_PORT: '0' });
	await service.openReseller('acme', 1_000);
	const token = await service.openOperatorToken('shop');
	const body = JSON.stringify({ username: 'acme' });
	const sent = request(`${service.operatorUrl}${OPERATOR_API}/resellers/end_tokens`, {
		method: 'POST',
		headers: {
			...{ authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': body.length },
			// The answer to this comes once the token was found to be valid.
			expect: '100-continue',
		},
	});
	sent.flushHeaders();
	await once(sent, 'continue');
	assert.ok((await service.changePerson({ kind: 'end_operator_token', name: 'shop' })).ok);
	sent.end(body);
	const [answer] = await once(sent, 'response');
	answer.resume();
	assert.deepEqual([answer.statusCode, answer.headers['x-error-code']], [401, 'unauthorized']);
});
