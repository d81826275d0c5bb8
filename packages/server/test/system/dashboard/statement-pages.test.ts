import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { signInTexts } from '../../../../dashboard/src/features/sign-in/texts.ts';
import { statementTexts } from '../../../../dashboard/src/features/statement/texts.ts';
import { subUserTexts } from '../../../../dashboard/src/features/sub-users/texts.ts';
import { monthOf, monthText } from '../../../../dashboard/src/format/months.ts';
import { shellTexts } from '../../../../dashboard/src/shell/texts.ts';
import type { Command } from '../../../src/commands/registry.ts';
import { openStore } from '../../../src/engine.ts';
import { runInStore } from '../../support/business-steps.ts';
import {
	createReseller,
	createSubUser,
	creditReseller,
	giveBalance,
	postUsage,
	setPrice,
} from '../../support/commands.ts';
import { startDashboard } from '../../support/dashboard-in-browser.ts';
import { button, dialog, enterPassword, field, heading } from '../../support/dashboard-steps.ts';
import { assertHarmless, SCRIPT } from '../../support/hostile-markup.ts';
import { createLooks } from '../../support/page-looks.ts';

const DAY_MS = 86_400_000;
const GB = 1_000_000_000;
const GIFTS = 120;
/** So that every machine has the same months. */
const ZONE = { timezoneId: 'UTC' };

test('a statement has months, totals and notes, and is printed as a bank would', async (t) => {
	const { service, signedIn, operator, visit } = await startDashboard(t);
	const { config } = service;
	const nowMs = Date.now();
	let requests = 0;
	const run = (commands: readonly Command[], daysAgo = 0) =>
		runInStore(
			config,
			commands.map((command) => ({ ...command, requestId: `request ${++requests}` })),
			nowMs - daysAgo * DAY_MS,
		);
	await run([createReseller('acme', 50_000), createSubUser('acme', 'alice'), setPrice('acme', 1_000_000)], 40);
	for (const daysAgo of [35, 3, 1]) {
		const gifts = Array.from({ length: GIFTS / 3 }, () => giveBalance('acme', 'alice', 5));
		await run([...gifts, creditReseller('acme', 100, `payment of day ${daysAgo}`)], daysAgo);
	}
	const store = await openStore(config);
	const use = (id: string, username: string) => ({
		source: 'test',
		id,
		username,
		atMs: nowMs,
		bytesUp: GB,
		bytesDown: 0,
	});
	assert.equal((await store.recordUsage([use('1', 'alice')], nowMs)).kind, 'committed');
	await run([postUsage('acme', 'alice')]);
	assert.equal((await store.recordUsage([use('2', 'acme')], nowMs)).kind, 'committed');
	await store.close();
	const looks = createLooks();
	const { page, open, trail } = await signedIn('ann@acme.example', 'acme', ZONE);
	/** The give of the note posts what acme owes for its own bandwidth first. */
	const balance = '$495.80';

	await t.test('a note is typed with a give, and stands in its line', async () => {
		await open('/sub-users/alice');
		await button(page, subUserTexts.give).click();
		await field(page, subUserTexts.amount).fill('0.10');
		await field(page, subUserTexts.moveNote).fill(SCRIPT);
		await looks.at(page, 'give-with-note');
		await button(page, subUserTexts.moveNow.give('$0.10')).click();
		await dialog(page, subUserTexts.moveTitles.give('alice')).waitFor({ state: 'detached' });
		await page.getByRole('row').filter({ hasText: SCRIPT }).waitFor();
		await assertHarmless(page);
	});

	await t.test('balances and totals stand above the transactions, and months have theirs', async () => {
		await open('/statement');
		const sums = page.getByRole('region', { name: statementTexts.summary });
		await sums.getByText(balance).waitFor();
		await page.getByText(statementTexts.bySubUsers('$1.00', 1)).waitFor();
		await page.getByRole('link', { name: statementTexts.months }).click();
		const months = page.getByRole('table', { name: statementTexts.months });
		await months.getByText(monthText(monthOf(nowMs))).waitFor();
		await months.getByText(balance).first().waitFor();
		await months.getByRole('link', { name: monthText(monthOf(nowMs)), exact: true }).click();
		await button(page, statementTexts.periods.this_month).waitFor();
		const isChosen = await button(page, statementTexts.periods.this_month).getAttribute('aria-pressed');
		assert.equal(isChosen, 'true');
		await sums.getByText(balance).waitFor();
	});

	await t.test(
		'the printed statement is black on white, on several pages, without what belongs to the screen',
		async () => {
			await open('/statement/print');
			await page.getByText(statementTexts.closing).waitFor();
			await assertHarmless(page);
			await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
			assert.equal(await button(page, statementTexts.print).isVisible(), false);
			assert.deepEqual(await inkOf(page), ['rgb(0, 0, 0)', 'rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
			const pages = pagesOf(await page.pdf({ preferCSSPageSize: true }));
			assert.ok(pages >= 3, `${pages} pages`);
			await page.emulateMedia({ media: 'screen' });
		},
	);

	await t.test('operators print it too; nobody else sees it, and whoever signs in comes back to it', async () => {
		const olga = await operator('olga@bursar.example', ZONE);
		await olga.open('/resellers/acme/months');
		await olga.page.getByText(balance).first().waitFor();
		await olga.open('/resellers/acme/print');
		await olga.page.getByText(statementTexts.closing).waitFor();
		await olga.page.getByText('payment of day 35').waitFor();
		await olga.open('/statement/print');
		await heading(olga.page, shellTexts.notFoundTitle).waitFor();
		await open('/resellers/acme/print');
		await heading(page, shellTexts.notFoundTitle).waitFor();
		const stranger = await visit(ZONE);
		await stranger.open('/statement/print');
		await button(stranger.page, signInTexts.signIn).waitFor();
		await enterPassword(stranger.page, 'ann@acme.example');
		await stranger.page.getByText(statementTexts.closing).waitFor();
		assert.deepEqual(olga.trail.complaints, []);
	});
	assert.deepEqual(trail.complaints, []);
	looks.assertRight();
});

/** The colours of what is printed, and of its ground. */
function inkOf(page: Page): Promise<readonly string[]> {
	return page.evaluate(
		"['main td time', 'main p', 'main'].map((part, index) => getComputedStyle(document.querySelector(part))[index < 2 ? 'color' : 'backgroundColor'])",
	);
}

function pagesOf(pdf: Buffer): number {
	return pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}
