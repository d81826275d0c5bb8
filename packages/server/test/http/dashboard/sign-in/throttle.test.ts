import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tryKey } from '../../../../src/http/dashboard/sign-in/throttle.ts';
import { inPasswordTurn } from '../../../../src/password-turns.ts';
import { codeAt, PASSWORD, startDashboard } from '../../../support/dashboard.ts';
import { wholeFile } from '../../../support/whole-file.ts';

const WRONG = 'a wrong password';

const dashboard = await startDashboard(wholeFile, { BURSAR_TRUSTED_PROXIES: '127.0.0.1' });
const { clock, store, resellerWithPerson } = dashboard;
clock.stop();

/** Lets so much time pass that what was tried before counts no more. */
function forgive(): void {
	clock.aheadMs += 20 * 60_000;
}

const NETWORK = { burst: 50, intervalMs: 10_000 };
const SITE = { burst: 250, intervalMs: 2_000 };

/** Counts all tries of a network or site but two. To make as many takes long. */
async function spendAllButTwo(kind: 'network' | 'site', value: string): Promise<void> {
	const limit = kind === 'network' ? NETWORK : SITE;
	const one = { kind: 'count_try', tries: [{ key: tryKey(kind, value), limit }] } as const;
	await store.runPersonCommands(Array(limit.burst - 2).fill(one), clock.nowMs());
}

test('after ten wrong passwords an account is throttled everywhere, then one try each 90 seconds', async () => {
	forgive();
	const { email, browser } = await resellerWithPerson('acme');
	const from = (index: number) => dashboard.browser({ 'x-forwarded-for': `192.0.2.${index}` });
	for (let index = 0; index < 10; index++)
		await from(index).refused('wrong_credentials', '/sign-in', { email, password: WRONG });
	const answer = await from(10).refused('too_many_tries', '/sign-in', { email, password: PASSWORD });
	const seconds = Number(answer.headers.get('retry-after'));
	assert.ok(seconds > 60 && seconds <= 90, `${seconds} s`);
	await from(11).refused('too_many_tries', '/sign-in', { email: ` ${email.toUpperCase()}`, password: PASSWORD });
	await from(12).refused('wrong_credentials', '/sign-in', { email: 'bob@acme.example', password: WRONG });

	// A person who is signed in has own tries for a proof.
	await browser.ok('/proof', { password: PASSWORD });

	clock.aheadMs += 91_000;
	assert.equal((await from(13).signIn(email)).status, 200);
	// Success forgives the account.
	for (let index = 0; index < 10; index++)
		await from(index).refused('wrong_credentials', '/sign-in', { email, password: WRONG });
});

