import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { PASSWORD, startDashboard } from '../../../support/dashboard.ts';

const act = () => randomUUID();

test('an operator without a second factor can do nothing but add one', async (t) => {
	const dashboard = await startDashboard(t);
	const operator = await dashboard.signedIn('op@bursar.example', null);
	const { person } = await operator.ok('/session');
	assert.deepEqual([person?.reseller, person?.second_factor_required], [null, true]);
	for (const [path, body] of [
		['/account/acts', undefined],
		['/token', undefined],
		['/token/rotate', { act: act(), overlap_seconds: 0 }],
		['/token/end-all', { act: act() }],
		['/account/password', { act: act(), password: `${PASSWORD}!` }],
		['/account/recovery-codes', { act: act() }],
		['/account/sessions/end', { act: act(), id: act() }],
		['/account/sessions/end-others', { act: act() }],
	] as const) {
		await operator.refused('second_factor_required', path, body);
	}
	await operator.ok('/account');
	await operator.ok('/proof', { password: PASSWORD });
	await operator.ok('/proof/passkey/question', {});
	await operator.ok('/account/codes/setup', {});
	await operator.ok('/account/passkeys/question', {});
	const { passkey } = await operator.addPasskey();
	assert.equal((await operator.ok('/session')).person?.second_factor_required, false);
	await operator.ok('/account/acts');
	await operator.refused('last_factor', '/account/passkeys/remove', { act: act(), id: passkey.id });
	await operator.ok('/sign-out', {});
});

test('an operator has no token', async (t) => {
	const dashboard = await startDashboard(t);
	await dashboard.openReseller('acme', 1000);
	const operator = await dashboard.signedIn('op@bursar.example', null);
	await operator.addPasskey();
	await operator.refused('not_for_operators', '/token');
	await operator.refused('not_for_operators', '/token/rotate', { act: act(), overlap_seconds: 0 });
	await operator.refused('not_for_operators', '/token/end-all', { act: act() });
});
