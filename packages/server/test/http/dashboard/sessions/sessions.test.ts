import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { PERSON_HEADER, personHeader } from '@bursar/contract/dashboard';
import { eventually } from '@bursar/testing/eventually';
import { PASSWORD, sessionHashOf, startDashboard } from '../../../support/dashboard.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

test('the cookies are for this host only, out of the reach of scripts, and secure under https', async (t) => {
	for (const [publicUrl, prefix, secure] of [
		[undefined, '', ''],
		['https://bursar.example', '__Host-', ' Secure;'],
	] as const) {
		const dashboard = await startDashboard(t, publicUrl === undefined ? {} : { BURSAR_PUBLIC_URL: publicUrl });
		dashboard.clock.stop();
		await dashboard.openReseller('acme', 1000);
		const link = await dashboard.invite('ann@acme.example', 'acme');
		const answer = await dashboard.browser().ask('/invitation/accept', { link, password: PASSWORD });
		const attributes = (seconds: number) => `; Max-Age=${seconds}; Path=/; HttpOnly;${secure} SameSite=Lax`;
		assert.deepEqual(
			answer.headers.getSetCookie().map((cookie) => cookie.replace(/=[\w.-]+/, '=…')),
			[
				`${prefix}bursar_session=…${attributes(7 * 24 * 3600)}`,
				`${prefix}bursar_browser=…${attributes(180 * 24 * 3600)}`,
			],
		);
		assert.match(answer.headers.getSetCookie()[0] ?? '', /=[\w-]{43};/);
		const hsts = answer.headers.get('strict-transport-security');
		assert.equal(hsts, publicUrl === undefined ? null : 'max-age=31536000');
	}
});

