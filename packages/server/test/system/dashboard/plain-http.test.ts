import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PLAIN_HOST } from '@bursar/testing/browser';
import { freePort } from '@bursar/testing/free-port';
import { accountTexts } from '../../../../dashboard/src/features/account/texts.ts';
import { connectTexts } from '../../../../dashboard/src/features/connect/texts.ts';
import { factorTexts } from '../../../../dashboard/src/features/factors/texts.ts';
import { tokenTexts } from '../../../../dashboard/src/features/token/texts.ts';
import { secretTexts } from '../../../../dashboard/src/secrets/texts.ts';
import { pageNames } from '../../../../dashboard/src/shell/texts.ts';
import { assertSilent, startDashboard } from '../../support/dashboard-in-browser.ts';
import { acceptInvitation, button, dialog, field, heading } from '../../support/dashboard-steps.ts';
import { rotate, shownToken, storeToken } from '../../support/token-steps.ts';

test('the dashboard works over plain http, where browsers have neither passkeys nor a clipboard', async (t) => {
	const port = await freePort();
	const dashboard = await startDashboard(t, {
		url: `http://${PLAIN_HOST}:${port}`,
		environment: { BURSAR_PORT: String(port) },
	});
	await dashboard.service.openReseller('acme', 5000);
	const { page, trail } = await dashboard.visit();
	await page.goto(await dashboard.invite('ann@acme.example', 'acme'));
	await acceptInvitation(page);
	await heading(page, factorTexts.title).waitFor();
	assert.equal(await page.evaluate('isSecureContext'), false);
	assert.equal(await button(page, factorTexts.addPasskey).count(), 0);
	await button(page, factorTexts.skip).click();

	await page.getByRole('link', { name: pageNames.token }).click();
	await rotate(page, 0);
	const token = await shownToken(page);
	await dialog(page, tokenTexts.newTitle).getByRole('button', { name: secretTexts.copy }).click();
	await dialog(page, tokenTexts.newTitle)
		.getByRole('button', {
			name: new RegExp(`^${RegExp.escape(secretTexts.copied)}|${RegExp.escape(secretTexts.copyByHand)}`),
		})
		.waitFor();
	assert.equal(String(await page.evaluate('String(getSelection())')).trim(), token);
	await storeToken(page);

	await page.getByRole('link', { name: pageNames.connect }).click();
	await field(page, connectTexts.typedAddress).fill('proxy.example:3128');
	await page.getByRole('group', { name: connectTexts.url, exact: true }).locator('..').getByRole('button').click();
	await page.getByText(secretTexts.copied).waitFor();
	await field(page, connectTexts.typedAddress).fill('');
	await field(page, connectTexts.typedAddress).press('Control+v');
	const pasted = await field(page, connectTexts.typedAddress).inputValue();
	assert.match(pasted, /^http:\/\/acme:[0-9A-Za-z]{16}@proxy\.example:3128$/, 'the key is copied without being shown');

	await page.getByRole('link', { name: pageNames.account }).click();
	await page.getByText(accountTexts.passkeysNotHere).waitFor();
	assertSilent(trail);
});
