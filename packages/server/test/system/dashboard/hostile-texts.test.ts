import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountTexts } from '../../../../dashboard/src/features/account/texts.ts';
import { factorTexts } from '../../../../dashboard/src/features/factors/texts.ts';
import { invitationTexts } from '../../../../dashboard/src/features/invitation/texts.ts';
import { tokenTexts } from '../../../../dashboard/src/features/token/texts.ts';
import { pageNames } from '../../../../dashboard/src/shell/texts.ts';
import { assertSilent, startDashboard } from '../../support/dashboard-in-browser.ts';
import { accountSection, addPasskey, button, field, storeRecoveryCodes } from '../../support/dashboard-steps.ts';
import { assertHarmless, IMAGE, SCRIPT, SVG_EMAIL } from '../../support/hostile-markup.ts';
import { addPasskeyDevice } from '../../support/passkey-device.ts';
import { rotate, storeToken } from '../../support/token-steps.ts';

test('markup in everything that people and networks send stays text', async (t) => {
	const dashboard = await startDashboard(t, { environment: { BURSAR_TRUSTED_PROXIES: '127.0.0.0/8' } });
	await dashboard.service.openReseller('acme', 5000);
	const hostile = await dashboard.visit({
		userAgent: `${SCRIPT} Firefox/1.0 ${IMAGE}`,
		extraHTTPHeaders: { 'x-forwarded-for': SCRIPT },
	});
	const { page, trail } = hostile;
	await addPasskeyDevice(page);

	await page.goto(await dashboard.invite(SVG_EMAIL, 'acme'));
	await field(page, invitationTexts.email).waitFor();
	await assertHarmless(page);
	const { hash } = new URL(await dashboard.invite(SVG_EMAIL, 'acme'));
	const accepted = await hostile.change('/invitation/accept', {
		link: hash.slice(1),
		password: 'four unrelated words',
	});
	assert.equal(accepted.status(), 200);

	await hostile.open('/account');
	await button(page, factorTexts.addPasskey).click();
	await addPasskey(page, IMAGE);
	await storeRecoveryCodes(page);
	const passkeys = accountSection(page, 'passkeys');
	await passkeys.getByText(IMAGE, { exact: true }).waitFor();
	await button(page, accountTexts.renameOne(IMAGE)).click();
	await page.getByLabel(accountTexts.name, { exact: true }).fill(SCRIPT);
	await button(page, accountTexts.save).click();
	await passkeys.getByText(SCRIPT, { exact: true }).waitFor();
	await page.getByText(accountTexts.lead(SVG_EMAIL, 'acme')).waitFor();
	await accountSection(page, 'sessions')
		.getByText(/^Firefox(?: on .*)?This one$/)
		.waitFor();
	// The address is that of the proxy that sent no address.
	await accountSection(page, 'sessions').getByText('127.0.0.1').waitFor();
	await page.reload();
	await accountSection(page, 'acts').getByText(SCRIPT).first().waitFor();
	await assertHarmless(page);

	await button(page, accountTexts.removeOne(SCRIPT)).click();
	await page.getByText(accountTexts.removePasskey(SCRIPT)).waitFor();
	await assertHarmless(page);
	await page.keyboard.press('Escape');

	await page.getByRole('link', { name: pageNames.token }).click();
	await rotate(page, 0);
	await storeToken(page);
	await page.getByText(tokenTexts.you, { exact: true }).waitFor();
	await assertHarmless(page);
	const other = await dashboard.signedIn('ben@acme.example', 'acme');
	await other.open('/token');
	await other.page.getByText(SVG_EMAIL, { exact: true }).waitFor();
	assert.equal(await other.page.evaluate('window.ishacked'), undefined);
	for (const each of [trail, other.trail]) assertSilent(each);
});
