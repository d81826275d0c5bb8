import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { DASHBOARD_API } from '@bursar/contract/dashboard';
import type { Page } from 'playwright-core';
import { failureTexts } from '../../../../dashboard/src/calls/failure-texts.ts';
import { bandwidthTexts } from '../../../../dashboard/src/features/bandwidth/texts.ts';
import { statementTexts } from '../../../../dashboard/src/features/statement/texts.ts';
import { subUserTexts } from '../../../../dashboard/src/features/sub-users/texts.ts';
import { listTexts } from '../../../../dashboard/src/lists/texts.ts';
import { pageNames, shellTexts } from '../../../../dashboard/src/shell/texts.ts';
import { runInStore } from '../../support/business-steps.ts';
import { createReseller, createSubUser, creditReseller, giveBalance, takeBalance } from '../../support/commands.ts';
import { assertSilent, outcomeOf, refusalLine, startDashboard } from '../../support/dashboard-in-browser.ts';
import { button, field, heading } from '../../support/dashboard-steps.ts';
import { FORMULA } from '../../support/hostile-markup.ts';
import { largeReseller } from '../../support/large-reseller.ts';

/** A filter by sub-user looks at 10,000 movements in a step. */
const GIFTS = 10_100;
/** How often the test changes to each page. An odd number, so that one of them is the median. */
const CHANGES = 7;
/** Between these two, clocks in Berlin are set back from 03:00 to 02:00. */
const SUMMER_MS = Date.UTC(2026, 9, 25, 0, 30, 7);
const WINTER_MS = Date.UTC(2026, 9, 25, 1, 30, 8);

