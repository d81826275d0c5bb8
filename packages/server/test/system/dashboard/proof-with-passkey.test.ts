import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { factorTexts } from '../../../../dashboard/src/features/factors/texts.ts';
import { proofTexts } from '../../../../dashboard/src/features/proof/texts.ts';
import { pageNames } from '../../../../dashboard/src/shell/texts.ts';
import {
	complaintsBesidePoll,
	refusalLine,
	startDashboard,
	type TestDashboard,
} from '../../support/dashboard-in-browser.ts';
import { accountSection, addPasskey, button, prove, setUpCodes } from '../../support/dashboard-steps.ts';
import { addPasskeyDevice } from '../../support/passkey-device.ts';
import { endAllTokens, showsTailOf, storeToken } from '../../support/token-steps.ts';

test('with a second factor, a proof needs the code too, or a passkey', async (t) => {
	const dashboard = await startDashboard(t);
	const { url } = dashboard.service;
	const { visitor, token } = await openTokenPage(dashboard, 'theta');
	const { page, trail } = visitor;
	await addPasskeyDevice(page);
	await page.getByRole('link', { name: pageNames.account }).click();
	const { app } = await setUpCodes(page);
	dashboard.ageProofs('ann@theta.example');
	await button(page, factorTexts.addPasskey).click();
	await addPasskey(page, 'the key');
	await prove(page, app.next());
	await accountSection(page, 'passkeys').getByText('the key', { exact: true }).waitFor();

	dashboard.ageProofs('ann@theta.example');
	await page.getByRole('link', { name: pageNames.token }).click();
	await endAllTokens(page);
	await button(page, proofTexts.passkey).click();
	const next = await storeToken(page);
	assert.equal((await resellerApi(url, token).myInfo()).status, 401);
	assert.equal((await resellerApi(url, next).myInfo()).status, 200);
	assert.deepEqual(complaintsBesidePoll(trail), [
		refusalLine(403, '/account/passkeys/question'),
		refusalLine(403, '/token/end-all'),
	]);
});

async function openTokenPage({ service, signedIn }: TestDashboard, reseller: string) {
	const { token } = await service.openReseller(reseller, 5000);
	const visitor = await signedIn(`ann@${reseller}.example`, reseller);
	await visitor.open('/token');
	await showsTailOf(visitor.page, token);
	return { visitor, token };
}
