import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { manyTexts } from '../../../../dashboard/src/features/many/texts.ts';
import { statementTexts } from '../../../../dashboard/src/features/statement/texts.ts';
import { subUserTexts } from '../../../../dashboard/src/features/sub-users/texts.ts';
import { termsTexts } from '../../../../dashboard/src/features/terms/texts.ts';
import { openStore } from '../../../src/engine.ts';
import { buttonIn, runInStore } from '../../support/business-steps.ts';
import { createSubUser, giveBalance, setLimits, setNote, suspendSubUser } from '../../support/commands.ts';
import { refusalLine, startDashboard } from '../../support/dashboard-in-browser.ts';
import { button, dialog, field, prove } from '../../support/dashboard-steps.ts';
import { createLooks, lookAtDialog } from '../../support/page-looks.ts';

const DAY_MS = 86_400_000;
const GB = 1_000_000_000;

async function start(t: Parameters<typeof startDashboard>[0]) {
	const { service, signedIn, ageProofs } = await startDashboard(t);
	const { config } = service;
	await service.openReseller('acme', 50_000);
	const names = ['alice', 'bruno', 'carla', 'the.longest.name.has_32_of.these'];
	const nowMs = Date.now();
	await runInStore(
		config,
		[
			...names.map((name) => createSubUser('acme', name)),
			giveBalance('acme', 'alice', 1_230),
			setLimits('acme', 'alice', {
				...{ dayBytes: 2 * GB, monthBytes: 5 * GB, totalBytes: 1, connections: 20 },
				...{ allowedIps: ['192.0.2.0/24', '2001:db8::/32'], expiresAtMs: nowMs + 90 * DAY_MS },
			}),
			setNote('acme', 'alice', 'pays by invoice, each quarter'),
			suspendSubUser('acme', 'bruno'),
			setLimits('acme', 'carla', { expiresAtMs: nowMs - DAY_MS }),
		],
		nowMs - 20 * DAY_MS,
	);
	const store = await openStore(config);
	const report = { source: 'test', id: '1', username: 'alice', atMs: nowMs, bytesUp: GB / 4, bytesDown: GB };
	assert.equal((await store.recordUsage([report], nowMs)).kind, 'committed');
	await store.close();
	const ann = await signedIn('ann@acme.example', 'acme');
	return { ann, ageProofs, looks: createLooks() };
}

/** Waits until what has this text or label has the focus. The page's policy forbids `waitForFunction` to wait. */
async function hasFocus(page: Page, name: string): Promise<void> {
	const focused = () =>
		page.evaluate<string>(
			`document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? ''`,
		);
	for (const deadline = Date.now() + 30_000; ; await page.waitForTimeout(50)) {
		const now = await focused();
		if (now === name) return;
		assert.ok(Date.now() < deadline, `“${name}” has not the focus, but “${now.slice(0, 100)}”`);
	}
}

