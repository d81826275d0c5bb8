import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { bothEngines } from '../support/both-engines.ts';
import { codeAt, PASSWORD, startDashboard } from '../support/dashboard.ts';
import { type ReceivedMail, startMailServer } from '../support/mail-server.ts';

const PUBLIC_URL = 'http://localhost:8080';
const NEW_PASSWORD = 'another staple battery horse';

const engines = await bothEngines();

async function startMailing(t: TestContext, environment: Readonly<Record<string, string>> = {}) {
	const server = await startMailServer(t);
	const settings = {
		BURSAR_SMTP_URL: server.url,
		BURSAR_MAIL_FROM: 'bursar@example.com',
		BURSAR_PUBLIC_URL: PUBLIC_URL,
	};
	const dashboard = await startDashboard(
		t,
		{ ...settings, BURSAR_TRUSTED_PROXIES: '127.0.0.1', ...environment },
		{ mailLookMs: 50 },
	);

	/** The first mail to this address whose subject is so. */
	async function mailTo(email: string, subject: string): Promise<ReceivedMail> {
		return eventually(async () => {
			const isIt = ({ to, headers }: ReceivedMail) =>
				to[0] === email && headers.get('subject') === `Bursar: ${subject}`;
			return server.mails.find(isIt) ?? assert.fail(`${email} has no mail "${subject}"`);
		}, 60_000);
	}

	return { ...dashboard, server, mailTo };
}

/** The secret of the link in a mail. It stands in both forms, and in no header. */
function secretIn({ text, html, headers }: ReceivedMail, path: string): string {
	const [, secret] = new RegExp(`^${PUBLIC_URL}/dashboard/${path}#([\\w-]{43})$`, 'm').exec(text) ?? [];
	assert.ok(secret, text);
	assert.ok(html.includes(`${PUBLIC_URL}/dashboard/${path}#${secret}"`));
	assert.equal([...headers.values()].join().includes(secret), false);
	assert.equal(headers.has('list-unsubscribe'), false);
	return secret;
}

for (const engine of engines) {
	test(`${engine.name}: an invitation and a reset are mailed with the link that is shown, from the dashboard`, async (t) => {
		const service = await startMailing(t, await engine.environment());
		const { browser } = await service.resellerWithPerson('acme');
		const bob = 'bob@acme.example';
		const shown = await browser.change('/team/invite', { email: bob, role: 'viewer' });
		assert.equal(shown.mailing, 'mailed');
		const invitation = await service.mailTo(bob, 'You are invited');
		assert.match(invitation.text, /dashboard of acme at localhost:8080/);
		const link = secretIn(invitation, 'invitation');
		assert.equal(shown.link.endsWith(`#${link}`), true);
		assert.equal((await service.browser().ok('/invitation', { link })).new_person, true);
		await service.browser().ok('/invitation/accept', { link, password: PASSWORD });
		const operator = await service.operator();
		// A mail with a link comes a minute after another one.
		service.clock.aheadMs += 61_000;
		await operator.change('/operator/people/reset', { email: bob });
		const reset = await service.mailTo(bob, 'Set a new password');
		assert.equal((await service.browser().ok('/invitation', { link: secretIn(reset, 'invitation') })).email, bob);
	});

	test(`${engine.name}: a mailed link sets a new password, and a second factor is still needed to sign in`, async (t) => {
		const service = await startMailing(t, await engine.environment());
		const { browser, email } = await service.resellerWithPerson('acme');
		const { secret: codes } = await browser.addCodes();
		const stranger = service.browser({ 'x-forwarded-for': '192.0.2.7' });
		assert.equal((await stranger.read('/session')).sends_mail, true);
		await stranger.ok('/password/forgot', { email: ` ${email.toUpperCase()}` });
		const mail = await service.mailTo(email, 'Forgot your password?');
		const link = secretIn(mail, 'new-password');
		assert.equal((await stranger.ok('/password/link', { link })).email, email);
		await stranger.refused('invalid_link', '/invitation', { link });
		for (const body of [{ link }, { link, password: NEW_PASSWORD }]) {
			const { status } = await stranger.ask('/invitation/accept', body);
			assert.notEqual(status, 200);
		}
		await stranger.refused('weak_password', '/password/new', { link, password: email });
		await stranger.ok('/password/new', { link, password: NEW_PASSWORD });
		assert.equal(stranger.jar.cookie, undefined, 'it signs in nobody');
		await browser.refused('signed_out', '/account');
		await stranger.refused('invalid_link', '/password/new', { link, password: NEW_PASSWORD });
		await stranger.refused('invalid_link', '/password/link', { link });
		await stranger.refused('wrong_credentials', '/sign-in', { email, password: PASSWORD });
		await stranger.refused('code_required', '/sign-in', { email, password: NEW_PASSWORD });
		service.clock.aheadMs += 60_000;
		const code = codeAt(codes, service.clock.nowMs());
		await stranger.ok('/sign-in', { email, password: NEW_PASSWORD, code });
		const told = await service.mailTo(email, 'Your password was changed');
		assert.match(told.text, /with the link of a mail, from 192\.0\.2\.7/);
		const { acts } = await stranger.read('/account/acts');
		const recorded = acts.filter(({ kind }) => kind.endsWith('_password'));
		assert.deepEqual(
			recorded.map(({ kind, address }) => [kind, address]),
			[
				['new_password', '192.0.2.7'],
				['forgot_password', '192.0.2.7'],
			],
		);
	});
}

