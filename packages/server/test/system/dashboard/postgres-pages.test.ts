import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { testDatabases } from '@bursar/testing/postgres-server';
import { actTexts } from '../../../../dashboard/src/acts/texts.ts';
import { actKindTexts, actsTexts } from '../../../../dashboard/src/features/acts/texts.ts';
import { bandwidthTexts } from '../../../../dashboard/src/features/bandwidth/texts.ts';
import { ledgerTexts } from '../../../../dashboard/src/features/ledger/texts.ts';
import { resellerTexts } from '../../../../dashboard/src/features/resellers/texts.ts';
import { statementTexts } from '../../../../dashboard/src/features/statement/texts.ts';
import { subUserTexts } from '../../../../dashboard/src/features/sub-users/texts.ts';
import { usageTexts } from '../../../../dashboard/src/features/usage-health/texts.ts';
import { listTexts } from '../../../../dashboard/src/lists/texts.ts';
import { pageNames } from '../../../../dashboard/src/shell/texts.ts';
import { openStore } from '../../../src/engine.ts';
import { fillPayment, runInStore } from '../../support/business-steps.ts';
import { giveBalance, takeBalance } from '../../support/commands.ts';
import { assertSilent, startDashboard } from '../../support/dashboard-in-browser.ts';
import { button, field, heading } from '../../support/dashboard-steps.ts';
import { largeReseller } from '../../support/large-reseller.ts';

const databases = await testDatabases();
after(() => databases.remove());

test('the pages of a reseller and of an operator on PostgreSQL', { concurrency: true }, async (t) => {
	const dashboard = await startDashboard(t, {
		environment: {
			BURSAR_DATABASE_URL: await databases.createDatabase(),
			BURSAR_MASTER_KEY: randomBytes(32).toString('base64'),
		},
	});
	const { config } = dashboard.service;
	await largeReseller(config, 'acme', 60);
	await runInStore(config, [giveBalance('acme', 'acme.000007', 777), takeBalance('acme', 'acme.000007', 77)]);

	const reseller = t.test('a reseller', async () => {
		const { page, open, trail } = await dashboard.signedIn('ann@acme.example', 'acme');
		const rows = page.locator('tbody tr');
		await open('/');
		await page.getByText('$999,987.00', { exact: true }).first().waitFor();
		await page.getByRole('slider', { name: bandwidthTexts.chart }).waitFor();
		const top = page.getByRole('table', { name: bandwidthTexts.topTitle }).getByRole('row');
		await top.last().waitFor();
		assert.equal(await top.count(), 11);

		await page.getByRole('link', { name: pageNames.subUsers, exact: true }).click();
		await page.getByText(subUserTexts.count(60)).waitFor();
		await button(page, listTexts.next).click();
		await rows.first().getByRole('link', { name: 'acme.000050', exact: true }).waitFor();
		await button(page, subUserTexts.balance).click();
		await rows.first().getByRole('link', { name: 'acme.000007', exact: true }).waitFor();
		await field(page, subUserTexts.search).fill('E.00005');
		await button(page, subUserTexts.searchAnywhere).click();
		await page.getByText(subUserTexts.found(10)).waitFor();
		await field(page, subUserTexts.search).fill('acme.000007');
		await page.locator('tbody tr:only-child').filter({ hasText: '60.0 GB' }).waitFor();
		await page.getByRole('link', { name: 'acme.000007', exact: true }).click();

		await heading(page, 'acme.000007').waitFor();
		await page.getByRole('slider', { name: bandwidthTexts.chart }).waitFor();
		await rows.filter({ hasText: '$0.77' }).waitFor();
		await button(page, subUserTexts.give).click();
		await field(page, subUserTexts.amount).fill('1.23');
		await button(page, subUserTexts.moveNow('give', '$1.23')).click();
		await page.getByText(subUserTexts.moved('give', '$1.23', 'acme.000007')).waitFor();

		await page.getByRole('link', { name: pageNames.statement, exact: true }).click();
		await rows.filter({ hasText: '−$1.23' }).filter({ hasText: 'ann@acme.example' }).waitFor();
		await field(page, statementTexts.kind).selectOption('give');
		await rows.nth(1).waitFor();
		await rows.nth(2).waitFor({ state: 'detached' });
		await field(page, statementTexts.kind).selectOption('');
		await field(page, statementTexts.subUser).fill('acme.000007');
		await field(page, statementTexts.subUser).press('Enter');
		await rows.nth(2).waitFor();
		await rows.nth(3).waitFor({ state: 'detached' });
		await field(page, listTexts.to).fill('2026-01-01');
		await page.getByText(statementTexts.nothingFound).waitFor();
		assertSilent(trail);
	});

	const operator = t.test('an operator', async () => {
		const store = await openStore(config);
		const report = { source: 'eu-1', id: '1', username: 'nobody', atMs: store.nowMs(), bytesUp: 1, bytesDown: 2 };
		await store.recordUsage([report], store.nowMs());
		await store.close();
		await dashboard.service.openReseller('zeta', 5000);
		const { page, open, trail } = await dashboard.operator('op@bursar.example');
		await open('/resellers?search=z');
		await page.locator('tbody tr:only-child').getByRole('link', { name: 'zeta', exact: true }).click();
		await heading(page, 'zeta').waitFor();
		await fillPayment(page, '7.00', 'invoice 1');
		await button(page, resellerTexts.payNow['/operator/top-up'](700)).click();
		await page.getByText(resellerTexts.paid(5700)).waitFor();
		await button(page, actTexts.close).last().click();
		await page.getByRole('row').filter({ hasText: 'invoice 1' }).waitFor();

		await page.getByRole('link', { name: pageNames.usage, exact: true }).click();
		await page.getByText(`unknown_username · ${usageTexts.times(1)}`).waitFor();
		await page.getByRole('link', { name: pageNames.ledger, exact: true }).click();
		await page.getByText(ledgerTexts.none).waitFor();
		await button(page, ledgerTexts.verify).click();
		await page.getByText(ledgerTexts.fine).waitFor();

		await page.getByRole('link', { name: pageNames.acts, exact: true }).click();
		const rows = page.getByRole('table', { name: actsTexts.label }).locator('tbody tr');
		await rows.filter({ hasText: actKindTexts.verify_ledger }).waitFor();
		await field(page, actsTexts.act).selectOption('top_up');
		await rows.filter({ hasText: actKindTexts.verify_ledger }).waitFor({ state: 'detached' });
		await rows.filter({ hasText: actKindTexts.top_up }).waitFor();
		assertSilent(trail);
	});
	await Promise.all([reseller, operator]);
});
