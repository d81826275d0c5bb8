import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListedSubUser, MovementPage } from '@bursar/contract/dashboard';
import { failureTexts } from '../../src/calls/failure-texts.ts';
import { statementTexts } from '../../src/features/statement/texts.ts';
import { subUserTexts } from '../../src/features/sub-users/texts.ts';
import { listTexts } from '../../src/lists/texts.ts';
import { pageTexts } from '../../src/page/texts.ts';
import {
	ALICE,
	ANN,
	button,
	fireEvent,
	gone,
	NOTHING_USED,
	OLGA,
	OVERVIEW,
	open,
	press,
	screen,
	serviceFor,
	type,
	waitFor,
} from '../support/dashboard.ts';

const { orderAfterPress, sortedBy } = await import('../../src/lists/sorting.tsx');

const FOUND: MovementPage['movements'][number] = {
	number: 7,
	at: '2026-05-02T09:30:00.000Z',
	kind: 'give',
	username: 'alice',
	of: 'acme',
	amount: -700,
	balance: 21_830,
	usage: [],
	by: { kind: 'api', token_tail: null, address: null },
	reference: '',
	reason: '',
	note: '',
	payment: null,
};

function subUser(username: string): ListedSubUser {
	const bytes = { up: 0, down: 0, used: NOTHING_USED };
	const shown = { created: '2026-01-01T00:00:00.000Z', note: '' };
	return { username, balance: 0, state: 'active', opens: null, ...bytes, ...shown };
}

const search = () => window.location.search;

test('sub-users: search, order and position stand in the address, and the count waits for the page', async (t) => {
	const service = serviceFor(t, ANN);
	service.answers('/sub-users/count', { count: 120, before: 0 });
	service.answers('/sub-users', ({ after }) => ({
		sub_users: [subUser(after === undefined ? 'first.one' : 'second.one')],
		next: after === undefined ? 'first.one' : null,
		previous: after === undefined ? null : 'second.one',
		price: null,
	}));
	open(t, '/sub-users?order=bogus');
	await screen.findByText('first.one');
	await screen.findByText(subUserTexts.range(1, 1) + subUserTexts.count(120));
	assert.equal(search(), '', 'what means nothing is dropped');
	assert.ok(service.paths().indexOf('/sub-users') < service.paths().indexOf('/sub-users/count'));
	await press(listTexts.next);
	service.answers('/sub-users/count', ({ first }) => ({ count: 120, before: first === 'second.one' ? 50 : 0 }));
	await screen.findByText('second.one');
	await screen.findByText(subUserTexts.range(51, 51) + subUserTexts.count(120));
	assert.equal(search(), '?after=first.one');
	assert.equal((await button(listTexts.next)).getAttribute('aria-disabled'), 'true');
	await press(subUserTexts.balance);
	await screen.findByText('first.one');
	assert.equal(search(), '?order=-balance', 'another order begins at the first page');
	service.holds('/sub-users');
	await type(subUserTexts.search, ' A.B ');
	await waitFor(() => assert.equal(search(), '?order=-balance&search=a.b'));
	await waitFor(() => assert.equal(service.calls('/sub-users').at(-1)?.search, 'a.b'));
	await type(subUserTexts.search, 'a.c');
	await waitFor(() => assert.equal(search(), '?order=-balance&search=a.c'));
	const { search: givenUp } = service.givenUp('/sub-users').at(-1) ?? {};
	assert.equal(givenUp, 'a.b', 'a search that another one replaces is given up');
});

test('a position that is none leads to the first page', async (t) => {
	const service = serviceFor(t, ANN);
	service.answers('/sub-users/count', { count: 1, before: 0 });
	service.refuses('/sub-users', 'invalid_query', 400);
	service.answers('/sub-users', { sub_users: [subUser('first.one')], next: null, previous: null, price: null });
	open(t, '/sub-users?after=%3Cx');
	await screen.findByText(failureTexts.invalid_query.happened);
	await press(listTexts.toFirstPage);
	await screen.findByText('first.one');
	assert.equal(search(), '');
});

test('a search that found nothing in its first step says how far it has looked, and goes on', async (t) => {
	const service = serviceFor(t, ANN);
	service.answers('/statement', ({ before }) =>
		before === undefined
			? { today: null, movements: [], next_before: 700, searched_to: '2026-05-03T09:30:00.000Z' }
			: { today: null, movements: [FOUND], next_before: null, searched_to: null },
	);
	open(t, '/statement?sub_user=alice');
	await screen.findByText(statementTexts.nothingYet);
	await screen.findByText(/^Searched back to May 3, 2026/);
	await press(listTexts.goOn);
	await screen.findByRole('cell', { name: statementTexts.kinds.give });
	assert.ok(!screen.queryByRole('button', { name: listTexts.goOn }));
	assert.deepEqual(service.calls('/statement'), [{ username: 'alice' }, { username: 'alice', before: '700' }]);

	await type(listTexts.from, '2026-04-01');
	await type(listTexts.to, '2026-03-01');
	await screen.findByText(listTexts.isBackwards);
	await press(listTexts.clearFilters);
	await waitFor(() => assert.equal(search(), ''));
});

