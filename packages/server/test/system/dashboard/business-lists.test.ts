import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { bandwidthTexts } from '../../../../dashboard/src/features/bandwidth/texts.ts';
import { statementTexts } from '../../../../dashboard/src/features/statement/texts.ts';
import { subUserTexts } from '../../../../dashboard/src/features/sub-users/texts.ts';
import { listTexts } from '../../../../dashboard/src/lists/texts.ts';
import { runInStore } from '../../support/business-steps.ts';
import { createReseller, createSubUser, creditReseller, giveBalance } from '../../support/commands.ts';
import { assertSilent, startDashboard } from '../../support/dashboard-in-browser.ts';
import { button, field } from '../../support/dashboard-steps.ts';
import { largeReseller } from '../../support/large-reseller.ts';

/** Between these two, clocks in Berlin are set back from 03:00 to 02:00. */
const SUMMER_MS = Date.UTC(2026, 9, 25, 0, 30, 7);
const WINTER_MS = Date.UTC(2026, 9, 25, 1, 30, 8);

test('lists, addresses and files of a business', { concurrency: 3 }, async (t) => {
	const dashboard = await startDashboard(t);
	const { config } = dashboard.service;
	// What happened first comes first, because movements are found by their time.
	await runInStore(config, [createReseller('files', 5000), createSubUser('files', 'carl.files')], SUMMER_MS);
	const payment = { ...creditReseller('files', 1230, 'I-1'), requestId: 'payment' };
	await runInStore(config, [payment, giveBalance('files', 'carl.files', 700)], WINTER_MS);
	await largeReseller(config, 'acme', 120);

	await Promise.all([
		t.test("a list follows the browser's buttons and a reload, on a desk and a phone", async () => {
			const { page, open, trail } = await dashboard.signedIn('list@acme.example', 'acme');
			await open('/sub-users');
			await showsFirst(page, 'acme.000000');
			await button(page, listTexts.next).click();
			await showsFirst(page, 'acme.000050');
			await page.goBack();
			await showsFirst(page, 'acme.000000');
			await page.goForward();
			await showsFirst(page, 'acme.000050');
			await page.reload();
			await showsFirst(page, 'acme.000050');
			await field(page, subUserTexts.search).fill('acme.00010');
			await showsFirst(page, 'acme.000100');
			assert.equal(new URL(page.url()).search, '?search=acme.00010');
			await page.setViewportSize({ width: 390, height: 900 });
			await field(page, listTexts.order).selectOption(subUserTexts.orders['-name']);
			await showsFirst(page, 'acme.000109');
			await page.goBack();
			await showsFirst(page, 'acme.000100');
			assertSilent(trail);
		}),

		t.test('files have their names, and the time zone of the browser', async () => {
			const timezoneId = 'Europe/Berlin';
			const { page, open, trail } = await dashboard.signedIn('list@files.example', 'files', { timezoneId });
			await open('/statement');
			await page.getByText(statementTexts.lead(timezoneId)).waitFor();
			const movements = await downloaded(page, statementTexts.csv, /^statement-files-\d{4}-\d\d-\d\d\.csv$/);
			assert.match(movements, /^\ufeffid,time \(UTC\),time \(Europe\/Berlin\),/);
			assert.match(
				movements,
				/,2026-10-25 00:30:07,2026-10-25 02:30:07,create_fee,[\s\S]*,2026-10-25 01:30:08,2026-10-25 02:30:08,/,
			);
			await field(page, statementTexts.kind).selectOption('give');
			await onlyRow(page).waitFor();
			const gifts = await downloaded(page, statementTexts.csv, /^statement-files-/);
			assert.equal(gifts.split('\r\n').length, 3, 'the filter holds for the file');
			await open('/sub-users');
			await downloaded(page, subUserTexts.csv, /^sub-users-files-[\d-]+\.csv$/);
			await open('/sub-users/carl.files');
			const days = await downloaded(page, bandwidthTexts.csv, /^bandwidth-carl\.files-[\d-]+\.csv$/);
			assert.equal(days.split('\r\n').length, 92);
			assertSilent(trail);
		}),
	]);
});

/** Waits until the first row of the list is this one, on a desk or a phone. */
async function showsFirst(page: Page, username: string): Promise<void> {
	await page.locator('tbody tr:first-child').getByRole('link', { name: username, exact: true }).waitFor();
}

/** The row of a list that has no other one. */
function onlyRow(page: Page) {
	return page.locator('tbody tr:only-child');
}

/** Presses a button that downloads a file, and returns what it holds. */
async function downloaded(page: Page, name: string, fileName: RegExp): Promise<string> {
	const [file] = await Promise.all([page.waitForEvent('download'), button(page, name).click()]);
	assert.match(file.suggestedFilename(), fileName);
	return readFileSync(await file.path(), 'utf8');
}
