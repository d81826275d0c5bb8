import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { bothEngines } from '../../../support/both-engines.ts';
import { PASSWORD, startDashboard } from '../../../support/dashboard.ts';

/** Marks in an order that Unicode has to sort. The time for it grows with the square of the length. */
const HOSTILE = `a${'\u0344'.repeat(3_500)}${'\u0316'.repeat(3_500)}`;

for (const engine of await bothEngines()) {
	test(`${engine.name}: a text that no store can have is refused, and never looks like a store that is away`, async (t) => {
		const dashboard = await startDashboard(t, await engine.environment());
		const { browser } = await dashboard.resellerWithPerson('acme');
		const operator = await dashboard.operator();
		for (const [asking, path] of [
			[browser, '/bandwidth?range=7d&edge=%00'],
			[browser, '/bandwidth.csv?range=7d&zone=UTC&edge=%00'],
			[browser, '/activity?email=%00'],
			[browser, '/activity.csv?zone=UTC&email=%00'],
			[operator, '/operator/bandwidth?range=7d&edge=%00'],
			[operator, '/operator/people?search=%00'],
			[operator, '/operator/acts?email=%00'],
			[operator, '/operator/search?text=%00'],
		] as const) {
			assert.equal((await asking.ask(path)).status, 400, path);
		}
		const text = 'a\0b';
		const correction = { reseller: 'acme', username: 'acme', day: '2026-11-21', up: 1, down: 1, reason: 'wrong' };
		for (const [path, body] of [
			['/operator/edges/create', { name: text }],
			['/operator/edges/link', { name: text }],
			['/operator/edges/revoke', { name: text }],
			['/operator/top-up', { reseller: 'acme', amount: 100, reference: text, reason: '' }],
			['/operator/resellers/create', { reseller: text, opening_balance: 0 }],
			['/operator/people/invite', { email: `${text}@acme.example`, reseller: null, role: null }],
			['/operator/people/lock', { email: `${text}@acme.example` }],
			['/operator/suspend', { reseller: text }],
			['/operator/usage/correct', { ...correction, reference: text }],
		] as const) {
			const { status } = await operator.ask(path, { act: randomUUID(), ...body });
			assert.ok(status >= 400 && status < 500, `${path} ${status}`);
		}
		const { backup } = await operator.read('/operator/health');
		assert.equal(backup.is_ours, engine.name === 'SQLite', 'Bursar makes no backups of PostgreSQL');
	});
}

test('no text that anybody sends takes long to normalize', async (t) => {
	const dashboard = await startDashboard(t);
	const { email, browser } = await dashboard.resellerWithPerson('acme');
	const { passkey } = await browser.addPasskey('Laptop');
	const id = (await browser.ok('/account')).passkeys[0]?.id;
	const link = await dashboard.invite('bob@acme.example', 'acme');
	const normalized: string[] = [];
	const { normalize } = String.prototype;
	t.mock.method(String.prototype, 'normalize', function (this: string, form: string) {
		normalized.push(this);
		return normalize.call(this, form);
	});
	const act = randomUUID();
	const stranger = dashboard.browser();
	await stranger.refused('wrong_credentials', '/sign-in', { email, password: HOSTILE });
	await stranger.refused('wrong_credentials', '/sign-in', { email: HOSTILE, password: PASSWORD });
	await stranger.refused('wrong_code', '/sign-in', { email, password: PASSWORD, code: HOSTILE });
	await stranger.refused('weak_password', '/invitation/accept', { link, password: HOSTILE });
	await stranger.refused('invalid_link', '/invitation', { link: HOSTILE });
	await browser.refused('wrong_credentials', '/proof', { password: HOSTILE });
	await browser.refused('weak_password', '/account/password', { act, password: HOSTILE });
	await browser.refused('wrong_code', '/account/codes', { act, setup: HOSTILE, code: '000000' });
	const response = passkey.create(await browser.ok('/account/passkeys/question', {}));
	await browser.refused('invalid_request', '/account/passkeys', { act, name: HOSTILE, response });
	await browser.refused('invalid_request', '/account/passkeys/rename', { act, id, name: HOSTILE });
	assert.ok(normalized.includes(PASSWORD), 'what was normalized is seen');
	for (const text of normalized) assert.ok(Buffer.byteLength(text) <= 1_024, `${text.length} characters`);

	const decomposed = '각'.repeat(64).normalize('NFD');
	await browser.ok('/account/passkeys/rename', { act: randomUUID(), id, name: decomposed });
});
