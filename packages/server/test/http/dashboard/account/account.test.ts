import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { StoreUnavailableError } from '../../../../src/store/reading.ts';
import { codeAt, PASSWORD, startDashboard } from '../../../support/dashboard.ts';
import { wholeFile } from '../../../support/whole-file.ts';

const dashboard = await startDashboard(wholeFile);
const { store, faults, clock, resellerWithPerson } = dashboard;
clock.stop();

test('every change of the account is an act that cannot be repeated', async () => {
	const { browser, email } = await resellerWithPerson('acme');
	const { passkey } = await browser.addPasskey();
	const { secret, setup } = await browser.ok('/account/codes/setup', {});
	const code = codeAt(secret, clock.nowMs());
	await dashboard.browser().signInWithPasskey(passkey);
	const [other] = (await browser.ok('/account')).sessions.filter(({ current }) => !current);
	for (const [path, body] of [
		['/account/codes', { setup, code }],
		['/account/codes/remove', {}],
		['/account/recovery-codes', {}],
		['/account/sessions/end', { id: other?.id }],
		['/account/sessions/end-others', {}],
		['/account/passkeys/remove', { id: passkey.id }],
		['/account/password', { password: `${PASSWORD}!` }],
	] as const) {
		const sent = { act: randomUUID(), ...body };
		await browser.ok(path, sent);
		await browser.refused('act_repeated', path, sent);
	}
	const { acts } = await browser.ok('/account/acts');
	assert.deepEqual(
		acts.map(({ kind, target }) => (target ? `${kind}: ${target}` : kind)),
		[
			'set_password',
			'remove_passkey: Laptop',
			'end_other_sessions',
			'end_session: Unknown browser',
			'set_recovery_codes',
			'remove_codes',
			'set_codes',
			'sign_in: passkey',
			'add_passkey: Laptop',
			'accept_invitation',
		],
	);
	assert.ok(acts.every(({ address, at }) => address === '127.0.0.1' && at === new Date(clock.nowMs()).toISOString()));
	assert.equal((await browser.ok('/account')).email, email);
});

test('while the store cannot be read, every call that needs it is unavailable, and people stay signed in', async () => {
	const { browser, email } = await resellerWithPerson('bolt');
	const { passkey } = await browser.addPasskey();
	const unreadable = () => Promise.reject(new StoreUnavailableError('no such disk'));
	const reads = ['findSession', 'findPersonByEmail', 'findPersonByPasskey', 'findInvitation'] as const;
	for (const read of reads) faults[read] = unreadable;
	for (const [path, body] of [
		['/session', undefined],
		['/account', undefined],
		['/token', undefined],
		['/proof', { password: PASSWORD }],
		['/token/rotate', { act: randomUUID(), overlap_seconds: 0 }],
		['/sign-out', {}],
		['/invitation', { link: 'x' }],
		['/sign-in', { email, password: PASSWORD }],
	] as const) {
		const answer = await browser.refused('unavailable', path, body);
		assert.equal(answer.headers.get('retry-after'), '1');
	}
	const stranger = dashboard.browser();
	assert.equal((await stranger.signInWithPasskey(passkey)).errorCode, 'unavailable');
	for (const read of reads) delete faults[read];
	await browser.ok('/account');

	// A change that is done must not be called undone because the answer cannot be read.
	faults.findSession = async (hash) => {
		faults.findSession = unreadable;
		return store.findSession(hash);
	};
	await browser.refused('outcome_unknown', '/account/sessions/end-others', { act: randomUUID() });
	delete faults.findSession;

	for (const kind of ['not_done', 'outcome_unknown'] as const) {
		const failed = async () => ({ kind, cause: new Error('no room') });
		Object.assign(faults, { runPersonCommands: failed, runCommands: failed });
		const code = kind === 'not_done' ? 'unavailable' : kind;
		await browser.refused(code, '/account/sessions/end-others', { act: randomUUID() });
		await stranger.refused(code, '/sign-in', { email, password: PASSWORD });
		await browser.refused(code, '/sign-out', {});
		await browser.refused(code, '/proof', { password: PASSWORD });
		await browser.refused(code, '/token/end-all', { act: randomUUID() });
	}
	delete faults.runPersonCommands;
	delete faults.runCommands;
	await browser.ok('/account');
	faults.findSession = () => Promise.reject(new TypeError('secret internal detail'));
	const bug = await browser.refused('internal_error', '/account');
	assert.doesNotMatch(bug.text, /secret|detail|TypeError/);
	delete faults.findSession;
});
