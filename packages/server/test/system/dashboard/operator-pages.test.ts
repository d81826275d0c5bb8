import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import type { Page } from 'playwright-core';
import { actTexts } from '../../../../dashboard/src/acts/texts.ts';
import { failureTexts } from '../../../../dashboard/src/calls/failure-texts.ts';
import { actKindTexts, actsTexts } from '../../../../dashboard/src/features/acts/texts.ts';
import { peopleTexts } from '../../../../dashboard/src/features/people/texts.ts';
import { proofTexts } from '../../../../dashboard/src/features/proof/texts.ts';
import type { PaymentPath } from '../../../../dashboard/src/features/resellers/payment.ts';
import { resellerTexts } from '../../../../dashboard/src/features/resellers/texts.ts';
import { usernameTexts } from '../../../../dashboard/src/forms/texts.ts';
import { listTexts } from '../../../../dashboard/src/lists/texts.ts';
import { secretTexts } from '../../../../dashboard/src/secrets/texts.ts';
import { pageNames } from '../../../../dashboard/src/shell/texts.ts';
import { buttonIn } from '../../support/business-steps.ts';
import { refusalLine, startDashboard } from '../../support/dashboard-in-browser.ts';
import { button, dialog, field, heading, prove } from '../../support/dashboard-steps.ts';
import { assertHarmless, FORMULA, IMAGE, SCRIPT, SVG_EMAIL } from '../../support/hostile-markup.ts';
import { createLooks, lookAtDialog } from '../../support/page-looks.ts';

const OPERATOR = 'op@bursar.example';
/** What SMTP takes of what is markup in a page. */
const NEW_EMAIL = "o'hara&amp@fresh.example";

