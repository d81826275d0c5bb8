import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DashboardChanges } from '@bursar/contract/dashboard';
import { DASHBOARD_API } from '@bursar/contract/dashboard';
import { resellerApi } from '@bursar/testing/api';
import type { Page } from 'playwright-core';
import { bandwidthTexts } from '../../../../dashboard/src/texts/bandwidth.ts';
import { frameTexts } from '../../../../dashboard/src/texts/frame.ts';
import { overviewTexts } from '../../../../dashboard/src/texts/overview.ts';
import { signInTexts } from '../../../../dashboard/src/texts/sign-in.ts';
import { subUserTexts } from '../../../../dashboard/src/texts/sub-users.ts';
import { openStore } from '../../../src/engine.ts';
import {
	assertSilent,
	brokenLines,
	PASSWORD,
	refusalLine,
	startDashboard,
} from '../../support/dashboard-in-browser.ts';
import { button, dialog, field, heading } from '../../support/dashboard-steps.ts';

const EMAIL = 'ann@acme.example';

/** Lets the service do the next change of this kind, and breaks its answer off. */
async function loseNextAnswer(page: Page, path: keyof DashboardChanges): Promise<void> {
	await page.route(
		`**${DASHBOARD_API}${path}`,
		async (route) => {
			await route.fetch();
			await route.abort('failed');
		},
		{ times: 1 },
	);
}

