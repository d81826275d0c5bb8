import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { hashToken } from '../../../../src/credentials.ts';
import { startDashboard } from '../../../support/dashboard.ts';
import { wholeFile } from '../../../support/whole-file.ts';

const dashboard = await startDashboard(wholeFile, { BURSAR_OPERATOR_PORT: '0' });
const { store, clock } = dashboard;
const operator = await dashboard.operator();
clock.stop();

test('an operator makes a token for a program, which is shown once, and ends it', async () => {
	const none = await operator.read('/operator/tokens');
	assert.deepEqual(none.tokens, []);
	assert.match(none.api_url ?? '', /^http:\/\/127\.0\.0\.1:\d+$/, 'the listener chose the port');
	const expires_at = new Date(clock.nowMs() + 86_400_000).toISOString();
	const wanted = { name: 'billing', scopes: ['resellers:read', 'money:write'], expires_at };
	const body = { act: randomUUID(), ...wanted };
	const { token } = await operator.ok('/operator/tokens/create', body);
	assert.equal((await store.findOperatorToken(hashToken(token)))?.name, 'billing');
	await operator.refused('act_repeated', '/operator/tokens/create', body);
	await operator.refused('token_exists', '/operator/tokens/create', { ...body, act: randomUUID() });
	for (const wrong of [{ scopes: ['read'] }, { expires_at: 'soon' }, { name: '-' }]) {
		const again = { ...body, act: randomUUID(), name: 'other', ...wrong };
		await operator.refused('invalid_token', '/operator/tokens/create', again);
	}
	const { tokens } = await operator.read('/operator/tokens');
	assert.deepEqual(tokens, [
		{
			...{ name: 'billing', scopes: wanted.scopes, tail: token.slice(-4), made: new Date(clock.nowMs()).toISOString() },
			...{ made_by: 'op@bursar.example', expires: expires_at, last_used: null },
		},
	]);

	assert.deepEqual(await operator.change('/operator/tokens/end', { name: 'billing' }), {});
	assert.equal(await store.findOperatorToken(hashToken(token)), undefined);
	await operator.refused('unknown_token', '/operator/tokens/end', { act: randomUUID(), name: 'billing' });
	const { acts } = await operator.read('/operator/acts');
	assert.deepEqual(
		acts.slice(0, 2).map(({ kind, target }) => [kind, target]),
		[
			['end_operator_token', 'billing'],
			['create_operator_token', 'billing'],
		],
	);
	assert.ok(!JSON.stringify([tokens, acts]).includes(token));
});
