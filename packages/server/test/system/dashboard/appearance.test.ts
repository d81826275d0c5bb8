import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { accountTexts } from '../../../../dashboard/src/texts/account.ts';
import { factorTexts } from '../../../../dashboard/src/texts/factors.ts';
import { failureTexts } from '../../../../dashboard/src/texts/failures.ts';
import { frameTexts } from '../../../../dashboard/src/texts/frame.ts';
import { invitationTexts } from '../../../../dashboard/src/texts/invitation.ts';
import { proofTexts } from '../../../../dashboard/src/texts/proof.ts';
import { signInTexts } from '../../../../dashboard/src/texts/sign-in.ts';
import { tokenTexts } from '../../../../dashboard/src/texts/token.ts';
import { createCodesApp } from '../../support/codes-app.ts';
import { assertSilent, brokenLines, refusalLine, startDashboard } from '../../support/dashboard-in-browser.ts';
import {
	acceptInvitation,
	accountSection,
	addPasskey,
	button,
	dialog,
	enterCode,
	enterPassword,
	field,
	heading,
	prove,
	signOut,
	storeRecoveryCodes,
} from '../../support/dashboard-steps.ts';
import { createLooks, type Looks } from '../../support/page-looks.ts';
import { addPasskeyDevice } from '../../support/passkey-device.ts';
import { rotate, showsTailOf, storeToken } from '../../support/token-steps.ts';

/** Shows a dialog, looks at it, and closes it. */
async function lookAtDialog(page: Page, looks: Looks, opener: string, title: string, name: string): Promise<void> {
	await button(page, opener).click();
	await dialog(page, title).waitFor();
	await looks.at(page, name);
	await page.keyboard.press('Escape');
	await dialog(page, title).waitFor({ state: 'detached' });
}

