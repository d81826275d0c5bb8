import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { connectTexts } from '../../../../dashboard/src/features/connect/texts.ts';
import { edgesTexts } from '../../../../dashboard/src/features/edges/texts.ts';
import { subUserTexts } from '../../../../dashboard/src/features/sub-users/texts.ts';
import { secretTexts } from '../../../../dashboard/src/secrets/texts.ts';
import { pageNames } from '../../../../dashboard/src/shell/texts.ts';
import { openStore } from '../../../src/engine.ts';
import { runInStore } from '../../support/business-steps.ts';
import { createSubUser } from '../../support/commands.ts';
import { assertSilent, startDashboard } from '../../support/dashboard-in-browser.ts';
import { button, field, heading } from '../../support/dashboard-steps.ts';
import { createLooks } from '../../support/page-looks.ts';

const ENVIRONMENT = {
	BURSAR_PROXY_URLS:
		'http://fra.proxy.example:3128,socks5://fra.proxy.example:3128,https://nyc.proxy.example:443,http://[2001:db8::1]:3128',
	BURSAR_PROXY_OPTIONS: 'country=US|DE|GB,session,lifetime=10m|30m|60m',
};
const NAME = 'the.longest.name.has_32_of.these';

function shownUrl(page: Page) {
	return page.getByRole('group', { name: connectTexts.url, exact: true });
}

/** Presses the button that copies what has this label. */
async function copy(page: Page, label: string): Promise<void> {
	await page.getByRole('group', { name: label, exact: true }).locator('..').getByRole('button').click();
}

test('the Connect page: every choice, the key copied unseen and shown, at both widths and in both colours', async (t) => {
	const dashboard = await startDashboard(t, { environment: ENVIRONMENT });
	const { config } = dashboard.service;
	await dashboard.service.openReseller('acme', 5000);
	await runInStore(config, [createSubUser('acme', NAME), createSubUser('acme', 'alice')]);
	const store = await openStore(config);
	const { proxyAuthkey: key } = (await store.findAccount('acme', NAME)) ?? assert.fail();
	await store.close();
	const { page, open, trail, context } = await dashboard.signedIn('ann@acme.example', 'acme');
	const looks = createLooks();

	await open(`/sub-users/${NAME}`);
	await page.getByRole('link', { name: subUserTexts.connect }).click();
	await heading(page, pageNames.connect).waitFor();
	assert.equal(await field(page, connectTexts.subUser).inputValue(), NAME);
	await looks.at(page, 'connect-first');

	await field(page, 'country').selectOption('DE');
	await field(page, 'lifetime').selectOption('30m');
	await button(page, connectTexts.newSession).click();
	const session = await field(page, 'session').inputValue();
	const password = (authkey: string) => `${authkey}_country-DE_session-${session}_lifetime-30m`;
	assert.equal(await shownUrl(page).innerText(), `http://${NAME}:${password('KEY')}@fra.proxy.example:3128`);

	await copy(page, connectTexts.url);
	await page.getByText(secretTexts.copied).waitFor();
	const url = `http://${NAME}:${password(key)}@fra.proxy.example:3128`;
	assert.equal(await pastedIn(context), url);
	assert.ok(!(await page.content()).includes(key), 'the key was copied without being shown');

	await button(page, connectTexts.showKey).press('Enter');
	await page.getByText(connectTexts.shown).waitFor();
	assert.equal(await shownUrl(page).innerText(), url);
	for (const name of Object.values(connectTexts.names)) await button(page, name).click();
	await looks.at(page, 'connect-shown');
	await button(page, connectTexts.hideKey).click();
	await page.getByText(connectTexts.hidden).waitFor();
	assert.ok(!(await page.content()).includes(key));

	await field(page, connectTexts.protocol).selectOption('socks5');
	await page.getByText(connectTexts.overSocks).waitFor();
	await field(page, 'session').fill('not_one');
	await page.getByText(connectTexts.optionWrong).waitFor();
	await looks.at(page, 'connect-wrong');
	await field(page, connectTexts.subUser).fill('ali');
	await page.getByText(connectTexts.incomplete.sub_user).waitFor();
	await field(page, connectTexts.subUser).fill('');
	await field(page, 'session').fill('');
	assert.match(await shownUrl(page).innerText(), /^socks5:\/\/acme:KEY_/);

	assert.deepEqual(
		trail.requests.filter((request) => request.includes(key)),
		[],
	);
	const kept = await page.evaluate<string>(
		'JSON.stringify([history.state, localStorage, sessionStorage, location.href])',
	);
	assert.ok(!kept.includes(key));
	assertSilent(trail);

	const olga = await dashboard.operator('olga@bursar.example');
	await olga.open('/edges');
	await olga.page.getByRole('link', { name: edgesTexts.connect }).click();
	await olga.page.getByText(connectTexts.settings).waitFor();
	looks.assertRight();
});

/** What was copied. The policy of the dashboard forbids its pages to read the clipboard. */
async function pastedIn(context: BrowserContext): Promise<string> {
	const page = await context.newPage();
	await page.setContent('<textarea></textarea>');
	await page.locator('textarea').press('Control+v');
	const pasted = await page.locator('textarea').inputValue();
	await page.close();
	return pasted;
}
