import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import type { Page } from 'playwright-core';
import { actsTexts } from '../../../../dashboard/src/texts/acts.ts';
import { frameTexts } from '../../../../dashboard/src/texts/frame.ts';
import { ledgerTexts } from '../../../../dashboard/src/texts/ledger.ts';
import { resellerTexts } from '../../../../dashboard/src/texts/resellers.ts';
import { statementTexts } from '../../../../dashboard/src/texts/statement.ts';
import { createBank } from '../../../src/bank/bank.ts';
import { createDemo } from '../../../src/cli/demo.ts';
import { openStore } from '../../../src/engine.ts';
import { assertSilent, startDashboard, type TestDashboard } from '../../support/dashboard-in-browser.ts';
import { addPasskey, button, dialog, field, heading, storeRecoveryCodes } from '../../support/dashboard-steps.ts';
import { createLooks } from '../../support/page-looks.ts';
import { addPasskeyDevice } from '../../support/passkey-device.ts';

const RESELLER = 'demo.reseller';
const HOUR_MS = 3_600_000;

/** Months of a business, and reports of every verdict. */
async function fill(t: TestContext, { service }: TestDashboard): Promise<void> {
	const store = await openStore(service.config);
	const bank = createBank(store, { observer: { batchDone() {}, fault() {} } });
	t.after(() => store.close());
	await createDemo({ bank, store });
	const report = { source: 'host-1', id: '1', username: 'alice', atMs: store.nowMs(), bytesUp: 1, bytesDown: 2 };
	for (const reports of [
		[report, report, { ...report, bytesUp: 9 }],
		[{ ...report, id: '2', username: 'nobody' }],
		[{ ...report, id: '3', atMs: store.nowMs() + HOUR_MS }],
	]) {
		const outcome = await bank.recordUsage('test', reports);
		assert.ok(outcome.ok, JSON.stringify(outcome));
	}
}

/** Signs in as an operator with a second factor, on the start page. */
async function signInAsOperator(dashboard: TestDashboard) {
	const olga = await dashboard.signedIn('olga@bursar.example', null);
	await addPasskeyDevice(olga.page);
	await olga.open('/');
	await addPasskey(olga.page, 'the key');
	await storeRecoveryCodes(olga.page);
	await heading(olga.page, frameTexts.resellers).waitFor();
	return olga;
}

function link(page: Page, name: string) {
	return page.getByRole('link', { name, exact: true });
}

test('the pages of operators, and the statement of a reseller', async (t) => {
	const dashboard = await startDashboard(t);
	const looks = createLooks();
	await fill(t, dashboard);
	await dashboard.service.openReseller('umbrella', 1_234_567_89);
	await dashboard.service.openReseller('a.name_that.is_as.long_as.it.can', 10);
	const olga = await signInAsOperator(dashboard);
	const { page, trail, open } = olga;
	olga.context.setDefaultTimeout(20_000);
	await link(page, RESELLER).waitFor();
	await looks.at(page, 'op-resellers');

	await button(page, resellerTexts.create).click();
	await field(page, resellerTexts.username).fill('Acme');
	await field(page, resellerTexts.openingBalance).fill('12.30');
	await looks.at(page, 'op-create');
	await button(page, resellerTexts.createNow).click();
	await dialog(page, resellerTexts.createdTitle('acme')).waitFor();
	await looks.at(page, 'op-created');
	await button(page, frameTexts.stored).click();
	await link(page, 'acme').click();
	await heading(page, 'acme').waitFor();
	await page.getByText('$12.30').first().waitFor();

	await button(page, resellerTexts.invite).click();
	await field(page, resellerTexts.email).fill('ann@acme.example');
	await looks.at(page, 'op-invite');
	await button(page, resellerTexts.inviteNow).click();
	await dialog(page, resellerTexts.linkTitle).waitFor();
	await looks.at(page, 'op-link');
	await button(page, frameTexts.stored).click();
	await page.getByText('ann@acme.example').waitFor();

	await button(page, resellerTexts.topUp).click();
	await field(page, resellerTexts.amount).fill('250');
	await field(page, resellerTexts.reference).fill('INV-2026-117');
	await field(page, resellerTexts.reason).fill('Bank transfer of 22 November');
	await looks.at(page, 'op-top-up');
	await button(page, resellerTexts.payNow['/operator/top-up'](25_000)).click();
	await page.getByText(resellerTexts.paid(26_230)).waitFor();
	await looks.at(page, 'op-paid');
	await button(page, frameTexts.close).last().click();
	await button(page, resellerTexts.adjust).click();
	await field(page, resellerTexts.amount).fill('1000');
	await page.getByText(resellerTexts.tooMuch(26_230)).waitFor();
	await looks.at(page, 'op-adjust');
	await page.keyboard.press('Escape');
	await page.getByText('INV-2026-117').waitFor();
	await looks.at(page, 'op-reseller-new');
	await button(page, resellerTexts.endTokens).click();
	await looks.at(page, 'op-end-tokens');
	await page.keyboard.press('Escape');

	await open(`/resellers/${RESELLER}`);
	await page.getByRole('table', { name: statementTexts.label }).waitFor();
	await looks.at(page, 'op-reseller');
	await field(page, statementTexts.subUser).fill('alice');
	await field(page, statementTexts.subUser).press('Enter');
	await button(page, frameTexts.clearFilters).waitFor();
	await looks.at(page, 'op-reseller-filtered');

	await open('/usage');
	await page.getByText('unknown_username').waitFor();
	await looks.at(page, 'op-usage');

	await open('/ledger');
	await page.getByText(ledgerTexts.none).waitFor();
	await looks.at(page, 'op-ledger-none');
	await button(page, ledgerTexts.verify).click();
	await page.getByText(ledgerTexts.fine).waitFor();
	await looks.at(page, 'op-ledger-fine');
	const rows = new Database(join(dashboard.service.config.dataDir, 'bursar.db'));
	rows.exec(`UPDATE accounts SET balance_cents = balance_cents + 1 WHERE username IN ('alice', 'bruno')`);
	rows.close();
	await button(page, ledgerTexts.verify).click();
	await heading(page, ledgerTexts.problems).waitFor();
	await looks.at(page, 'op-ledger-problems');

	await open('/acts');
	await page.getByRole('table', { name: actsTexts.label }).waitFor();
	await looks.at(page, 'op-acts');
	assertSilent(trail);

	const ann = await dashboard.signedIn('ann@demo.example', RESELLER);
	await ann.open('/statement');
	await ann.page.getByRole('table', { name: statementTexts.label }).waitFor();
	await looks.at(ann.page, 'statement');
	await ann.open('/statement?sub_user=nobody.here');
	await ann.page.getByText(statementTexts.nothingFound).waitFor();
	await looks.at(ann.page, 'statement-empty');
	assertSilent(ann.trail);
	looks.assertRight();
});
