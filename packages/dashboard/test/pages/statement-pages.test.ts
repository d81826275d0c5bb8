import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Movement, PeriodSummary, StatementPeriods } from '@bursar/contract/dashboard';
import { statementTexts } from '../../src/features/statement/texts.ts';
import { monthText } from '../../src/format/months.ts';
import {
	ANN,
	fireEvent,
	gone,
	open,
	presenceOf,
	press,
	screen,
	serviceFor,
	type,
	waitFor,
} from '../support/dashboard.ts';

const SUMMARY: PeriodSummary = {
	opening: 20_000,
	closing: 19_490,
	totals: [
		{ kind: 'create_fee', of: 'balance', count: 1, amount: -10 },
		{ kind: 'give', of: 'balance', count: 2, amount: -1_000 },
		{ kind: 'top_up', of: 'balance', count: 1, amount: 500 },
		{ kind: 'usage', of: 'sub_users', count: 3, amount: -123 },
		{ kind: 'debt', of: 'debt', count: 2, amount: -77 },
		{ kind: 'debt_forgiven', of: 'debt', count: 1, amount: 7 },
	],
	first: 4,
	end: 9,
};

function line(number: number, given: Partial<Movement>): Movement {
	return {
		...{ number, at: '2026-05-02T09:30:00.000Z', kind: 'give', username: 'alice', of: 'acme', usage: [] },
		...{ amount: -500, balance: 19_500, by: { kind: 'person', email: 'ann@acme.example' } },
		...{ reference: '', reason: '', note: '', payment: null },
		...given,
	};
}

const LINES = [
	line(4, { kind: 'create_fee', amount: -10, balance: 19_990 }),
	line(5, { balance: 19_490, note: 'for May' }),
	line(6, { balance: 18_990 }),
	line(8, { kind: 'top_up', username: null, amount: 500, balance: 19_490, by: { kind: 'person', email: null } }),
];

function periodsOf(bounds: unknown, summary: PeriodSummary | null): StatementPeriods {
	const times = String(bounds).split(',');
	return {
		begun: '2026-03-15T12:00:00.000Z',
		not_posted: 99,
		periods: times.slice(1).map((to, index) => ({ from: times[index] ?? '', to, summary })),
	};
}

function start(t: Parameters<typeof serviceFor>[0]) {
	const service = serviceFor(t, ANN);
	service.answers('/overview', {
		reseller: 'acme',
		balance: 0,
		low_balance: null,
		price: null,
		debt: 0,
		debt_line: 500,
		pair: 'active',
	});
	service.answers('/statement', { today: null, movements: [], next_before: null, searched_to: null });
	return service;
}

const textOf = (label: string) => screen.getByRole('region', { name: label }).textContent ?? '';

test('a statement says its balances and totals; while it adds up, it asks again', async (t) => {
	const service = start(t);
	let asked = 0;
	service.answers('/statement/periods', ({ bounds }) => periodsOf(bounds, ++asked > 2 ? SUMMARY : null));
	open(t, '/statement');
	await screen.findByText(statementTexts.addingUp);
	await screen.findByText(statementTexts.closing);
	assert.match(
		textOf(statementTexts.summary),
		/Opening balance\$200\.00Top-ups\+\$5\.00 \(1\)Fees−\$0\.10 \(1\)Given−\$10\.00 \(2\)Closing balance\$194\.90/,
	);
	await screen.findByText(statementTexts.bySubUsers('$1.23', 3));
	await screen.findByText(`${statementTexts.owed('$0.77')} ${statementTexts.forgiven('$0.07')}`);
	assert.equal(asked, 3);
});

test('a filter has its total, without balances, and cannot be printed', async (t) => {
	const service = start(t);
	service.answers('/statement/periods', ({ bounds }) =>
		periodsOf(bounds, { ...SUMMARY, opening: null, closing: null }),
	);
	open(t, '/statement?kind=give&sub_user=alice');
	await screen.findByText(statementTexts.total(2));
	assert.match(textOf(statementTexts.summary), /^2 transactions−\$10\.00$/);
	assert.equal(screen.queryByRole('link', { name: statementTexts.print }), null);
	assert.equal(service.calls('/statement/periods')[0]?.username, 'alice');
});

