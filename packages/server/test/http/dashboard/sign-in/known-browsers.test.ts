import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { newLink } from '../../../../src/credentials.ts';
import { tryKey } from '../../../../src/http/dashboard/sign-in/throttle.ts';
import { type Browser, PASSWORD, startDashboard } from '../../../support/dashboard.ts';
import { wholeFile } from '../../../support/whole-file.ts';

const WRONG = 'a wrong password';

const dashboard = await startDashboard(wholeFile, { BURSAR_TRUSTED_PROXIES: '127.0.0.1' });
const { clock, store, change, signedIn, resellerWithPerson } = dashboard;
clock.stop();

/** A person who has signed in in a browser and out again, and a stranger who has used up the tries of the account. */
async function start(reseller: string) {
	// What was tried in other tests counts no more.
	clock.aheadMs += 20 * 60_000;
	const { email, browser } = await resellerWithPerson(reseller);
	await browser.ok('/sign-out', {});
	const stranger = dashboard.browser({ 'x-forwarded-for': '192.0.2.1' });
	for (const code of [undefined, '123456']) {
		for (let tries = 0; tries < 10; tries++) await stranger.signIn(email, WRONG, code);
		assert.equal((await stranger.signIn(email, WRONG, code)).errorCode, 'too_many_tries');
	}
	const isKnown = async (asked: Pick<Browser, 'signIn'>, password = PASSWORD) => {
		const { status, errorCode } = await asked.signIn(email, password);
		assert.ok(status === 200 || errorCode === 'too_many_tries', `${errorCode}`);
		return status === 200;
	};
	return { email, known: browser, isKnown };
}

test('strangers cannot keep a person out of a browser that this person has signed in with', async () => {
	const { email, known, isKnown } = await start('acme');
	assert.equal(await isKnown(dashboard.browser()), false);
	// Strangers in the same network neither.
	const limit = { burst: 50, intervalMs: 10_000 };
	const another = { kind: 'count_try', tries: [{ key: tryKey('network', 'password 127.0.0.1'), limit }] } as const;
	await store.runPersonCommands(Array(50).fill(another), clock.nowMs());
	assert.equal((await dashboard.browser().signIn('bob@x.example', WRONG)).errorCode, 'too_many_tries');
	assert.equal(await isKnown(known), true);
	await known.ok('/sign-out', {});
	assert.equal(await isKnown(known), true, 'as often as the person likes');
	await known.refused('too_many_tries', '/sign-in', { email: 'bob@x.example', password: WRONG });
	assert.equal((await known.ok('/account')).email, email);
});

test('a known browser has ten tries of a password, and ten with a code, which nobody else spends or gets', async () => {
	clock.aheadMs += 20 * 60_000;
	const { email, browser: known } = await resellerWithPerson('ten');
	for (const code of [undefined, '123456']) {
		for (let tries = 0; tries < 10; tries++)
			assert.equal((await known.signIn(email, WRONG, code)).errorCode, 'wrong_credentials');
		const answer = await known.signIn(email, PASSWORD, code);
		assert.equal(answer.errorCode, 'too_many_tries');
		assert.equal(answer.headers.get('retry-after'), '90');
	}
	const other = dashboard.browser();
	assert.equal((await other.signIn(email)).status, 200, 'the tries of strangers are left');
	assert.equal((await other.signIn(email)).status, 200, 'and so are those of another browser');
	await known.refused('too_many_tries', '/sign-in', { email, password: PASSWORD });
	clock.aheadMs += 90_000;
	assert.equal((await known.signIn(email)).status, 200);
	assert.equal((await known.signIn(email, WRONG)).errorCode, 'wrong_credentials', 'a sign-in forgives');
});

test('a browser is known by a passkey and by a link too, and by the last person who signed in', async () => {
	const { email, known, isKnown } = await start('linked');
	await isKnown(known);
	const { passkey } = await known.addPasskey();
	for (const signIn of [
		(browser: Browser) => browser.signInWithPasskey(passkey),
		async (browser: Browser) =>
			browser.ask('/invitation/accept', { link: await dashboard.invite(email, 'linked', { purpose: 'sign_in' }) }),
	]) {
		const browser = dashboard.browser();
		assert.equal((await signIn(browser)).status, 200);
		assert.equal((await browser.signIn(email)).errorCode, 'code_required');
	}
	await signedIn('bob@linked.example', 'linked');
	assert.equal((await known.signIn('bob@linked.example')).status, 200);
	await known.refused('too_many_tries', '/sign-in', { email, password: PASSWORD });
});

test('a cookie that was forged, or belongs to an earlier password or a locked person, makes nobody known', async () => {
	const { email, known, isKnown } = await start('forged');
	const cookie = known.jar.known ?? '';
	const bob = await signedIn('bob@forged.example', 'forged');
	const [, id = '', ofEmail = '', ofPassword = ''] = /^\w+=(.*)\.(.*)\.(.*)$/.exec(cookie) ?? [];
	const [, , bobsEmail = '', bobsPassword = ''] = /^\w+=(.*)\.(.*)\.(.*)$/.exec(bob.jar.known ?? '') ?? [];
	for (const value of [
		'',
		'..',
		`${id}.${ofEmail}`,
		`${id}.${ofEmail}.${ofEmail}`,
		`${id}.${ofPassword}.${ofPassword}`,
		`${id}.${ofPassword}.${ofEmail}`,
		`${id}.${ofEmail}.${bobsPassword}`,
		`${id}.${bobsEmail}.${ofPassword}`,
		`${'A'.repeat(22)}.${ofEmail}.${ofPassword}`,
		`${id}.${ofEmail}.${'A'.repeat(43)}`,
		`${id}.${ofEmail}.${ofPassword}.`,
		`${id}.${ofEmail}.${'é'.repeat(43)}`,
	]) {
		const forger = dashboard.browser();
		forger.jar.known = `bursar_browser=${value}`;
		assert.equal(await isKnown(forger), false, value);
	}
	const copied = dashboard.browser();
	copied.jar.known = cookie;
	await change({ kind: 'lock_person', email });
	assert.equal(await isKnown(copied), false, 'locked');
	await change({ kind: 'unlock_person', email });
	assert.equal(await isKnown(known), true);

	const password = 'another long password';
	await known.ok('/account/password', { act: randomUUID(), password });
	assert.equal(await isKnown(copied, password), false, 'an earlier password');
	assert.equal(await isKnown(known, password), true, 'the browser that chose the new password');
	const { secret, linkHash } = newLink();
	await change({ kind: 'reset_person', email, linkHash });
	assert.equal(await isKnown(known, password), false, 'reset');
	await known.ok('/invitation/accept', { link: secret, password });
	assert.equal(await isKnown(known, password), true);
});

test('a refused sign-in makes no browser known, and a known one gets no session', async () => {
	const { email, browser: known } = await resellerWithPerson('refused');
	await known.addCodes();
	const stranger = dashboard.browser();
	for (const [code, password, typed] of [
		['wrong_credentials', WRONG, undefined],
		['code_required', PASSWORD, undefined],
		['wrong_code', PASSWORD, '12345'],
	] as const) {
		await stranger.refused(code, '/sign-in', { email, password, ...(typed && { code: typed }) });
	}
	stranger.jar.known = known.jar.known;
	await stranger.refused('signed_out', '/account');
	await stranger.refused('code_required', '/sign-in', { email, password: PASSWORD });
});
