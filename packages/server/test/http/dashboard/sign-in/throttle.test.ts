import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tryKey } from '../../../../src/http/dashboard/sign-in/throttle.ts';
import { inPasswordTurn } from '../../../../src/password-turns.ts';
import { codeAt, PASSWORD, startDashboard } from '../../../support/dashboard.ts';

const WRONG = 'a wrong password';
const TRUSTING = { BURSAR_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' };

test('after ten wrong passwords an account is throttled everywhere, then one try each 90 seconds', async (t) => {
	const dashboard = await startDashboard(t, TRUSTING);
	dashboard.clock.stop();
	const { email, browser } = await dashboard.resellerWithPerson('acme');
	const from = (index: number) => dashboard.browser({ 'x-forwarded-for': `192.0.2.${index}` });
	for (let index = 0; index < 10; index++)
		await from(index).refused('wrong_credentials', '/sign-in', { email, password: WRONG });
	const answer = await from(10).refused('too_many_tries', '/sign-in', { email, password: PASSWORD });
	const seconds = Number(answer.headers.get('retry-after'));
	assert.ok(seconds > 60 && seconds <= 90, `${seconds} s`);
	await from(11).refused('too_many_tries', '/sign-in', { email: ` ${email.toUpperCase()}`, password: PASSWORD });
	await from(12).refused('wrong_credentials', '/sign-in', { email: 'bob@acme.example', password: WRONG });

	// Whoever is signed in proves it with tries of their own.
	await browser.ok('/proof', { password: PASSWORD });

	dashboard.clock.aheadMs = 91_000;
	assert.equal((await from(13).signIn(email)).status, 200);
	// Success forgives the account.
	for (let index = 0; index < 10; index++)
		await from(index).refused('wrong_credentials', '/sign-in', { email, password: WRONG });
});

test('a try that is answered `unavailable` is given back to the account, and stays counted for its network', async (t) => {
	const dashboard = await startDashboard(t, TRUSTING);
	dashboard.clock.stop();
	const { email } = await dashboard.resellerWithPerson('acme');
	const from = (index: number) => dashboard.browser({ 'x-forwarded-for': `192.0.2.${index}` });
	const gate = Promise.withResolvers<void>();
	const held = Array.from({ length: 20 }, (_, index) =>
		inPasswordTurn({ group: 'strangers', owner: `site ${index}` }, () => gate.promise),
	);
	for (let index = 0; index < 11; index++) {
		await from(index).refused('unavailable', '/sign-in', { email, password: PASSWORD });
	}
	for (let index = 0; index < 50; index++) {
		await from(99).refused('unavailable', '/sign-in', { email, password: PASSWORD });
	}
	await from(99).refused('too_many_tries', '/sign-in', { email, password: PASSWORD });
	gate.resolve();
	await Promise.all(held);
	for (let index = 0; index < 9; index++) {
		await from(index).refused('wrong_credentials', '/sign-in', { email, password: WRONG });
	}
	assert.equal((await from(10).signIn(email)).status, 200);
});

test('after the shown wait, the right password and then its code sign in', async (t) => {
	const dashboard = await startDashboard(t);
	dashboard.clock.stop();
	const { email, browser } = await dashboard.resellerWithPerson('acme');
	const { secret } = await browser.addCodes(dashboard.clock.nowMs());
	const person = dashboard.browser();
	const isShown = async (code?: string) => {
		const answer = await person.signIn(email, PASSWORD, code);
		assert.equal(answer.errorCode, 'too_many_tries');
		dashboard.clock.aheadMs += 1_000 * Number(answer.headers.get('retry-after'));
	};
	for (let tries = 0; tries < 10; tries++) await person.signIn(email, WRONG);
	await isShown();
	await person.refused('code_required', '/sign-in', { email, password: PASSWORD });
	for (let tries = 0; tries < 10; tries++)
		await person.refused('wrong_code', '/sign-in', { email, password: PASSWORD, code: '12345' });
	await isShown('12345');
	const code = codeAt(secret, dashboard.clock.nowMs());
	assert.equal((await person.signIn(email, PASSWORD, code)).status, 200);
});

test('wrong passwords for a proof are throttled for the person alone', async (t) => {
	const dashboard = await startDashboard(t);
	dashboard.clock.stop();
	const { email, browser } = await dashboard.resellerWithPerson('acme');
	for (let tries = 0; tries < 10; tries++) await browser.refused('wrong_credentials', '/proof', { password: WRONG });
	const answer = await browser.refused('too_many_tries', '/proof', { password: PASSWORD });
	assert.ok(Number(answer.headers.get('retry-after')) > 0);
	assert.equal((await dashboard.browser().signIn(email)).status, 200);
});

test('an address is throttled after fifty tries, an IPv6 network of 64 bits as one', async (t) => {
	const dashboard = await startDashboard(t, TRUSTING);
	dashboard.clock.stop();
	await dashboard.openReseller('acme', 1000);
	const codeFrom = async (address: string, index: number) => {
		const browser = dashboard.browser({ 'x-forwarded-for': address });
		return (await browser.signIn(`nobody${index}@acme.example`, WRONG)).errorCode;
	};
	const inOneNetwork = (index: number) => `2001:db8:1:2:${index.toString(16)}::1`;
	for (const addressOf of [inOneNetwork, () => '198.51.100.7']) {
		const codes = [];
		for (let index = 0; index < 51; index++) codes.push(await codeFrom(addressOf(index), index));
		assert.deepEqual([new Set(codes.slice(0, 50)), codes[50]], [new Set(['wrong_credentials']), 'too_many_tries']);
	}
	assert.equal(await codeFrom('2001:db8:1:3::1', 0), 'wrong_credentials', 'the next network');
	assert.equal(await codeFrom('::ffff:198.51.100.7', 0), 'too_many_tries', 'IPv4 in the clothes of IPv6');
	assert.equal(await codeFrom('198.51.100.8', 0), 'wrong_credentials');
	dashboard.clock.aheadMs = 11_000;
	assert.equal(await codeFrom('198.51.100.7', 0), 'wrong_credentials');
});

test('an IPv6 site of 48 bits is throttled after 250 tries of all its networks, passwords and passkeys apart', async (t) => {
	const dashboard = await startDashboard(t, TRUSTING);
	dashboard.clock.stop();
	const { browser } = await dashboard.resellerWithPerson('acme');
	const { passkey } = await browser.addPasskey();
	const from = (site: number, network: number) =>
		dashboard.browser({ 'x-forwarded-for': `2001:db8:${site}:${network}::1` });
	const password = async (site: number, network: number) =>
		(await from(site, network).signIn(`nobody${network}@acme.example`, WRONG)).errorCode;
	const withPasskey = async (site: number, network: number) =>
		(await from(site, network).signInWithPasskey(passkey, { wrongKey: true })).errorCode;
	for (const [method, attempt, refused] of [
		['password', password, 'wrong_credentials'],
		['passkey', withPasskey, 'passkey_refused'],
	] as const) {
		assert.equal(await attempt(7, 1), refused);
		// As many tries take long.
		const key = tryKey('site', `${method} 2001:db8:7::/48`);
		const another = { kind: 'count_try', tries: [{ key, limit: { burst: 250, intervalMs: 2_000 } }] } as const;
		await dashboard.store.runPersonCommands(Array(248).fill(another), dashboard.clock.nowMs());
		assert.equal(await attempt(7, 2), refused);
		assert.equal(await attempt(7, 3), 'too_many_tries');
		assert.equal(await attempt(8, 3), refused, 'the next site');
	}
	dashboard.clock.aheadMs = 2_000;
	assert.equal(await password(7, 3), 'wrong_credentials');
});

test('a forwarding header of a proxy that is not trusted changes nothing', async (t) => {
	const dashboard = await startDashboard(t, { BURSAR_TRUSTED_PROXIES: '10.0.0.0/8' });
	dashboard.clock.stop();
	const { browser } = await dashboard.resellerWithPerson('acme');
	let last: string | null = '';
	for (let index = 0; index < 51; index++) {
		const from = dashboard.browser({ 'x-forwarded-for': `192.0.2.${index}` });
		last = (await from.signIn(`nobody${index}@acme.example`, WRONG)).errorCode;
	}
	assert.equal(last, 'too_many_tries');
	assert.equal((await browser.ok('/account')).sessions[0]?.address, '127.0.0.1');
});

test('a passkey signs in while passwords are throttled', async (t) => {
	const dashboard = await startDashboard(t);
	dashboard.clock.stop();
	const { email, browser } = await dashboard.resellerWithPerson('acme');
	const { passkey } = await browser.addPasskey();
	for (let tries = 0; tries < 50; tries++)
		await dashboard.browser().signIn(tries < 10 ? email : `${tries}@x.example`, WRONG);
	await dashboard.browser().refused('too_many_tries', '/sign-in', { email, password: PASSWORD });
	assert.equal((await dashboard.browser().signInWithPasskey(passkey)).status, 200);
});

test('passkeys of one address are throttled after fifty tries', async (t) => {
	const dashboard = await startDashboard(t, TRUSTING);
	dashboard.clock.stop();
	const { browser } = await dashboard.resellerWithPerson('acme');
	const { passkey } = await browser.addPasskey();
	const codes = [];
	for (let tries = 0; tries < 51; tries++) {
		codes.push((await dashboard.browser().signInWithPasskey(passkey, { wrongKey: true })).errorCode);
	}
	assert.deepEqual([new Set(codes.slice(0, 50)), codes[50]], [new Set(['passkey_refused']), 'too_many_tries']);
	const elsewhere = dashboard.browser({ 'x-forwarded-for': '192.0.2.1' });
	assert.equal((await elsewhere.signInWithPasskey(passkey)).status, 200);
});
