import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { STOP_PATH } from '../../src/mail/stop-links.ts';
import { bothEngines } from '../support/both-engines.ts';
import { PASSWORD, startDashboard } from '../support/dashboard.ts';
import { startMailServer } from '../support/mail-server.ts';
import { createProviderInMemory } from '../support/payment-provider-in-memory.ts';

const PUBLIC_URL = 'http://localhost:8080';
const LOOK_MS = 50;

const engines = await bothEngines();

async function startMailing(
	t: TestContext,
	smtpUrl: string,
	environment: Readonly<Record<string, string>> = {},
	parts: Parameters<typeof startDashboard>[2] = {},
) {
	return startDashboard(
		t,
		{
			BURSAR_SMTP_URL: smtpUrl,
			BURSAR_MAIL_FROM: 'Bursar <bursar@example.com>',
			BURSAR_PUBLIC_URL: PUBLIC_URL,
			...environment,
		},
		{ mailLookMs: LOOK_MS, judgingMs: LOOK_MS, ...parts },
	);
}

/** The link that stops these mails, from the header. */
function stopLink(headers: ReadonlyMap<string, string>): URL {
	const [, url = ''] = /^<([^>]+)>$/.exec(headers.get('list-unsubscribe') ?? '') ?? [];
	return new URL(url);
}

