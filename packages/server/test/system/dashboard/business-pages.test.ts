import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openReseller } from '@bursar/testing/service';
import type { Page } from 'playwright-core';
import { failureTexts } from '../../../../dashboard/src/calls/failure-texts.ts';
import { bandwidthTexts } from '../../../../dashboard/src/features/bandwidth/texts.ts';
import { lowBalanceTexts } from '../../../../dashboard/src/features/low-balance/texts.ts';
import { overviewTexts } from '../../../../dashboard/src/features/overview/texts.ts';
import { statementTexts } from '../../../../dashboard/src/features/statement/texts.ts';
import { subUserTexts } from '../../../../dashboard/src/features/sub-users/texts.ts';
import { termsTexts } from '../../../../dashboard/src/features/terms/texts.ts';
import { pageNames } from '../../../../dashboard/src/shell/texts.ts';
import { buttonIn, runInStore } from '../../support/business-steps.ts';
import { creditReseller } from '../../support/commands.ts';
import { refusalLine, startDashboard } from '../../support/dashboard-in-browser.ts';
import { button, dialog, field, heading } from '../../support/dashboard-steps.ts';
import { assertHarmless, IMAGE, SCRIPT, SVG_EMAIL } from '../../support/hostile-markup.ts';
import { largeReseller } from '../../support/large-reseller.ts';
import { createLooks, lookAtDialog } from '../../support/page-looks.ts';

/** Of `largeReseller`: what it begins with, less the fees of 60 sub-users, and the payment of this test. */
const BALANCE = '$999,994.05';