test('a try that is answered `unavailable` is given back to the account, and stays counted for its network', async (t) => {
	forgive();
	const { email } = await resellerWithPerson('returned');
	const from = (index: number) => dashboard.browser({ 'x-forwarded-for': `192.0.2.${index}` });
	const gate = Promise.withResolvers<void>();
	t.after(() => gate.resolve());
	const held = Array.from({ length: 20 }, (_, index) =>
		inPasswordTurn({ group: 'strangers', owner: `site ${index}` }, () => gate.promise),
	);
	for (let index = 0; index < 11; index++) {
		await from(index).refused('unavailable', '/sign-in', { email, password: PASSWORD });
	}
	await spendAllButTwo('network', 'password 192.0.2.99');
	for (let index = 0; index < 2; index++) {
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

test('after the shown wait, the right password and then its code sign in', async () => {
	forgive();
	const { email, browser } = await resellerWithPerson('shown');
	const { secret } = await browser.addCodes();
	const person = dashboard.browser();
	const isShown = async (code?: string) => {
		const answer = await person.signIn(email, PASSWORD, code);
		assert.equal(answer.errorCode, 'too_many_tries');
		clock.aheadMs += 1_000 * Number(answer.headers.get('retry-after'));
	};
	for (let tries = 0; tries < 10; tries++) await person.signIn(email, WRONG);
	await isShown();
	await person.refused('code_required', '/sign-in', { email, password: PASSWORD });
	for (let tries = 0; tries < 10; tries++)
		await person.refused('wrong_code', '/sign-in', { email, password: PASSWORD, code: '12345' });
	await isShown('12345');
	const code = codeAt(secret, clock.nowMs());
	assert.equal((await person.signIn(email, PASSWORD, code)).status, 200);
});

test('wrong passwords for a proof are throttled for the person alone', async () => {
	forgive();
	const { email, browser } = await resellerWithPerson('proving');
	for (let tries = 0; tries < 10; tries++) await browser.refused('wrong_credentials', '/proof', { password: WRONG });
	const answer = await browser.refused('too_many_tries', '/proof', { password: PASSWORD });
	assert.ok(Number(answer.headers.get('retry-after')) > 0);
	assert.equal((await dashboard.browser().signIn(email)).status, 200);
});

test('an address is throttled after fifty tries, an IPv6 network of 64 bits as one', async () => {
	forgive();
	const codeFrom = async (address: string, index: number) => {
		const browser = dashboard.browser({ 'x-forwarded-for': address });
		return (await browser.signIn(`nobody${index}@acme.example`, WRONG)).errorCode;
	};
	const inOneNetwork = (index: number) => `2001:db8:1:2:${index.toString(16)}::1`;
	for (const [network, addressOf] of [
		['2001:db8:1:2::/64', inOneNetwork],
		['198.51.100.7', () => '198.51.100.7'],
	] as const) {
		await spendAllButTwo('network', `password ${network}`);
		const codes = [];
		for (let index = 0; index < 3; index++) codes.push(await codeFrom(addressOf(index), index));
		assert.deepEqual(codes, ['wrong_credentials', 'wrong_credentials', 'too_many_tries']);
	}
	assert.equal(await codeFrom('2001:db8:1:3::1', 0), 'wrong_credentials', 'the next network');
	assert.equal(await codeFrom('::ffff:198.51.100.7', 0), 'too_many_tries', 'IPv4 in the clothes of IPv6');
	assert.equal(await codeFrom('198.51.100.8', 0), 'wrong_credentials');
	clock.aheadMs += 11_000;
	assert.equal(await codeFrom('198.51.100.7', 0), 'wrong_credentials');
});

test('an IPv6 site of 48 bits is throttled after 250 tries of all its networks, passwords and passkeys apart', async () => {
	forgive();
	const { browser } = await resellerWithPerson('sited');
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
		await spendAllButTwo('site', `${method} 2001:db8:7::/48`);
		assert.equal(await attempt(7, 1), refused);
		assert.equal(await attempt(7, 2), refused);
		assert.equal(await attempt(7, 3), 'too_many_tries');
		assert.equal(await attempt(8, 3), refused, 'the next site');
	}
	clock.aheadMs += 2_000;
	assert.equal(await password(7, 3), 'wrong_credentials');
});

test('passkeys of one address are throttled after fifty tries, apart from passwords', async () => {
	forgive();
	const { email, browser } = await resellerWithPerson('keyed');
	const { passkey } = await browser.addPasskey();
	const from = dashboard.browser({ 'x-forwarded-for': '203.0.113.5' });
	await spendAllButTwo('network', 'password 203.0.113.5');
	for (const each of [email, 'nobody@x.example']) await from.signIn(each, WRONG);
	await from.refused('too_many_tries', '/sign-in', { email, password: PASSWORD });
	assert.equal((await from.signInWithPasskey(passkey)).status, 200, 'passwords are throttled');
	await spendAllButTwo('network', 'passkey 203.0.113.5');
	const wrong = async () => (await from.signInWithPasskey(passkey, { wrongKey: true })).errorCode;
	assert.deepEqual([await wrong(), await wrong()], ['passkey_refused', 'too_many_tries']);
	const elsewhere = dashboard.browser({ 'x-forwarded-for': '192.0.2.1' });
	assert.equal((await elsewhere.signInWithPasskey(passkey)).status, 200);
});
