import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { hashSecret, newId, newLink } from '../../../../src/credentials.ts';
import { PASSWORD, startDashboard } from '../../../support/dashboard.ts';

const EMAIL = 'olga@bursar.example';
const HOUR_MS = 3_600_000;

test('whoever has the link chooses address and password, once, and is an operator who needs a second factor', async (t) => {
	const dashboard = await startDashboard(t);
	const { clock, store } = dashboard;
	const make = async () => {
		const { secret, linkHash } = newLink();
		const outcome = await dashboard.change({ kind: 'make_claim', id: newId(), linkHash });
		return outcome.ok ? secret : outcome.error;
	};
	const people = async () => (await store.listPeople({ limit: 50 })).map(({ email }) => email);
	const { browser: ann, email: taken } = await dashboard.resellerWithPerson('acme');
	const path = '/invitation/accept';
	const stranger = dashboard.browser();
	const refusesAll = async (...links: readonly string[]) => {
		for (const each of links) {
			await stranger.refused('invalid_link', '/invitation', { link: each });
			await stranger.refused('invalid_link', path, { link: each, email: EMAIL, password: PASSWORD });
		}
	};
	const replaced = await make();
	const old = await make();
	await refusesAll(newLink().secret, '', replaced, old.toLowerCase(), `${old}=`, hashSecret(old), 'claim', '\u0000');
	clock.aheadMs = 24 * HOUR_MS;
	await refusesAll(old);
	clock.aheadMs = 0;

	const link = await make();
	const { expires, ...whose } = await stranger.ok('/invitation', { link });
	assert.deepEqual(whose, { email: null, reseller: null, role: null, signs_in: false, new_person: true });
	assert.ok(Math.abs(Date.parse(expires) - Date.now() - 24 * HOUR_MS) < 60_000);
	for (const email of [undefined, '', ' ', 'olga', 'olga@', 'a@b@c', 'ol\u200bga@bursar.example', 'o lga@x.example']) {
		await stranger.refused('invalid_request', path, { link, email, password: PASSWORD });
	}
	for (const more of [{}, { password: null }, { password: 1 }, { email: 1, password: PASSWORD }]) {
		await stranger.refused('invalid_request', path, { link, email: EMAIL, ...more });
	}
	await stranger.refused('weak_password', path, { link, email: EMAIL, password: EMAIL });
	await stranger.refused('email_taken', path, { link, email: taken.toUpperCase(), password: PASSWORD });
	assert.deepEqual(await people(), [taken]);

	// A person who is signed in and claims is signed out of the previous session.
	const before = dashboard.browser({}, ann);
	const claimed = await ann.ok(path, { link, email: ' Olga@Bursar.Example ', password: PASSWORD });
	assert.partialDeepStrictEqual(claimed.person, { email: EMAIL, reseller: null, second_factor_required: true });
	await eventually(() => before.refused('signed_out', '/account'));
	assert.deepEqual(await ann.ok('/session'), claimed);
	await ann.refused('second_factor_required', '/operator/people');
	await ann.addPasskey();
	const { acts } = await ann.ok('/operator/acts');
	assert.deepEqual(
		acts.slice(0, 2).map(({ kind, email, address }) => [kind, email, address]),
		['add_passkey', 'claim'].map((kind) => [kind, EMAIL, '127.0.0.1']),
	);
	await refusesAll(link);
	assert.equal(await make(), 'operator_exists');
	assert.deepEqual(await people(), [taken, EMAIL]);
});
