import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { resellerTexts } from '../../../../dashboard/src/features/resellers/texts.ts';
import { subUserTexts } from '../../../../dashboard/src/features/sub-users/texts.ts';
import { secretTexts } from '../../../../dashboard/src/secrets/texts.ts';
import { pageNames } from '../../../../dashboard/src/shell/texts.ts';
import { placesOf, runInStore } from '../../support/business-steps.ts';
import { createSubUser } from '../../support/commands.ts';
import { startDashboard } from '../../support/dashboard-in-browser.ts';
import { button, dialog, field, heading } from '../../support/dashboard-steps.ts';

test('a key and a token that were shown are kept nowhere', async (t) => {
	const dashboard = await startDashboard(t);
	const subUser = 'sub.shown';
	await dashboard.service.openReseller('shown', 5010);
	await runInStore(dashboard.service.config, [createSubUser('shown', subUser)]);
	const { page, trail, open } = await dashboard.signedIn('ann@shown.example', 'shown');
	await open(`/sub-users/${subUser}`);
	await button(page, subUserTexts.showKey).click();
	const keys = [await textOf(page, subUserTexts.keyForm)];
	await button(page, subUserTexts.resetKey).click();
	await button(page, subUserTexts.resetNow).click();
	await dialog(page, subUserTexts.newKeyTitle).waitFor();
	keys.push(await textOf(page, subUserTexts.keyForm));
	await button(page, subUserTexts.done).click();
	await page.getByRole('link', { name: pageNames.subUsers, exact: true }).click();
	await button(page, subUserTexts.create).click();
	await field(page, subUserTexts.username).fill('another.one');
	await button(page, subUserTexts.createNow).click();
	keys.push(await textOf(page, subUserTexts.keyForm));
	await button(page, subUserTexts.openPage).click();
	await heading(page, 'another.one').waitFor();
	assert.ok((await placesOf(page, subUser)).includes('read'), 'the page keeps what it may keep');
	await assertKeptNowhere(page, trail.requests, keys);

	const operator = await dashboard.operator('op@shown.example');
	await operator.open('/resellers');
	await button(operator.page, resellerTexts.create).click();
	await field(operator.page, resellerTexts.username).fill('new.reseller');
	await button(operator.page, resellerTexts.createNow).click();
	const token = await textOf(operator.page, resellerTexts.newToken);
	await button(operator.page, secretTexts.stored).click();
	await assertKeptNowhere(operator.page, operator.trail.requests, [token]);
});

/** A secret that is shown. */
async function textOf(page: Page, label: string): Promise<string> {
	const text = await page.getByRole('group', { name: label, exact: true }).last().innerText();
	assert.ok(text.length >= 16);
	return text;
}

async function assertKeptNowhere(page: Page, requests: readonly string[], secrets: readonly string[]): Promise<void> {
	assert.equal(new Set(secrets).size, secrets.length);
	for (const secret of secrets) {
		assert.deepEqual(await placesOf(page, secret), []);
		assert.ok(!(await page.content()).includes(secret));
		assert.ok(requests.every((url) => !url.includes(secret)));
	}
}