test('money moves once, whatever happens to clicks, answers and sessions', async (t) => {
	const dashboard = await startDashboard(t, { environment: { BURSAR_PROXY_HOST: 'proxy.example:3128' } });
	const { token } = await dashboard.service.openReseller('acme', 100_00);
	const api = resellerApi(dashboard.service.url, token);
	const balances = async () => {
		const [own, all] = await Promise.all([api.myInfo(), api.viewAll()]);
		return [own.data, ...all.data].map(({ balance }) => balance);
	};
	const visitor = await dashboard.signedIn(EMAIL, 'acme');
	const { page } = visitor;

	await t.test('a double click creates one sub-user, and its key is shown', async () => {
		await visitor.open('/sub-users');
		await button(page, subUserTexts.create).click();
		await field(page, subUserTexts.username).fill('Alice');
		await page.getByText(subUserTexts.willBe('alice')).waitFor();
		await button(page, subUserTexts.createNow).dblclick();
		const created = dialog(page, subUserTexts.createdTitle('alice'));
		const key = await created.getByRole('group', { name: subUserTexts.keyForm, exact: true }).innerText();
		assert.match(key, /^[0-9A-Za-z]{16}$/);
		await created.getByText(`http://alice:${key}@proxy.example:3128`).waitFor();
		assert.deepEqual(await balances(), [99_90, 0]);
		await button(page, subUserTexts.createAnother).click();
		await field(page, subUserTexts.username).fill('alice');
		await button(page, subUserTexts.createNow).click();
		await page.getByText(subUserTexts.taken.happened).waitFor();
		assert.deepEqual(await balances(), [99_80, 0]);
		await field(page, subUserTexts.username).fill('bruno');
		await button(page, subUserTexts.createNow).click();
		await dialog(page, subUserTexts.createdTitle('bruno')).waitFor();
		assert.equal((await page.content()).includes(key), false, 'the first key is gone');
		await button(page, subUserTexts.openPage).click();
		await heading(page, 'bruno').waitFor();
		assertSilent(visitor.trail, [refusalLine(409, '/sub-users/create')]);
	});

	await t.test('a lost answer of a create: asking again says what became of it', async () => {
		const before = visitor.trail.complaints.length;
		await visitor.open('/sub-users');
		await button(page, subUserTexts.create).click();
		await field(page, subUserTexts.username).fill('chiara');
		await loseNextAnswer(page, '/sub-users/create');
		await button(page, subUserTexts.createNow).click();
		await dialog(page, frameTexts.lostTitle).getByText(frameTexts.lostAct).waitFor();
		await button(page, frameTexts.retry).click();
		await page.getByText(/You have a sub-user chiara/).waitFor();
		await button(page, frameTexts.close).last().click();
		assert.deepEqual(await balances(), [99_60, 0, 0, 0]);
		assert.deepEqual(visitor.trail.complaints.slice(before), [
			...brokenLines('/sub-users/create'),
			refusalLine(409, '/sub-users/create'),
		]);
	});

	await t.test('a double click gives once, and a lost answer of taking is not taken twice', async () => {
		await visitor.open('/sub-users/alice');
		await button(page, subUserTexts.give).click();
		const give = dialog(page, subUserTexts.moveTitle('give', 'alice'));
		await give.getByLabel(subUserTexts.amount).fill('999.99');
		await give.getByText(subUserTexts.youHave('$99.60')).waitFor();
		await give.getByLabel(subUserTexts.amount).fill('10.05');
		await give.getByText('$89.55').waitFor();
		await button(page, subUserTexts.moveNow('give', '$10.05')).dblclick();
		await page.getByText(subUserTexts.moved('give', '$10.05', 'alice')).waitFor();
		assert.deepEqual(await balances(), [89_55, 10_05, 0, 0]);

		await button(page, subUserTexts.take).click();
		const take = dialog(page, subUserTexts.moveTitle('take', 'alice'));
		await button(page, subUserTexts.takeAll).click();
		assert.equal(await take.getByLabel(subUserTexts.amount).inputValue(), '10.05');
		await loseNextAnswer(page, '/sub-users/take');
		await button(page, subUserTexts.moveNow('take', '$10.05')).click();
		await dialog(page, frameTexts.lostTitle).waitFor();
		await button(page, frameTexts.retry).click();
		await page.getByText(subUserTexts.repeatedMovement('alice', '$0.00', '$99.60')).waitFor();
		await button(page, frameTexts.close).last().click();
		assert.deepEqual(await balances(), [99_60, 0, 0, 0]);
	});

	await t.test('a session that ends in the middle of a form loses nothing that was typed', async () => {
		await visitor.open('/sub-users/alice');
		await button(page, subUserTexts.give).click();
		const give = dialog(page, subUserTexts.moveTitle('give', 'alice'));
		await give.getByLabel(subUserTexts.amount).fill('1.25');
		await visitor.change('/sign-out', {});
		await button(page, subUserTexts.moveNow('give', '$1.25')).click();
		const gone = dialog(page, signInTexts.goneTitle);
		await gone.getByLabel(signInTexts.email, { exact: true }).fill(EMAIL);
		await gone.getByLabel(signInTexts.password, { exact: true }).fill(PASSWORD);
		await gone.getByRole('button', { name: signInTexts.signIn, exact: true }).click();
		await gone.waitFor({ state: 'detached' });
		assert.equal(await give.getByLabel(subUserTexts.amount).inputValue(), '1.25');
		await button(page, subUserTexts.moveNow('give', '$1.25')).click();
		await page.getByText(subUserTexts.moved('give', '$1.25', 'alice')).waitFor();
		assert.deepEqual(await balances(), [98_35, 1_25, 0, 0]);
	});

	await t.test('a key is read when somebody asks for it, that is recorded, and it is kept nowhere', async () => {
		await visitor.open('/sub-users/alice');
		await page.getByText(subUserTexts.showIsRecorded).waitFor();
		const shown = page.waitForResponse((response) => response.url().endsWith('/sub-users/show-key'));
		await button(page, subUserTexts.showKey).click();
		const { data } = await (await shown).json();
		await page.getByText(`alice:${data.proxy_authkey}`, { exact: true }).waitFor();
		assert.equal(page.url().includes(data.proxy_authkey), false);
		const stored = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
		assert.equal(String(stored).includes(data.proxy_authkey), false);
		await button(page, subUserTexts.hideKey).click();
		assert.equal((await page.content()).includes(data.proxy_authkey), false);
		const { data: acts } = await (await visitor.read('/account/acts')).json();
		assert.deepEqual(
			acts.acts.slice(0, 1).map(({ kind, target }: { kind: string; target: string }) => [kind, target]),
			[['show_auth_key', 'alice']],
		);

		await button(page, subUserTexts.resetKey).click();
		await dialog(page, subUserTexts.resetTitle).getByText(subUserTexts.reset('alice')).waitFor();
		await button(page, frameTexts.cancel).click();
		await button(page, subUserTexts.resetKey).click();
		await button(page, subUserTexts.resetNow).dblclick();
		const renewed = dialog(page, subUserTexts.newKeyTitle);
		const key = await renewed.getByRole('group', { name: subUserTexts.keyForm, exact: true }).innerText();
		assert.notEqual(key, data.proxy_authkey);
		assert.equal((await api.viewSingle({ username: 'alice' })).data.proxy_authkey, key);
	});
});

