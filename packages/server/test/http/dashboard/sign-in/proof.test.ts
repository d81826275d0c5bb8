import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { CALLS, type ProvenChange } from '@bursar/contract/dashboard';
import { codeAt, PASSWORD, startDashboard } from '../../../support/dashboard.ts';
import { wholeFile } from '../../../support/whole-file.ts';

const FIVE_MINUTES_MS = 5 * 60_000;

/** A change of the person's own that needs a proof. `every-call.test.ts` has those of operators. */
type OwnProvenChange = Exclude<ProvenChange, `/operator/${string}`>;

/** Each of them, with a body that is otherwise accepted. */
const PROVEN_CHANGES: Readonly<Record<OwnProvenChange, object>> = {
	'/account/password': { password: `${PASSWORD}!` },
	'/account/codes/setup': {},
	'/account/codes': { setup: 'x', code: '123456' },
	'/account/codes/remove': {},
	'/account/recovery-codes': {},
	'/account/passkeys/question': {},
	'/account/passkeys': { name: 'Key', response: {} },
	'/account/passkeys/remove': { id: 'AAAA' },
	'/sub-users/show-keys': { usernames: ['alice'] },
	'/token/rotate': { overlap_seconds: 0 },
	'/token/end-all': {},
	'/tokens/create': { name: 'shop', scopes: ['read'], expires_at: '2100-01-01T00:00:00Z', allowed_ips: null },
	'/tokens/end': { id: 'tok_1' },
	'/webhooks/create': { url: 'https://hooks.example.com/', types: null },
	'/webhooks/update': { id: 'whe_1', enabled: false },
	'/webhooks/delete': { id: 'whe_1' },
	'/webhooks/rotate-secret': { id: 'whe_1' },
	'/webhooks/test': { id: 'whe_1' },
	'/team/invite': { email: 'ben@acme.example', role: 'viewer' },
	'/team/role': { email: 'ben@acme.example', role: 'viewer' },
	'/team/remove': { email: 'ben@acme.example' },
};

const dashboard = await startDashboard(wholeFile);
const { clock, resellerWithPerson } = dashboard;
clock.stop();

test('a proof counts for five minutes, and what needs one is refused without it', async () => {
	const { browser } = await resellerWithPerson('acme');
	const { proven_until = null } = (await browser.ok('/session')).person ?? {};
	assert.equal(Date.parse(proven_until ?? ''), clock.nowMs() + FIVE_MINUTES_MS);
	clock.aheadMs += FIVE_MINUTES_MS - 1;
	await browser.ok('/account/codes/setup', {});
	clock.aheadMs += 1;
	assert.equal((await browser.ok('/session')).person?.proven_until, null);
	for (const [path, body] of Object.entries(PROVEN_CHANGES)) {
		assert.equal(CALLS[path as ProvenChange].proof, true, path);
		await browser.refused('proof_required', path, { act: randomUUID(), ...body });
	}
	await browser.ok('/account/sessions/end-others', { act: randomUUID() });
	await browser.refused('wrong_credentials', '/proof', { password: 'a wrong password' });
	await browser.ok('/proof', { password: PASSWORD });
	const { person } = await browser.ok('/session');
	assert.equal(Date.parse(person?.proven_until ?? ''), clock.nowMs() + FIVE_MINUTES_MS);
	await browser.ok('/account/codes/setup', {});
});

test('a passkey is renamed, and sessions are ended, without a proof', async () => {
	const { browser } = await resellerWithPerson('renaming');
	const { passkey } = await browser.addPasskey();
	await dashboard.browser().signInWithPasskey(passkey);
	const other = (await browser.ok('/account')).sessions.find(({ current }) => !current);
	clock.aheadMs += FIVE_MINUTES_MS;
	assert.equal((await browser.ok('/session')).person?.proven_until, null);
	for (const [path, body] of [
		['/account/passkeys/rename', { id: passkey.id, name: 'Desk' }],
		['/account/sessions/end', { id: other?.id }],
		['/account/sessions/end-others', {}],
	] as const) {
		assert.equal(CALLS[path].proof, false, 'a page that asks for a proof asks in vain');
		await browser.ok(path, { act: randomUUID(), ...body });
	}
});

test('a proof needs the code too if the person has a second factor', async () => {
	const { browser } = await resellerWithPerson('coded');
	const { secret } = await browser.addCodes();
	clock.aheadMs += FIVE_MINUTES_MS;
	await browser.refused('code_required', '/proof', { password: PASSWORD });
	await browser.refused('wrong_code', '/proof', { password: PASSWORD, code: '12345' });
	await browser.refused('proof_required', '/account/codes/setup', {});
	const code = codeAt(secret, clock.nowMs());
	await browser.ok('/proof', { password: PASSWORD, code });
	await browser.refused('wrong_code', '/proof', { password: PASSWORD, code });
});

test('nobody proves without being signed in, and not with the password or passkey of somebody else', async () => {
	const acme = await resellerWithPerson('strict');
	const bolt = await resellerWithPerson('not.strict');
	const { passkey } = await bolt.browser.addPasskey();
	await bolt.browser.ok('/account/password', { act: randomUUID(), password: 'the password of bolt' });
	const stranger = dashboard.browser();
	for (const [path, body] of [
		['/proof', { password: PASSWORD }],
		['/proof/passkey/question', {}],
		['/proof/passkey', { response: {} }],
	] as const) {
		await stranger.refused('signed_out', path, body);
	}
	await acme.browser.refused('wrong_credentials', '/proof', { password: 'the password of bolt' });
	const question = await acme.browser.ok('/proof/passkey/question', {});
	assert.deepEqual(question.allowCredentials, []);
	await acme.browser.refused('passkey_refused', '/proof/passkey', { response: passkey.get(question) });
});