test('a read that would fail again is not offered again, and another filter reads anew', async (t) => {
	const service = serviceFor(t, ANN);
	service.refuses('/statement', 'expectation_failed', 417);
	service.answers('/statement', { today: null, movements: [FOUND], next_before: null, searched_to: null });
	open(t, '/statement');
	await screen.findByText(failureTexts.expectation_failed.happened);
	assert.ok(!screen.queryByRole('button', { name: pageTexts.retry }), 'it offers to fail again');
	await type(statementTexts.kind, 'give');
	await screen.findByRole('link', { name: 'alice' });
	await gone(failureTexts.expectation_failed.happened);
});

test('a line of bandwidth opens to its bytes and prices, and says whose balance it is', async (t) => {
	const service = serviceFor(t, ANN);
	service.answers('/overview', { ...OVERVIEW, price: 3_500_000 });
	const since = '2026-05-01T09:30:00.000Z';
	const usage = [
		{ bytes: 1_000_000_000, price: 3_500_000, since },
		{ bytes: 500_000_000, price: 100_001, since },
	];
	const paid = {
		...FOUND,
		kind: 'usage',
		of: 'alice',
		amount: -350,
		balance: 0,
		by: { kind: 'service' },
		usage,
	} as const;
	service.answers('/statement', { today: null, movements: [paid], next_before: null, searched_to: null });
	open(t, '/statement');
	await screen.findByText(statementTexts.notPostedYet);
	fireEvent.click(await screen.findByText(statementTexts.usage('1.50 GB', 'May 1 to May 2')));
	const [first, second] = [['1.00 GB', '$3.50'] as const, ['500 MB', '$0.100001'] as const].map(([bytes, price]) =>
		statementTexts.atPrice(bytes, price),
	);
	for (const text of [first, second]) assert.ok(screen.getByText((content) => content.startsWith(text ?? '?')));
	assert.ok(document.body.textContent?.includes(statementTexts.elsewhere.paid('$3.50', 'alice')));
	screen.getByRole('columnheader', { name: statementTexts.balanceTitles.reseller });
	assert.equal(screen.queryByText('$0.00'), null, 'the balance of another account');
});

for (const [person, path, read] of [
	[ANN, '/statement?sub_user=alice', '/statement'],
	[OLGA, '/resellers/acme/sub-users/alice', '/operator/statement'],
] as const) {
	test(`a page about one sub-user has the balance of that sub-user alone: ${path}`, async (t) => {
		const service = serviceFor(t, person);
		service.answers('/operator/sub-user', { ...ALICE, deleted: null });
		const given = { ...FOUND, of: 'alice', amount: 700, balance: 765 };
		const fee = { ...FOUND, number: 6, kind: 'create_fee', amount: -10, balance: 22_530 } as const;
		service.answers(read, { today: null, movements: [given, fee], next_before: null, searched_to: null });
		open(t, path);
		await screen.findByRole('columnheader', { name: statementTexts.balanceTitles.sub_user });
		const rows = screen.getAllByRole('row').map(({ textContent }) => textContent?.replaceAll(' ', '') ?? '');
		const isRow = (end: string) => rows.some((text) => text.endsWith(end));
		assert.ok(isRow('+$7.00$7.65'), rows.join('\n'));
		assert.ok(isRow(`${statementTexts.elsewhere.paid('$0.10', 'acme').replaceAll(' ', '')}–`), rows.join('\n'));
	});
}

type Shown = 'name' | 'balance' | 'created';

test('a press on a column sorts by it, and a second one turns the order around', () => {
	assert.equal(orderAfterPress<Shown>('balance', 'name'), '-balance');
	assert.equal(orderAfterPress<Shown>('balance', '-balance'), 'balance');
	assert.equal(orderAfterPress<Shown>('balance', 'balance'), '-balance');
	assert.equal(orderAfterPress<Shown>('name', '-created'), 'name');
	assert.equal(orderAfterPress<Shown>('name', 'name'), '-name');
	assert.equal(sortedBy<Shown>('name', 'name'), 'ascending');
	assert.equal(sortedBy<Shown>('created', '-created'), 'descending');
	assert.equal(sortedBy<Shown>('balance', 'name'), undefined);
});

test('sub-users: a part of a note is searched for and shown, with its spaces, in the address', async (t) => {
	const service = serviceFor(t, ANN);
	service.answers('/sub-users/count', { count: 1, before: 0 });
	service.answers('/sub-users', ({ match }) => ({
		sub_users: match === 'anywhere' ? [{ ...subUser('alice'), note: 'Pays in Euro' }] : [],
		...{ next: null, previous: null, price: null },
	}));
	open(t, '/sub-users?search=pays+in');
	await press(subUserTexts.searchNotes);
	await screen.findByText('Pays in Euro');
	assert.equal(search(), '?search=pays+in&match=anywhere');
	assert.deepEqual(service.calls('/sub-users').at(-1), { search: 'pays in', match: 'anywhere', order: 'name' });
});

test('a secret that is pasted into the search of a list reaches neither the address nor the service', async (t) => {
	const service = serviceFor(t, ANN);
	service.answers('/sub-users/count', { count: 1, before: 0 });
	service.answers('/sub-users', { sub_users: [subUser('alice')], next: null, previous: null, price: null });
	open(t, '/sub-users?search=ali');
	await screen.findByText('alice');
	await type(subUserTexts.search, 'aB3dE5fG7hJ9kL1m');
	await waitFor(() => assert.equal(search(), ''));
	assert.doesNotMatch(JSON.stringify(service.calls('/sub-users')), /ab3d/i);
});
