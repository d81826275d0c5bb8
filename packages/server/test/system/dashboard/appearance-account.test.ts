import { test } from 'node:test';
import { accountTexts } from '../../../../dashboard/src/features/account/texts.ts';
import { factorTexts } from '../../../../dashboard/src/features/factors/texts.ts';
import { signInTexts } from '../../../../dashboard/src/features/sign-in/texts.ts';
import { pageNames } from '../../../../dashboard/src/shell/texts.ts';
import { assertSilent, refusalLine, startDashboard } from '../../support/dashboard-in-browser.ts';
import {
	accountSection,
	addPasskey,
	button,
	dialog,
	heading,
	storeRecoveryCodes,
} from '../../support/dashboard-steps.ts';
import { createLooks, lookAtDialog } from '../../support/page-looks.ts';
import { addPasskeyDevice } from '../../support/passkey-device.ts';

test('the pages of an account are readable for everybody: a phone and a desk, light and dark', {
	concurrency: true,
}, async (t) => {
	const dashboard = await startDashboard(t);
	await dashboard.service.openReseller('acme', 5000);
	const looks = createLooks();

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
		await page.getByRole('link', { name: pageNames.token }).click();
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
		assertSilent(trail);
	});
	await Promise.all([accountPage, operatorPages]);
	looks.assertRight();
});
