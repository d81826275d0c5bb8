import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Account } from '@bursar/contract/dashboard';
import { fireEvent, OLGA, open, press, screen, serviceFor, type, waitFor } from '../support/dashboard.ts';

const { searchTexts } = await import('../../src/features/search/texts.ts');
const { hitGroups } = await import('../../src/features/search/hits.ts');
const { pageNames } = await import('../../src/shell/texts.ts');
const { pagesFor } = await import('../../src/shell/pages.ts');

const ACCOUNT: Account = {
	email: OLGA.email,
	reseller: null,
	one_time_codes: true,
	recovery_codes: 10,
	passkeys: [],
	sessions: [],
};
const LABEL = searchTexts.labels.operator;
const NOTHING = { resellers: [], sub_users: [], people: [], edges: [], references: [] };
const FOUND = { ...NOTHING, resellers: ['acme'], sub_users: [{ username: 'acme.1', reseller: 'bolt' }] };

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

test('without a text the search lists all pages, and a part of a name finds a page', () => {
	const pages = pagesFor({ reseller: 'acme' });
	const names = (text: string) => hitGroups(text, pages, undefined).flatMap(({ hits }) => hits.map(({ name }) => name));
	assert.deepEqual(
		names(''),
		pages.map(({ label }) => label),
	);
	assert.deepEqual(names(' SUB'), [pageNames.subUsers]);
	assert.deepEqual(names('nothing'), []);
});

test('a sub-user that was found by its note shows the note', () => {
	const found = { sub_users: [{ username: 'alice', note: 'pays late' }], people: [], references: [] };
	assert.deepEqual(hitGroups('late', [], found), [
		{ kind: 'sub_users', hits: [{ name: 'alice', details: 'pays late', path: '/sub-users/alice' }] },
	]);
});

test('a reference that was found leads to the statement with only its transactions', () => {
	const reference = 'order-7&8';
	const path = `?reference=${encodeURIComponent(reference)}`;
	const ofReseller = { sub_users: [], people: [], references: [reference] };
	assert.deepEqual(hitGroups(reference, [], ofReseller), [
		{ kind: 'references', hits: [{ name: reference, path: `/statement${path}` }] },
	]);
	const ofOperator = { ...NOTHING, references: [{ reference, reseller: 'acme' }] };
	assert.deepEqual(hitGroups(reference, [], ofOperator), [
		{ kind: 'references', hits: [{ name: reference, details: 'acme', path: `/resellers/acme${path}` }] },
	]);
});