test('the page of a sub-user says how it stands, suspends, limits and deletes it; its past stays', async (t) => {
	const { ann, looks } = await start(t);
	const { page } = ann;
	await ann.open('/sub-users/alice');
	await page.getByText(termsTexts.usedOf('1.25 GB', '2 GB')).waitFor();
	await page.getByRole('slider').waitFor();
	await looks.at(page, 'terms-sub-user');
	await lookAtDialog(page, looks, termsTexts.suspend, termsTexts.suspendTitle('alice'), 'terms-suspend');
	await lookAtDialog(page, looks, termsTexts.editNote, termsTexts.noteTitle('alice'), 'terms-note');

	await button(page, termsTexts.setLimits).click();
	await dialog(page, termsTexts.limitsTitle('alice')).waitFor();
	await field(page, termsTexts.addresses).fill('192.0.2.0/24\nnowhere');
	await page.getByText(termsTexts.problems.address(2)).waitFor();
	await looks.at(page, 'terms-limits');
	await field(page, termsTexts.addresses).fill('192.0.2.77/24\n::1');
	await field(page, termsTexts.inGb.day_bytes).fill('0.000000001');
	await field(page, termsTexts.inGb.total_bytes).fill('');
	await field(page, termsTexts.expiresOn).fill('2020-01-31');
	await field(page, termsTexts.expiresAt).fill('');
	await page.getByText(termsTexts.endsNow).waitFor();
	await page.getByText(/Feb 1, 2020/).waitFor();
	assert.ok(await button(page, termsTexts.saveLimits).isDisabled());
	await looks.at(page, 'terms-limits-past');
	await page.getByRole('checkbox', { name: termsTexts.endsNow }).check();
	assert.ok(await button(page, termsTexts.saveLimits).isEnabled());
	await field(page, termsTexts.expiresOn).fill('2999-12-31');
	await page.getByText(termsTexts.endsNow).waitFor({ state: 'detached' });
	await button(page, termsTexts.saveLimits).press('Enter');
	await dialog(page, termsTexts.limitsTitle('alice')).waitFor({ state: 'detached' });
	await page.getByText(termsTexts.usedOf('1.25 GB', '0.000000001 GB')).waitFor();
	await page.getByText(termsTexts.usedNoLimit('1.25 GB')).waitFor();
	await page.getByText('::1', { exact: true }).waitFor();

	await button(page, termsTexts.suspend).click();
	await buttonIn(page, termsTexts.suspendTitle('alice'), termsTexts.suspend).click();
	await page.getByText(termsTexts.done.suspend('alice')).waitFor();
	await dialog(page, termsTexts.suspendTitle('alice')).waitFor({ state: 'detached' });
	await hasFocus(page, termsTexts.resume);

	await button(page, termsTexts.delete).click();
	const title = termsTexts.deleteTitle('alice');
	await dialog(page, title).getByText(termsTexts.comesBack('$12.30')).waitFor();
	assert.ok(await buttonIn(page, title, termsTexts.deleteNow).isDisabled());
	await looks.at(page, 'terms-delete');
	await field(page, termsTexts.typeName('alice')).fill('alice');
	await buttonIn(page, title, termsTexts.deleteNow).click();
	await page.getByText(termsTexts.deleted('alice', '$12.30')).waitFor();
	await hasFocus(page, termsTexts.wasDeleted);
	await page.getByRole('slider').waitFor();
	await page.getByRole('table', { name: statementTexts.label }).getByText('−$12.30').waitFor();
	await looks.at(page, 'terms-deleted');
	await page.reload();
	await page.getByText(termsTexts.wasDeleted, { exact: true }).waitFor();
	looks.assertRight();
	assert.ok(
		ann.trail.complaints.every((line) => line === refusalLine(404, '/sub-user')),
		ann.trail.complaints.join(),
	);
});

