import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import type { Page } from 'playwright-core';
import { actTexts } from '../../../../dashboard/src/acts/texts.ts';
import { peopleTexts } from '../../../../dashboard/src/features/people/texts.ts';
import { resellerTexts } from '../../../../dashboard/src/features/resellers/texts.ts';
import { subUserTexts } from '../../../../dashboard/src/features/sub-users/texts.ts';
import { tokenTexts } from '../../../../dashboard/src/features/token/texts.ts';
import { secretTexts } from '../../../../dashboard/src/secrets/texts.ts';
import { pageNames } from '../../../../dashboard/src/shell/texts.ts';
import { movementsOf, placesOf, pressEnterAndClick, pressTwice, runInStore } from '../../support/business-steps.ts';
import { createSubUser, giveBalance } from '../../support/commands.ts';
import { outcomeOf, PASSWORD, startDashboard, type Visitor } from '../../support/dashboard-in-browser.ts';
import { button, clickLate, dialog, field, heading } from '../../support/dashboard-steps.ts';

test('money moves once, and the page says what is known', { concurrency: 3 }, async (t) => {
	const dashboard = await startDashboard(t);
	const { config } = dashboard.service;

	/** A reseller with 50 dollars and one sub-user, less its fee; and one of its people at a page. */
	async function atPage(reseller: string, path: (subUser: string) => string) {
		await dashboard.service.openReseller(reseller, 5010);
		const subUser = `sub.${reseller}`;
		await runInStore(config, [createSubUser(reseller, subUser)]);
		const visitor = await dashboard.signedIn(`ann@${reseller}.example`, reseller);
		await visitor.open(path(subUser));
		return { ...visitor, subUser };
	}

	async function assertWorks(token: string): Promise<void> {
		assert.equal((await resellerApi(dashboard.service.url, token).myInfo()).status, 200);
	}

	await Promise.all([
		t.test('two clicks, and Enter with a click, do it once, and what is shown holds', async () => {
			const visitor = await atPage('double', (subUser) => `/sub-users/${subUser}`);
			const { page, subUser, open, read, trail } = visitor;
			const operator = await dashboard.operator('op@double.example');
			const { page: theirs } = operator;
			await runInStore(config, [giveBalance('double', subUser, 300)]);
			for (const press of [pressTwice, pressEnterAndClick]) {
				await open(`/sub-users/${subUser}`);
				await button(page, subUserTexts.take).click();
				await field(page, subUserTexts.amount).fill('1');
				await press(page);
				await page.getByText(subUserTexts.moved('take', '$1.00', subUser)).waitFor();
				await button(page, subUserTexts.resetKey).click();
				await dialog(page, subUserTexts.resetTitle).waitFor();
				await press(page);
				await dialog(page, subUserTexts.newKeyTitle).waitFor();
				const key = await textOf(page, subUserTexts.keyForm);
				await button(page, subUserTexts.done).click();
				await button(page, subUserTexts.showKey).click();
				assert.equal(await textOf(page, subUserTexts.keyForm), key);
				await open('/token');
				await button(page, tokenTexts.endAll).click();
				await dialog(page, tokenTexts.endAll).waitFor();
				await press(page);
				await assertWorks(await shownOnce(page, tokenTexts.newLabel));

				await operator.open('/resellers/double');
				await button(theirs, resellerTexts.payTexts['/operator/adjust']).click();
				await field(theirs, resellerTexts.amount).fill('1');
				await field(theirs, resellerTexts.reference).fill(`back-${press.name}`);
				await field(theirs, resellerTexts.reason).fill('a mistake');
				await press(theirs);
				await theirs.getByText('Done. The balance is ').waitFor();
				await button(theirs, actTexts.close).last().click();
				await button(theirs, peopleTexts.invite).click();
				await field(theirs, peopleTexts.email).fill(`${press.name}@double.example`);
				await press(theirs);
				const link = new URL(await shownOnce(theirs, peopleTexts.linkLabel)).hash.slice(1);
				const invited = await dashboard.visit();
				assert.equal(outcomeOf(await invited.change('/invitation/accept', { link, password: PASSWORD })), '200');
				await button(theirs, resellerTexts.endTokens).click();
				await dialog(theirs, resellerTexts.endTokensTitle('double')).waitFor();
				await press(theirs);
				await assertWorks(await shownOnce(theirs, resellerTexts.newToken));
			}
			const once = ['end_all_tokens', 'show_auth_key', 'reset_auth_key', 'take_balance'];
			assert.deepEqual((await actsOf(read)).slice(0, 9), [...once, ...once, 'accept_invitation']);
			const theirOnce = ['end_all_tokens', 'invite_person', 'adjust'];
			assert.deepEqual((await actsOf(operator.read)).slice(0, 7), [...theirOnce, ...theirOnce, 'set_codes']);
			const back = ['adjustment -100', 'take 100'];
			const before = ['give -300', 'create_fee -10', 'top_up 5010'];
			assert.deepEqual(await movementsOf(visitor), [...back, ...back, ...before]);
			assert.deepEqual([...trail.complaints, ...operator.trail.complaints], []);
		}),

		t.test('a key and a token that were shown are kept nowhere', async () => {
			const { page, trail, subUser } = await atPage('shown', (subUser) => `/sub-users/${subUser}`);
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
		}),
	]);
});

/** The kinds of the person's acts, the newest first. */
async function actsOf(read: Visitor['read']): Promise<readonly string[]> {
	const { data } = await (await read('/account/acts')).json();
	return data.acts.map(({ kind }: { kind: string }) => kind);
}

/** A secret that is shown once. It stays until it is stored, whatever click comes late. */
async function shownOnce(page: Page, label: string): Promise<string> {
	const secret = await textOf(page, label);
	const stored = button(page, secretTexts.stored);
	await clickLate(page, stored);
	assert.equal(await textOf(page, label), secret);
	await stored.click();
	await stored.waitFor({ state: 'detached' });
	return secret;
}

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
