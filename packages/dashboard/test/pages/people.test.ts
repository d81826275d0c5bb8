import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnyPerson } from '@bursar/contract/dashboard';
import { peopleTexts } from '../../src/features/people/texts.ts';
import { roleTexts } from '../../src/forms/texts.ts';
import { button, OLGA, open, press, pressInDialog, screen, serviceFor, type, waitFor } from '../support/dashboard.ts';

const OTTO: AnyPerson = {
	...{ email: 'otto@bursar.example', reseller: null, role: null, state: 'active', second_factor: true },
	last_seen: null,
};
const ANN: AnyPerson = { ...OTTO, email: 'ann@acme.example', reseller: 'acme', role: 'manager' };
const PAGE = { people: [{ ...OTTO, email: OLGA.email }, OTTO, ANN], next: null, previous: null };

test('an operator locks, resets and removes other people, and not the own account', async (t) => {
	const service = serviceFor(t, OLGA);
	service.answers('/operator/people', PAGE);
	open(t, '/people');
	for (const path of ['/operator/people/lock', '/operator/people/reset', '/operator/people/remove'] as const) {
		const { one } = peopleTexts[path];
		for (const { email } of [OTTO, ANN]) await button(one(email));
		assert.ok(!screen.queryByRole('button', { name: one(OLGA.email) }), path);
	}
	await screen.findByText(peopleTexts.you);
	const link = await screen.findByRole('link', { name: 'acme' });
	assert.equal(link.getAttribute('href'), '/dashboard/resellers/acme');
	assert.match(link.parentElement?.textContent ?? '', new RegExp(`acme · ${roleTexts.names.manager} · `));
});

test('a person is removed after a question that says what stays, and the list shows it', async (t) => {
	const service = serviceFor(t, OLGA);
	service.answers('/operator/people', PAGE);
	service.answers('/operator/people/remove', {});
	open(t, '/people');
	const texts = peopleTexts['/operator/people/remove'];
	await press(texts.one(ANN.email));
	await screen.findByText(texts.effect);
	assert.deepEqual(service.calls('/operator/people/remove'), [], 'before the question was answered');
	service.answers('/operator/people', { ...PAGE, people: [OTTO] });
	await pressInDialog(texts.title(ANN.email), texts.action);
	await waitFor(() => assert.ok(!screen.queryByText(ANN.email)));
	assert.deepEqual(
		service.calls('/operator/people/remove').map(({ email }) => email),
		[ANN.email],
	);
});

test('people are searched by the beginning of the address, and what is searched stands in the address of the page', async (t) => {
	const service = serviceFor(t, OLGA);
	service.answers('/operator/people', ({ search, of, after }) => ({
		people: [{ ...ANN, email: `${search}.${of}.${after}@x` }],
		next: null,
		previous: null,
	}));
	open(t, '/people?after=bob%40acme.example');
	const shown = (email: string) =>
		screen.findByText((_, element) => element?.textContent === email, { selector: 'span' });
	await shown('undefined.undefined.bob@acme.example@x');
	await type(peopleTexts.search, 'Ann');
	await shown('ann.undefined.undefined@x');
	await type(peopleTexts.of, 'resellers');
	await shown('ann.resellers.undefined@x');
	assert.equal(window.location.search, '?search=ann&of=resellers');
});
