import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { codeAt, PASSWORD, startDashboard } from '../../../support/dashboard.ts';
import { wholeFile } from '../../../support/whole-file.ts';

const STEP_MS = 30_000;

const dashboard = await startDashboard(wholeFile);
const { clock, resellerWithPerson } = dashboard;
clock.stop();

/** The outcome of a sign-in in another browser, with the right password and this code. */
async function endingOf(email: string, code?: string): Promise<string> {
	return (await dashboard.browser().signIn(email, PASSWORD, code)).errorCode ?? 'ok';
}

test('a person sets up one-time codes, needs one to sign in until they are removed, and each is good once', async () => {
	const { browser, email } = await resellerWithPerson('acme');
	await browser.refused('second_factor_required', '/account/recovery-codes', { act: randomUUID() });
	const { secret, uri, setup } = await browser.ok('/account/codes/setup', {});
	assert.match(secret, /^[A-Z2-7]{32}$/);
	const { protocol, host, pathname, searchParams } = new URL(uri);
	assert.deepEqual(
		[protocol, host, decodeURIComponent(pathname), searchParams.get('secret'), searchParams.get('issuer')],
		['otpauth:', 'totp', `/Bursar:${email}`, secret, 'Bursar'],
	);
	assert.ok(!setup.includes(secret));
	await browser.refused('wrong_code', '/account/codes', { act: randomUUID(), setup, code: '000000' });
	assert.equal((await browser.ok('/account')).one_time_codes, false, 'it does not count yet');
	const code = codeAt(secret, clock.nowMs());
	const made = await browser.ok('/account/codes', { act: randomUUID(), setup, code });
	assert.equal(made.account.one_time_codes, true);
	assert.equal(made.recovery_codes.length, 10);
	for (const each of made.recovery_codes) assert.match(each, /^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){2}$/);

	assert.equal(await endingOf(email), 'code_required');
	assert.equal(await endingOf(email, '000000'), 'wrong_code');
	assert.equal(await endingOf(email, code), 'wrong_code', 'the first code was used');
	const other = dashboard.browser();
	assert.equal((await other.signIn(email, 'a wrong password', code)).errorCode, 'wrong_credentials');
	clock.aheadMs += 10 * STEP_MS;
	const codeOf = (steps: number) => codeAt(secret, clock.nowMs() + steps * STEP_MS);
	for (const tooFar of [-2, 2]) assert.equal(await endingOf(email, codeOf(tooFar)), 'wrong_code');
	const early = codeOf(-1);
	assert.equal((await other.signIn(email, PASSWORD, ` ${early.slice(0, 3)} ${early.slice(3)}`)).status, 200);
	const { person } = await other.ok('/session');
	assert.deepEqual([person?.code_required, person?.one_time_codes], [true, true]);
	for (const [steps, ending] of [
		[-1, 'wrong_code'],
		[0, 'ok'],
		[1, 'ok'],
		[0, 'wrong_code'],
	] as const) {
		assert.equal(await endingOf(email, codeOf(steps)), ending, `${steps}`);
	}
	await browser.ok('/proof', { password: PASSWORD, code: made.recovery_codes[0] });
	const account = await browser.ok('/account/codes/remove', { act: randomUUID() });
	assert.deepEqual([account.one_time_codes, account.recovery_codes], [false, 0]);
	assert.equal(await endingOf(email), 'ok');
});

test('each recovery code is good once, however it is typed, and new ones replace all old ones', async () => {
	const { browser, email } = await resellerWithPerson('recovered');
	const { recoveryCodes } = await browser.addPasskey();
	const [first = '', second = '', third = ''] = recoveryCodes;
	assert.equal(await endingOf(email), 'code_required');
	assert.equal(await endingOf(email, first), 'ok');
	assert.equal(await endingOf(email, first), 'wrong_code');
	const typed = ` ${second.replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'l').toUpperCase()} `;
	assert.equal(await endingOf(email, typed), 'ok');
	assert.equal((await browser.ok('/account')).recovery_codes, 8);
	await browser.ok('/proof', { password: PASSWORD, code: third });

	const renewed = await browser.ok('/account/recovery-codes', { act: randomUUID() });
	assert.equal(renewed.account.recovery_codes, 10);
	assert.ok(renewed.recovery_codes.every((code) => !recoveryCodes.includes(code)));
	assert.equal(await endingOf(email, recoveryCodes[5]), 'wrong_code');
	assert.equal(await endingOf(email, renewed.recovery_codes[9]), 'ok');
});

test('a setup is good once, for ten minutes, for its person and as it was made', async () => {
	const { browser } = await resellerWithPerson('set.up');
	const { browser: other } = await resellerWithPerson('other');
	const { secret, setup } = await browser.ok('/account/codes/setup', {});
	const send = (sent: string, steps = 0) => ({
		act: randomUUID(),
		setup: sent,
		code: codeAt(secret, clock.nowMs() + steps * STEP_MS),
	});
	await other.refused('wrong_code', '/account/codes', send(setup));
	for (const sent of ['', 'x', '.', `${setup}A`, setup.toLowerCase(), setup.slice(0, -2)]) {
		await browser.refused('wrong_code', '/account/codes', send(sent));
	}
	await browser.ok('/account/codes', send(setup));
	await browser.ok('/account/codes/remove', { act: randomUUID() });
	// Base64url of other bits, and with padding.
	for (const sent of [setup, `${setup}=`, `${setup} `]) {
		for (const steps of [0, 1]) await browser.refused('wrong_code', '/account/codes', send(sent, steps));
	}
	const [inTime, late] = [await browser.ok('/account/codes/setup', {}), await browser.ok('/account/codes/setup', {})];
	const codeOf = (made: typeof late) => ({ ...send(made.setup), code: codeAt(made.secret, clock.nowMs()) });
	clock.aheadMs += 10 * 60_000 - 1;
	await browser.ok('/proof', { password: PASSWORD });
	assert.equal((await browser.ok('/account/codes', codeOf(inTime))).account.one_time_codes, true);
	clock.aheadMs += 1;
	await browser.refused('wrong_code', '/account/codes', codeOf(late));
});

test('an operator keeps the last factor', async () => {
	const operator = await dashboard.signedIn('op@bursar.example', null);
	await operator.addCodes();
	await operator.refused('last_factor', '/account/codes/remove', { act: randomUUID() });
	const { passkey } = await operator.addPasskey();
	await operator.ok('/account/codes/remove', { act: randomUUID() });
	await operator.refused('last_factor', '/account/passkeys/remove', { act: randomUUID(), id: passkey.id });
});