test('the pages of a reseller: readable for everybody, what each act does, and planted texts', async (t) => {
	const dashboard = await startDashboard(t, { environment: { BURSAR_PROXY_HOST: 'proxy.example:3128' } });
	const { config } = dashboard.service;
	await largeReseller(config, 'acme', 60);
	await openReseller(config, 'bolt', 0);
	await runInStore(config, [{ ...creditReseller('acme', 5, SCRIPT), reason: IMAGE }]);
	const { page, open, trail, read } = await dashboard.signedIn(SVG_EMAIL, 'acme');
	const looks = createLooks();
	const balances = async () => {
		const { data } = await (await read('/sub-user', { username: 'new.one' })).json();
		return [data.balance, data.reseller_balance];
	};

	await t.test('overview: the warning, the chart, the top ten, and the last movements', async () => {
		await open('/');
		await page.getByText(BALANCE, { exact: true }).first().waitFor();
		await button(page, lowBalanceTexts.setBound).click();
		await field(page, lowBalanceTexts.bound).fill('1,000,000.00');
		await looks.at(page, 'low-balance');
		await buttonIn(page, lowBalanceTexts.boundTitle, lowBalanceTexts.save).click();
		await page.getByText(overviewTexts.lowTitle('$1,000,000.00')).waitFor();
		await button(page, bandwidthTexts.showTable).click();
		const figures = page.getByRole('table', { name: bandwidthTexts.tables.day });
		assert.equal(await figures.getByRole('row').count(), 31);
		await figures.getByRole('cell', { name: '20.0 GB', exact: true }).first().waitFor();
		const top = page.getByRole('table', { name: bandwidthTexts.topTitle });
		assert.equal(await top.getByRole('row').count(), 11);
		await chart(page).press('ArrowLeft');
		await page.getByText(IMAGE).waitFor();
		await assertHarmless(page);
		for (const width of [390, 1280]) {
			await page.setViewportSize({ width, height: 900 });
			const answered = Promise.withResolvers<void>();
			await page.route('**/api/overview', async (route) => {
				await answered.promise;
				await route.continue();
			});
			await page.reload();
			await heading(page, bandwidthTexts.title).waitFor();
			await page.getByText(overviewTexts.now).waitFor();
			await page.getByRole('link', { name: termsTexts.states.active }).waitFor();
			// In whole pixels: a browser keeps places as 64ths of one.
			const top = Math.round(await topOf(page, bandwidthTexts.title));
			assert.equal(await page.getByText(overviewTexts.low).count(), 0);
			answered.resolve();
			await page.getByText(overviewTexts.low).waitFor();
			assert.equal(
				Math.round(await topOf(page, bandwidthTexts.title)),
				top,
				`the warning moves nothing at ${width} px`,
			);
			await page.unroute('**/api/overview');
		}
		await button(page, lowBalanceTexts.changeBound).click();
		await button(page, lowBalanceTexts.noWarning).click();
		await page.getByText(overviewTexts.warnsNever).waitFor();
		assert.equal(await page.getByText(overviewTexts.low).count(), 0);
	});

	await t.test(
		'create a sub-user: an own name costs nothing, a taken one costs the fee, and the pair is shown',
		async () => {
			await page.getByRole('link', { name: pageNames.subUsers, exact: true }).click();
			await page.getByRole('link', { name: 'acme.000049', exact: true }).waitFor();
			await button(page, subUserTexts.create).click();
			const create = buttonIn(page, subUserTexts.create, subUserTexts.createNow);
			await field(page, subUserTexts.username).fill('acme.000001');
			await create.click();
			await page.getByText(subUserTexts.own.happened).waitFor();
			await field(page, subUserTexts.username).fill('bolt');
			await create.click();
			await page.getByText(subUserTexts.taken.happened).waitFor();
			await looks.at(page, 'create-taken');
			await field(page, subUserTexts.username).fill('New.One');
			await create.click();
			await dialog(page, subUserTexts.createdTitle('new.one')).waitFor();
			await looks.at(page, 'created');
			await button(page, subUserTexts.openPage).click();
			await heading(page, 'new.one').waitFor();
			assert.deepEqual(await balances(), [0, 99_999_385], 'two fees');
		},
	);

	await t.test('give and take: both balances are shown before, and are so afterwards', async () => {
		await page.getByText(bandwidthTexts.noData).waitFor();
		await page.getByRole('row').filter({ hasText: statementTexts.kinds.create_fee }).waitFor();
		const top = await topOf(page, subUserTexts.key);
		await button(page, subUserTexts.give).click();
		await field(page, subUserTexts.amount).fill('12.30');
		const both = page.getByRole('table', { name: subUserTexts.afterwards });
		await both.getByRole('cell', { name: '$999,981.55' }).waitFor();
		await looks.at(page, 'give');
		await button(page, subUserTexts.moveNow.give('$12.30')).click();
		await page.getByText(subUserTexts.moved.give('$12.30', 'new.one')).waitFor();
		assert.equal(await topOf(page, subUserTexts.key), top, 'what says that it was done moves nothing');
		await page.getByRole('columnheader', { name: statementTexts.balanceTitles.sub_user }).waitFor();
		const given = page.getByRole('row').filter({ hasText: statementTexts.kinds.give });
		await given.filter({ hasText: /\+\$12\.30.*\$12\.30/ }).waitFor();
		assert.deepEqual(await balances(), [1230, 99_998_155]);
		await button(page, subUserTexts.take).click();
		await button(page, subUserTexts.takeAll).click();
		await button(page, subUserTexts.moveNow.take('$12.30')).click();
		await page.getByText(subUserTexts.moved.take('$12.30', 'new.one')).waitFor();
		assert.deepEqual(await balances(), [0, 99_999_385]);
		await page.getByRole('row').filter({ hasText: statementTexts.kinds.take }).waitFor();
	});

	await t.test('the proxy auth key: shown when asked for, and reset', async () => {
		await open('/sub-users/acme.000000');
		await button(page, subUserTexts.showKey).click();
		const shown = page.getByRole('group', { name: subUserTexts.keyForm, exact: true });
		const previous = await shown.innerText();
		await chart(page).waitFor();
		await lookAtDialog(page, looks, subUserTexts.resetKey, subUserTexts.resetTitle, 'reset-key');
		await button(page, subUserTexts.resetKey).click();
		await button(page, subUserTexts.resetNow).click();
		await dialog(page, subUserTexts.newKeyTitle).waitFor();
		const reset = await shown.last().innerText();
		assert.notEqual(reset, previous);
		await button(page, subUserTexts.done).click();
		await button(page, subUserTexts.showKey).click();
		assert.equal(await shown.innerText(), reset);
		await button(page, subUserTexts.hideKey).click();
		await shown.waitFor({ state: 'detached' });
	});

	await t.test('the statement, and what is not there', async () => {
		await page.getByRole('link', { name: pageNames.statement, exact: true }).click();
		await page.getByRole('row').filter({ hasText: 'new.one' }).filter({ hasText: SVG_EMAIL }).first().waitFor();
		await assertHarmless(page);
		await open(`/sub-users?search=${encodeURIComponent(SCRIPT)}&after=${encodeURIComponent(IMAGE)}`);
		await page.getByText(failureTexts.invalid_query.happened).first().waitFor();
		await open(`/sub-users?search=${encodeURIComponent(SCRIPT)}`);
		await button(page, subUserTexts.showAll).waitFor();
		await assertHarmless(page);
		await looks.at(page, 'sub-users-none');
		await open('/sub-users/nobody.here');
		await page.getByText(failureTexts.unknown_sub_user.happened).first().waitFor();
		// The parts of the page learn it one after the other.
		await heading(page, bandwidthTexts.title).waitFor({ state: 'detached' });
		await page.locator('main').getByText(failureTexts.unknown_sub_user.happened).waitFor();
		await assertHarmless(page);
		await looks.at(page, 'sub-user-unknown');
	});

	looks.assertRight();
	// These parts are not asked for if the page knows by then that there is no such sub-user.
	const perhaps = (['/bandwidth', '/statement'] as const).map((path) => refusalLine(404, path));
	assert.deepEqual(
		trail.complaints.filter((line) => !perhaps.includes(line)).toSorted(),
		[
			refusalLine(409, '/sub-users/create'),
			refusalLine(400, '/sub-users'),
			refusalLine(404, '/sub-user'),
			refusalLine(404, '/deleted-sub-user'),
		].toSorted(),
	);
});

function chart(page: Page) {
	return page.getByRole('slider', { name: bandwidthTexts.charts.day });
}

/** Where the part of the page with this title begins, in pixels from the top of the page. */
function topOf(page: Page, title: string): Promise<number> {
	return page.evaluate<number>(
		`[...document.querySelectorAll('h2')].find(({ textContent }) => textContent === ${JSON.stringify(title)}).getBoundingClientRect().top + window.scrollY`,
	);
}
