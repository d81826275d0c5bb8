import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { factorTexts } from '../../../../dashboard/src/features/factors/texts.ts';
import { proofTexts } from '../../../../dashboard/src/features/proof/texts.ts';
import { tokenTexts } from '../../../../dashboard/src/features/token/texts.ts';
import { pageNames } from '../../../../dashboard/src/shell/texts.ts';
import {
	assertSilent,
	complaintsBesidePoll,
	refusalLine,
	startDashboard,
	type TestDashboard,
	type Visitor,
} from '../../support/dashboard-in-browser.ts';
import { accountSection, addPasskey, button, dialog, prove, setUpCodes } from '../../support/dashboard-steps.ts';
import { addPasskeyDevice } from '../../support/passkey-device.ts';
import { endAllTokens, rotate, showsTailOf, storeToken, tokenState } from '../../support/token-steps.ts';

test('tokens change only with a fresh proof', { concurrency: true }, async (t) => {
	const dashboard = await startDashboard(t);
	const { url } = dashboard.service;

	const password = t.test('a password proves, and the end of all tokens reaches every program and page', async () => {
		const { visitor: ann, token: first } = await openTokenPage(dashboard, 'acme');
		const other = await dashboard.visit();
		await other.signIn('ann@acme.example');
		await other.open('/token');
		await rotate(ann.page, 240);
		const second = await storeToken(ann.page);
		await showsTailOf(other.page, second);
		for (const token of [first, second]) assert.equal((await resellerApi(url, token).myInfo()).status, 200);

		dashboard.ageProofs('ann@acme.example');
		const cookieBefore = await sessionCookie(ann);
		await endAllTokens(ann.page);
		const proof = dialog(ann.page, proofTexts.title);
		await proof.getByLabel(proofTexts.password, { exact: true }).fill('not the password');
		await button(ann.page, proofTexts.confirm).click();
		await proof.getByText(proofTexts.wrongPassword.happened).waitFor();
		await prove(ann.page);
		const third = await storeToken(ann.page);
		for (const token of [first, second]) assert.equal((await resellerApi(url, token).myInfo()).status, 401);
		assert.equal((await resellerApi(url, third).myInfo()).status, 200);
		await showsTailOf(other.page, third);

		const cookieAfter = await sessionCookie(ann);
		assert.notEqual(cookieAfter.value, cookieBefore.value, 'a proof gives the session a new cookie');
		const thief = await dashboard.visit();
		await thief.context.addCookies([cookieBefore]);
		assert.equal((await thief.read('/token')).status(), 401);
		assert.deepEqual(complaintsBesidePoll(ann.trail), [refusalLine(403, '/token/end-all'), refusalLine(401, '/proof')]);
		assertSilent(other.trail);
	});

	const noProof = t.test('without a proof nothing changes', async () => {
		const { visitor, token } = await openTokenPage(dashboard, 'zeta');
		const { page } = visitor;
		dashboard.ageProofs('ann@zeta.example');
		await rotate(page, 0);
		await dialog(page, proofTexts.title).getByRole('button', { name: proofTexts.cancel, exact: true }).click();
		await dialog(page, proofTexts.title).waitFor({ state: 'detached' });
		await dialog(page, tokenTexts.rotate).waitFor();
		assert.equal((await tokenState(visitor)).current.tail, token.slice(-4));
		assert.equal((await resellerApi(url, token).myInfo()).status, 200);
		assertSilent(visitor.trail, [refusalLine(403, '/token/rotate')]);
	});

	const secondFactor = t.test('with a second factor, a proof needs the code too, or a passkey', async () => {
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
	await Promise.all([password, noProof, secondFactor]);
});

async function openTokenPage({ service, signedIn }: TestDashboard, reseller: string) {
	const { token } = await service.openReseller(reseller, 5000);
	const visitor = await signedIn(`ann@${reseller}.example`, reseller);
	await visitor.open('/token');
	await showsTailOf(visitor.page, token);
	return { visitor, token };
}

async function sessionCookie({ context }: Visitor) {
	const [cookie] = await context.cookies();
	assert.ok(cookie);
	return cookie;
}
