import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MailChoices } from '@bursar/contract/dashboard';
import { failureTexts } from '../../src/calls/failure-texts.ts';
import { mailChoiceTexts, mailKindTexts, mailTexts, stopMailTexts } from '../../src/features/mail/texts.ts';
import {
	ANN,
	cleanup,
	fireEvent,
	OLGA,
	open,
	presenceOf,
	press,
	screen,
	serviceFor,
	waitFor,
} from '../support/dashboard.ts';

const CHOICES: MailChoices = {
	is_set_up: true,
	choices: [
		{ mail: 'new_sign_in', wanted: true },
		{ mail: 'low_balance', wanted: false },
	],
};

function accountOf(t: Parameters<typeof serviceFor>[0], mail: MailChoices) {
	const service = serviceFor(t, ANN);
	const account = { email: ANN.email, reseller: 'acme', one_time_codes: false, recovery_codes: 0 };
	service.answers('/account', { ...account, passkeys: [], sessions: [] });
	service.answers('/account/acts', { acts: [], next_before: null });
	service.answers('/account/mail', mail);
	open(t, '/account');
	return service;
}

function switchOf(mail: keyof typeof mailKindTexts): Promise<HTMLInputElement> {
	return screen.findByRole('switch', { name: mailKindTexts[mail].name });
}

test('a person chooses mails; if the answer is lost, the page shows what holds', async (t) => {
	const service = accountOf(t, CHOICES);
	assert.equal((await switchOf('new_sign_in')).checked, true);
	const chosen = { ...CHOICES, choices: CHOICES.choices.map((choice) => ({ ...choice, wanted: true })) };
	service.answers('/account/mail/choose', chosen);
	fireEvent.click(await switchOf('low_balance'));
	await waitFor(async () => assert.equal((await switchOf('low_balance')).checked, true));
	const [{ act, ...sent } = { act: '' }] = service.calls('/account/mail/choose');
	assert.match(String(act), /^[0-9a-f-]{36}$/);
	assert.deepEqual(sent, { mail: 'low_balance', wanted: true });

	service.loses('/account/mail/choose');
	service.answers('/account/mail', CHOICES);
	fireEvent.click(await switchOf('new_sign_in'));
	await screen.findByText(failureTexts.lost.happened);
	await waitFor(async () => assert.equal((await switchOf('low_balance')).checked, false));
	assert.equal((await switchOf('new_sign_in')).checked, true);
});

test('mails about payments are a choice only at a service that takes payments', async (t) => {
	const choices = [...CHOICES.choices, { mail: 'payment', wanted: true }] as const;
	const service = accountOf(t, { ...CHOICES, choices });
	await switchOf('low_balance');
	assert.equal(screen.queryByRole('switch', { name: mailKindTexts.payment.name }), null);
	service.answers('/session', { ...presenceOf(ANN), takes_payments: true });
	cleanup();
	open(t, '/account');
	await switchOf('payment');
});

test('without a mail server the account page promises nothing', async (t) => {
	accountOf(t, { ...CHOICES, is_set_up: false });
	await screen.findByText(mailChoiceTexts.notSetUp);
	assert.equal(screen.queryByRole('switch'), null);
});

test('the link of a mail asks before it stops anything, and needs no sign-in', async (t) => {
	const service = serviceFor(t, null);
	service.answers('/mail/link', { mail: 'low_balance', wanted: true });
	service.answers('/mail/stop', { mail: 'low_balance', wanted: false });
	open(t, '/stop-mail?person=ada&mail=low_balance&key=k');
	await screen.findByText(stopMailTexts.question(mailKindTexts.low_balance.name));
	assert.deepEqual(service.calls('/mail/stop'), []);
	service.loses('/mail/stop');
	await press(stopMailTexts.stop);
	await screen.findByText(failureTexts.lost.happened);
	await press(stopMailTexts.stop);
	await screen.findByText(stopMailTexts.stopped(mailKindTexts.low_balance.name));
	const link = { link: 'person=ada&mail=low_balance&key=k' };
	assert.deepEqual([...service.calls('/mail/link'), ...service.calls('/mail/stop')], [link, link, link]);
});

test('a link that is not ours says so, and one that was used says what holds', async (t) => {
	const service = serviceFor(t, null);
	service.refuses('/mail/link', 'invalid_link', 410);
	open(t, '/stop-mail?x');
	await screen.findByText(stopMailTexts.badLink);
	service.answers('/mail/link', { mail: 'silent_edge', wanted: false });
	open(t, '/stop-mail?y');
	await screen.findByText(stopMailTexts.stopped(mailKindTexts.silent_edge.name));
});

test('operators see whether mails leave, and what the server said to those that do not', async (t) => {
	const service = serviceFor(t, OLGA);
	const failing = { failing: 2, failing_since: '2026-05-03T00:00:00.000Z', last_failure: '451 at RCPT TO' };
	const health = { server: 'mail.example:587', from: 'bursar@example.com', waiting: 12, given_up: 3, ...failing };
	service.answers('/operator/mail', health);
	open(t, '/mail');
	await screen.findByText(mailTexts.failure('451 at RCPT TO'));
	await screen.findByText('mail.example:587');
	await screen.findByText('12');
});

test('operators read that no mail is set up', async (t) => {
	const service = serviceFor(t, OLGA);
	const nothing = { failing: 0, failing_since: null, last_failure: null };
	service.answers('/operator/mail', { server: null, from: null, waiting: 0, given_up: 0, ...nothing });
	open(t, '/mail');
	await screen.findByText(mailTexts.notSetUp);
});
