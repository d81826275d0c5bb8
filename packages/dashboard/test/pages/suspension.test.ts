import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAIR_STATES } from '@bursar/contract/dashboard';
import { actTexts } from '../../src/acts/texts.ts';
import { failureTexts } from '../../src/calls/failure-texts.ts';
import { suspensionTexts } from '../../src/features/resellers/suspension-texts.ts';
import { resellerTexts } from '../../src/features/resellers/texts.ts';
import { subUserTexts } from '../../src/features/sub-users/texts.ts';
import { termsTexts } from '../../src/features/terms/texts.ts';
import { pageTexts } from '../../src/page/texts.ts';
import { shellTexts } from '../../src/shell/texts.ts';
import {
	ACME,
	ANN,
	button,
	dialog,
	gone,
	OLGA,
	OVERVIEW,
	open,
	press,
	pressInDialog,
	screen,
	serviceFor,
	type,
	waitFor,
} from '../support/dashboard.ts';

const SINCE = '2026-03-04T05:06:07.000Z';

test('an operator suspends a reseller after a dialog that says what it does, and resumes it', async (t) => {
	const service = serviceFor(t, OLGA);
	service.answers('/operator/reseller', ACME);
	service.answers('/operator/suspend', { ...ACME, suspended: SINCE });
	service.answers('/operator/resume', ACME);
	open(t, '/resellers/acme');
	const suspend = suspensionTexts['/operator/suspend'];
	const opener = await button(suspend.action);
	await press(suspend.action);
	await dialog(suspend.title('acme'));
	for (const effect of Object.values(suspend.effects)) await screen.findByText(effect);
	assert.deepEqual(service.calls('/operator/suspend'), [], 'to open the dialog suspends nothing');
	service.loses('/operator/suspend');
	await pressInDialog(suspend.title('acme'), suspend.action);
	service.refuses('/operator/suspend', 'act_repeated');
	service.answers('/operator/reseller', { ...ACME, suspended: SINCE });
	await press(pageTexts.retry);
	await screen.findByText(suspensionTexts.repeated);
	const [first, second, ...more] = service.calls('/operator/suspend');
	assert.deepEqual([first?.reseller, second, more], ['acme', first, []], 'the same act is sent, and only that');
	screen.getAllByRole('button', { name: actTexts.close }).at(-1)?.click();
	await screen.findByText(suspensionTexts.suspendedLead);
	assert.ok(opener.isConnected, 'the button that had the focus is gone');

	const resume = suspensionTexts['/operator/resume'];
	await press(resume.action);
	await pressInDialog(resume.title('acme'), resume.action);
	await screen.findByText(suspensionTexts.activeLead);
	assert.deepEqual(
		service.calls('/operator/resume').map(({ reseller }) => reseller),
		['acme'],
	);
	assert.deepEqual(service.calls('/operator/bandwidth')[0], { range: '30d', reseller: 'acme' });
});

test('an operator changes the note of a reseller', async (t) => {
	const service = serviceFor(t, OLGA);
	service.answers('/operator/reseller', { ...ACME, note: 'pays late' });
	service.answers('/operator/note', { ...ACME, note: 'pays early' });
	open(t, '/resellers/acme');
	await screen.findByText('pays late');
	const title = termsTexts.noteTitle('acme');
	await press(termsTexts.editNote);
	await dialog(title);
	await type(termsTexts.note, 'pays early');
	await pressInDialog(title, termsTexts.saveNote);
	await screen.findByText('pays early');
	const [{ reseller, note } = {}] = service.calls('/operator/note');
	assert.deepEqual([reseller, note], ['acme', 'pays early']);
});

test('the list of resellers marks those that are suspended', async (t) => {
	const service = serviceFor(t, OLGA);
	const figures = { debt_line: 500, month_bytes: 0, day_bytes: 0, refused: 0 };
	const listed = { ...figures, balance: 0, debt: 0, price: null, created: SINCE, last_used: null };
	service.answers('/operator/resellers', {
		resellers: [
			{ ...listed, reseller: 'acme', suspended: SINCE },
			{ ...listed, reseller: 'bolt', suspended: null },
		],
		next: null,
		previous: null,
	});
	open(t, '/resellers');
	await screen.findByRole('rowheader', { name: `acme ${resellerTexts.suspended}` });
	await screen.findByRole('rowheader', { name: 'bolt' });
});

test('an operator looks at the sub-users of a reseller: states and balances, searched and sorted', async (t) => {
	const service = serviceFor(t, OLGA);
	const used = { day_bytes: 5e6, month_bytes: 7e8, total_bytes: 9e9 };
	service.answers('/operator/sub-users', ({ order, search }) => ({
		sub_users: PAIR_STATES.map((state) => ({
			...{
				username: `${state}.${search}.${order}`,
				balance: 1230,
				state,
				opens: null,
				created: SINCE,
				up: 2e9,
				down: 1e9,
				used,
				note: '',
			},
		})),
		next: null,
		previous: null,
		price: null,
	}));
	open(t, '/resellers/acme/sub-users');
	await screen.findByText('expired.undefined.name');
	for (const state of PAIR_STATES) {
		const row = screen.getByText(`${state}.undefined.name`).closest('tr');
		assert.match(row?.textContent ?? '', new RegExp(`${termsTexts.states[state]}\\s*\\$12\\.30 ?5\\.00 MB ?3\\.00 GB`));
	}
	await press(subUserTexts.balance);
	await screen.findByText('active.undefined.-balance');
	await type(subUserTexts.searchNames, 'ALI');
	await screen.findByText('active.ali.-balance');
	await type(subUserTexts.stateFilter, 'expired');
	await waitFor(() => assert.equal(service.calls('/operator/sub-users').at(-1)?.state, 'expired'));
	await type(subUserTexts.stateFilter, 'refused');
	await waitFor(() => assert.equal(service.calls('/operator/sub-users').at(-1)?.state, 'refused'));
	assert.ok(service.calls('/operator/sub-users').every(({ reseller }) => reseller === 'acme'));
});

test('the people of a suspended reseller read on every page that it is suspended, at once after a refusal', async (t) => {
	const service = serviceFor(t, ANN);
	service.answers('/sub-users/name', { own: null });
	service.answers('/overview', { ...OVERVIEW, balance: 1000 });
	open(t, '/sub-users');
	await press(subUserTexts.create);
	await type(subUserTexts.username, 'alice');
	assert.equal(screen.queryByText(shellTexts.suspendedTitle), null);
	service.answers('/suspension', { since: SINCE });
	service.refuses('/sub-users/create', 'suspended', 403);
	await press(subUserTexts.createNow);
	await screen.findByText(failureTexts.suspended.happened);
	await screen.findByText(shellTexts.suspendedTitle);
	service.answers('/suspension', { since: null });
	service.refuses('/sub-users/create', 'suspended', 403);
	await press(subUserTexts.createNow);
	await gone(shellTexts.suspendedTitle);
});

test('operators are asked for no suspension of their own', async (t) => {
	const service = serviceFor(t, OLGA);
	service.answers('/operator/edges', { edges: [], edge_url: null });
	open(t, '/edges');
	await waitFor(() => assert.equal(service.calls('/operator/edges').length, 1));
	assert.deepEqual(service.calls('/suspension'), []);
});
