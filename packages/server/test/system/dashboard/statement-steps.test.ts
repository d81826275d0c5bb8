import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DASHBOARD_API, type MovementPage } from '@bursar/contract/dashboard';
import { statementTexts } from '../../../../dashboard/src/features/statement/texts.ts';
import { listTexts } from '../../../../dashboard/src/lists/texts.ts';
import { assertSilent, startDashboard } from '../../support/dashboard-in-browser.ts';
import { button, field } from '../../support/dashboard-steps.ts';

const FOUND: MovementPage['movements'][number] = {
	number: 300,
	at: '2026-05-01T12:00:00.000Z',
	kind: 'give',
	username: 'alice',
	amount: -700,
	balance: 21_830,
	by: { kind: 'api' },
	reference: '',
	reason: '',
};

test('a search that found nothing in its first step says how far it has looked, and goes on', async (t) => {
	const dashboard = await startDashboard(t);
	await dashboard.service.openReseller('acme', 5000);
	const { page, open, trail } = await dashboard.signedIn('ann@acme.example', 'acme', { timezoneId: 'Europe/Berlin' });
	const asked: string[] = [];
	// A statement of tens of thousands of movements, in place of the service's.
	await page.route(`**${DASHBOARD_API}/statement?*`, async (route) => {
		const query = new URL(route.request().url()).searchParams;
		asked.push(query.toString());
		const data: MovementPage = query.has('before')
			? { movements: [FOUND], next_before: null, searched_to: null }
			: { movements: [], next_before: 700, searched_to: '2026-05-03T09:30:00.000Z' };
		await route.fulfill({ json: { status: 200, message: '', data, timestamp: Math.floor(Date.now() / 1000) } });
	});
	await open('/statement?sub_user=alice&from=2026-04-01');
	await page.getByText(statementTexts.nothingYet).waitFor();
	await page.getByText(listTexts.searchedTo('3 May 2026, 11:30')).waitFor();
	await button(page, listTexts.goOn).click();
	await page.getByRole('link', { name: 'alice', exact: true }).waitFor();
	await button(page, listTexts.goOn).waitFor({ state: 'detached' });
	const filter = 'username=alice&from=2026-03-31T22%3A00%3A00.000Z';
	assert.deepEqual(asked.slice(0, 2), [filter, `${filter}&before=700`]);

	await field(page, listTexts.to).fill('2026-03-01');
	await page.getByText(listTexts.isBackwards).waitFor();
	await button(page, listTexts.clearFilters).click();
	await page.waitForURL(`${dashboard.url}/dashboard/statement`);
	assertSilent(trail);
});
