import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { freePort } from '@bursar/testing/free-port';
import { mailKindTexts, stopMailTexts } from '../../../../dashboard/src/features/mail/texts.ts';
import { pageNames } from '../../../../dashboard/src/shell/texts.ts';
import { assertSilent, startDashboard } from '../../support/dashboard-in-browser.ts';
import { button, heading } from '../../support/dashboard-steps.ts';
import { startMailServer } from '../../support/mail-server.ts';
import { createLooks } from '../../support/page-looks.ts';

test('a person chooses mails with the keyboard, and stops them with the link of a mail, without signing in', async (t) => {
	const mailServer = await startMailServer(t);
	// Mails have the address of the dashboard, so it has to be known before the service listens.
	const port = await freePort();
	const dashboard = await startDashboard(t, {
		url: `http://localhost:${port}`,
		environment: { BURSAR_PORT: `${port}`, BURSAR_SMTP_URL: mailServer.url, BURSAR_MAIL_FROM: 'bursar@example.com' },
	});
	await dashboard.service.openReseller('acme', 5000);
	const looks = createLooks();
	const { page, open, trail } = await dashboard.signedIn('ann@acme.example', 'acme');
	await open('/account');
	const low = page.getByRole('switch', { name: mailKindTexts.low_balance.name });
	await low.waitFor();
	assert.equal(await low.isChecked(), false);
	await low.focus();
	await page.keyboard.press('Space');
	await eventually(async () => assert.ok(await low.isChecked()), 60_000);
	await low.scrollIntoViewIfNeeded();
	await looks.at(page, 'account-mail');
	assertSilent(trail);

	const [mail] = await mailServer.received(1);
	const link = /<([^>]+)>/.exec(mail?.headers.get('list-unsubscribe') ?? '')?.[1] ?? '';
	const reader = await dashboard.visit();
	await reader.page.goto(link);
	await reader.page.getByText(stopMailTexts.question(mailKindTexts.new_sign_in.name)).waitFor();
	await looks.at(reader.page, 'stop-mail');
	await button(reader.page, stopMailTexts.stop).focus();
	await reader.page.keyboard.press('Enter');
	await reader.page.getByText(stopMailTexts.stopped(mailKindTexts.new_sign_in.name)).waitFor();
	await looks.at(reader.page, 'stop-mail-done');
	await reader.page.goto(link.replace('new_sign_in', 'low_balance'));
	await reader.page.getByText(stopMailTexts.badLink).waitFor();
	await looks.at(reader.page, 'stop-mail-bad');

	await page.reload();
	const signIns = page.getByRole('switch', { name: mailKindTexts.new_sign_in.name });
	await signIns.waitFor();
	assert.equal(await signIns.isChecked(), false);

	const olga = await dashboard.operator('olga@bursar.example');
	await olga.open('/mail');
	await heading(olga.page, pageNames.mail).waitFor();
	await olga.page.getByText(`127.0.0.1:${mailServer.port}`).waitFor();
	await looks.at(olga.page, 'mail');
	assertSilent(olga.trail);
	looks.assertRight();
});
