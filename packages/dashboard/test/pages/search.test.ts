import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Account, Found } from '@bursar/contract/dashboard';
import { makeToken } from '@bursar/contract/secret-text';
import { fireEvent, OLGA, open, press, screen, serviceFor, type, waitFor } from '../support/dashboard.ts';

const { searchTexts } = await import('../../src/features/search/texts.ts');
const { hitGroups } = await import('../../src/features/search/hits.ts');
const { refusalTexts } = await import('../../src/features/refusals/texts.ts');
const { momentText } = await import('../../src/format/time.ts');
const { pageNames } = await import('../../src/shell/texts.ts');
const { pagesFor } = await import('../../src/shell/pages.ts');
const { placesFor } = await import('../../src/features/search/page-words.ts');
const { statementTexts } = await import('../../src/features/statement/texts.ts');

const ACCOUNT: Account = {
	email: OLGA.email,
	reseller: null,
	one_time_codes: true,
	recovery_codes: 10,
	passkeys: [],
	sessions: [],
};
const LABEL = searchTexts.label;
const NOTHING: Found = {
	...{ resellers: [], sub_users: [], deleted_sub_users: [], people: [], tokens: [], webhooks: [], edges: [] },
	...{ movements: [], payments: [], top_ups: [], changes: [], acts: [], references: [], address: null, looked_at: {} },
};
const FOUND: Found = {
	...NOTHING,
	resellers: [{ reseller: 'acme', note: '' }],
	sub_users: [{ username: 'acme.1', reseller: 'bolt', note: '', refused: null }],
};
const OWN = { isOperator: false };
const ALL = { isOperator: true };
const TOKEN = makeToken((size) => new Uint8Array(size).map((_, index) => index * 7));

async function openSearch(t: Parameters<typeof open>[0]) {
	const service = serviceFor(t, OLGA);
	service.answers('/account', ACCOUNT);
	service.answers('/account/acts', { acts: [], next_before: null });
	service.answers('/operator/search', ({ text }) => (text === 'acme' ? FOUND : NOTHING));
	open(t, '/account');
	await press(searchTexts.button);
	return { service, field: await screen.findByLabelText<HTMLInputElement>(LABEL) };
}

/** The option that the field names as its chosen one. */
function chosen(field: HTMLElement): string {
	const id = field.getAttribute('aria-activedescendant') ?? assert.fail('nothing is chosen');
	const option = document.getElementById(id);
	assert.equal(option?.getAttribute('aria-selected'), 'true');
	return option?.textContent ?? '';
}

test('the search is used with the keyboard alone: arrow keys go round, and Enter opens what is chosen', async (t) => {
	const { field } = await openSearch(t);
	await type(LABEL, 'acme');
	await screen.findByText('acme.1');
	await screen.findByText(searchTexts.count(2));
	assert.equal(chosen(field), 'acme');
	fireEvent.keyDown(field, { key: 'ArrowDown' });
	assert.match(chosen(field), /^acme\.1/);
	fireEvent.keyDown(field, { key: 'ArrowDown' });
	assert.equal(chosen(field), 'acme');
	fireEvent.keyDown(field, { key: 'ArrowUp' });
	fireEvent.keyDown(field, { key: 'Enter' });
	await waitFor(() => assert.equal(window.location.pathname, '/dashboard/resellers/bolt/sub-users/acme.1'));
});

test('a text that finds nothing says so, and Enter does nothing', async (t) => {
	const { service, field } = await openSearch(t);
	await type(LABEL, 'zzz');
	await screen.findByText(searchTexts.nothing);
	assert.equal(field.getAttribute('aria-activedescendant'), null);
	fireEvent.keyDown(field, { key: 'Enter' });
	assert.equal(window.location.pathname, '/dashboard/account');
	assert.deepEqual(service.calls('/operator/search'), [{ text: 'zzz' }]);
});

