import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { runBursar } from '@bursar/testing/bursar-process';
import { failureTexts } from '../../../../dashboard/src/calls/failure-texts.ts';
import { accountTexts } from '../../../../dashboard/src/features/account/texts.ts';
import { factorTexts, passwordTexts } from '../../../../dashboard/src/features/factors/texts.ts';
import { invitationTexts } from '../../../../dashboard/src/features/invitation/texts.ts';
import { signInTexts } from '../../../../dashboard/src/features/sign-in/texts.ts';
import { pageNames, shellTexts } from '../../../../dashboard/src/shell/texts.ts';
import { assertSilent, refusalLine, startDashboard, type TestDashboard } from '../../support/dashboard-in-browser.ts';
import {
	acceptInvitation,
	accountSection,
	addPasskey,
	button,
	enterCode,
	enterPassword,
	field,
	heading,
	setUpCodes,
	signOut,
	storeRecoveryCodes,
} from '../../support/dashboard-steps.ts';
import { addPasskeyDevice } from '../../support/passkey-device.ts';

test('people come in by an invitation, and sign in', { concurrency: true }, async (t) => {
	const dashboard = await startDashboard(t);
	await dashboard.service.openReseller('acme', 5000);

	const reseller = t.test('a person of a reseller: password, one-time codes, recovery codes, passkey', async (t) => {
		const email = 'ann@acme.example';
		const { page, trail } = await dashboard.visit();
		await addPasskeyDevice(page);
		const link = await invitedByCommand(t, dashboard, 'reseller', 'invite', 'acme', '--email', email);

		await page.goto(link);
		await page.getByText(invitationTexts.forReseller.owner('acme')).waitFor();
		assert.equal(page.url(), link.replace(/#.*/, ''), 'the secret has left the address bar');
		await field(page, passwordTexts.password).fill('password1234');
		await field(page, passwordTexts.repeat).fill('password1234');
		await button(page, invitationTexts.accept).click();
		await page.getByText(failureTexts.weak_password.happened).waitFor();
		await acceptInvitation(page);
		await heading(page, factorTexts.title).waitFor();
		const { app, recoveryCodes } = await setUpCodes(page);
		assert.equal(new Set(recoveryCodes).size, 10);
		await heading(page, pageNames.overview).waitFor();
		await signOut(page);

		await enterPassword(page, email);
		const code = app.next();
		await enterCode(page, code);
		await heading(page, pageNames.overview).waitFor();
		await signOut(page);

		await enterPassword(page, email);
		await enterCode(page, code);
		await page.getByText(failureTexts.wrong_code.happened).waitFor();
		await field(page, signInTexts.code).fill('');
		await enterCode(page, recoveryCodes[0] ?? '');
		await heading(page, pageNames.overview).waitFor();

		await page.getByRole('link', { name: pageNames.account }).click();
		await accountSection(page, 'recovery').getByText(accountTexts.recoveryLeft(9)).waitFor();
		await button(page, factorTexts.addPasskey).click();
		await addPasskey(page, 'the laptop');
		await accountSection(page, 'passkeys').getByText('the laptop', { exact: true }).waitFor();
		await signOut(page);
		await button(page, signInTexts.passkey).click();
		await heading(page, pageNames.overview).waitFor();

		await page.goto('about:blank');
		await page.goto(link);
		await page.getByText(failureTexts.invalid_link.happened).waitFor();
		assertSilent(trail, [
			refusalLine(400, '/invitation/accept'),
			...Array(3).fill(refusalLine(401, '/sign-in')),
			refusalLine(410, '/invitation'),
		]);
	});

	const operator = t.test(
		'an operator, who gets no further without a second factor, and keeps the last one',
		async (t) => {
			const { page, trail } = await dashboard.visit();
			await addPasskeyDevice(page);
			await page.goto(await invitedByCommand(t, dashboard, 'operator', 'invite', '--email', 'olga@bursar.example'));
			await page.getByText(invitationTexts.forOperator).waitFor();
			await acceptInvitation(page);
			await page.getByText(factorTexts.leadRequired).waitFor();
			assert.equal(await button(page, factorTexts.skip).count(), 0);
			for (const path of ['/account', '/token']) {
				await page.goto(`${dashboard.url}/dashboard${path}`);
				await page.getByText(factorTexts.leadRequired).waitFor();
			}

			await addPasskey(page, 'the key');
			assert.equal((await storeRecoveryCodes(page)).length, 10);
			await page.goto(`${dashboard.url}/dashboard`);
			await heading(page, pageNames.home).waitFor();
			await page.getByRole('link', { name: pageNames.account }).click();
			await accountSection(page, 'passkeys').getByText(accountTexts.lastFactor).waitFor();
			await signOut(page);
			await button(page, signInTexts.passkey).click();
			await heading(page, pageNames.home).waitFor();
			await page.goto(`${dashboard.url}/dashboard/token`);
			await heading(page, shellTexts.notFoundTitle).waitFor();
			assertSilent(trail);
		},
	);

	await Promise.all([reseller, operator]);
});

/** The link that a command of the operator prints. */
async function invitedByCommand(
	test: TestContext,
	{ service, url }: TestDashboard,
	...command: readonly string[]
): Promise<string> {
	const environment = { BURSAR_PUBLIC_URL: url };
	const { code, stdout, stderr } = await runBursar(test, service.config.dataDir, [...command, '--json'], {
		environment,
	});
	assert.equal(code, 0, stderr);
	return JSON.parse(stdout).link;
}
