import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { hashSecret, newId, newLink } from '../../../../src/credentials.ts';
import { PASSWORD, startDashboard } from '../../../support/dashboard.ts';

const EMAIL = 'olga@bursar.example';
const HOUR_MS = 3_600_000;

/** A service without an operator, and what makes a link with which the first one claims it. */
async function startUnclaimed(t: TestContext) {
	const dashboard = await startDashboard(t);
	const make = async () => {
		const { secret, linkHash } = newLink();
		const outcome = await dashboard.change({ kind: 'make_claim', id: newId(), linkHash });
		return outcome.ok ? secret : outcome.error;
	};
	const people = async () => (await dashboard.store.listPeople({ limit: 50 })).map(({ email }) => email);
	return { ...dashboard, make, people };
}

test('whoever has the link chooses address and password, and is an operator who needs a second factor', async (t) => {
	const dashboard = await startUnclaimed(t);
	const link = await dashboard.make();
	const browser = dashboard.browser();
	const { expires, ...whose } = await browser.ok('/invitation', { link });
	assert.deepEqual(whose, { email: null, reseller: null, role: null, signs_in: false, new_person: true });
	assert.ok(Math.abs(Date.parse(expires) - Date.now() - 24 * HOUR_MS) < 60_000);

	const claimed = await browser.ok('/invitation/accept', { link, email: ' Olga@Bursar.Example ', password: PASSWORD });
	assert.partialDeepStrictEqual(claimed.person, { email: EMAIL, reseller: null, second_factor_required: true });
	assert.deepEqual(await browser.ok('/session'), claimed);
	await browser.refused('second_factor_required', '/operator/people');
	await browser.addPasskey();
	const { people } = await browser.ok('/operator/people');
	assert.deepEqual(
		people.map(({ email, state, second_factor }) => [email, state, second_factor]),
		[[EMAIL, 'active', true]],
	);
	const { acts } = await browser.ok('/operator/acts');
	assert.deepEqual(
		acts.map(({ kind, email, address }) => [kind, email, address]),
		[
			['add_passkey', EMAIL, '127.0.0.1'],
			['claim', EMAIL, '127.0.0.1'],
		],
	);

	await dashboard.browser().refused('invalid_link', '/invitation', { link });
	const again = { link, email: 'eve@bursar.example', password: PASSWORD };
	await dashboard.browser().refused('invalid_link', '/invitation/accept', again);
	assert.equal(await dashboard.make(), 'operator_exists');
	assert.deepEqual(await dashboard.people(), [EMAIL]);
	assert.equal((await dashboard.browser().signIn(EMAIL)).errorCode, 'code_required');
});

test('a claim that is guessed, replaced, too old, or older than an operator is refused and changes nothing', async (t) => {
	const dashboard = await startUnclaimed(t);
	await dashboard.openReseller('acme', 1000);
	const replaced = await dashboard.make();
	const link = await dashboard.make();
	const browser = dashboard.browser();
	const refusesAll = async (...links: readonly string[]) => {
		const people = await dashboard.people();
		for (const each of links) {
			await browser.refused('invalid_link', '/invitation', { link: each });
			await browser.refused('invalid_link', '/invitation/accept', { link: each, email: EMAIL, password: PASSWORD });
		}
		assert.deepEqual(await dashboard.people(), people);
	};
	const guessed = Array.from({ length: 10 }, () => randomBytes(32).toString('base64url'));
	await refusesAll(...guessed, '', replaced, link.toLowerCase(), `${link}=`, hashSecret(link), 'claim', '\u0000');
	dashboard.clock.aheadMs = 24 * HOUR_MS;
	await refusesAll(link);
	dashboard.clock.aheadMs = 24 * HOUR_MS - 60_000;
	await browser.ok('/invitation', { link });

	const invitation = await dashboard.invite('ivan@bursar.example', null);
	await refusesAll(link);
	await dashboard.browser().ok('/invitation/accept', { link: invitation, password: PASSWORD });
	await refusesAll(link);
	assert.deepEqual(await dashboard.people(), ['ivan@bursar.example']);
});

test('a bad address, a weak password and the address of somebody else are refused, and the link stays good', async (t) => {
	const dashboard = await startUnclaimed(t);
	await dashboard.openReseller('acme', 1000);
	const ann = await dashboard.signedIn('ann@acme.example', 'acme');
	const link = await dashboard.make();
	const browser = dashboard.browser();
	const path = '/invitation/accept';
	for (const email of [undefined, '', ' ', 'olga', 'olga@', 'a@b@c', 'ol\u200bga@bursar.example', 'o lga@x.example']) {
		await browser.refused('invalid_request', path, { link, email, password: PASSWORD });
	}
	for (const more of [{}, { password: null }, { password: 1 }, { email: 1, password: PASSWORD }]) {
		await browser.refused('invalid_request', path, { link, email: EMAIL, ...more });
	}
	for (const password of ['', 'elevenchars', 'qwerty123456', EMAIL]) {
		await browser.refused('weak_password', path, { link, email: EMAIL, password });
	}
	await browser.refused('email_taken', path, { link, email: 'ANN@acme.example', password: PASSWORD });
	assert.deepEqual(await dashboard.people(), ['ann@acme.example']);
	assert.equal((await ann.ok('/account')).email, 'ann@acme.example');
	await browser.ok(path, { link, email: EMAIL, password: PASSWORD });
});

test('somebody who is signed in and claims the service is signed out of the previous session', async (t) => {
	const dashboard = await startUnclaimed(t);
	await dashboard.openReseller('acme', 1000);
	const ann = await dashboard.signedIn('ann@acme.example', 'acme');
	const before = dashboard.browser({}, ann);
	const link = await dashboard.make();
	assert.equal((await ann.ok('/invitation/accept', { link, email: EMAIL, password: PASSWORD })).person?.email, EMAIL);
	await eventually(() => before.refused('signed_out', '/account'));
});
