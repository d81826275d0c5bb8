import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { PERSON_HEADER, personHeader } from '@bursar/contract/dashboard';
import { eventually } from '@bursar/testing/eventually';
import { browserName } from '../../../../src/http/dashboard/sessions/browser-name.ts';
import { PASSWORD, sessionHashOf, startDashboard } from '../../../support/dashboard.ts';
import { wholeFile } from '../../../support/whole-file.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const dashboard = await startDashboard(wholeFile);
const { store, clock, faults, resellerWithPerson } = dashboard;
clock.stop();

test('the cookies are for this host only, out of the reach of scripts, and secure under https', async (t) => {
	const secure = await startDashboard(t, { BURSAR_PUBLIC_URL: 'https://bursar.example' });
	for (const [service, prefix, more, hsts] of [
		[dashboard, '', '', null],
		[secure, '__Host-', ' Secure;', 'max-age=31536000'],
	] as const) {
		await service.openReseller('cookies', 1000);
		const link = await service.invite('ann@cookies.example', 'cookies');
		service.clock.stop();
		const { headers } = await service.browser().ask('/invitation/accept', { link, password: PASSWORD });
		const attributes = (days: number) => `; Max-Age=${days * 24 * 3600}; Path=/; HttpOnly;${more} SameSite=Lax`;
		assert.deepEqual(
			headers.getSetCookie().map((cookie) => cookie.replace(/=[\w.-]+/, '=…')),
			[`${prefix}bursar_session=…${attributes(7)}`, `${prefix}bursar_browser=…${attributes(180)}`],
		);
		assert.match(headers.getSetCookie()[0] ?? '', /=[\w-]{43};/);
		assert.equal(headers.get('strict-transport-security'), hsts);
	}
});

test('a cookie that was there before the sign-in is worthless, and is replaced', async () => {
	const { email, browser: attacker } = await resellerWithPerson('planted');
	const found = await store.findSession(sessionHashOf(attacker));
	assert.ok(
		found && !JSON.stringify(found).includes(attacker.jar.cookie?.split('=')[1] ?? ''),
		'the store has its hash',
	);
	const planted = `bursar_session=${'A'.repeat(43)}`;
	for (const cookie of [planted, attacker.jar.cookie]) {
		const victim = dashboard.browser();
		victim.jar.cookie = cookie;
		assert.equal((await victim.signIn(email)).status, 200);
		assert.notEqual(victim.jar.cookie, cookie);
		const fixed = dashboard.browser();
		fixed.jar.cookie = cookie;
		// The session that the browser had before ends too.
		await eventually(async () => void (await fixed.refused('signed_out', '/account')));
	}
	for (const cookie of [
		'bursar_session=',
		'bursar_session',
		'bursar_session=%00',
		`__Host-bursar_session=${'A'.repeat(43)}`,
		';;;=',
		'__proto__=x',
	]) {
		const hostile = dashboard.browser();
		hostile.jar.cookie = cookie;
		assert.equal((await hostile.ok('/session')).person, null, cookie);
	}
});

test('a session ends when it was not used for 12 hours, and after 7 days at the latest; its use is written once a minute', async () => {
	const { email, browser } = await resellerWithPerson('aging');
	const startMs = clock.nowMs();
	const lastSeenMs = async () => (await store.findSession(sessionHashOf(browser)))?.session.lastSeenAtMs;
	clock.aheadMs += MINUTE_MS / 2;
	await browser.ok('/account');
	assert.equal(await lastSeenMs(), startMs);
	const idle = dashboard.browser();
	await idle.signIn(email);
	for (let hours = 11; hours < 7 * 24; hours += 11) {
		clock.aheadMs += startMs + hours * HOUR_MS - clock.nowMs();
		await browser.ok('/account');
		// The use is written while the answer is on its way.
		await eventually(async () => assert.equal(await lastSeenMs(), startMs + hours * HOUR_MS));
		if (hours > 12) await idle.refused('signed_out', '/account');
	}
	assert.equal((await browser.ok('/account')).sessions.length, 1, 'sessions that ended are not shown');
	clock.aheadMs += startMs + 7 * 24 * HOUR_MS - clock.nowMs();
	await browser.refused('signed_out', '/account');
	assert.equal((await browser.ok('/session')).person, null);
});

test('a session that was ended is refused at once, whoever ended it', async () => {
	const { email, browser } = await resellerWithPerson('ended');
	const others = Array.from({ length: 3 }, () => dashboard.browser());
	for (const other of others) await other.signIn(email);
	const [first, second, third] = others as [typeof browser, typeof browser, typeof browser];
	const { sessions } = await second.ok('/account');
	assert.equal(sessions.length, 4);
	const { id } = sessions.find(({ current }) => current) ?? assert.fail();
	const left = await browser.ok('/account/sessions/end', { act: randomUUID(), id });
	assert.equal(left.sessions.length, 3);
	await second.refused('signed_out', '/account');
	await second.refused('signed_out', '/token');
	await second.refused('signed_out', '/proof', { password: PASSWORD });

	assert.equal((await browser.ok('/account/sessions/end-others', { act: randomUUID() })).sessions.length, 1);
	for (const other of [first, third]) await other.refused('signed_out', '/account');
	const stolen = dashboard.browser({}, browser);
	await browser.ok('/sign-out', {});
	await stolen.refused('signed_out', '/account');

	await browser.signIn(email);
	await dashboard.change({ kind: 'lock_person', email });
	await browser.refused('signed_out', '/account');
});

