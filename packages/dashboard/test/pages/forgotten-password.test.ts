import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureTexts } from '../../src/calls/failure-texts.ts';
import { passwordTexts } from '../../src/features/factors/texts.ts';
import { forgottenTexts, newPasswordTexts } from '../../src/features/new-password/texts.ts';
import { cleanup, fireEvent, open, presenceOf, press, screen, serviceFor, type } from '../support/dashboard.ts';

const LINK = 'x'.repeat(43);
const EMAIL = 'ann@acme.example';

test('the sign-in page leads to a mail, and what it says then does not tell whether there is such a person', async (t) => {
	const service = serviceFor(t, null);
	service.answers('/password/forgot', {});
	open(t, '/sign-in');
	fireEvent.click(await screen.findByRole('link', { name: forgottenTexts.link }));
	await type(forgottenTexts.email, ` ${EMAIL} `);
	service.refuses('/password/forgot', 'too_many_tries', 429);
	await press(forgottenTexts.send);
	await screen.findByText(failureTexts.too_many_tries.happened, { exact: false });
	await press(forgottenTexts.send);
	await screen.findByText(forgottenTexts.sent(EMAIL));
	assert.deepEqual(service.calls('/password/forgot'), [{ email: EMAIL }, { email: EMAIL }]);
});

test('without a mail server the pages say whom to ask, and ask for nothing', async (t) => {
	const service = serviceFor(t, null);
	service.answers('/session', { ...presenceOf(null), sends_mail: false });
	open(t, '/sign-in');
	await screen.findByText(forgottenTexts.noMail);
	assert.equal(screen.queryByRole('link', { name: forgottenTexts.link }), null);
	cleanup();
	open(t, '/forgot-password');
	await screen.findByText(forgottenTexts.noMail);
	assert.equal(screen.queryByRole('button', { name: forgottenTexts.send }), null);
});

test('the link sets a password and signs in nobody, and its secret leaves the address bar', async (t) => {
	const service = serviceFor(t, null);
	service.answers('/password/link', { email: EMAIL, expires: '2099-01-01T00:00:00.000Z' });
	service.answers('/password/new', {});
	open(t, `/new-password#${LINK}`);
	await screen.findByText(newPasswordTexts.lead(EMAIL));
	assert.equal(window.location.hash, '');
	await type(passwordTexts.password, 'four unrelated words');
	await type(passwordTexts.repeat, 'four unrelated words');
	service.refuses('/password/new', 'weak_password', 400);
	await press(newPasswordTexts.set);
	await screen.findByText(failureTexts.weak_password.happened);
	await press(newPasswordTexts.set);
	await screen.findByText(newPasswordTexts.done);
	const sent = { link: LINK, password: 'four unrelated words' };
	assert.deepEqual(service.calls('/password/new'), [sent, sent]);
	assert.ok(await screen.findByRole('link', { name: forgottenTexts.toSignIn }));
});

test('a link that was used or replaced says so, and offers another one', async (t) => {
	const service = serviceFor(t, null);
	service.refuses('/password/link', 'invalid_link', 410);
	open(t, `/new-password#${LINK}`);
	await screen.findByText(failureTexts.invalid_link.happened);
	assert.ok(await screen.findByRole('link', { name: newPasswordTexts.again }));
	assert.equal(screen.queryByLabelText(passwordTexts.password), null);
});