test('lists, addresses and files of a business', { concurrency: 3 }, async (t) => {
	const dashboard = await startDashboard(t);
	const { config } = dashboard.service;
	// What happened first comes first, because movements are found by their time.
	await runInStore(config, [createReseller('files', 5000), createSubUser('files', 'carl.files')], SUMMER_MS);
	const payment = { ...creditReseller('files', 1230, FORMULA), reason: '@SUM(1)', requestId: 'payment' };
	await runInStore(config, [payment, giveBalance('files', 'carl.files', 700)], WINTER_MS);
	await runInStore(config, [
		createReseller('deep', 100_000_000),
		...['old.deep', 'new.deep'].map((subUser) => createSubUser('deep', subUser)),
		giveBalance('deep', 'old.deep', 4242),
		...Array.from({ length: GIFTS }, () => giveBalance('deep', 'new.deep', 1)),
		takeBalance('deep', 'new.deep', 99),
	]);
	const { usernames } = await largeReseller(config, 'acme', 120);
	await runInStore(config, [giveBalance('acme', usernames[7] ?? '', 777)]);
	await dashboard.service.openReseller('zeta', 5000);
	await runInStore(config, [createSubUser('zeta', 'secret.zeta')]);

	await Promise.all([
		t.test('sub-users: search, order and place stand in the address', async () => {
			const { page, open, trail } = await dashboard.signedIn('list@acme.example', 'acme');
			const order: string[] = [];
			page.on('response', (answer) => order.push(`answer ${new URL(answer.url()).pathname}`));
			page.on('request', (request) => order.push(`question ${new URL(request.url()).pathname}`));
			await open('/sub-users');
			await showsFirst(page, 'acme.000000');
			await page.getByText(subUserTexts.count(120)).waitFor();
			const [listed, counted] = [`answer ${DASHBOARD_API}/sub-users`, `question ${DASHBOARD_API}/sub-users/count`];
			assert.ok(order.includes(listed));
			assert.ok(order.indexOf(listed) < order.indexOf(counted), 'the count waits for the page');
			await button(page, listTexts.next).click();
			await showsFirst(page, 'acme.000050');
			await button(page, listTexts.next).click();
			await showsFirst(page, 'acme.000100');
			assert.equal(await button(page, listTexts.next).getAttribute('aria-disabled'), 'true');
			await page.goBack();
			await showsFirst(page, 'acme.000050');
			await page.reload();
			await showsFirst(page, 'acme.000050');
			await page.goForward();
			await showsFirst(page, 'acme.000100');
			await button(page, listTexts.previous).click();
			await showsFirst(page, 'acme.000050');

			await button(page, subUserTexts.balance).click();
			await showsFirst(page, 'acme.000007');
			await field(page, subUserTexts.search).fill(' E.00010');
			await page.getByText(subUserTexts.noneFound('e.00010', 'beginning')).waitFor();
			await button(page, subUserTexts.searchAnywhere).click();
			await page.getByText(subUserTexts.found(10)).waitFor();
			assert.equal(new URL(page.url()).search, '?order=-balance&search=e.00010&match=anywhere');
			await button(page, subUserTexts.name).click();
			await showsFirst(page, 'acme.000100');
			await page.reload();
			await showsFirst(page, 'acme.000100');
			assert.equal(await field(page, subUserTexts.search).inputValue(), 'e.00010');
			await page.setViewportSize({ width: 390, height: 900 });
			await field(page, subUserTexts.order).selectOption(subUserTexts.orders['-name']);
			await showsFirst(page, 'acme.000109');
			await page.goBack();
			await showsFirst(page, 'acme.000100');
			assertSilent(trail);
		}),

		t.test('statement: filters stand in the address, and a search goes back in steps', async () => {
			const { page, open, trail } = await dashboard.signedIn('list@deep.example', 'deep');
			await open('/statement');
			const rows = page.getByRole('table', { name: statementTexts.label }).getByRole('row');
			await rows.filter({ hasText: '+$0.99' }).waitFor();
			assert.equal(await rows.count(), 51);
			await button(page, listTexts.older).click();
			await rows.filter({ hasText: '+$0.99' }).waitFor({ state: 'detached' });
			await page.goBack();
			await rows.filter({ hasText: '+$0.99' }).waitFor();
			await field(page, statementTexts.kind).selectOption('take');
			await onlyRow(page).waitFor();
			await page.reload();
			await onlyRow(page).waitFor();
			await field(page, statementTexts.kind).selectOption('');
			await field(page, statementTexts.subUser).fill('OLD.deep');
			await field(page, statementTexts.subUser).press('Enter');
			await page.getByText(statementTexts.nothingYet).waitFor();
			await page.getByText(/^Searched back to /).waitFor();
			await button(page, listTexts.goOn).click();
			await rows.filter({ hasText: '−$42.42' }).waitFor();
			assert.equal(new URL(page.url()).search, '?sub_user=old.deep');
			const today = await page.evaluate<string>(`new Date().toLocaleDateString('sv-SE')`);
			await field(page, listTexts.to).fill('2026-01-01');
			await page.getByText(statementTexts.nothingFound).waitFor();
			await field(page, listTexts.from).fill(today);
			await page.getByText(listTexts.isBackwards).waitFor();
			await button(page, listTexts.clearFilters).click();
			await rows.filter({ hasText: '+$0.99' }).waitFor();
			assert.equal(new URL(page.url()).search, '');
			assertSilent(trail);
		}),

		t.test('files: their names, their bytes, and the time zone of the browser', async () => {
			const timezoneId = 'Europe/Berlin';
			const { page, open, trail } = await dashboard.signedIn('list@files.example', 'files', { timezoneId });
			await open('/statement');
			await page.getByText(statementTexts.lead(timezoneId)).waitFor();
			const movements = await downloaded(page, statementTexts.csv, /^statement-files-\d{4}-\d\d-\d\d\.csv$/);
			assert.deepEqual(movements.replaceAll(/^\d+,/gm, '').split('\r\n'), [
				`\ufeffnumber,time (Europe/Berlin),kind,sub-user,amount (USD),balance (USD),by,reference,reason`,
				'2026-10-25 02:30:07,top_up,,50.00,50.00,operator,,',
				'2026-10-25 02:30:07,create_fee,,-0.10,49.90,API,,',
				`2026-10-25 02:30:08,top_up,,12.30,62.20,operator,"'${FORMULA.replaceAll('"', '""')}",'@SUM(1)`,
				'2026-10-25 02:30:08,give,carl.files,-7.00,55.20,API,,',
				'',
			]);
			await field(page, statementTexts.kind).selectOption('give');
			await onlyRow(page).waitFor();
			const gifts = await downloaded(page, statementTexts.csv, /^statement-files-/);
			assert.equal(gifts.split('\r\n').length, 3);
			await open('/sub-users');
			assert.deepEqual((await downloaded(page, subUserTexts.csv, /^sub-users-files-[\d-]+\.csv$/)).split('\r\n'), [
				'\ufeffname,balance (USD),up in 30 days (bytes),down in 30 days (bytes),created (Europe/Berlin)',
				'carl.files,7.00,0,0,2026-10-25 02:30:07',
				'',
			]);
			await open('/sub-users/carl.files');
			const days = (await downloaded(page, bandwidthTexts.csv, /^bandwidth-carl\.files-[\d-]+\.csv$/)).split('\r\n');
			assert.equal(days.length, 92);
			assert.match(days[90] ?? '', /^\d{4}-\d\d-\d\d,0,0$/);

			const operator = await dashboard.operator('op@files.example', { timezoneId: 'America/Anchorage' });
			await operator.open('/resellers/files');
			const theirs = await downloaded(operator.page, statementTexts.csv, /^statement-files-/);
			assert.match(theirs, /^\d+,2026-10-24 16:30:07,top_up,/m);
			assertSilent(trail);
			assertSilent(operator.trail);
		}),

		t.test("another reseller's names, and pages of the other side, lead nowhere", async () => {
			const visitor = await dashboard.signedIn('list@zeta.example', 'zeta');
			const { page, open } = visitor;
			for (const [path, said] of [
				['/sub-users/acme.000007', failureTexts.unknown_sub_user.happened],
				['/statement?sub_user=acme.000007', statementTexts.unknownSubUser],
			] as const) {
				await open(path);
				await page.getByText(said).first().waitFor();
				assert.equal(await page.getByText('$7.77').count(), 0);
			}
			await open('/sub-users?after=acme.000000');
			await showsFirst(page, 'secret.zeta');
			await onlyRow(page).waitFor();
			await open('/sub-users?after=zzzz&order=bogus');
			await showsFirst(page, 'secret.zeta');
			await page.waitForURL((url) => url.search === '');
			await open('/sub-users?after=<x');
			await button(page, listTexts.toFirstPage).click();
			await showsFirst(page, 'secret.zeta');
			assert.equal(new URL(page.url()).search, '');
			await open('/statement?before=1&kind=xyz');
			await page.getByText(statementTexts.nothingOlder).waitFor();
			await page.waitForURL((url) => url.search === '?before=1');
			for (const path of ['give', 'take'] as const) {
				const gift = { act: crypto.randomUUID(), username: 'acme.000007', amount: 1 };
				assert.equal(outcomeOf(await visitor.change(`/sub-users/${path}`, gift)), '404 unknown_sub_user');
			}
			for (const path of ['show-key', 'reset-key'] as const) {
				const body = { act: crypto.randomUUID(), username: 'acme.000007' };
				assert.equal(outcomeOf(await visitor.change(`/sub-users/${path}`, body)), '404 unknown_sub_user');
			}
			for (const path of ['/resellers', '/resellers/acme', '/usage', '/ledger', '/acts']) {
				await open(path);
				await heading(page, shellTexts.notFoundTitle).waitFor();
			}
			assert.equal(outcomeOf(await visitor.read('/operator/reseller', { reseller: 'acme' })), '403 only_for_operators');
			const unknown = (['/sub-user', '/bandwidth', '/statement'] as const).map((path) => refusalLine(404, path));
			const refused = [...unknown, refusalLine(400, '/sub-users')];
			assert.deepEqual(new Set(visitor.trail.complaints), new Set(refused));

			const operator = await dashboard.operator('op@zeta.example');
			for (const path of ['/sub-users', '/sub-users/acme.000000', '/statement', '/token']) {
				await operator.open(path);
				await heading(operator.page, shellTexts.notFoundTitle).waitFor();
			}
			assert.equal(outcomeOf(await operator.read('/overview')), '403 not_for_operators');
			const file = await operator.context.request.get(`${dashboard.url}${DASHBOARD_API}/sub-users.csv?zone=UTC`);
			assert.equal(outcomeOf(file), '403 not_for_operators');
			assertSilent(operator.trail);
		}),
	]);

	await t.test('the keyboard moves through the chart', async () => {
		const { page, open, trail } = await dashboard.signedIn('keys@acme.example', 'acme');
		await open('/?days=7');
		const chart = page.getByRole('slider', { name: bandwidthTexts.chart });
		await chart.focus();
		for (const [key, place] of [
			['ArrowLeft', '7'],
			['ArrowLeft', '6'],
			['Home', '1'],
			['ArrowLeft', '1'],
			['ArrowRight', '2'],
			['End', '7'],
		] as const) {
			await page.keyboard.press(key);
			assert.equal(await chart.getAttribute('aria-valuenow'), place, key);
		}
		assert.match((await chart.getAttribute('aria-valuetext')) ?? '', /^\d+ \w+ \d{4}: 20\.0 GB down, 10\.0 MB up$/);
		await page.getByText(bandwidthTexts.lastDays[90], { exact: true }).click();
		await page.locator('[role=slider][aria-valuemax="90"]').waitFor();
		await page.reload();
		await page.locator('[role=slider][aria-valuemax="90"]').waitFor();

		assertSilent(trail);
	});

	await t.test('pages change at once', async (t) => {
		const reseller = await dashboard.signedIn('frames@acme.example', 'acme');
		const operator = await dashboard.operator('op@frames.example');
		const { overview, subUsers, statement, token, account, resellers, usage, ledger, acts } = pageNames;
		for (const [{ page, open, trail }, names] of [
			[reseller, [overview, subUsers, 'acme.000000', statement, token, account]],
			[operator, [resellers, 'acme', usage, ledger, acts, account]],
		] as const) {
			await open('/account');
			const medians = await frameMedians(page, names);
			t.diagnostic(`from a click to the frame of the page, median of ${CHANGES} changes: ${medians.join(', ')}`);
			assertSilent(trail);
		}
	});
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

/** How long it takes to change to each of these pages, like `Statement 20 ms`. Each is linked from the one before it. */
async function frameMedians(page: Page, names: readonly string[]): Promise<readonly string[]> {
	const times = names.map((): number[] => []);
	for (let change = 0; change < CHANGES; change++) {
		for (const [place, name] of names.entries()) {
			await page.getByRole('link', { name, exact: true }).first().waitFor();
			times[place]?.push(await frameMs(page, name));
		}
	}
	return names.map((name, place) => `${name} ${times[place]?.sort((a, b) => a - b)[(CHANGES - 1) / 2]} ms`);
}

/** How long it takes from a click on a link until the title of its page is drawn, in milliseconds. */
async function frameMs(page: Page, name: string): Promise<number> {
	return page.evaluate<number>(`new Promise((resolve) => {
		const name = ${JSON.stringify(name)};
		const start = performance.now();
		[...document.querySelectorAll('a')].find(({ textContent }) => textContent === name).click();
		const look = () => document.querySelector('h1')?.textContent === name
			? setTimeout(() => resolve(Math.round(performance.now() - start)))
			: requestAnimationFrame(look);
		requestAnimationFrame(look);
	})`);
}
