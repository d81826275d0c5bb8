import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { codeAt, PASSWORD, startDashboard } from '../../../support/dashboard.ts';

const STEP_MS = 30_000;

test('a person sets up one-time codes, and then needs one to sign in', async (t) => {
	const dashboard = await startDashboard(t);
	dashboard.clock.stop();
	const { clock } = dashboard;
	const { browser, email } = await dashboard.resellerWithPerson('acme');
	const { secret, uri, setup } = await browser.ok('/account/codes/setup', {});
	assert.match(secret, /^[A-Z2-7]{32}$/);
	const { protocol, host, pathname, searchParams } = new URL(uri);
	assert.deepEqual(
		[protocol, host, decodeURIComponent(pathname), searchParams.get('secret'), searchParams.get('issuer')],
		['otpauth:', 'totp', `/Bursar:${email}`, secret, 'Bursar'],
	);
	assert.ok(!setup.includes(secret));
	assert.equal((await browser.ok('/account')).one_time_codes, false, 'it does not count yet');
	await browser.refused('wrong_code', '/account/codes', { act: randomUUID(), setup, code: '000000' });
	const code = codeAt(secret, clock.nowMs());
	const made = await browser.ok('/account/codes', { act: randomUUID(), setup, code });
	assert.equal(made.account.one_time_codes, true);
	assert.equal(made.recovery_codes.length, 10);
	for (const each of made.recovery_codes) assert.match(each, /^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){2}$/);

	const other = dashboard.browser();
	assert.equal((await other.signIn(email)).errorCode, 'code_required');
	assert.equal((await other.signIn(email, PASSWORD, '000000')).errorCode, 'wrong_code');
	assert.equal((await other.signIn(email, PASSWORD, code)).errorCode, 'wrong_code', 'the first code was used');
	assert.equal((await other.signIn(email, 'a wrong password', code)).errorCode, 'wrong_credentials');
	clock.aheadMs = STEP_MS;
	const next = codeAt(secret, clock.nowMs());
	assert.equal((await other.signIn(email, PASSWORD, ` ${next.slice(0, 3)} ${next.slice(3)}`)).status, 200);
	const { person } = await other.ok('/session');
	assert.deepEqual([person?.code_required, person?.one_time_codes], [true, true]);
	assert.equal(
		(await dashboard.browser().signIn(email, PASSWORD, next)).errorCode,
		'wrong_code',
		'a code is good once',
	);
});

test('a code is accepted one step early or late, and not two', async (t) => {
	const dashboard = await startDashboard(t);
	dashboard.clock.stop();
	const { clock } = dashboard;
	const { browser, email } = await dashboard.resellerWithPerson('acme');
	const { secret } = await browser.addCodes(clock.nowMs());
	clock.aheadMs = 10 * STEP_MS;
	const codeOf = (steps: number) => codeAt(secret, clock.nowMs() + steps * STEP_MS);
	for (const [steps, accepted] of [
		[-2, false],
		[2, false],
		[-1, true],
		[0, true],
		[1, true],
		[0, false],
	] as const) {
		const answer = await dashboard.browser().signIn(email, PASSWORD, codeOf(steps));
		assert.equal(answer.errorCode, accepted ? null : 'wrong_code', `${steps}`);
	}
});

test('each recovery code is good once, however it is typed, and new ones replace all old ones', async (t) => {
	const dashboard = await startDashboard(t);
	const { browser, email } = await dashboard.resellerWithPerson('acme');
	const { recoveryCodes } = await browser.addPasskey();
	const [first = '', second = '', third = ''] = recoveryCodes;
	assert.equal((await dashboard.browser().signIn(email)).errorCode, 'code_required');
	assert.equal((await dashboard.browser().signIn(email, PASSWORD, first)).status, 200);
	assert.equal((await dashboard.browser().signIn(email, PASSWORD, first)).errorCode, 'wrong_code');
	const typed = ` ${second.replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'l').toUpperCase()} `;
	assert.equal((await dashboard.browser().signIn(email, PASSWORD, typed)).status, 200);
	assert.equal((await browser.ok('/account')).recovery_codes, 8);
	await browser.ok('/proof', { password: PASSWORD, code: third });

	const renewed = await browser.ok('/account/recovery-codes', { act: randomUUID() });
	assert.equal(renewed.account.recovery_codes, 10);
	assert.ok(renewed.recovery_codes.every((code) => !recoveryCodes.includes(code)));
	assert.equal((await dashboard.browser().signIn(email, PASSWORD, recoveryCodes[5])).errorCode, 'wrong_code');
	assert.equal((await dashboard.browser().signIn(email, PASSWORD, renewed.recovery_codes[9])).status, 200);
});

