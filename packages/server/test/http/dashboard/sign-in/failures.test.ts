import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { type Browser, codeAt, PASSWORD, startDashboard } from '../../../support/dashboard.ts';
import { wholeFile } from '../../../support/whole-file.ts';

const OP = 'op@bursar.example';

const dashboard = await startDashboard(wholeFile);
const { clock, resellerWithPerson } = dashboard;
clock.stop();
const operator = await dashboard.operator(OP);

/** What the person sees of failures: nobody waits for them to be recorded. */
async function assertFailures(browser: Browser, expected: readonly (readonly [kind: string, target: string])[]) {
	await eventually(async () => {
		const { acts } = await browser.read('/account/acts');
		const failures = acts.filter(({ kind }) => kind.startsWith('failed_'));
		assert.deepEqual(
			failures.map(({ kind, target, address }) => [kind, target, address]),
			expected.map((each) => [...each, '127.0.0.1']),
		);
	});
}

test('a person sees failed sign-ins and proofs, and what was wrong; so do operators', async () => {
	const { browser, email } = await resellerWithPerson('acme');
	await dashboard.browser().signIn(email, 'a wrong password');
	await assertFailures(browser, [['failed_sign_in', 'password']]);
	await browser.refused('wrong_credentials', '/proof', { password: 'another wrong password' });
	const expected = [
		['failed_proof', 'password'],
		['failed_sign_in', 'password'],
	] as const;
	await assertFailures(browser, expected);
	const { acts } = await operator.read('/operator/acts', { email, kind: 'failed_sign_in' });
	assert.deepEqual(
		acts.map((act) => [act.email, act.reseller, act.target, act.address]),
		[[email, 'acme', 'password', '127.0.0.1']],
	);
	await operator.read('/operator/acts', { kind: 'failed_proof' });
});

test('a wrong code after the right password is told apart, and the step that only asks for the code is no failure', async () => {
	const { browser, email } = await resellerWithPerson('coded');
	const { secret } = await browser.addCodes();
	const stranger = dashboard.browser();
	await stranger.refused('code_required', '/sign-in', { email, password: PASSWORD });
	await stranger.refused('wrong_code', '/sign-in', { email, password: PASSWORD, code: '000000' });
	await assertFailures(browser, [['failed_sign_in', 'code']]);
	clock.aheadMs += 60_000;
	await stranger.ok('/sign-in', { email, password: PASSWORD, code: codeAt(secret, clock.nowMs()) });
	await assertFailures(browser, [['failed_sign_in', 'code']]);
});

test('strangers fill nothing with failures: of one person ten are recorded, and of an unknown address none', async () => {
	const { browser, email } = await resellerWithPerson('flooded');
	for (let index = 0; index < 12; index++) {
		// One more try of the account is forgiven meanwhile, but no recorded failure.
		clock.aheadMs += 10_000;
		await dashboard.browser().signIn(email, `wrong ${index}`);
		await dashboard.browser().signIn(`nobody${index}@acme.example`, 'wrong');
	}
	await assertFailures(browser, Array(10).fill(['failed_sign_in', 'password']));
	const { acts } = await operator.read('/operator/acts', { email, kind: 'failed_sign_in' });
	assert.equal(acts.length, 10);
	assert.doesNotMatch(JSON.stringify(await operator.read('/operator/acts')), /nobody|wrong \d/);
});

test('a link of somebody who never signed in is one of a new person, whatever strangers tried', async () => {
	await dashboard.openReseller('newcomers', 1000);
	const link = await dashboard.invite('ann@newcomers.example', 'newcomers');
	await dashboard.browser().signIn('ann@newcomers.example', 'wrong');
	assert.equal((await dashboard.browser().ok('/invitation', { link })).new_person, true);
	assert.deepEqual(
		(await operator.read('/operator/acts', { email: 'ann@newcomers', kind: 'failed_sign_in' })).acts,
		[],
	);
});