test('the list has a menu for each row, a filter by state, and a selection, all by keyboard', async (t) => {
	const { ann, looks } = await start(t);
	const { page } = ann;
	await ann.open('/sub-users');
	await page.getByRole('rowheader', { name: 'carla' }).waitFor();
	await button(page, termsTexts.menu('bruno')).press('Enter');
	await page.getByRole('menuitem', { name: termsTexts.resumeMenu }).waitFor();
	await looks.at(page, 'terms-menu');
	await page.keyboard.press('Escape');
	// The focus may be back before the menu is gone, which would swallow the key.
	await page.getByRole('menuitem', { name: termsTexts.resumeMenu }).waitFor({ state: 'hidden' });
	await hasFocus(page, termsTexts.menu('bruno'));
	await page.keyboard.press('Enter');
	await page.getByRole('menuitem', { name: termsTexts.resumeMenu }).waitFor();
	// The menu takes the focus to its first item when it has opened, and not when it shows.
	await hasFocus(page, termsTexts.openPage);
	await page.keyboard.press('End');
	await hasFocus(page, termsTexts.deleteMenu);
	await page.keyboard.press('ArrowUp');
	await hasFocus(page, termsTexts.resumeMenu);
	await page.keyboard.press('Enter');
	await buttonIn(page, termsTexts.resumeTitle('bruno'), termsTexts.resume).press('Enter');
	await page.getByText(termsTexts.done.resume('bruno')).waitFor();
	await hasFocus(page, termsTexts.menu('bruno'));

	await field(page, subUserTexts.stateFilter).selectOption('expired');
	await page.getByText(subUserTexts.found(1)).waitFor();
	await page.getByRole('rowheader', { name: 'alice' }).waitFor({ state: 'detached' });
	await field(page, subUserTexts.select('carla')).press('Space');
	await page.getByText(subUserTexts.selected(1)).waitFor();
	await field(page, subUserTexts.stateFilter).selectOption('');
	// With another filter, nothing is selected any more.
	await page.getByText(subUserTexts.selected(1)).waitFor({ state: 'detached' });
	for (const name of ['carla', 'alice']) await field(page, subUserTexts.select(name)).press('Space');
	await page.getByText(subUserTexts.selected(2)).waitFor();
	await looks.at(page, 'terms-selection');

	await page
		.getByRole('group', { name: subUserTexts.selection })
		.getByRole('button', { name: subUserTexts.selectionActs.limits })
		.press('Enter');
	await page.getByText(manyTexts.selected(2)).waitFor();
	await page.getByLabel(termsTexts.limitNames.connections).check();
	await field(page, termsTexts.connections).fill('7');
	await looks.at(page, 'many-limits');
	await button(page, manyTexts.operations.limits.start(2)).click();
	await page.getByText(manyTexts.allDone).waitFor();
	await looks.at(page, 'many-done');
	await ann.open('/sub-users/carla');
	await page.getByText(termsTexts.openOf('0', '7')).waitFor();
	looks.assertRight();
	assert.deepEqual(ann.trail.complaints, []);
});

test('the keys of sub-users that were created from a file come as a file after a proof, once', async (t) => {
	const { ann, ageProofs, looks } = await start(t);
	const { page } = ann;
	await ann.open('/many-sub-users');
	await page.getByRole('combobox', { name: manyTexts.operation }).selectOption('create');
	const buffer = Buffer.from('new.one\nalice\nnew.two\n');
	await field(page, manyTexts.file).setInputFiles({ name: 'names.csv', mimeType: 'text/csv', buffer });
	await button(page, manyTexts.leaveOut(1)).click();
	await looks.at(page, 'many-concerns');
	await button(page, manyTexts.operations.create.start(2, '$0.20')).click();
	await page.getByText(manyTexts.allDone).waitFor();
	await looks.at(page, 'many-keys');
	ageProofs('ann@acme.example');
	await button(page, manyTexts.keysFile(2)).click();
	const [download] = await Promise.all([page.waitForEvent('download'), prove(page)]);
	assert.equal(download.suggestedFilename(), 'create-keys.csv');
	const text = readFileSync(await download.path(), 'utf8');
	const keys = [...text.matchAll(/^(new\.(?:one|two)),(\w{16})\r$/gm)].map(([, name, key]) => ({ name, key }));
	assert.deepEqual(
		keys.map(({ name }) => name),
		['new.one', 'new.two'],
		text,
	);
	await page.getByText(manyTexts.keysTold).waitFor();
	assert.equal(await button(page, manyTexts.keysFile(2)).count(), 0);
	const kept = await page.evaluate<string>(
		'JSON.stringify([{ ...sessionStorage }, { ...localStorage }, location.href])',
	);
	for (const { name, key = '' } of keys) {
		assert.ok(!kept.includes(key));
		const answer = await ann.change('/sub-users/show-key', { act: randomUUID(), username: name ?? '' });
		assert.equal((await answer.json()).data.proxy_authkey, key);
	}

	await page.reload();
	await page.getByText(manyTexts.allDone).waitFor();
	assert.equal(await button(page, manyTexts.keysFile(2)).count(), 0, 'a reload has no keys');
	looks.assertRight();
});
