import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANN, button, open, screen, serviceFor } from './support/dashboard.ts';

const { glossary, helpTexts } = await import('../src/help/texts.ts');

test('a word of the field is explained where it stands, by a button that names the word', async (t) => {
	const service = serviceFor(t, ANN);
	service.answers('/sub-users', { sub_users: [], next: null, previous: null, price: null });
	service.answers('/sub-users/count', { count: 0, before: 0 });
	open(t, '/sub-users');
	const help = await button(helpTexts.ask(glossary.sub_user.name));
	const note = document.getElementById(help.getAttribute('popovertarget') ?? '');
	assert.ok(note?.hasAttribute('popover'));
	assert.match(note?.textContent ?? '', new RegExp(glossary.sub_user.means.slice(0, 30)));
	assert.ok(await screen.findByRole('heading', { name: 'Sub-users' }));
});
