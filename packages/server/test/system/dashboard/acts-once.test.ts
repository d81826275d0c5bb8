import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DASHBOARD_API } from '@bursar/contract/dashboard';
import { resellerApi } from '@bursar/testing/api';
import type { Page } from 'playwright-core';
import { actTexts } from '../../../../dashboard/src/acts/texts.ts';
import { overviewTexts } from '../../../../dashboard/src/features/overview/texts.ts';
import { resellerTexts } from '../../../../dashboard/src/features/resellers/texts.ts';
import { subUserTexts } from '../../../../dashboard/src/features/sub-users/texts.ts';
import { tokenTexts } from '../../../../dashboard/src/features/token/texts.ts';
import { pageTexts } from '../../../../dashboard/src/page/texts.ts';
import { secretTexts } from '../../../../dashboard/src/secrets/texts.ts';
import { pageNames } from '../../../../dashboard/src/shell/texts.ts';
import {
	buttonIn,
	fillPayment,
	movementsOf,
	placesOf,
	pressEnterAndClick,
	pressTwice,
	runInStore,
} from '../../support/business-steps.ts';
import { createSubUser, giveBalance } from '../../support/commands.ts';
import {
	brokenLines,
	loseAnswers,
	outcomeOf,
	PASSWORD,
	refusalLine,
	startDashboard,
	type Visitor,
} from '../../support/dashboard-in-browser.ts';
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
		t.test('a double click gives, creates and tops up once', async () => {
			const visitor = await atPage('twice', (subUser) => `/sub-users/${subUser}`);
			const { page, trail, subUser } = visitor;
			await button(page, subUserTexts.give).click();
			await field(page, subUserTexts.amount).fill('1');
			await pressTwice(page);
			await page.getByText(subUserTexts.moved('give', '$1.00', subUser)).waitFor();
			await button(page, subUserTexts.showKey).dblclick();
			await page.getByRole('link', { name: pageNames.subUsers, exact: true }).click();
			await button(page, subUserTexts.create).click();
			await field(page, subUserTexts.username).fill('made.once');
			await pressTwice(page);
			await button(page, subUserTexts.done).click();
			assert.deepEqual(await movementsOf(visitor), ['create_fee -10', 'give -100', 'create_fee -10', 'top_up 5010']);

			const operator = await dashboard.operator('op@twice.example');
			await operator.open('/resellers/twice');
			await fillPayment(operator.page, '7.00', 'twice-1');
			await pressTwice(operator.page);
			await operator.page.getByText(resellerTexts.paid(5590)).waitFor();
			assert.deepEqual([...trail.complaints, ...operator.trail.complaints], []);
		}),

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
				await button(theirs, resellerTexts.invite).click();
				await field(theirs, resellerTexts.email).fill(`${press.name}@double.example`);
				await press(theirs);
				const link = new URL(await shownOnce(theirs, resellerTexts.linkLabel)).hash.slice(1);
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

		t.test('lost answers of a reseller: it was done once, and asking again tells', async () => {
			const visitor = await atPage('lost', (subUser) => `/sub-users/${subUser}`);
			const { page, trail, subUser, open } = visitor;
			await loseAnswers(page, '/sub-users/give');
			await button(page, subUserTexts.give).click();
			await field(page, subUserTexts.amount).fill('12.30');
			await button(page, subUserTexts.moveNow('give', '$12.30')).click();
			await page.getByText(actTexts.lostAct).waitFor();
			await button(page, pageTexts.retry).click();
			await page.getByText(subUserTexts.repeatedMovement(subUser, '$12.30', '$37.70')).waitFor();
			await page.keyboard.press('Escape');

			await loseAnswers(page, '/sub-users/reset-key');
			await button(page, subUserTexts.resetKey).click();
			await button(page, subUserTexts.resetNow).click();
			await button(page, pageTexts.retry).click();
			await page.getByText(subUserTexts.repeatedReset).waitFor();

			await open('/sub-users');
			await loseAnswers(page, '/sub-users/create');
			await button(page, subUserTexts.create).click();
			await field(page, subUserTexts.username).fill('Lost.Child');
			await button(page, subUserTexts.createNow).click();
			await button(page, pageTexts.retry).click();
			await page.getByText(subUserTexts.repeatedCreate('lost.child', '').split(',')[0] ?? '').waitFor();
			await page.keyboard.press('Escape');

			await loseOneRefusal(page, '/sub-users/create');
			await button(page, subUserTexts.create).click();
			await field(page, subUserTexts.username).fill('lost');
			await button(page, subUserTexts.createNow).click();
			await button(page, pageTexts.retry).click();
			await page.getByText(subUserTexts.repeatedTaken('lost')).waitFor();

			await open('/');
			await loseAnswers(page, '/overview/low-balance');
			await button(page, overviewTexts.setBound).click();
			await field(page, overviewTexts.bound).fill('99');
			await button(page, overviewTexts.save).click();
			await page.getByText(overviewTexts.lowTitle('$99.00')).waitFor();
			const fees = ['create_fee -10', 'create_fee -10'];
			assert.deepEqual(await movementsOf(visitor), [...fees, 'give -1230', 'create_fee -10', 'top_up 5010']);
			assert.deepEqual(
				new Set(trail.complaints),
				new Set([
					...(
						['/sub-users/give', '/sub-users/reset-key', '/sub-users/create', '/overview/low-balance'] as const
					).flatMap(brokenLines),
					...(['/sub-users/give', '/sub-users/reset-key', '/sub-users/create'] as const).map((path) =>
						refusalLine(409, path),
					),
					refusalLine(404, '/sub-user'),
				]),
			);
		}),

		t.test('a request that never arrived: nothing was done, and trying again does it', async () => {
			const visitor = await atPage('never', (subUser) => `/sub-users/${subUser}`);
			const { page, trail, subUser } = visitor;
			await page.route('**/api/sub-users/give', (route) => route.abort());
			await button(page, subUserTexts.give).click();
			await field(page, subUserTexts.amount).fill('50');
			await button(page, subUserTexts.moveNow('give', '$50.00')).click();
			await page.getByText(actTexts.lostAct).waitFor();
			assert.equal((await movementsOf(visitor)).length, 2);
			await page.unroute('**/api/sub-users/give');
			await button(page, pageTexts.retry).click();
			await page.getByText(subUserTexts.moved('give', '$50.00', subUser)).waitFor();
			assert.equal((await movementsOf(visitor)).length, 3);
			assert.deepEqual(trail.complaints, brokenLines('/sub-users/give'));
		}),

		t.test('lost answers of an operator: paid once, and a lost token can be replaced', async () => {
			await dashboard.service.openReseller('payee', 100);
			const { page, open, trail } = await dashboard.operator('op@lost.example');
			await open('/resellers/payee');
			await loseAnswers(page, '/operator/top-up');
			await fillPayment(page, '7.00', 'lost-1');
			await button(page, resellerTexts.payNow['/operator/top-up'](700)).click();
			await page.getByText(resellerTexts.payLost).waitFor();
			await button(page, pageTexts.retry).click();
			await page.getByText(resellerTexts.paidOnce).waitFor();
			await page.keyboard.press('Escape');
			await page.getByText('$8.00', { exact: true }).first().waitFor();

			await loseAnswers(page, '/operator/end-tokens');
			await button(page, resellerTexts.endTokens).click();
			await buttonIn(page, resellerTexts.endTokensTitle('payee'), resellerTexts.endTokens).click();
			await button(page, pageTexts.retry).click();
			await page.getByText(resellerTexts.endedLost).waitFor();
			await button(page, actTexts.close).last().click();

			await loseAnswers(page, '/operator/people/invite');
			await button(page, resellerTexts.invite).click();
			await field(page, resellerTexts.email).fill('new@payee.example');
			await button(page, resellerTexts.inviteNow).click();
			await button(page, pageTexts.retry).click();
			await page.getByText(resellerTexts.linkLost).waitFor();
			await button(page, actTexts.close).last().click();
			await button(page, resellerTexts.inviteAgainOne('new@payee.example')).waitFor();

			await open('/resellers');
			await loseAnswers(page, '/operator/resellers/create');
			await button(page, resellerTexts.create).click();
			await field(page, resellerTexts.username).fill('lost.one');
			await button(page, resellerTexts.createNow).click();
			await button(page, pageTexts.retry).click();
			await page.getByText(resellerTexts.createdLost('lost.one')).waitFor();
			await button(page, actTexts.close).last().click();
			await page.getByRole('link', { name: 'lost.one', exact: true }).waitFor();
			const paths = [
				'/operator/top-up',
				'/operator/end-tokens',
				'/operator/people/invite',
				'/operator/resellers/create',
			];
			assert.deepEqual(
				new Set(trail.complaints),
				new Set((paths as '/operator/top-up'[]).flatMap((path) => [...brokenLines(path), refusalLine(409, path)])),
			);
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

/** The next answer is lost, although it is a refusal. */
async function loseOneRefusal(page: Page, path: '/sub-users/create'): Promise<void> {
	await page.route(
		`**${DASHBOARD_API}${path}`,
		async (route) => {
			assert.equal((await route.fetch()).status(), 409);
			await route.abort();
		},
		{ times: 1 },
	);
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