test('`/` opens the search, but not in a field, where it is typed', async (t) => {
	const service = serviceFor(t, OLGA);
	service.answers('/account', ACCOUNT);
	service.answers('/account/acts', { acts: [], next_before: null });
	open(t, '/account');
	const button = await screen.findByRole('button', { name: searchTexts.button });
	fireEvent.keyDown(button, { key: '/', code: 'Digit7', shiftKey: true });
	const field = await screen.findByLabelText(LABEL);
	await screen.findByText(searchTexts.offers.operator);
	assert.equal(fireEvent.keyDown(field, { key: '/' }), true, 'the key is typed');
});

test('the hits of an older text are not opened while those of the present text are awaited', async (t) => {
	const { service, field } = await openSearch(t);
	await type(LABEL, 'acme');
	await screen.findByText('acme.1');
	const answer = service.holds('/operator/search');
	await type(LABEL, 'acme.9');
	await waitFor(() => assert.equal(service.calls('/operator/search').length, 2));
	fireEvent.keyDown(field, { key: 'Enter' });
	assert.equal(window.location.pathname, '/dashboard/account');
	answer({ ...NOTHING, resellers: [{ reseller: 'acme.9', note: '' }] });
	await screen.findByText('acme.9');
	assert.equal(screen.queryByText('acme.1'), null);
	fireEvent.keyDown(field, { key: 'Enter' });
	await waitFor(() => assert.equal(window.location.pathname, '/dashboard/resellers/acme.9'));
});

test('a secret that is pasted stays in the browser: of a token only its end is sent, and of a pair its username', async (t) => {
	const { service, field } = await openSearch(t);
	for (const [typed, hidden] of [
		[`Bearer ${TOKEN}`, 'token'],
		[TOKEN.slice(0, 30), 'part_of_token'],
		['http://alice.1:aB3dE5fG7hJ9kL1m@proxy.example:3128', 'proxy_auth_key'],
		['aB3dE5fG7hJ9kL1m_country-DE', 'proxy_auth_key'],
	] as const) {
		await type(LABEL, typed);
		await screen.findByText(searchTexts.hidden[hidden]);
		await screen.findByText(searchTexts.nothing);
		if (hidden === 'token') assert.equal(field.value, `…${TOKEN.slice(-4)}`);
	}
	const sent = service.calls('/operator/search').map(({ text }) => text);
	assert.deepEqual(sent, [`…${TOKEN.slice(-4)}`, 'alice.1']);
	assert.equal(window.location.href.includes('alice'), false);
});

test('a part of a search says how far it has looked', async (t) => {
	const { service } = await openSearch(t);
	service.answers('/operator/search', { ...NOTHING, looked_at: { sub_users: 200_000, acts: 10_000 } });
	await type(LABEL, 'zzz');
	await screen.findByText(searchTexts.lookedAt.sub_users(200_000));
	await screen.findByText(searchTexts.lookedAt.acts(10_000));
});

test('without a text the search lists all pages, and pages are found by usual words of both languages', () => {
	const names = (text: string, reseller: string | null = 'acme') =>
		placesFor({ reseller, takesPayments: true }, text).map(({ label }) => label);
	const labels = (reseller: string | null) => pagesFor({ reseller, takesPayments: true }).map(({ label }) => label);
	for (const reseller of ['acme', null]) assert.deepEqual(names('', reseller), labels(reseller));
	assert.deepEqual(names(' SUB'), [pageNames.subUsers, searchTexts.sections.top, searchTexts.sections.many]);
	assert.deepEqual(names('nothing'), []);
	for (const [text, path] of [
		...[
			['token', '/token'],
			['api key', '/token'],
			['Guthaben', '/'],
			['balance', '/'],
			['invoice', '/statement'],
			['bitcoin', '/top-ups'],
		],
		...[
			['Rechnung', '/statement'],
			['password', '/account'],
			['Passwort', '/account'],
			['2fa', '/account'],
		],
		...[
			['csv', '/statement'],
			['limits', '/sub-users'],
			['low balance warning', '/'],
			['Ubersicht', '/'],
		],
		...[
			['passkeys', '/account'],
			['proxy adresse', '/connect'],
			['bulk', '/many-sub-users'],
			['kunden', '/sub-users'],
			['refused', '/sub-users?state=refused'],
			['bandwidth today', '/'],
		],
	] as const) {
		const paths = placesFor({ reseller: 'acme', takesPayments: true }, text).map((place) => place.path);
		assert.ok(paths.includes(path), `${text}: ${paths}`);
	}
	for (const [text, path] of [
		['income', '/income'],
		['refund', '/payments'],
		['letterhead', '/brand'],
		['Umsatz', '/income'],
		['api key', '/api-tokens'],
		['server', '/edges'],
	] as const)
		assert.ok(
			placesFor({ reseller: null, takesPayments: false }, text).some((place) => place.path === path),
			text,
		);
});