test('whoever ends the own session is signed out like with a sign-out', async () => {
	const { email, browser } = await resellerWithPerson('left');
	const other = dashboard.browser();
	await other.signIn(email);
	const { sessions } = await browser.ok('/account');
	const { id } = sessions.find(({ current }) => current) ?? assert.fail();
	const left = await browser.ok('/account/sessions/end', { act: randomUUID(), id });
	assert.deepEqual(
		left.sessions.map((session) => [session.id === id, session.current]),
		[[false, false]],
	);
	assert.equal(browser.jar.cookie, undefined, 'the cookie is cleared');
	assert.equal((await other.ok('/account/acts')).acts[0]?.kind, 'end_session');
});

test('a change that was done while its session ended is not answered as if it was not', async () => {
	const { email, browser } = await resellerWithPerson('raced');
	faults.runPersonCommands = async (commands, nowMs) => {
		const answer = await store.runPersonCommands(commands, nowMs);
		const isChange = commands.some(({ kind }) => kind === 'end_sessions');
		if (isChange) await store.runPersonCommands([{ kind: 'lock_person', email }], nowMs);
		return answer;
	};
	await browser.refused('outcome_unknown', '/account/sessions/end-others', { act: randomUUID() });
	await browser.refused('signed_out', '/account');
	delete faults.runPersonCommands;
});

test('a page that was drawn for somebody else changes nothing', async () => {
	const { browser, email } = await resellerWithPerson('drawn');
	const bounds = { act: randomUUID(), low_balance: 500 };
	for (const other of ['ben@zeta.example', email.toUpperCase(), '%', '']) {
		await browser.refused('signed_out', '/overview/low-balance', bounds, { headers: { [PERSON_HEADER]: other } });
	}
	await browser.ok('/overview/low-balance', bounds, { headers: { [PERSON_HEADER]: personHeader(email) } });
});

test('nobody ends the session of another person', async () => {
	const acme = await resellerWithPerson('foreign');
	const bolt = await resellerWithPerson('not.foreign');
	const [{ id } = { id: '' }] = (await bolt.browser.ok('/account')).sessions;
	await acme.browser.refused('not_found', '/account/sessions/end', { act: randomUUID(), id });
	const { acts } = await acme.browser.ok('/account/acts');
	assert.ok(acts.every(({ kind }) => kind !== 'end_session'));
	await acme.browser.ok('/account/sessions/end-others', { act: randomUUID() });
	assert.equal((await bolt.browser.ok('/account')).sessions.length, 1);
});

test('each proof gives a new cookie to the same session, and the old cookie is worthless', async () => {
	const { browser } = await resellerWithPerson('proven');
	const before = dashboard.browser({}, browser);
	const [session] = (await browser.ok('/account')).sessions;
	clock.aheadMs += HOUR_MS;
	const answer = await browser.ask('/proof', { password: PASSWORD });
	assert.equal(answer.status, 200);
	assert.match(answer.headers.getSetCookie()[0] ?? '', /Max-Age=601200;/, 'the session ends when it would have ended');
	await before.refused('signed_out', '/account');
	const [after, ...more] = (await browser.ok('/account')).sessions;
	assert.deepEqual([after?.id, after?.signed_in, more.length], [session?.id, session?.signed_in, 0]);
});

test('a clock that is set back ends no proof late, and signs nobody out', async () => {
	const { browser } = await resellerWithPerson('back');
	clock.aheadMs -= HOUR_MS;
	const { person } = await browser.ok('/session');
	assert.equal(person?.proven_until, null);
});

const KIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test('browsers are named as people know them', () => {
	for (const [userAgent, name] of [
		['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
		[`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${KIT} Chrome/140.0.0.0 Safari/537.36`, 'Chrome on Windows'],
		[`Mozilla/5.0 (Windows NT 10.0) ${KIT} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`, 'Edge on Windows'],
		[`Mozilla/5.0 (Linux; Android 10; K) ${KIT} Chrome/140.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
		[`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${KIT} Chrome/140.0.0.0 Safari/537.36`, 'Chrome on ChromeOS'],
		[
			'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
			'Safari on macOS',
		],
		[
			'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1',
			'Chrome on iOS',
		],
		['curl/8.5.0', 'Unknown browser'],
		[undefined, 'Unknown browser'],
	] as const) {
		assert.equal(browserName(userAgent), name);
	}
});

test('nothing of a hostile header is in the name', () => {
	for (const userAgent of [
		'<script>alert(1)</script>',
		`${'Firefox/'.repeat(2_000)}`,
		'\u202eWindows\u0000 Firefox/<b>',
		'',
	]) {
		assert.match(browserName(userAgent), /^(Firefox|Unknown browser)( on Windows)?$/);
	}
});