for (const engine of engines) {
	test(`${engine.name}: a sign-in in a new browser is mailed to the person, and one in a known browser is not`, async (t) => {
		const server = await startMailServer(t);
		const dashboard = await startMailing(t, server.url, await engine.environment());
		const { email, browser } = await dashboard.resellerWithPerson('acme');
		const [first] = await server.received(1);
		assert.ok(first);
		assert.deepEqual([first.from, first.to], ['bursar@example.com', [email]]);
		assert.equal(first.headers.get('subject'), 'Bursar: New sign-in');
		assert.equal(first.headers.get('from'), 'Bursar <bursar@example.com>');
		assert.equal(first.headers.get('to'), email);
		assert.equal(first.headers.get('auto-submitted'), 'auto-generated');
		assert.equal(first.headers.get('list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
		assert.match(first.headers.get('message-id') ?? '', /^<[0-9a-f]{40}@localhost>$/);
		for (const body of [first.text, first.html]) {
			assert.match(body, /127\.0\.0\.1/);
			assert.match(body, /http:\/\/localhost:8080\/dashboard\/account/);
		}
		await eventually(async () => assert.equal((await dashboard.store.readOutbox()).waiting, 0));
		// The next one would wait for a quarter of an hour.
		dashboard.clock.aheadMs += 16 * 60_000;
		await browser.ok('/sign-out', {});
		assert.equal((await browser.signIn(email)).status, 200);
		assert.equal((await dashboard.browser().signIn(email)).status, 200);
		const mails = await server.received(2);
		assert.equal(mails[1]?.text.match(/from 127\.0\.0\.1/g)?.length, 1);
	});

	test(`${engine.name}: money of a payment that arrives or is taken back is mailed, with the balance; other top-ups are not`, async (t) => {
		const server = await startMailServer(t);
		const provider = createProviderInMemory();
		const payments = { paymentProviders: new Map([[provider.name, provider]]), paymentLookMs: LOOK_MS };
		const dashboard = await startMailing(t, server.url, await engine.environment(), payments);
		const { browser, email } = await dashboard.resellerWithPerson('acme');
		const operator = await dashboard.operator();
		const { id } = await browser.change('/top-ups/create', { provider: 'stripe', amount: 5_000 });
		const mailsOf = async (subject: string) => {
			await operator.change('/operator/payments/read', { id });
			return eventually(async () => {
				const found = server.mails.find(({ headers }) => headers.get('subject') === `Bursar: ${subject}`);
				return found ?? assert.fail(`there is no mail "${subject}"`);
			}, 60_000);
		};
		const paid = { reseller: 'acme', amount: 1, reference: 'P-1', reason: '' };
		await operator.change('/operator/top-up', paid);
		provider.pay(id);
		const arrived = await mailsOf('A payment arrived');
		assert.deepEqual(arrived.to, [email]);
		const said = `50\\.00 USD arrived at Stripe \\(${id}\\)\\. The balance was then 60\\.01 USD\\.`;
		assert.match(arrived.text, new RegExp(said));
		assert.match(arrived.text, /http:\/\/localhost:8080\/dashboard\/top-ups\r\n/);
		assert.equal(arrived.text.match(/arrived at/g)?.length, 1);
		await eventually(async () => assert.equal((await dashboard.store.readOutbox()).waiting, 0));
		// The next one would wait for a quarter of an hour.
		dashboard.clock.aheadMs += 16 * 60_000;
		provider.refund(id, 2_000);
		const back = await mailsOf('A payment was taken back');
		assert.match(back.text, /20\.00 USD were refunded or are disputed at Stripe/);
		assert.match(back.text, /The balance was then 40\.01 USD\./);
	});

	test(`${engine.name}: mails can be chosen and stopped, and the link stops one kind for one person`, async (t) => {
		const server = await startMailServer(t);
		const dashboard = await startMailing(t, server.url, await engine.environment());
		const { browser } = await dashboard.resellerWithPerson('acme');
		const ofOperator = await dashboard.operator();
		const choices = await browser.read('/account/mail');
		assert.equal(choices.is_set_up, true);
		const kinds = [
			...['new_sign_in', 'password_changed', 'token_changed', 'payment', 'low_balance'],
			...['debt', 'exhausted_sub_user', 'webhook_off'],
		];
		assert.deepEqual(
			choices.choices.map(({ mail }) => mail),
			kinds,
		);
		const wanted = (answer: typeof choices) =>
			answer.choices.filter((choice) => choice.wanted).map(({ mail }) => mail as string);
		const always = ['new_sign_in', 'password_changed', 'token_changed', 'payment', 'debt', 'webhook_off'];
		assert.deepEqual(wanted(choices), always);
		const act = randomUUID();
		const low = { mail: 'low_balance', wanted: true } as const;
		assert.deepEqual(wanted(await browser.ok('/account/mail/choose', { act, ...low })), [
			...kinds.slice(0, 6),
			'webhook_off',
		]);
		await browser.refused('act_repeated', '/account/mail/choose', { act, ...low, wanted: false });
		await browser.refused('not_found', '/account/mail/choose', {
			act: randomUUID(),
			mail: 'silent_edge',
			wanted: true,
		});
		await browser.change('/overview/low-balance', { low_balance: 1_001 });
		const mails = await server.received(3);
		const mail = mails.find(({ headers }) => headers.get('subject') === 'Bursar: The balance is low');
		assert.match(mail?.text ?? '', /10\.00 USD are left, which is less than 10\.01 USD/);
		const link = stopLink(mail?.headers ?? new Map());
		assert.equal(link.origin + link.pathname, PUBLIC_URL + STOP_PATH);
		assert.deepEqual([...link.searchParams.keys()], ['person', 'mail', 'key']);
		// Nobody is signed in where mails are read.
		const stranger = dashboard.browser();
		const asked = { link: link.search.slice(1) };
		assert.deepEqual(await stranger.ok('/mail/link', asked), low);
		for (const wrong of [
			'',
			`${asked.link}x`,
			asked.link.replace('low_balance', 'new_sign_in'),
			'person=a&mail=b&key=c',
		]) {
			await stranger.refused('invalid_link', '/mail/link', { link: wrong });
			await stranger.refused('invalid_link', '/mail/stop', { link: wrong });
		}
		// What a mail program sends: from elsewhere, without a cookie.
		const oneClick = await fetch(dashboard.url + link.pathname + link.search, {
			method: 'POST',
			headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://mail.example' },
			body: 'List-Unsubscribe=One-Click',
		});
		assert.equal(oneClick.status, 200);
		assert.deepEqual(await stranger.ok('/mail/stop', asked), { mail: 'low_balance', wanted: false });
		assert.deepEqual(wanted(await browser.read('/account/mail')), always);
		const { acts } = await browser.read('/account/acts');
		const stops = acts.filter(({ kind }) => kind === 'stop_mail').map(({ target, address }) => [target, address]);
		assert.deepEqual(stops, [['low_balance', '127.0.0.1']]);
		const health = await ofOperator.read('/operator/mail');
		assert.deepEqual(
			[health.server, health.from, health.failing, health.given_up],
			[`127.0.0.1:${server.port}`, 'bursar@example.com', 0, 0],
		);
	});

	test(`${engine.name}: operators have mail about a silent edge and a failed verification, and resellers about their token`, async (t) => {
		const server = await startMailServer(t);
		const environment = { BURSAR_EDGE_PORT: '0', ...(await engine.environment()) };
		const dashboard = await startDashboard(
			t,
			{
				...{ BURSAR_SMTP_URL: server.url, BURSAR_MAIL_FROM: 'bursar@example.com', BURSAR_PUBLIC_URL: PUBLIC_URL },
				...environment,
			},
			{ mailLookMs: LOOK_MS, judgingMs: LOOK_MS, edgeSilentMs: 100 },
		);
		await dashboard.signedIn('olga@bursar.example', null);
		const { email, browser } = await dashboard.resellerWithPerson('acme');
		await dashboard.openEdge('gw-1');
		await dashboard.openEdge('gw-2');
		const use = { kind: 'edge_use', name: 'gw-1', seenAtMs: Date.now() - 60_000, checks: 1, refusals: 0 } as const;
		await dashboard.store.writeRecords([use], Date.now());
		await dashboard.change({ kind: 'begin_verification', id: 'v1' });
		const result = JSON.stringify({ accounts: 1, transfers: 1, problems: 2, first_problems: [] });
		const progress = { kind: 'verification_progress', id: 'v1', done: 1, steps: 1, result } as const;
		await dashboard.store.writeRecords([progress], Date.now());
		await browser.change('/token/rotate', { overlap_seconds: 0 });
		const mails = await server.received(5);
		const subjects = mails.map(({ to, headers }) => `${to} ${headers.get('subject')}`).sort();
		assert.deepEqual(subjects, [
			`${email} Bursar: New sign-in`,
			`${email} Bursar: The API token was rotated`,
			'olga@bursar.example Bursar: New sign-in',
			'olga@bursar.example Bursar: The edge gw-1 is silent',
			'olga@bursar.example Bursar: The ledger has problems',
		]);
		const { current } = await browser.read('/token');
		const ofToken = mails.find(({ headers }) => headers.get('subject')?.includes('token'));
		assert.match(ofToken?.text ?? '', new RegExp(`rotated by ${email}. The new token ends with ${current.tail}`));
	});
}

test('without a mail server, nothing is promised and nothing is kept', async (t) => {
	const dashboard = await startDashboard(t);
	const { browser, email } = await dashboard.resellerWithPerson('acme');
	assert.equal((await browser.read('/account/mail')).is_set_up, false);
	assert.equal((await dashboard.browser().signIn(email, PASSWORD)).status, 200);
	assert.equal((await dashboard.store.readOutbox()).waiting, 0);
	const { server, from, waiting } = await (await dashboard.operator()).read('/operator/mail');
	assert.deepEqual([server, from, waiting], [null, null, 0]);
});
