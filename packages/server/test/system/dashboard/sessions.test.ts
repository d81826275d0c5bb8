import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { accountTexts } from '../../../../dashboard/src/features/account/texts.ts';
import { actKindTexts } from '../../../../dashboard/src/features/acts/texts.ts';
import { passwordTexts } from '../../../../dashboard/src/features/factors/texts.ts';
import { overviewTexts } from '../../../../dashboard/src/features/overview/texts.ts';
import { resellerTexts } from '../../../../dashboard/src/features/resellers/texts.ts';
import { signInTexts } from '../../../../dashboard/src/features/sign-in/texts.ts';
import { subUserTexts } from '../../../../dashboard/src/features/sub-users/texts.ts';
import { pageNames } from '../../../../dashboard/src/shell/texts.ts';
import { fillPayment, movementsOf, runInStore, signInAgain } from '../../support/business-steps.ts';
import { createSubUser } from '../../support/commands.ts';
import {
	assertSilent,
	PASSWORD,
	refusalLine,
	startDashboard,
	type TestDashboard,
} from '../../support/dashboard-in-browser.ts';
import { accountSection, button, dialog, field } from '../../support/dashboard-steps.ts';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const SAFARI =
	'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

test('a session ends at once, and what was typed stays', { concurrency: 3 }, async (t) => {
	const dashboard = await startDashboard(t);
	await Promise.all([
		t.test('if it is ended from another browser', () => endFromAnotherBrowser(dashboard)),
		t.test('in the middle of giving, creating a sub-user, and setting a bound', () => endInResellersForms(dashboard)),
		t.test('in the middle of a top-up', () => endWhileTopUp(dashboard)),
		t.test('in the middle of creating a reseller', () => endWhileCreatingReseller(dashboard)),
	]);
});

async function endFromAnotherBrowser(dashboard: TestDashboard): Promise<void> {
	const email = 'ann@acme.example';
	await dashboard.service.openReseller('acme', 5000);
	const here = await dashboard.signedIn(email, 'acme');
	const [desk, phone] = await Promise.all([FIREFOX, SAFARI].map((userAgent) => dashboard.visit({ userAgent })));
	assert.ok(desk && phone);
	for (const visitor of [desk, phone]) await visitor.signIn(email);
	const typed = 'four unrelated words';
	await desk.open('/account');
	await button(desk.page, accountTexts.changePassword).click();
	const form = dialog(desk.page, accountTexts.changePassword);
	for (const label of [passwordTexts.password, passwordTexts.repeat]) {
		await form.getByLabel(label, { exact: true }).fill(typed);
	}
	await phone.open('/token');

	await here.open('/account');
	const sessions = accountSection(here.page, 'sessions');
	await sessions.getByText('Safari on iOS').waitFor();
	assert.equal(await sessions.getByRole('listitem').count(), 3);
	await sessions.getByRole('listitem').first().getByText(accountTexts.thisSession).waitFor();
	await button(here.page, accountTexts.endOne('Firefox on Windows', '127.0.0.1')).click();
	await sessions.getByText('Firefox on Windows').waitFor({ state: 'detached' });
	assert.equal((await desk.read('/account')).status(), 401);
	assert.equal((await phone.read('/account')).status(), 200);

	await form.getByRole('button', { name: accountTexts.changePassword, exact: true }).click();
	const gone = dialog(desk.page, signInTexts.goneTitle);
	await gone.getByLabel(signInTexts.email, { exact: true }).fill(email);
	await gone.getByLabel(signInTexts.password, { exact: true }).fill(PASSWORD);
	await gone.getByRole('button', { name: signInTexts.signIn, exact: true }).click();
	await gone.waitFor({ state: 'detached' });
	assert.equal(await form.getByLabel(passwordTexts.password, { exact: true }).inputValue(), typed);
	const refused = ['/account/password', '/account', '/account/acts'] as const;
	assertSilent(
		desk.trail,
		refused.map((path) => refusalLine(401, path)),
	);

	await here.page.reload();
	await button(here.page, accountTexts.endOthers).click();
	await dialog(here.page, accountTexts.endOthersTitle)
		.getByRole('button', { name: accountTexts.endOthers, exact: true })
		.click();
	await sessions.getByText(accountTexts.onlySession).waitFor();
	for (const { read } of [desk, phone]) assert.equal((await read('/token')).status(), 401);
	assert.equal((await here.read('/token')).status(), 200);
	await dialog(phone.page, signInTexts.goneTitle).waitFor();
	assert.ok(
		phone.trail.complaints.every((line) => line === refusalLine(401, '/token')),
		phone.trail.complaints.join(),
	);
	await accountSection(here.page, 'acts').getByText(actKindTexts.end_other_sessions).waitFor();
	assertSilent(here.trail);
}