test('a cookie that was there before the sign-in is worthless, and is replaced', async (t) => {
	const dashboard = await startDashboard(t);
	const { email, browser: attacker } = await dashboard.resellerWithPerson('acme');
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

test('the store holds no secret of a session', async (t) => {
	const dashboard = await startDashboard(t);
	const { browser } = await dashboard.resellerWithPerson('acme');
	const found = await dashboard.store.findSession(sessionHashOf(browser));
	assert.ok(found);
	assert.ok(!JSON.stringify(found).includes(browser.jar.cookie?.split('=')[1] ?? ''));
});

test('a session ends when it was not used for 12 hours, and after 7 days at the latest', async (t) => {
	const dashboard = await startDashboard(t);
	const { email, browser } = await dashboard.resellerWithPerson('acme');
	const idle = dashboard.browser();
	await idle.signIn(email);
	for (let hours = 11; hours < 7 * 24; hours += 11) {
		dashboard.clock.aheadMs = hours * HOUR_MS;
		await browser.ok('/account');
		// The use is written while the answer is on its way.
		await eventually(async () => {
			const found = await dashboard.store.findSession(sessionHashOf(browser));
			assert.ok((found?.session.lastSeenAtMs ?? 0) > Date.now() + (hours - 1) * HOUR_MS);
		});
		if (hours > 12) await idle.refused('signed_out', '/account');
	}
	assert.equal((await browser.ok('/account')).sessions.length, 1, 'sessions that ended are not shown');
	dashboard.clock.aheadMs = 7 * 24 * HOUR_MS;
	await browser.refused('signed_out', '/account');
	assert.equal((await browser.ok('/session')).person, null);
});

test('when a session was last used is written once a minute', async (t) => {
	const dashboard = await startDashboard(t);
	const { browser } = await dashboard.resellerWithPerson('acme');
	const lastSeenMs = async () => (await dashboard.store.findSession(sessionHashOf(browser)))?.session.lastSeenAtMs ?? 0;
	const atFirst = await lastSeenMs();
	dashboard.clock.aheadMs = MINUTE_MS - 30_000;
	await browser.ok('/account');
	await browser.ok('/account');
	assert.equal(await lastSeenMs(), atFirst);
	dashboard.clock.aheadMs = 2 * MINUTE_MS;
	await Promise.all(Array.from({ length: 20 }, () => browser.ok('/account')));
	await eventually(async () => assert.ok((await lastSeenMs()) >= atFirst + 2 * MINUTE_MS));
	const written = await lastSeenMs();
	dashboard.clock.aheadMs += 20_000;
	await browser.ok('/account');
	assert.equal(await lastSeenMs(), written);
});

test('a session that was ended is refused at once, whoever ended it', async (t) => {
	const dashboard = await startDashboard(t);
	const { email, browser } = await dashboard.resellerWithPerson('acme');
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

test('whoever ends the own session is signed out like with a sign-out', async (t) => {
	const dashboard = await startDashboard(t);
	const { email, browser } = await dashboard.resellerWithPerson('acme');
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

test('a change that was done while its session ended is not answered as if it was not', async (t) => {
	const dashboard = await startDashboard(t);
	const { email, browser } = await dashboard.resellerWithPerson('acme');
	const { store, faults } = dashboard;
	faults.runPersonCommands = async (commands, nowMs) => {
		const answer = await store.runPersonCommands(commands, nowMs);
		const isChange = commands.some(({ kind }) => kind === 'end_sessions');
		if (isChange) await store.runPersonCommands([{ kind: 'lock_person', email }], nowMs);
		return answer;
	};
	await browser.refused('outcome_unknown', '/account/sessions/end-others', { act: randomUUID() });
	await browser.refused('signed_out', '/account');
});

test('a page that was drawn for somebody else changes nothing', async (t) => {
	const dashboard = await startDashboard(t);
	const { browser, email } = await dashboard.resellerWithPerson('acme');
	const bounds = { act: randomUUID(), low_balance: 500 };
	for (const other of ['ben@zeta.example', email.toUpperCase(), '%', '']) {
		await browser.refused('signed_out', '/overview/low-balance', bounds, { headers: { [PERSON_HEADER]: other } });
	}
	await browser.ok('/overview/low-balance', bounds, { headers: { [PERSON_HEADER]: personHeader(email) } });
});

test('nobody ends the session of another person', async (t) => {
	const dashboard = await startDashboard(t);
	const acme = await dashboard.resellerWithPerson('acme');
	const bolt = await dashboard.resellerWithPerson('bolt');
	const [{ id } = { id: '' }] = (await bolt.browser.ok('/account')).sessions;
	await acme.browser.refused('not_found', '/account/sessions/end', { act: randomUUID(), id });
	const { acts } = await acme.browser.ok('/account/acts');
	assert.ok(acts.every(({ kind }) => kind !== 'end_session'));
	await acme.browser.ok('/account/sessions/end-others', { act: randomUUID() });
	assert.equal((await bolt.browser.ok('/account')).sessions.length, 1);
});

test('each proof gives a new cookie to the same session, and the old cookie is worthless', async (t) => {
	const dashboard = await startDashboard(t);
	dashboard.clock.stop();
	const { browser } = await dashboard.resellerWithPerson('acme');
	const before = dashboard.browser({}, browser);
	const [session] = (await browser.ok('/account')).sessions;
	dashboard.clock.aheadMs = HOUR_MS;
	const answer = await browser.ask('/proof', { password: PASSWORD });
	assert.equal(answer.status, 200);
	assert.match(answer.headers.getSetCookie()[0] ?? '', /Max-Age=601200;/, 'the session ends when it would have ended');
	await before.refused('signed_out', '/account');
	const [after, ...more] = (await browser.ok('/account')).sessions;
	assert.deepEqual([after?.id, after?.signed_in, more.length], [session?.id, session?.signed_in, 0]);
});

test('a clock that is set back ends no proof late, and signs nobody out', async (t) => {
	const dashboard = await startDashboard(t);
	dashboard.clock.aheadMs = HOUR_MS;
	const { browser } = await dashboard.resellerWithPerson('acme');
	dashboard.clock.aheadMs = 0;
	const { person } = await browser.ok('/session');
	assert.equal(person?.proven_until, null);
});
