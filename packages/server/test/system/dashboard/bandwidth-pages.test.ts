import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { bandwidthTexts } from '../../../../dashboard/src/features/bandwidth/texts.ts';
import type { Config } from '../../../src/config.ts';
import { openStore } from '../../../src/engine.ts';
import { runInStore } from '../../support/business-steps.ts';
import { createSubUser, reading } from '../../support/commands.ts';
import { startDashboard, type Visitor } from '../../support/dashboard-in-browser.ts';
import { button } from '../../support/dashboard-steps.ts';
import { createLooks } from '../../support/page-looks.ts';

const HOUR_MS = 3_600_000;
const MB = 1_000_000;
const HOURS = 24 * 12;
const USERS = [
	'alice',
	'bruno',
	'carla.with_the_longest_name_1234',
	'daria',
	'elena',
	'fabio',
	'gina',
	'hanna',
	'acme',
];
const EDGES = ['eu-frankfurt-1', 'eu-paris-1', 'us-east-1', 'ap-tokyo-1'];

/** Twelve days of readings, as edges send them: more by day than by night, and a little more each day. */
async function reportForDays(config: Config): Promise<void> {
	const store = await openStore(config);
	const grown = new Map<string, number>();
	for (let ago = HOURS; ago >= 0; ago--) {
		const atMs = Date.now() - ago * HOUR_MS;
		const ofHour = 2 + Math.sin(((atMs / HOUR_MS) * Math.PI) / 12);
		const readings = USERS.flatMap((username, index) => {
			const edge = EDGES[(index + ago) % EDGES.length] ?? '';
			const counter = `${edge} ${username}`;
			const bytes = (grown.get(counter) ?? 0) + Math.ceil((ofHour * (HOURS - ago / 2) * MB) / (1 + index));
			grown.set(counter, bytes);
			return reading(Math.ceil(bytes / 12), bytes, { edge, counter, username, atMs });
		});
		const answer = await store.recordUsage(readings, atMs);
		assert.ok(answer.kind === 'committed' && answer.results.every((verdict) => verdict === 'counted'));
	}
	await store.close();
}

function chart(page: Page, unit: 'day' | 'hour') {
	return page.getByRole('slider', { name: bandwidthTexts.charts[unit] });
}

async function choose(page: Page, division: 'none' | 'edge' | 'sub_user' | 'reseller'): Promise<void> {
	await page.getByRole('combobox', { name: bandwidthTexts.division }).selectOption(division);
}

test('bandwidth by hour and day, divided and compared, answers to keyboard, mouse and finger', async (t) => {
	const dashboard = await startDashboard(t);
	const { config } = dashboard.service;
	await dashboard.service.openReseller('acme', 50_000);
	await runInStore(
		config,
		USERS.filter((name) => name !== 'acme').map((name) => createSubUser('acme', name)),
	);
	await reportForDays(config);
	const looks = createLooks();
	const ann = await dashboard.signedIn('ann@acme.example', 'acme', { timezoneId: 'Asia/Kathmandu', hasTouch: true });
	const { page } = ann;

	await t.test('the last day is compared with the one before, and the chosen hour is read out', async () => {
		await ann.open('/?range=24h');
		await chart(page, 'hour').waitFor();
		await page.getByText(/without the present hour/).waitFor();
		await chart(page, 'hour').press('Home');
		assert.match((await chart(page, 'hour').getAttribute('aria-valuetext')) ?? '', /Down .+, Up .+, Before .+/);
		await looks.at(page, 'bandwidth-hours');
		await assertAnswersToHand(ann);
	});

	await t.test('a week by hour, by sub-user, with its table', async () => {
		await ann.open('/?range=7d&unit=hour&by=sub_user');
		await page.getByRole('link', { name: 'alice', exact: true }).first().waitFor();
		await button(page, bandwidthTexts.showTable).click();
		await page.getByRole('table', { name: bandwidthTexts.tables.hour }).waitFor();
		await looks.at(page, 'bandwidth-sub-users');
	});

	await t.test('edges, one of them alone, and days that are chosen', async () => {
		await ann.open('/?range=30d');
		await choose(page, 'edge');
		await button(page, bandwidthTexts.showEdge('us-east-1')).click();
		await page.getByText(bandwidthTexts.onlyEdge('us-east-1')).waitFor();
		await looks.at(page, 'bandwidth-edge');
		await button(page, bandwidthTexts.allEdges).click();
		await page.getByText(bandwidthTexts.ranges.days, { exact: true }).click();
		await page.getByLabel(bandwidthTexts.firstDay).waitFor();
		await looks.at(page, 'bandwidth-days');
	});

	await t.test('operators see the network', async () => {
		const { page, open, trail } = await dashboard.operator('op@bursar.example');
		await open('/bandwidth?by=edge');
		await button(page, bandwidthTexts.showEdge('eu-paris-1')).waitFor();
		await looks.at(page, 'bandwidth-network');
		await choose(page, 'reseller');
		await page.getByRole('link', { name: 'acme' }).first().waitFor();
		assert.deepEqual(trail.complaints, []);
	});
	looks.assertRight();
	assert.deepEqual(ann.trail.complaints, []);
});

/** A mouse chooses what it is over; what a finger has chosen stays when it is lifted; another touch closes it. */
async function assertAnswersToHand({ page }: Visitor): Promise<void> {
	const slider = chart(page, 'hour');
	const tooltip = slider.locator('dl');
	await slider.scrollIntoViewIfNeeded();
	const box = (await slider.boundingBox()) ?? assert.fail('the chart is not shown');
	const middle = { x: box.x + box.width * 0.52, y: box.y + box.height / 2 };
	await page.mouse.move(middle.x, middle.y);
	await tooltip.waitFor();
	assert.equal(await slider.getAttribute('aria-valuenow'), '13');
	await page.mouse.move(box.x, box.y - 100);
	await tooltip.waitFor({ state: 'detached' });
	await page.touchscreen.tap(box.x + box.width * 0.02, middle.y);
	await tooltip.waitFor();
	assert.equal(await slider.getAttribute('aria-valuenow'), '1');
	const { x, width } = (await tooltip.boundingBox()) ?? assert.fail('the figures are not shown');
	assert.ok(x >= 0 && x + width <= (page.viewportSize()?.width ?? 0), 'the figures lie within the window');
	await page.touchscreen.tap(box.x + box.width / 2, box.y - 60);
	await tooltip.waitFor({ state: 'detached' });
}