test('the list of sub-users stands in the address: search, order and place', async (t) => {
	const dashboard = await startDashboard(t);
	const { token } = await dashboard.service.openReseller('acme', 100_00);
	const api = resellerApi(dashboard.service.url, token);
	const visitor = await dashboard.signedIn(EMAIL, 'acme');
	const { page } = visitor;
	await visitor.open('/sub-users');
	await page.getByText(subUserTexts.noneYet).waitFor();

	const names = Array.from({ length: 60 }, (_, number) => `user.${String(number).padStart(2, '0')}`);
	for (const name of names) await api.create({ username: name });
	await page.reload();
	/** Waits until exactly these are listed. */
	async function lists(expected: readonly string[]): Promise<void> {
		const listed = () => page.locator('tbody a').allInnerTexts();
		for (let left = 600; left > 0 && (await listed()).join() !== expected.join(); left--) await sleep(100);
		assert.deepEqual(await listed(), expected);
	}
	await page.getByText(subUserTexts.count(60)).waitFor();
	await lists(names.slice(0, 50));
	await button(page, frameTexts.next).click();
	await lists(names.slice(50));
	await page.reload();
	await lists(names.slice(50));
	await button(page, frameTexts.previous).click();
	await lists(names.slice(0, 50));

	await field(page, subUserTexts.search).fill('R.5');
	await page.getByText(subUserTexts.noneFound('r.5', 'beginning')).waitFor();
	await button(page, subUserTexts.searchAnywhere).click();
	await page.getByText(subUserTexts.found(10)).waitFor();
	await lists(names.slice(50));
	assert.equal(new URL(page.url()).search, '?search=r.5&match=anywhere');
	await button(page, subUserTexts.name).click();
	await lists(names.slice(50).reverse());
	await page.goBack();
	await lists(names.slice(50));
	assert.equal(await field(page, subUserTexts.search).inputValue(), 'r.5');
	assertSilent(visitor.trail);
});

test('the overview warns below a bound that a person sets, and its chart can be read with the keyboard', async (t) => {
	const dashboard = await startDashboard(t);
	const { token } = await dashboard.service.openReseller('acme', 100_00);
	await resellerApi(dashboard.service.url, token).create({ username: 'alice' });
	const store = await openStore(dashboard.service.config);
	const atMs = store.nowMs();
	await store.recordUsage([{ source: 's', id: '1', username: 'alice', atMs, bytesUp: 500, bytesDown: 1500 }], atMs);
	await store.close();
	const visitor = await dashboard.signedIn(EMAIL, 'acme');
	const { page } = visitor;
	await visitor.open('/');
	await page.getByText('$99.90').first().waitFor();
	await button(page, overviewTexts.setBound).click();
	await field(page, overviewTexts.bound).fill('99.91');
	await loseNextAnswer(page, '/overview/low-balance');
	await button(page, overviewTexts.save).click();
	await button(page, frameTexts.retry).click();
	await page.getByText(overviewTexts.boundRepeated).waitFor();
	await page.keyboard.press('Escape');
	await page.getByText(overviewTexts.lowTitle('$99.91')).waitFor();

	await page.getByText(bandwidthTexts.lastDays[7]).click();
	await page.waitForURL(/days=7$/);
	const chart = page.getByRole('slider', { name: bandwidthTexts.chart });
	await chart.and(page.locator('[aria-valuemax="7"]')).waitFor();
	assert.match((await chart.getAttribute('aria-valuetext')) ?? '', /: 1.5 kB down, 500 B up$/);
	await chart.press('ArrowLeft');
	await chart.press('ArrowLeft');
	await chart.and(page.locator('[aria-valuenow="6"]')).waitFor();
	assert.match((await chart.getAttribute('aria-valuetext')) ?? '', /: 0 B down, 0 B up$/);
	await button(page, bandwidthTexts.showTable).click();
	assert.equal(await page.getByRole('table', { name: bandwidthTexts.table }).getByRole('row').count(), 8);
	await page.getByRole('region', { name: bandwidthTexts.topTitle }).getByRole('link', { name: 'alice' }).click();
	await heading(page, 'alice').waitFor();
});