test('a reference stands in the address, and only its transactions are shown, without balances of all', async (t) => {
	const service = start(t);
	const movements = [line(8123, { reference: 'order-7', note: 'for May' })];
	service.answers('/statement', { today: null, movements, next_before: null, searched_to: null });
	open(t, '/statement?reference=order-7');
	await screen.findByText('order-7 · for May');
	await screen.findByText(statementTexts.number('8123'));
	assert.deepEqual(service.calls('/statement')[0], { reference: 'order-7' });
	assert.deepEqual(service.calls('/statement/periods'), []);
	assert.equal(screen.queryByRole('link', { name: statementTexts.print }), null);
	await type(statementTexts.reference, 'two words');
	fireEvent.blur(screen.getByLabelText(statementTexts.reference));
	await screen.findByText(statementTexts.invalidReference);
	assert.equal(window.location.search, '?reference=order-7');
	await type(statementTexts.reference, 'order-8');
	fireEvent.blur(screen.getByLabelText(statementTexts.reference));
	await waitFor(() => assert.equal(window.location.search, '?reference=order-8'));
});

test('the own balance is shown unless something else is chosen, and what is not posted yet stands once above it', async (t) => {
	const service = start(t);
	service.answers('/statement/periods', ({ bounds }) => periodsOf(bounds, SUMMARY));
	const today = { bytes: 298_000_000, cost: 99, balance: 19_391, since: '2026-04-01T00:10:00.000Z' };
	service.answers('/statement', { today, movements: LINES.toReversed(), next_before: null, searched_to: null });
	open(t, '/statement');
	await screen.findByText(statementTexts.today);
	const rows = screen.getAllByRole('row').map(({ textContent }) => textContent ?? '');
	assert.equal(rows.length, 1 + 1 + LINES.length);
	assert.match(rows[1] ?? '', /^Today so farNot posted yetBandwidthFor 298 MB, since .*−\$0\.99\$193\.91$/);
	assert.deepEqual(service.calls('/statement'), [{ money: 'own' }]);

	service.answers('/statement', { today: null, movements: LINES.toReversed(), next_before: null, searched_to: null });
	await type(statementTexts.kind, 'no_bandwidth');
	await waitFor(() => assert.equal(window.location.search, '?kind=no_bandwidth'));
	await gone(statementTexts.today);
	assert.equal(screen.queryByText(statementTexts.closing), null, 'these rows do not lead to it');
	await type(statementTexts.kind, 'all');
	await waitFor(() => assert.deepEqual(service.calls('/statement').at(-1), {}));
	await type(statementTexts.kind, 'own');
	await waitFor(() => assert.equal(window.location.search, ''));
});

test('a named period stands in the address as its days, and is shown as chosen', async (t) => {
	const service = start(t);
	service.answers('/statement/periods', ({ bounds }) => periodsOf(bounds, SUMMARY));
	open(t, '/statement');
	await screen.findByText(statementTexts.closing);
	await press(statementTexts.periods.last_month);
	await waitFor(() => assert.match(window.location.search, /^\?from=\d{4}-\d\d-01&to=\d{4}-\d\d-(28|29|30|31)$/));
	const chosen = screen.getByRole('button', { name: statementTexts.periods.last_month });
	assert.equal(chosen.getAttribute('aria-pressed'), 'true');
	const print = screen.getByRole('link', { name: statementTexts.print });
	assert.ok(print.getAttribute('href')?.endsWith(`/statement/print${window.location.search}`));
});

test('months are listed from the newest to the first one that had a transaction, each with its statement', async (t) => {
	const service = start(t);
	service.answers('/statement/periods', ({ bounds }) => periodsOf(bounds, SUMMARY));
	open(t, '/statement/months?until=2026-04');
	const months = await screen.findAllByRole('rowheader');
	assert.deepEqual(
		months.map((month) => month.textContent),
		[monthText('2026-04'), monthText('2026-03')],
	);
	const row = months[0]?.closest('tr')?.textContent;
	assert.equal(row, `${monthText('2026-04')}$200.00+$5.00−$0.10−$10.00$194.90${statementTexts.print}`);
	const [print] = screen.getAllByRole('link', { name: statementTexts.printMonth(monthText('2026-04')) });
	assert.ok(print?.getAttribute('href')?.endsWith('/statement/print?from=2026-04-01&to=2026-04-30'));
	assert.equal(screen.queryByRole('columnheader', { name: statementTexts.totals.adjustment }), null);
});

