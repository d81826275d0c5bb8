import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { type Browser, codeAt, PASSWORD, startDashboard } from '../../../support/dashboard.ts';

const OP = 'op@bursar.example';

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

test('a person sees failed sign-ins and proofs, and what was wrong; so do operators', async (t) => {
	const dashboard = await startDashboard(t);
	const { browser, email } = await dashboard.resellerWithPerson('acme');
	const operator = await dashboard.operator(OP);
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

test('a wrong code after the right password is told apart, and the step that only asks for the code is no failure', async (t) => {
	const dashboard = await startDashboard(t);
	const { browser, email } = await dashboard.resellerWithPerson('acme');
	const { secret } = await browser.addCodes();
	const stranger = dashboard.browser();
	await stranger.refused('code_required', '/sign-in', { email, password: PASSWORD });
	await stranger.refused('wrong_code', '/sign-in', { email, password: PASSWORD, code: '000000' });
	await assertFailures(browser, [['failed_sign_in', 'code']]);
	dashboard.clock.aheadMs += 60_000;
	await stranger.ok('/sign-in', { email, password: PASSWORD, code: codeAt(secret, dashboard.clock.nowMs()) });
	await assertFailures(browser, [['failed_sign_in', 'code']]);
});

test('strangers fill nothing with failures: of one person ten are recorded, and of an unknown address none', async (t) => {
	const dashboard = await startDashboard(t);
	const { browser, email } = await dashboard.resellerWithPerson('acme');
	const operator = await dashboard.operator(OP);
	for (let index = 0; index < 12; index++) {
		// One more try of the account is forgiven meanwhile, but no recorded failure.
		dashboard.clock.aheadMs += 10_000;
		await dashboard.browser().signIn(email, `wrong ${index}`);
		await dashboard.browser().signIn(`nobody${index}@acme.example`, 'wrong');
	}
	await assertFailures(browser, Array(10).fill(['failed_sign_in', 'password']));
	const { acts } = await operator.read('/operator/acts', { kind: 'failed_sign_in' });
	assert.equal(acts.length, 10);
	assert.doesNotMatch(JSON.stringify(acts), /nobody|wrong \d/);
});

test('a link of somebody who never signed in is one of a new person, whatever strangers tried', async (t) => {
	const dashboard = await startDashboard(t);
	await dashboard.openReseller('acme', 1000);
	const link = await dashboard.invite('ann@acme.example', 'acme');
	await dashboard.browser().signIn('ann@acme.example', 'wrong');
	const operator = await dashboard.operator(OP);
	assert.equal((await dashboard.browser().ok('/invitation', { link })).new_person, true);
	assert.deepEqual((await operator.read('/operator/acts', { kind: 'failed_sign_in' })).acts, []);
});