test('without a second factor, nobody can make recovery codes', async (t) => {
	const dashboard = await startDashboard(t);
	const { browser } = await dashboard.resellerWithPerson('acme');
	await browser.refused('second_factor_required', '/account/recovery-codes', { act: randomUUID() });
	assert.equal((await browser.ok('/account')).recovery_codes, 0);
});

test('a setup is of no use to others, after ten minutes, or if it was changed', async (t) => {
	const dashboard = await startDashboard(t);
	dashboard.clock.stop();
	const { clock } = dashboard;
	const { browser } = await dashboard.resellerWithPerson('acme');
	const bolt = await dashboard.resellerWithPerson('bolt');
	const { secret, setup } = await browser.ok('/account/codes/setup', {});
	const send = (sent: string) => ({ act: randomUUID(), setup: sent, code: codeAt(secret, clock.nowMs()) });
	await bolt.browser.refused('wrong_code', '/account/codes', send(setup));
	for (const sent of ['', 'x', '.', `${setup}A`, setup.toLowerCase(), setup.slice(0, -2)]) {
		await browser.refused('wrong_code', '/account/codes', send(sent));
	}
	const late = await browser.ok('/account/codes/setup', {});
	clock.aheadMs = 10 * 60_000 - 1;
	await browser.ok('/proof', { password: PASSWORD });
	const code = codeAt(late.secret, clock.nowMs());
	assert.equal((await browser.ok('/account/codes', { ...send(late.setup), code })).account.one_time_codes, true);
	clock.aheadMs = 10 * 60_000;
	await browser.refused('wrong_code', '/account/codes', send(setup));
});

test('a setup is good once, also after its codes were removed', async (t) => {
	const dashboard = await startDashboard(t);
	dashboard.clock.stop();
	const { browser } = await dashboard.resellerWithPerson('acme');
	const { secret, setup } = await browser.ok('/account/codes/setup', {});
	const codeAfter = (steps: number) => codeAt(secret, dashboard.clock.nowMs() + steps * STEP_MS);
	const send = (steps: number, sent = setup) => ({ act: randomUUID(), setup: sent, code: codeAfter(steps) });
	await browser.refused('wrong_code', '/account/codes', { ...send(0), code: '000000' });
	await browser.ok('/account/codes', send(0));
	await browser.refused('wrong_code', '/account/codes', send(1));
	await browser.ok('/account/codes/remove', { act: randomUUID() });
	// Base64url of other bits, and with padding.
	for (const sent of [setup, `${setup}=`, `${setup} `]) {
		for (const steps of [0, 1]) await browser.refused('wrong_code', '/account/codes', send(steps, sent));
	}
	assert.equal((await browser.ok('/account')).one_time_codes, false);
});

test('codes that were removed are not needed any more, and are refused as the last factor of an operator', async (t) => {
	const dashboard = await startDashboard(t);
	dashboard.clock.stop();
	const { browser, email } = await dashboard.resellerWithPerson('acme');
	await browser.addCodes(dashboard.clock.nowMs());
	const account = await browser.ok('/account/codes/remove', { act: randomUUID() });
	assert.deepEqual([account.one_time_codes, account.recovery_codes], [false, 0]);
	assert.equal((await dashboard.browser().signIn(email)).status, 200);

	const operator = await dashboard.signedIn('op@bursar.example', null);
	await operator.addCodes(dashboard.clock.nowMs());
	await operator.refused('last_factor', '/account/codes/remove', { act: randomUUID() });
	const { passkey } = await operator.addPasskey();
	await operator.ok('/account/codes/remove', { act: randomUUID() });
	await operator.refused('last_factor', '/account/passkeys/remove', { act: randomUUID(), id: passkey.id });
});