test('pages and dialogs are readable for everybody, on a phone and on a desk, light and dark', {
	concurrency: true,
}, async (t) => {
	const dashboard = await startDashboard(t);
	const { token } = await dashboard.service.openReseller('acme', 5000);
	const email = 'ann@acme.example';
	const looks = createLooks();

	const comingIn = t.test('invitation, second factors and sign-in', async () => {
		const { page, open, trail } = await dashboard.visit();
		await addPasskeyDevice(page);
		await open('/invitation');
		await heading(page, invitationTexts.noLinkTitle).waitFor();
		await looks.at(page, 'invitation-no-link');
		await page.goto(await dashboard.invite(email, 'acme'));
		await heading(page, invitationTexts.title).waitFor();
		await field(page, invitationTexts.email).waitFor();
		await looks.at(page, 'invitation');
		await acceptInvitation(page);
		await heading(page, factorTexts.title).waitFor();
		await looks.at(page, 'factors');
		await button(page, factorTexts.setUpCodes).click();
		const secret = page.getByRole('group', { name: factorTexts.bySecret });
		await secret.waitFor();
		await looks.at(page, 'codes');
		const app = createCodesApp(await secret.innerText());
		await field(page, factorTexts.firstCode).fill(app.next());
		await button(page, factorTexts.confirmCode).click();
		await heading(page, factorTexts.recoveryTitle).waitFor();
		await looks.at(page, 'recovery-codes');
		await storeRecoveryCodes(page);
		await heading(page, frameTexts.token).waitFor();
		await signOut(page);

		await looks.at(page, 'sign-in');
		await enterPassword(page, email, 'not the password');
		await page.getByText(failureTexts.wrong_credentials.happened).waitFor();
		await looks.at(page, 'sign-in-refused');
		await enterPassword(page, email);
		await field(page, signInTexts.code).waitFor();
		await looks.at(page, 'sign-in-code');
		await enterCode(page, app.next());
		await heading(page, frameTexts.token).waitFor();
		assertSilent(trail, [refusalLine(401, '/sign-in'), refusalLine(401, '/sign-in')]);
	});

	const tokenPage = t.test('the Reseller API page', async () => {
		const { page, open, trail, context } = await dashboard.signedIn('ben@acme.example', 'acme');
		await open('/token');
		await showsTailOf(page, token);
		await looks.at(page, 'token');
		await page.setViewportSize({ width: 390, height: 900 });
		await lookAtDialog(page, looks, tokenTexts.endAll, tokenTexts.endAll, 'end-all');
		await button(page, tokenTexts.rotate).click();
		await dialog(page, tokenTexts.rotate).waitFor();
		await looks.at(page, 'rotate');
		await page.keyboard.press('Escape');

		dashboard.ageProofs('ben@acme.example');
		await rotate(page, 240);
		await dialog(page, proofTexts.title).waitFor();
		await looks.at(page, 'proof');
		await prove(page);
		await dialog(page, tokenTexts.newTitle).waitFor();
		await looks.at(page, 'new-token');
		await page.keyboard.press('Escape');
		await page.getByText(tokenTexts.ask).waitFor();
		await looks.at(page, 'new-token-unstored');
		await button(page, frameTexts.goBack).click();
		await storeToken(page);
		await looks.at(page, 'token-countdown');

		await page.route('**/token/end-all', (route) => route.abort());
		await button(page, tokenTexts.endAll).click();
		await dialog(page, tokenTexts.endAll).getByRole('button', { name: tokenTexts.endAll, exact: true }).click();
		await button(page, tokenTexts.tryAgain).waitFor();
		await looks.at(page, 'lost-answer');
		await dialog(page, tokenTexts.lostTitle)
			.getByRole('button', { name: tokenTexts.close, exact: true })
			.last()
			.click();

		await page.route('**/api/token', (route) => route.abort());
		await page.reload();
		await page.getByText(failureTexts.lost.happened).waitFor();
		await looks.at(page, 'token-unreadable');
		await context.setOffline(true);
		await page.getByText(frameTexts.offline).waitFor();
		await looks.at(page, 'offline');
		await context.setOffline(false);
		await page.goto(`${dashboard.url}/dashboard/nowhere`);
		await heading(page, frameTexts.notFoundTitle).waitFor();
		await looks.at(page, 'not-found');
		await page.setViewportSize({ width: 390, height: 900 });
		await button(page, frameTexts.openNavigation).click();
		await button(page, frameTexts.closeNavigation).waitFor();
		await looks.at(page, 'navigation');
		await page.goto(`${dashboard.service.url}/dashboard/`);
		await heading(page, frameTexts.elsewhereTitle).waitFor();
		await looks.at(page, 'elsewhere');
		assert.deepEqual(
			[...new Set(trail.complaints)],
			[refusalLine(403, '/token/rotate'), ...brokenLines('/token/end-all'), ...brokenLines('/token')],
		);
	});

	const accountPage = t.test('the account page', async () => {
		const ann = await dashboard.visit();
		const { page, trail } = await dashboard.signedIn('cleo@acme.example', 'acme');
		await addPasskeyDevice(page);
		await ann.signIn('cleo@acme.example');
		await page.goto(`${dashboard.url}/dashboard/account`);
		await heading(page, accountTexts.sessions).waitFor();
		await looks.at(page, 'account-without-factor');
		await lookAtDialog(page, looks, accountTexts.changePassword, accountTexts.changePassword, 'password');
		await button(page, factorTexts.addPasskey).click();
		await dialog(page, factorTexts.addPasskey).waitFor();
		await looks.at(page, 'add-passkey');
		await addPasskey(page, 'a passkey with a rather long name: the laptop of the office');
		await dialog(page, factorTexts.recoveryTitle).waitFor();
		await looks.at(page, 'recovery-codes-dialog');
		await storeRecoveryCodes(page);
		await button(page, accountTexts.endOthers).waitFor();
		await looks.at(page, 'account');
		await page.setViewportSize({ width: 1280, height: 900 });
		const passkeys = accountSection(page, 'passkeys');
		await passkeys.getByText(accountTexts.rename, { exact: true }).click();
		await dialog(page, accountTexts.renameTitle).waitFor();
		await looks.at(page, 'rename-passkey');
		await page.keyboard.press('Escape');
		await passkeys.getByText(accountTexts.remove, { exact: true }).click();
		await dialog(page, accountTexts.removePasskeyTitle).waitFor();
		await looks.at(page, 'remove-passkey');
		await page.keyboard.press('Escape');
		await lookAtDialog(page, looks, factorTexts.setUpCodes, factorTexts.codesTitle, 'codes-dialog');
		await lookAtDialog(page, looks, accountTexts.newRecovery, accountTexts.newRecoveryTitle, 'new-recovery-codes');
		await lookAtDialog(page, looks, accountTexts.endOthers, accountTexts.endOthersTitle, 'end-other-sessions');
		await ann.change('/account/sessions/end-others', { act: crypto.randomUUID() });
		await button(page, accountTexts.changePassword).first().waitFor();
		await page.getByRole('link', { name: frameTexts.token }).click();
		await dialog(page, signInTexts.goneTitle).waitFor();
		await looks.at(page, 'signed-out');
		assertSilent(trail, [refusalLine(401, '/token')]);
	});

	const operatorPages = t.test('pages of an operator', async () => {
		const { page, open, trail } = await dashboard.signedIn('olga@bursar.example', null);
		await addPasskeyDevice(page);
		await open('/account');
		await heading(page, factorTexts.title).waitFor();
		await looks.at(page, 'operator-factors');
		await addPasskey(page, 'the key');
		await storeRecoveryCodes(page);
		await heading(page, accountTexts.sessions).waitFor();
		await looks.at(page, 'operator-account');
		assertSilent(trail);
	});
	await Promise.all([comingIn, tokenPage, accountPage, operatorPages]);
	looks.assertRight();
});