async function endInResellersForms(dashboard: TestDashboard): Promise<void> {
	const email = 'ann@ended.example';
	const subUser = 'sub.ended';
	await dashboard.service.openReseller('ended', 5010);
	await runInStore(dashboard.service.config, [createSubUser('ended', subUser)]);
	const visitor = await dashboard.signedIn(email, 'ended');
	const { page, open } = visitor;
	await open(`/sub-users/${subUser}`);
	await button(page, subUserTexts.give).click();
	await field(page, subUserTexts.amount).fill('12.30');
	dashboard.endSessions(email);
	await button(page, subUserTexts.moveNow('give', '$12.30')).click();
	await signInAgain(page);
	assert.equal(await field(page, subUserTexts.amount).inputValue(), '12.30');
	await button(page, subUserTexts.moveNow('give', '$12.30')).click();
	await page.getByText(subUserTexts.moved('give', '$12.30', subUser)).waitFor();

	await page.getByRole('link', { name: pageNames.subUsers, exact: true }).click();
	await button(page, subUserTexts.create).click();
	await field(page, subUserTexts.username).fill('typed.before');
	dashboard.endSessions(email);
	await button(page, subUserTexts.createNow).click();
	await signInAgain(page);
	assert.equal(await field(page, subUserTexts.username).inputValue(), 'typed.before');
	await button(page, subUserTexts.createNow).click();
	await dialog(page, subUserTexts.createdTitle('typed.before')).waitFor();
	await button(page, subUserTexts.done).click();
	const movements = await movementsOf(visitor);
	assert.deepEqual(movements, ['create_fee -10', 'give -1230', 'create_fee -10', 'top_up 5010']);

	await page.getByRole('link', { name: pageNames.overview, exact: true }).click();
	await button(page, overviewTexts.setBound).click();
	await field(page, overviewTexts.bound).fill('98.70');
	dashboard.endSessions(email);
	await button(page, overviewTexts.save).click();
	await signInAgain(page);
	assert.equal(await field(page, overviewTexts.bound).inputValue(), '98.70');
	await button(page, overviewTexts.save).click();
	await page.getByText(overviewTexts.lowTitle('$98.70')).waitFor();
}

async function endWhileTopUp(dashboard: TestDashboard): Promise<void> {
	const email = 'pay@bursar.example';
	await dashboard.service.openReseller('payee', 5000);
	const { page, open, app } = await dashboard.operator(email);
	await open('/resellers/payee');
	await fillPayment(page, '7.00', 'ended-1');
	dashboard.endSessions(email);
	const pay = button(page, resellerTexts.payNow['/operator/top-up'](700));
	await pay.click();
	await signInAgain(page, app.next());
	assert.equal(await field(page, resellerTexts.reference).inputValue(), 'ended-1');
	await pay.click();
	await page.getByText(resellerTexts.paid(5700)).waitFor();
}

async function endWhileCreatingReseller(dashboard: TestDashboard): Promise<void> {
	const email = 'create@bursar.example';
	const { page, open, app } = await dashboard.operator(email);
	await open('/resellers');
	await button(page, resellerTexts.create).click();
	await field(page, resellerTexts.username).fill('typed.first');
	await field(page, resellerTexts.openingBalance).fill('45.60');
	dashboard.endSessions(email);
	await button(page, resellerTexts.createNow).click();
	await signInAgain(page, app.next());
	assert.equal(await field(page, resellerTexts.username).inputValue(), 'typed.first');
	assert.equal(await field(page, resellerTexts.openingBalance).inputValue(), '45.60');
	await button(page, resellerTexts.createNow).click();
	const token = await page.getByRole('group', { name: resellerTexts.newToken, exact: true }).innerText();
	assert.equal((await resellerApi(dashboard.service.url, token).myInfo()).data.balance, 4560);
}