test('the pages of operators: readable for everybody, what each act does, and planted texts', async (t) => {
	const dashboard = await startDashboard(t);
	const { service } = dashboard;
	await service.openReseller('acme', 5000);
	const { page, open, trail, app } = await dashboard.operator(OPERATOR);
	const looks = createLooks();
	let firstToken = '';

	await t.test('resellers: create one, whose token is shown once', async () => {
		await open('/resellers');
		await page.getByRole('link', { name: 'acme', exact: true }).waitFor();
		await button(page, resellerTexts.create).click();
		await field(page, resellerTexts.username).fill(SCRIPT);
		await page.getByText(usernameTexts.problems.characters).waitFor();
		await field(page, resellerTexts.username).fill('ACME');
		await field(page, resellerTexts.openingBalance).fill('10,00');
		await page.getByText(resellerTexts.amountProblems.invalid_amount).waitFor();
		await field(page, resellerTexts.openingBalance).fill('10.00');
		dashboard.ageProofs(OPERATOR);
		await button(page, resellerTexts.createNow).click();
		await dialog(page, proofTexts.title).waitFor();
		await prove(page, app.next());
		await page.getByText(failureTexts.username_taken.happened).waitFor();
		await looks.at(page, 'create-reseller');
		await field(page, resellerTexts.username).fill('fresh.one');
		await button(page, resellerTexts.createNow).click();
		firstToken = await secretOf(page, resellerTexts.newToken);
		assert.equal((await resellerApi(service.url, firstToken).myInfo()).data.balance, 1000);
		await looks.at(page, 'reseller-token');
		await button(page, secretTexts.stored).click();
		await page.getByRole('link', { name: 'fresh.one', exact: true }).click();
		await heading(page, 'fresh.one').waitFor();
	});

	await t.test('money: a reference counts once, and what was typed is text', async () => {
		await pay(page, '/operator/top-up', { amount: '12.30', reference: FORMULA, reason: SCRIPT });
		await looks.at(page, 'top-up');
		await button(page, resellerTexts.payNow['/operator/top-up']('$12.30')).click();
		await page.getByText(resellerTexts.paid('$22.30')).waitFor();
		await button(page, actTexts.close).last().click();
		await pay(page, '/operator/adjust', { amount: '22.31', reference: '-2+3', reason: '' });
		await page.getByText(resellerTexts.tooMuch('$22.30')).waitFor();
		await looks.at(page, 'adjust');
		await field(page, resellerTexts.amount).fill('2.30');
		const takeBack = button(page, resellerTexts.payNow['/operator/adjust']('$2.30'));
		assert.ok(await takeBack.isDisabled(), 'it takes money back without a reason');
		await field(page, resellerTexts.reason).fill(IMAGE);
		await takeBack.click();
		await page.getByText(resellerTexts.paid('$20.00')).waitFor();
		await button(page, actTexts.close).last().click();
		await page.getByRole('row').filter({ hasText: FORMULA }).filter({ hasText: OPERATOR }).waitFor();
		await page.getByRole('row').filter({ hasText: IMAGE }).filter({ hasText: '−$2.30' }).waitFor();
		assert.equal((await resellerApi(service.url, firstToken).myInfo()).data.balance, 2000);
		await assertHarmless(page);
	});

	await t.test('people and tokens: a link and a token, each shown once', async () => {
		await dashboard.signedIn('active@fresh.example', 'fresh.one');
		await button(page, peopleTexts.invite).click();
		await field(page, peopleTexts.email).fill(NEW_EMAIL);
		await looks.at(page, 'invite');
		await button(page, peopleTexts.inviteNow).click();
		const link = await secretOf(page, peopleTexts.linkLabel);
		assert.ok(link.startsWith(`${dashboard.url}/dashboard/invitation#`));
		await looks.at(page, 'invited');
		await button(page, secretTexts.stored).click();
		await button(page, peopleTexts.inviteAgainOne(NEW_EMAIL)).click();
		await buttonIn(page, peopleTexts.inviteAgainOne(NEW_EMAIL), peopleTexts.inviteNow).click();
		assert.notEqual(await secretOf(page, peopleTexts.linkLabel), link);
		await button(page, secretTexts.stored).click();
		await lookAtDialog(page, looks, resellerTexts.endTokens, resellerTexts.endTokensTitle('fresh.one'), 'end-tokens');
		await button(page, resellerTexts.endTokens).click();
		await buttonIn(page, resellerTexts.endTokensTitle('fresh.one'), resellerTexts.endTokens).click();
		const token = await secretOf(page, resellerTexts.newToken);
		await button(page, secretTexts.stored).click();
		assert.equal((await resellerApi(service.url, token).myInfo()).status, 200);
		assert.equal((await resellerApi(service.url, firstToken).myInfo()).status, 401);
		await page.getByText(token.slice(-4), { exact: true }).waitFor();
		await assertHarmless(page);
	});

	await t.test('all acts of all people, by person, kind and day', async () => {
		await page.getByRole('link', { name: pageNames.acts, exact: true }).click();
		const rows = page.getByRole('table', { name: actsTexts.label }).getByRole('row');
		await rows
			.filter({ hasText: `${actKindTexts.invite_person}: ${NEW_EMAIL}` })
			.first()
			.waitFor();
		await field(page, actsTexts.act).selectOption('top_up');
		await rows.filter({ hasText: actKindTexts.invite_person }).first().waitFor({ state: 'detached' });
		await field(page, actsTexts.personFilter).fill(SVG_EMAIL);
		await field(page, actsTexts.personFilter).press('Enter');
		await page.getByText(actsTexts.nothingFound).waitFor();
		await button(page, listTexts.clearFilters).click();
		await rows.filter({ hasText: actKindTexts.end_all_tokens }).waitFor();
		await assertHarmless(page);
	});

	looks.assertRight();
	assert.deepEqual(
		trail.complaints.toSorted(),
		[refusalLine(403, '/operator/resellers/create'), refusalLine(409, '/operator/resellers/create')].toSorted(),
	);
});

interface TypedPayment {
	readonly amount: string;
	readonly reference: string;
	readonly reason: string;
}

/** Fills in the form of a payment. */
async function pay(page: Page, path: PaymentPath, { amount, reference, reason }: TypedPayment): Promise<void> {
	await button(page, resellerTexts.payTexts[path]).click();
	await field(page, resellerTexts.amount).fill(amount);
	await field(page, resellerTexts.reference).fill(reference);
	await field(page, resellerTexts.reason).fill(reason);
}

/** A secret that is shown once. */
async function secretOf(page: Page, label: string): Promise<string> {
	return page.getByRole('group', { name: label, exact: true }).innerText();
}
