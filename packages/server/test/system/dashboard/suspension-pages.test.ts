import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureTexts } from '../../../../dashboard/src/calls/failure-texts.ts';
import { actKindTexts, actsTexts } from '../../../../dashboard/src/features/acts/texts.ts';
import { lifeTexts } from '../../../../dashboard/src/features/life/texts.ts';
import { resellerSubUserTexts } from '../../../../dashboard/src/features/reseller-sub-users/texts.ts';
import { suspensionTexts } from '../../../../dashboard/src/features/resellers/suspension-texts.ts';
import { resellerTexts } from '../../../../dashboard/src/features/resellers/texts.ts';
import { subUserTexts } from '../../../../dashboard/src/features/sub-users/texts.ts';
import { shellTexts } from '../../../../dashboard/src/shell/texts.ts';
import { openStore } from '../../../src/engine.ts';
import { buttonIn, runInStore } from '../../support/business-steps.ts';
import { createSubUser, giveBalance, setLimits, suspendSubUser } from '../../support/commands.ts';
import { refusalLine, startDashboard } from '../../support/dashboard-in-browser.ts';
import { button, dialog, field } from '../../support/dashboard-steps.ts';
import { createLooks, lookAtDialog } from '../../support/page-looks.ts';

const DAY_MS = 86_400_000;
const MB = 1_000_000;

test('an operator suspends a reseller, looks at its business, and resumes it; its people see and feel it', async (t) => {
	const { service, signedIn, operator } = await startDashboard(t);
	const { config } = service;
	for (const name of ['acme', 'bolt']) await service.openReseller(name, 50_000);
	const names = ['alice', 'bruno', 'carla', 'the.longest.name.has_32_of.these'];
	const nowMs = Date.now();
	await runInStore(
		config,
		[
			...names.map((name) => createSubUser('acme', name)),
			giveBalance('acme', 'alice', 1_230),
			suspendSubUser('acme', 'bruno'),
			setLimits('acme', 'carla', { expiresAtMs: nowMs - DAY_MS }),
		],
		nowMs - 20 * DAY_MS,
	);
	const store = await openStore(config);
	const reports = Array.from({ length: 20 }, (_, index) => ({
		...{ source: 'test', id: `${index}`, username: 'alice', atMs: nowMs - index * DAY_MS },
		...{ bytesUp: (index % 5) * MB, bytesDown: ((index * 7) % 13) * 10 * MB },
	}));
	assert.equal((await store.recordUsage(reports, nowMs)).kind, 'committed');
	await store.close();
	const looks = createLooks();
	const ann = await signedIn('ann@acme.example', 'acme');
	const olga = await operator('olga@bursar.example');
	const { page } = olga;

	await olga.open('/resellers/acme');
	await page.getByRole('slider').waitFor();
	const suspend = suspensionTexts['/operator/suspend'];
	await lookAtDialog(page, looks, suspend.action, suspend.title('acme'), 'suspend');
	await button(page, suspend.action).click();
	await buttonIn(page, suspend.title('acme'), suspend.action).click();
	await dialog(page, suspend.title('acme')).waitFor({ state: 'detached' });
	await page.getByText(suspensionTexts.suspendedLead).waitFor();
	const resume = suspensionTexts['/operator/resume'];
	await page.waitForFunction(`document.activeElement?.textContent === '${resume.action}'`);
	await looks.at(page, 'suspended-reseller');
	await lookAtDialog(page, looks, resume.action, resume.title('acme'), 'resume');

	await page.getByRole('link', { name: resellerTexts.showSubUsers, exact: true }).click();
	for (const state of ['suspended', 'reseller_suspended'] as const) {
		await page.getByRole('cell', { name: lifeTexts.states[state], exact: true }).first().waitFor();
	}
	await looks.at(page, 'sub-users-of-reseller');
	await field(page, resellerSubUserTexts.search).fill('BRU');
	await page.getByRole('rowheader', { name: 'alice' }).waitFor({ state: 'detached' });
	await olga.open('/resellers');
	await page.getByRole('rowheader', { name: `acme ${resellerTexts.suspended}` }).waitFor();
	await looks.at(page, 'resellers-suspended');
	await olga.open('/activity?kind=suspend_reseller');
	await page.getByText(`${actKindTexts.suspend_reseller}: acme`).waitFor();
	await page.getByRole('table', { name: actsTexts.label }).getByText('olga@bursar.example').waitFor();

	await ann.open('/');
	await ann.page.getByText(shellTexts.suspendedTitle).waitFor();
	await looks.at(ann.page, 'suspended-overview');
	await ann.open('/sub-users');
	await button(ann.page, subUserTexts.create).click();
	await field(ann.page, subUserTexts.username).fill('daria');
	await button(ann.page, subUserTexts.createNow).click();
	await ann.page.getByText(failureTexts.suspended.happened).waitFor();
	await looks.at(ann.page, 'suspended-create');

	await olga.open('/resellers/acme');
	await button(page, resume.action).click();
	await buttonIn(page, resume.title('acme'), resume.action).click();
	await page.getByText(suspensionTexts.activeLead).waitFor();
	await button(ann.page, subUserTexts.createNow).click();
	await dialog(ann.page, subUserTexts.createdTitle('daria')).waitFor();
	await ann.open('/sub-users');
	await ann.page.getByRole('link', { name: 'daria', exact: true }).waitFor();
	await ann.page.getByText(shellTexts.suspendedTitle).waitFor({ state: 'detached' });

	looks.assertRight();
	assert.deepEqual(olga.trail.complaints, []);
	assert.deepEqual(ann.trail.complaints, [refusalLine(403, '/sub-users/create')]);
});