test('hits lead to the page that shows them, and operators see whose they are', () => {
	const at = '2026-05-03T09:30:00.000Z';
	const movement = { reseller: 'acme', number: 12, kind: 'give', at } as const;
	const found: Found = {
		...NOTHING,
		sub_users: [{ username: 'alice', reseller: 'acme', note: 'pays late', refused: null }],
		deleted_sub_users: [{ username: 'gone', reseller: 'acme' }],
		movements: [movement],
		payments: [{ ...movement, number: 20, kind: 'top_up', reference: 'INV-1' }],
		references: [{ reference: 'order-7&8', reseller: 'acme' }],
		top_ups: [{ id: 'pay_1', reseller: 'acme', provider: 'stripe', amount: 5_000, at }],
		changes: [{ reseller: 'acme', username: 'bobby', error: 'insufficient_balance', at }],
		acts: [{ number: 3, kind: 'set_note', target: 'alice', reseller: 'acme', at }],
		address: '2001:db8::1',
		tokens: [{ name: null, tail: 'rGaU', reseller: 'acme' }],
		webhooks: [{ id: 'whe_1', host: 'shop.example', reseller: 'acme' }],
	};
	const pathsOf = (as: typeof OWN) => hitGroups([], found, as).flatMap(({ hits }) => hits.map(({ path }) => path));
	const reference = `?reference=${encodeURIComponent('order-7&8')}`;
	assert.deepEqual(pathsOf(OWN), [
		...[
			'/sub-users/alice',
			'/sub-users/gone',
			'/statement?before=13',
			'/statement?before=21',
			`/statement${reference}`,
		],
		...[
			'/top-ups/pay_1',
			'/sub-users/bobby',
			'/activity?before=4',
			'/activity?address=2001%3Adb8%3A%3A1',
			'/token',
			'/webhooks/whe_1',
		],
	]);
	const acme = '/resellers/acme';
	assert.deepEqual(pathsOf(ALL), [
		...[`${acme}/sub-users/alice`, `${acme}/sub-users/gone`, `${acme}?before=13`, `${acme}?before=21`],
		...[
			`${acme}${reference}`,
			'/payments/pay_1',
			`${acme}/sub-users/bobby`,
			'/activity?before=4',
			'/activity?address=2001%3Adb8%3A%3A1',
		],
		...[acme, '/webhooks?search=acme'],
	]);
	const details = (as: typeof OWN) => hitGroups([], found, as).flatMap(({ hits }) => hits.map((hit) => hit.details));
	assert.equal(details(OWN)[0], 'pays late');
	assert.equal(details(OWN)[2], `${statementTexts.kinds.give} · ${momentText(at)}`);
	assert.equal(details(ALL)[2], `${statementTexts.kinds.give} · ${momentText(at)} · acme`);
});

test('a sub-user that a proxy lately refused shows when, where and why', () => {
	const refused = { at: '2026-05-03T09:30:00.000Z', edge: 'frankfurt-1', reason: 'exhausted' } as const;
	const found = { ...NOTHING, sub_users: [{ username: 'alice', reseller: 'acme', note: '', refused }] };
	const [group] = hitGroups([], found, ALL);
	assert.equal(
		group?.hits[0]?.details,
		refusalTexts.found('acme', momentText(refused.at), 'frankfurt-1', refusalTexts.reasons.exhausted),
	);
});
