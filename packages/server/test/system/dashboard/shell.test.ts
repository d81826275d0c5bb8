import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { searchTexts } from '../../../../dashboard/src/features/search/texts.ts';
import german from '../../../../dashboard/src/german.json' with { type: 'json' };
import { glossary, helpTexts } from '../../../../dashboard/src/help/texts.ts';
import { preferenceTexts } from '../../../../dashboard/src/preferences/texts.ts';
import { pageNames, shellTexts } from '../../../../dashboard/src/shell/texts.ts';
import { runInStore } from '../../support/business-steps.ts';
import { createSubUser } from '../../support/commands.ts';
import { assertSilent, startDashboard } from '../../support/dashboard-in-browser.ts';
import { button, field, heading } from '../../support/dashboard-steps.ts';
import { createLooks } from '../../support/page-looks.ts';

const TIME_ZONE = 'America/St_Johns';

test('what stands around the pages: the search, help in place, and the menu of the user', async (t) => {
	const dashboard = await startDashboard(t);
	await dashboard.service.openReseller('acme', 5000);
	await runInStore(dashboard.service.config, [createSubUser('acme', 'alice')]);
	const { page, open, trail } = await dashboard.signedIn('ann@acme.example', 'acme', { timezoneId: TIME_ZONE });
	const looks = createLooks();
	await open('/');
	await heading(page, pageNames.overview).waitFor();

	await t.test('Ctrl-K searches with the keyboard alone, and Escape gives the focus back', async () => {
		const help = button(page, helpTexts.ask(glossary.balance.name));
		await help.focus();
		await page.keyboard.press('Control+k');
		const search = page.getByRole('combobox', { name: searchTexts.label });
		await search.waitFor();
		await hasFocus(page, searchTexts.label);
		await page.keyboard.press('Escape');
		await search.waitFor({ state: 'detached' });
		await hasFocus(page, helpTexts.ask(glossary.balance.name));
		await page.keyboard.press('Control+k');
		await search.waitFor();
		await page.keyboard.type('lic');
		await page.getByRole('option', { name: 'alice', selected: true }).waitFor();
		await looks.at(page, 'search');
		await page.keyboard.press('Enter');
		await heading(page, 'alice').waitFor();
	});

	await t.test('on a phone, the list of pages is out of reach until it is opened', async () => {
		await page.setViewportSize({ width: 390, height: 844 });
		const link = page.getByRole('link', { name: pageNames.statement, exact: true });
		await link.waitFor({ state: 'hidden' });
		await button(page, shellTexts.openNavigation).click();
		await link.click();
		await heading(page, pageNames.statement).waitFor();
		await link.waitFor({ state: 'hidden' });
		await page.setViewportSize({ width: 1280, height: 900 });
		await link.waitFor();
	});

	await t.test('help is read aloud where a word stands, and Escape closes it', async () => {
		await open('/');
		const help = button(page, helpTexts.ask(glossary.balance.name));
		await help.focus();
		await page.keyboard.press('Enter');
		const note = page.getByText(glossary.balance.means);
		await note.waitFor();
		await page.locator(':focus', { hasText: glossary.balance.means }).waitFor();
		await looks.at(page, 'help');
		await page.keyboard.press('Escape');
		await note.waitFor({ state: 'hidden' });
		await hasFocus(page, helpTexts.ask(glossary.balance.name));
	});

	await t.test(
		'times are those of UTC once it is chosen, and the pages speak German, also after a reload',
		async () => {
			await page.getByText(shellTexts.timesAre(TIME_ZONE)).waitFor();
			await button(page, shellTexts.userMenu('ann@acme.example')).click();
			await looks.at(page, 'user-menu');
			await page.getByText('UTC', { exact: true }).click();
			await page.getByText(shellTexts.timesAre('UTC')).waitFor();
			await button(page, shellTexts.userMenu('ann@acme.example')).click();
			await field(page, preferenceTexts.language).selectOption('de');
			await heading(page, german.pageNames.overview).waitFor();
			await page.reload();
			await heading(page, german.pageNames.overview).waitFor();
			assert.equal(await page.locator('html').getAttribute('lang'), 'de');
			await page.getByText(german.shellTexts.timesAre.replace('{zone}', 'UTC')).waitFor();
			assert.match(await page.locator('main').innerText(), /50,00\u00a0\$/);
		},
	);

	await t.test('the font of the pages is used', async () => {
		assert.ok(await page.evaluate<boolean>("document.fonts.check('16px Geist')"));
	});
	looks.assertRight();
	assertSilent(trail);
});

/** Waits until what has this name has the focus. */
async function hasFocus(page: Page, name: string): Promise<void> {
	await page.locator(`[aria-label=${JSON.stringify(name)}]:focus`).waitFor();
}
