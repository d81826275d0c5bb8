import assert from 'node:assert/strict';
import { test } from 'node:test';
import { correctionTexts } from '../../../../dashboard/src/features/corrections/texts.ts';
import { edgesTexts, newEdgeTexts } from '../../../../dashboard/src/features/edges/texts.ts';
import { peopleTexts } from '../../../../dashboard/src/features/people/texts.ts';
import { resellerSubUserTexts } from '../../../../dashboard/src/features/reseller-sub-users/texts.ts';
import { resellerTexts } from '../../../../dashboard/src/features/resellers/texts.ts';
import { secretTexts } from '../../../../dashboard/src/secrets/texts.ts';
import { pageNames } from '../../../../dashboard/src/shell/texts.ts';
import { openStore } from '../../../src/engine.ts';
import { buttonIn, runInStore } from '../../support/business-steps.ts';
import { createSubUser, giveBalance, setLimits } from '../../support/commands.ts';
import { startDashboard } from '../../support/dashboard-in-browser.ts';
import { button, dialog, field } from '../../support/dashboard-steps.ts';
import { createLooks } from '../../support/page-looks.ts';

const GB = 1_000_000_000;

test('an operator works without a shell: a sub-user, a wrong day, people, and a proxy host', async (t) => {
	const dashboard = await startDashboard(t, { environment: { BURSAR_EDGE_URL: 'https://edge.bursar.example' } });
	const { config } = dashboard.service;
	await dashboard.service.openReseller('acme', 50_000);
	await runInStore(config, [
		createSubUser('acme', 'alice'),
		giveBalance('acme', 'alice', 1230),
		setLimits('acme', 'alice', { dayBytes: 5 * GB, connections: 20 }),
	]);
	const store = await openStore(config);
	const nowMs = store.nowMs();
	const report = { source: 'eu-1', id: '1', username: 'alice', atMs: nowMs, bytesUp: GB, bytesDown: 3 * GB };
	assert.equal((await store.recordUsage([report], nowMs)).kind, 'committed');
	await store.close();
	await dashboard.signedIn('ann@acme.example', 'acme');
	const { page, open, trail } = await dashboard.operator('op@bursar.example');
	const looks = createLooks();

	await t.test('a sub-user is looked at, and a day of it is corrected', async () => {
		await open('/resellers/acme');
		await page.getByRole('link', { name: resellerTexts.showSubUsers, exact: true }).click();
		await page.getByRole('link', { name: 'alice', exact: true }).click();
		await page.getByText('$12.30').first().waitFor();
		await page.getByText(resellerSubUserTexts.limits, { exact: true }).waitFor();
		await looks.at(page, 'operator-sub-user');
		await button(page, correctionTexts.action).click();
		await field(page, correctionTexts.day).fill(new Date(nowMs).toISOString().slice(0, 10));
		await field(page, correctionTexts.down).fill(String(2 * GB));
		await field(page, correctionTexts.reference).fill('C-1');
		await field(page, correctionTexts.reason).fill('Counted twice');
		await dialog(page, correctionTexts.title).getByText(correctionTexts.exact(GB)).first().waitFor();
		await looks.at(page, 'correction');
		await button(page, correctionTexts.correct).click();
		await page.getByText(correctionTexts.done(GB, GB)).waitFor();
		await page.keyboard.press('Escape');
		await page.getByRole('cell', { name: 'Counted twice' }).first().waitFor();
	});

	await t.test('people are found by the beginning of the address, and removed', async () => {
		await page.getByRole('link', { name: pageNames.people, exact: true }).click();
		const remove = peopleTexts['/operator/people/remove'];
		await button(page, remove.one('ann@acme.example')).waitFor();
		await looks.at(page, 'people');
		await field(page, peopleTexts.search).fill('ann');
		await page.getByText('op@bursar.example').last().waitFor();
		await button(page, remove.one('ann@acme.example')).click();
		await dialog(page, remove.title('ann@acme.example')).waitFor();
		await looks.at(page, 'remove-person');
		await buttonIn(page, remove.title('ann@acme.example'), remove.action).click();
		await page.getByText(peopleTexts.nothingFound).waitFor();
	});

	await t.test('a proxy host is added with a command that is shown once', async () => {
		await page.getByRole('link', { name: pageNames.edges, exact: true }).click();
		const texts = newEdgeTexts['/operator/edges/link'];
		await button(page, texts.action).click();
		await field(page, edgesTexts.name).fill('frankfurt-1');
		await button(page, edgesTexts.createNow).click();
		const command = await page.getByRole('group', { name: texts.secretLabel }).innerText();
		assert.match(command, /^bursar-edge join 'https:\/\/edge\.bursar\.example\/join#[\w-]{43}'$/);
		await looks.at(page, 'edge-link');
		await button(page, secretTexts.stored).click();
		await page.getByText(edgesTexts.waits).waitFor();
		await button(page, texts.againOne('frankfurt-1')).waitFor();
		await looks.at(page, 'edge-waits');
	});

	looks.assertRight();
	assert.deepEqual(trail.complaints, []);
});