test('the answer is the same for each address, and one client can ask for few mails', async (t) => {
	const service = await startMailing(t);
	const { email } = await service.resellerWithPerson('acme');
	await service.invite('invited@acme.example', 'acme');
	await service.signedIn('locked@acme.example', 'acme');
	await service.change({ kind: 'lock_person', email: 'locked@acme.example' });
	const answers = [];
	const typed = [email, 'invited@acme.example', 'locked@acme.example', 'nobody@acme.example', 'no address', ''];
	for (const [index, each] of typed.entries()) {
		const { status, data } = await service
			.browser({ 'x-forwarded-for': `192.0.2.${index}` })
			.ask('/password/forgot', { email: each });
		answers.push([status, data]);
	}
	assert.deepEqual(answers, Array(typed.length).fill([200, {}]));
	await service.mailTo(email, 'Forgot your password?');
	const flooding = service.browser({ 'x-forwarded-for': '2001:db8::7' });
	for (let index = 0; index < 10; index++) await flooding.ok('/password/forgot', { email: `x${index}@acme.example` });
	await flooding.refused('too_many_tries', '/password/forgot', { email });
	await flooding.refused('too_many_tries', '/password/forgot', { email: 'nobody@acme.example' });
	assert.equal((await service.store.readOutbox()).waiting <= 2, true);
	const subjects = service.server.mails.map(({ to, headers }) => `${to} ${headers.get('subject')}`);
	assert.deepEqual(
		subjects.filter((each) => each.includes('Forgot')),
		[`${email} Bursar: Forgot your password?`],
	);
});

test('requests of all clients together are bounded, and the next one is told to wait', async (t) => {
	const service = await startMailing(t);
	service.clock.stop();
	const ask = (index: number) =>
		service.browser({ 'x-forwarded-for': `198.51.100.${index}` }).ask('/password/forgot', { email: 'a@b.example' });
	for (let index = 0; index < 60; index++) assert.equal((await ask(index)).status, 200);
	const refused = await ask(61);
	assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '60']);
});

test('without a mail server nobody gets a link, and pages know it', async (t) => {
	const service = await startDashboard(t);
	const { browser, email } = await service.resellerWithPerson('acme');
	assert.equal((await browser.read('/session')).sends_mail, false);
	for (const each of [email, 'nobody@acme.example']) {
		await service.browser().refused('mail_off', '/password/forgot', { email: each });
	}
	const act = randomUUID();
	const shown = await browser.ok('/team/invite', { act, email: 'bob@acme.example', role: 'viewer' });
	assert.equal(shown.mailing, 'not_set_up');
	const [operator] = [await service.operator()];
	assert.equal((await operator.read('/operator/mail')).waiting, 0);
});
