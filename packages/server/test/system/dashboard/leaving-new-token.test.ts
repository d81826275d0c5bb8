import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { actTexts } from '../../../../dashboard/src/acts/texts.ts';
import { accountTexts } from '../../../../dashboard/src/features/account/texts.ts';
import { tokenTexts } from '../../../../dashboard/src/features/token/texts.ts';
import { secretTexts } from '../../../../dashboard/src/secrets/texts.ts';
import { pageNames } from '../../../../dashboard/src/shell/texts.ts';
import { assertSilent, startDashboard } from '../../support/dashboard-in-browser.ts';
import { button, dialog, heading } from '../../support/dashboard-steps.ts';
import { rotate, shownToken, showsTailOf } from '../../support/token-steps.ts';

test('a page that shows a new token asks before the token is lost', async (t) => {
	const dashboard = await startDashboard(t);
	await dashboard.service.openReseller('acme', 5000);
	const { page, trail, ...ann } = await dashboard.signedIn('ann@acme.example', 'acme');
	await ann.open('/token');
	// Within the dashboard, going back changes no document: only the router would see it.
	await page.getByRole('link', { name: pageNames.account }).click();
	await heading(page, accountTexts.sessions).waitFor();
	await page.getByRole('link', { name: pageNames.token }).click();
	await rotate(page, 0);
	const token = await shownToken(page);
	const address = page.url();

	async function asksOnce(): Promise<void> {
		await page.getByText(tokenTexts.ask).waitFor();
		assert.equal(await shownToken(page), token);
		assert.equal(page.url(), address);
		await button(page, secretTexts.goBack).click();
		await page.getByText(tokenTexts.ask).waitFor({ state: 'detached' });
	}

	await t.test('the button that copies says so for a while, and stays in its place', async () => {
		const [copy, copied] = [secretTexts.copy, secretTexts.copied].map((name) =>
			dialogOf(page).getByRole('button', { name, exact: true }),
		);
		assert.ok(copy && copied);
		const place = await copy.boundingBox();
		const [placeAfter] = await Promise.all([copied.boundingBox(), copy.click()]);
		assert.deepEqual(placeAfter, place);
		await copy.waitFor();
	});

	await t.test('Escape, the cross, and a click beside the dialog', async () => {
		await page.keyboard.press('Escape');
		await asksOnce();
		await dialogOf(page).getByRole('button', { name: actTexts.close, exact: true }).click();
		await asksOnce();
		await page.mouse.click(5, 5);
		await asksOnce();
	});

	await t.test('back, as often as it is tried', async () => {
		for (let tried = 0; tried < 3; tried += 1) {
			await page.evaluate('history.back()');
			await asksOnce();
		}
	});

	await t.test('the browser asks before the tab is closed', async () => {
		const asked = page.waitForEvent('dialog');
		await page.close({ runBeforeUnload: true });
		const question = await asked;
		assert.equal(question.type(), 'beforeunload');
		await question.dismiss();
		assert.equal(await shownToken(page), token);
	});

	await t.test('whoever closes it nevertheless has lost the token, and then may leave', async () => {
		await page.keyboard.press('Escape');
		await button(page, secretTexts.closeAnyway).click();
		await dialogOf(page).waitFor({ state: 'detached' });
		assert.ok(!(await page.content()).includes(token));
		await showsTailOf(page, token);
		await page.evaluate('history.back()');
		await heading(page, accountTexts.sessions).waitFor();
	});
	assertSilent(trail);
});

function dialogOf(page: Page) {
	return dialog(page, tokenTexts.newTitle);
}
