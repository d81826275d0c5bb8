import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountTexts } from '../../../../dashboard/src/features/account/texts.ts';
import { actKindTexts } from '../../../../dashboard/src/features/acts/texts.ts';
import { passwordTexts } from '../../../../dashboard/src/features/factors/texts.ts';
import { signInTexts } from '../../../../dashboard/src/features/sign-in/texts.ts';
import { assertSilent, PASSWORD, refusalLine, startDashboard } from '../../support/dashboard-in-browser.ts';
import { accountSection, button, dialog } from '../../support/dashboard-steps.ts';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const SAFARI =
	'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

test('a session that is ended from another browser ends at once, and what was typed stays', async (t) => {
	const dashboard = await startDashboard(t);
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
});