test('a printed statement leads from balance to balance, and says what is not printed', async (t) => {
	const service = start(t);
	service.answers('/statement/periods', ({ bounds }) => periodsOf(bounds, SUMMARY));
	service.answers('/statement/lines', { movements: LINES, next_from: null });
	open(t, '/statement/print?from=2026-05-01&to=2026-05-31');
	await screen.findByRole('heading', { name: statementTexts.title });
	await screen.findByText('ann@acme.example · for May');
	assert.deepEqual(service.calls('/statement/lines'), [{ from: '4', before: '9' }]);
	const rows = screen.getAllByRole('row').map((row) => row.textContent);
	assert.deepEqual([rows[1], rows.at(-1)], ['Opening balance$200.00', 'Closing balance$10.10$5.00$194.90']);
	assert.equal(document.title, 'Statement acme 2026-05-01 2026-05-31 · Bursar');
	assert.equal(document.querySelector('address')?.textContent, 'Bursar');
	assert.equal(screen.queryByText(statementTexts.notPosted('$0.99', '$193.91')), null, 'the period is over');
});

test('a printed statement has the logo, the name, the address and the tax number of who sends it', async (t) => {
	const service = start(t);
	const brand = { name: 'North', color: '#0b7285', logo: '/dashboard/logo/a.png' };
	service.answers('/session', presenceOf(ANN, brand));
	service.answers('/letterhead', { legal_name: '<b>North</b>', address: ['Pier 1', 'Pier 1'], tax_number: 'DE1' });
	service.answers('/statement/periods', ({ bounds }) => periodsOf(bounds, SUMMARY));
	service.answers('/statement/lines', { movements: LINES, next_from: null });
	open(t, '/statement/print');
	await screen.findByText('<b>North</b>');
	const sender = document.querySelector('address');
	const lines = Array.from(sender?.querySelectorAll('p') ?? [], ({ textContent }) => textContent);
	assert.deepEqual(lines, ['<b>North</b>', 'Pier 1', 'Pier 1', statementTexts.taxNumber('DE1')]);
	assert.equal(sender?.querySelector('img')?.getAttribute('src'), brand.logo);
	assert.equal(document.title, 'Statement acme · North');
});

test('a printed statement with too many transactions still has the right balance', async (t) => {
	const service = start(t);
	service.answers('/statement/periods', ({ bounds }) => periodsOf(bounds, SUMMARY));
	service.answers('/statement/lines', { movements: LINES.slice(0, 2), next_from: null });
	open(t, '/statement/print');
	const rest = await screen.findByText(statementTexts.notPrinted(2));
	assert.equal(rest.closest('tr')?.textContent, `${statementTexts.notPrinted(2)}$194.90`);
	await screen.findByText(statementTexts.notPosted('$0.99', '$193.91'));
});

test('a filter suggests names and references while one types; arrow keys choose one, and Enter filters by it', async (t) => {
	const service = start(t);
	service.answers('/statement/periods', ({ bounds }) => periodsOf(bounds, SUMMARY));
	service.answers('/statement/references', ({ text }) => (text === 'ord' ? ['Order-7', 'order-8'] : []));
	open(t, '/statement');
	const field = await screen.findByLabelText(statementTexts.reference);
	fireEvent.focus(field);
	await type(statementTexts.reference, 'ord');
	await screen.findByRole('option', { name: 'order-8' });
	for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) fireEvent.keyDown(field, { key, code: key });
	await waitFor(() => assert.equal(window.location.search, '?reference=order-8'));
	assert.equal(screen.queryByText(statementTexts.invalidReference), null);
	assert.deepEqual(service.calls('/statement/references'), [{ text: 'ord' }]);
});
