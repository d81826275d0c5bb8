import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lifeTexts } from '../../../../dashboard/src/features/life/texts.ts';
import { meteringTexts } from '../../../../dashboard/src/features/overview/metering-texts.ts';
import { overviewTexts } from '../../../../dashboard/src/features/overview/texts.ts';
import { priceTexts } from '../../../../dashboard/src/features/resellers/price-texts.ts';
import { statementTexts } from '../../../../dashboard/src/features/statement/texts.ts';
import { openStore } from '../../../src/engine.ts';
import { runInStore } from '../../support/business-steps.ts';
import { createSubUser, giveBalance, postUsage, setPrice } from '../../support/commands.ts';
import { startDashboard } from '../../support/dashboard-in-browser.ts';
import { button, dialog, field } from '../../support/dashboard-steps.ts';
import { createLooks } from '../../support/page-looks.ts';

const DAY_MS = 86_400_000;
const GB = 1_000_000_000;

test('the pages of a metered reseller are readable for everybody, and a price is set in a dialog', async (t) => {
	const { service, signedIn, operator } = await startDashboard(t);
	const { config } = service;
	await service.openReseller('acme', 50_000);
	const names = ['alice', 'bruno', 'carla', 'daria'];
	const nowMs = Date.now();
	const give = (name: string, cents: number) => giveBalance('acme', name, cents);
	await runInStore(
		config,
		[
			...names.map((name) => createSubUser('acme', name)),
			...[give('alice', 2_000), give('bruno', 700), give('carla', 100)],
			setPrice('acme', 3_500_000),
		],
		nowMs - 20 * DAY_MS,
	);
	const store = await openStore(config);
	const reports = Array.from({ length: 60 }, (_, index) => ({
		...{ source: 'test', id: `${index}`, username: ['alice', 'bruno', 'carla', 'acme'][index % 4] ?? 'alice' },
		...{ atMs: nowMs - Math.floor(index / 4) * DAY_MS, bytesUp: GB / 100, bytesDown: ((index * 7) % 13) * (GB / 100) },
	}));
	assert.equal((await store.recordUsage(reports, nowMs)).kind, 'committed');
	await store.close();
	await runInStore(config, [postUsage('acme', 'acme', ...names)]);
	const looks = createLooks();

	const ann = await signedIn('ann@acme.example', 'acme');
	await ann.open('/');
	await ann.page.getByText(overviewTexts.paysForBandwidth('$3.50')).waitFor();
	await ann.page.getByText(meteringTexts.ranOut(1)).waitFor();
	await looks.at(ann.page, 'metered-overview');
	await ann.open('/sub-users');
	// Daria has never had a balance.
	for (const state of ['exhausted', 'no_balance'] as const) {
		await ann.page.getByRole('cell', { name: lifeTexts.states[state], exact: true }).waitFor();
	}
	await looks.at(ann.page, 'metered-sub-users');
	await ann.open('/sub-users/carla');
	await ann.page.getByText(lifeTexts.leads.exhausted).waitFor();
	await looks.at(ann.page, 'metered-sub-user');
	await ann.open('/statement?kind=usage');
	await ann.page.getByText(statementTexts.notPostedYet).waitFor();
	for (const line of await ann.page.locator('summary').all()) await line.click();
	await looks.at(ann.page, 'metered-statement');
	assert.deepEqual(ann.trail.complaints, []);

	const olga = await operator('olga@bursar.example');
	await olga.open('/resellers/acme');
	await button(olga.page, priceTexts.set).click();
	await dialog(olga.page, priceTexts.dialogTitle('acme')).waitFor();
	await field(olga.page, priceTexts.price).fill('2.123456');
	await looks.at(olga.page, 'metered-price');
	await button(olga.page, priceTexts.setNow(2_123_456)).click();
	await dialog(olga.page, priceTexts.dialogTitle('acme')).waitFor({ state: 'detached' });
	await olga.page.getByText(priceTexts.ofGb(2_123_456)).first().waitFor();
	await looks.at(olga.page, 'metered-reseller');
	await olga.open('/income');
	await olga.page.getByRole('slider').waitFor();
	await looks.at(olga.page, 'metered-income');
	assert.deepEqual(olga.trail.complaints, []);
	looks.assertRight();
});
