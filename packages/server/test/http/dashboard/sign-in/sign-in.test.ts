import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { type TestContext, test } from 'node:test';
import { newLink } from '../../../../src/credentials.ts';
import { PASSWORD, startDashboard } from '../../../support/dashboard.ts';
import { wholeFile } from '../../../support/whole-file.ts';

const THREE_DAYS_MS = 72 * 3_600_000;

const dashboard = await startDashboard(wholeFile);
const { clock, invite, change } = dashboard;
await dashboard.openReseller('acme', 1000);
clock.stop();

/** Counts the computations of argon2 in this process. */
function countArgon2(t: TestContext): () => number {
	const { mock } = t.mock.method(crypto, 'argon2');
	syncBuiltinESMExports();
	t.after(() => {
		mock.restore();
		syncBuiltinESMExports();
	});
	return () => mock.callCount();
}

test('a person accepts an invitation, signs out, and signs in with the password', async () => {
	const email = 'ann@acme.example';
	const link = await invite(email, 'acme');
	const browser = dashboard.browser({ 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/140.0' });
	const { expires, ...whose } = await browser.ok('/invitation', { link });
	assert.deepEqual(whose, { email, reseller: 'acme', role: 'owner', signs_in: false, new_person: true });
	assert.equal(Date.parse(expires), clock.nowMs() + THREE_DAYS_MS);
	for (const password of ['', 'elevenchars', 'qwerty123456', 'aaaaaaaaaaaaaaaa', email, 'é'.repeat(600)]) {
		await browser.refused('weak_password', '/invitation/accept', { link, password });
	}

	// A password is the same in every form of Unicode.
	const accepted = await browser.ok('/invitation/accept', { link, password: 'Cafe\u0301 au lait, ﬁn' });
	const { proven_until, ...person } = accepted.person ?? assert.fail('nobody is signed in');
	assert.deepEqual(person, {
		...{ email, reseller: 'acme', role: 'owner' },
		...{ code_required: false, one_time_codes: false, has_passkey: false, second_factor_required: false },
	});
	assert.ok(Date.parse(proven_until ?? '') > clock.nowMs());
	assert.deepEqual(await browser.ok('/session'), accepted);
	assert.deepEqual([accepted.public_url, accepted.passkeys], [dashboard.publicUrl, true]);

	assert.equal((await browser.ok('/sign-out', {})).person, null);
	assert.equal(browser.jar.cookie, undefined);
	assert.equal((await browser.ok('/session')).person, null);
	const again = await browser.signIn(' ANN@Acme.example ', 'Caf\u00e9 au lait, fin');
	assert.equal(again.status, 200, 'case and white space of the address do not matter');
	const { sessions } = await browser.ok('/account');
	assert.deepEqual(
		sessions.map(({ browser: name, address, current }) => [name, address, current]),
		[['Firefox on Windows', '127.0.0.1', true]],
	);
});

test('a link that is unknown, replaced, too old, or of a locked person is not valid', async () => {
	const email = 'linked@acme.example';
	const replaced = await invite(email, 'acme');
	const link = await invite(email, 'acme');
	const browser = dashboard.browser();
	const refusesAll = async (...links: readonly string[]) => {
		for (const each of links) {
			await browser.refused('invalid_link', '/invitation', { link: each });
			await browser.refused('invalid_link', '/invitation/accept', { link: each, password: PASSWORD });
		}
	};
	await refusesAll('', 'x', replaced, link.toLowerCase(), `${link}=`, '\u0000', 'x'.repeat(10_000));
	await change({ kind: 'lock_person', email });
	await refusesAll(link);
	await change({ kind: 'unlock_person', email });
	await browser.ok('/invitation', { link });
	clock.aheadMs += THREE_DAYS_MS;
	await refusesAll(link);
});

test('after a reset, the link says that the person is not new', async () => {
	const email = 'reset@acme.example';
	const browser = dashboard.browser();
	const reset = async () => {
		const { secret, linkHash } = newLink();
		assert.ok((await change({ kind: 'reset_person', email, linkHash })).ok);
		return { link: secret };
	};
	await invite(email, 'acme');
	const first = await reset();
	assert.equal((await browser.ok('/invitation', first)).new_person, true, 'nobody has used the first link');
	await browser.ok('/invitation/accept', { ...first, password: PASSWORD });
	const { new_person, signs_in } = await browser.ok('/invitation', await reset());
	assert.deepEqual({ new_person, signs_in }, { new_person: false, signs_in: false });
	const link = await invite(email, 'acme');
	assert.equal((await browser.ok('/invitation', { link })).new_person, false, 'an invitation after a reset');
});

test('an unknown, ill-formed, invited or locked person is refused like a wrong password, with the same work', async (t) => {
	await dashboard.signedIn('known@acme.example', 'acme');
	await dashboard.signedIn('locked@acme.example', 'acme');
	await change({ kind: 'lock_person', email: 'locked@acme.example' });
	await invite('invited@acme.example', 'acme');
	const computations = countArgon2(t);
	const answers = [];
	for (const [email, password] of [
		['known@acme.example', 'a wrong password'],
		['known@acme.example', ''],
		['nobody@acme.example', PASSWORD],
		['not an address', PASSWORD],
		['', PASSWORD],
		['nul\u0000@acme.example', PASSWORD],
		['locked@acme.example', PASSWORD],
		['invited@acme.example', PASSWORD],
	] as const) {
		const before = computations();
		const answer = await dashboard.browser().refused('wrong_credentials', '/sign-in', { email, password });
		assert.equal(computations() - before, 1, email);
		answers.push(answer.text.replace(/"timestamp":\d+/, ''));
	}
	assert.equal(new Set(answers).size, 1);
});

test('a new password ends all other sessions, and the old one is refused', async () => {
	const { browser, email } = await dashboard.resellerWithPerson('changing');
	const other = dashboard.browser();
	await other.signIn(email);
	const path = '/account/password';
	await browser.refused('weak_password', path, { act: crypto.randomUUID(), password: 'administrator' });
	const account = await browser.ok(path, { act: crypto.randomUUID(), password: `${PASSWORD}!` });
	assert.equal(account.sessions.length, 1);
	await other.refused('signed_out', '/account');
	await dashboard.browser().refused('wrong_credentials', '/sign-in', { email, password: PASSWORD });
	assert.equal((await dashboard.browser().signIn(email, `${PASSWORD}!`)).status, 200);
});
