import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_PASSKEYS } from '@bursar/contract/dashboard';
import { NOON_MS } from '../../support/commands.ts';
import { runsOf } from '../../support/people-in-memory.ts';
import {
	accept,
	addPasskey,
	byPassword,
	endSessions,
	invite,
	newSession,
	passkeyOf,
	RECOVERY_HASHES,
	removeCodes,
	removePasskey,
	renamePasskey,
	setCodes,
	setLowBalance,
	setPassword,
	showAuthKey,
	signIn,
} from '../../support/person-commands.ts';

/** `ada` of the reseller `acme` with the session `s1`, and the operator `bob` with the session `of bob`. */
function start() {
	return runsOf(invite('ada', 'acme'), accept('ada', 's1'), invite('bob', null), accept('bob', 'of bob'));
}

test('a person ends one session, or all others; a new password ends the others too', () => {
	const { people, run, runAll } = start();
	const sessions = () => people.record('ada').sessions.map(({ hash }) => hash);
	runAll(...['s2', 's3', 's4'].map((name) => signIn('ada', name)), endSessions('ada', 's1', newSession('s2').id));
	assert.equal(run(endSessions('ada', 's1', newSession('of bob').id)), 'unknown_session');
	assert.deepEqual(sessions(), ['s1', 's3', 's4']);
	runAll(endSessions('ada', 's1', 'others'));
	assert.deepEqual(sessions(), ['s1']);
	runAll(signIn('ada', 's6'), setPassword('ada', 's1', 'new password'));
	assert.deepEqual(sessions(), ['s1']);
	assert.equal(run(signIn('ada', 's7')), 'factor_changed');
	runAll(signIn('ada', 's7', { kind: 'password', passwordHash: 'new password' }));
	runAll(endSessions('ada', 's7', newSession('s7').id));
	assert.deepEqual(sessions(), ['s1']);
	assert.equal(people.record('bob').sessions.length, 1);
});

test('new codes replace the previous ones, and keep the recovery codes that are left', () => {
	const { people, runAll } = start();
	assert.deepEqual(people.run(setCodes('ada', 's1', 100), NOON_MS), { ok: true, madeRecoveryCodes: true });
	runAll(signIn('ada', 's2', byPassword('ada', 'recovery 0')));
	const again = { ...setCodes('ada', 's1', 50, 'again'), recoveryCodes: ['other'] };
	assert.deepEqual(people.run(again, NOON_MS), { ok: true, madeRecoveryCodes: false });
	assert.deepEqual(people.record('ada').recoveryCodes, RECOVERY_HASHES.slice(1));
	assert.equal(people.record('ada').codes?.lastStep, 50);
});

test('a setup of codes is good once and for a while, also after its codes were removed', () => {
	const { run, runAll } = start();
	const { challengeHash } = setCodes('ada', 's1');
	const again = (actId: string) => ({ ...setCodes('ada', 's1', 101, actId), challengeHash });
	runAll(setCodes('ada', 's1', 100));
	assert.equal(run(again('second')), 'wrong_code');
	runAll(removeCodes('ada', 's1'));
	assert.equal(run(again('third')), 'wrong_code');
	const late = { ...again('fourth'), challengeHash: 'another setup', challengeExpiresAtMs: NOON_MS };
	assert.equal(run(late), 'wrong_code');
});

test(`a person has up to ${MAX_PASSKEYS} passkeys, and renames and removes only their own`, () => {
	const { people, run, runAll } = start();
	for (let n = 0; n < MAX_PASSKEYS; n++) runAll(addPasskey('ada', 's1', `key ${n}`));
	assert.equal(run(addPasskey('ada', 's1', 'one more')), 'too_many_passkeys');
	const ofBob = addPasskey('bob', 'of bob', 'of bob');
	assert.equal(run({ ...ofBob, challengeHash: 'challenge of key 0' }), 'challenge_used');
	assert.equal(run(renamePasskey('bob', 'of bob', 'key 1', 'mine')), 'unknown_passkey');
	assert.equal(run(removePasskey('bob', 'of bob', 'key 1')), 'unknown_passkey');
	runAll(renamePasskey('ada', 's1', 'key 1', 'Laptop'));
	const renamed = people.record('ada').passkeys.find(({ id }) => id === 'key 1');
	assert.deepEqual(renamed, { ...passkeyOf('ada', 'key 1'), name: 'Laptop' });
	for (let n = 0; n < MAX_PASSKEYS; n++) runAll(removePasskey('ada', 's1', `key ${n}`));
	assert.deepEqual([people.record('ada').passkeys, people.record('ada').recoveryCodes], [[], []]);
	runAll(signIn('ada', 's9'));
});

test('an operator keeps the last factor', () => {
	const { people, run, runAll } = start();
	runAll(setCodes('bob', 'of bob'));
	assert.equal(run(removeCodes('bob', 'of bob')), 'last_factor');
	runAll(addPasskey('bob', 'of bob', 'key 1'), removeCodes('bob', 'of bob'));
	assert.equal(run(removePasskey('bob', 'of bob', 'key 1')), 'last_factor');
	const { codes, passkeys, recoveryCodes } = people.record('bob');
	assert.deepEqual([codes, passkeys.length, recoveryCodes], [undefined, 1, RECOVERY_HASHES]);
	runAll(setCodes('ada', 's1'), removeCodes('ada', 's1'));
	assert.deepEqual(people.record('ada').recoveryCodes, []);
});

test('a bound of the balance is whole cents, and only of resellers; one that stays as it was is no act', () => {
	const { people, run } = start();
	for (const [command, ending] of [
		[setLowBalance('ada', 's1', -1), 'invalid_amount'],
		[setLowBalance('ada', 's1', 0.5), 'invalid_amount'],
		[setLowBalance('bob', 'of bob', 1), 'not_allowed'],
		[setLowBalance('ada', 'of bob', 1), 'signed_out'],
		[setLowBalance('ada', 's1', 5), 'ok'],
		[setLowBalance('ada', 's1', 7), 'act_repeated'],
	] as const) {
		assert.equal(run(command), ending);
	}
	assert.deepEqual([...people.lowBalances], [['acme', 5]]);
	const actsDone = () => people.acts.filter(({ kind }) => kind === 'set_low_balance').length;
	const acts = [5, 0, 0, 500, null, null].map((cents, index) => {
		assert.equal(run(setLowBalance('ada', 's1', cents, `act ${index}`)), 'ok');
		return actsDone();
	});
	assert.deepEqual(acts, [1, 2, 2, 3, 4, 4]);
	assert.equal(people.lowBalances.size, 0);
});

test('a shown key is an act, and a repeated one is not shown', () => {
	const { people, run } = start();
	const show = showAuthKey('ada', 's1', 'show');
	assert.deepEqual([run(show), run(show)], ['ok', 'act_repeated']);
	assert.equal(run(showAuthKey('bob', 'of bob')), 'not_allowed');
	assert.equal(run(showAuthKey('ada', 'gone')), 'signed_out');
	assert.equal(people.acts.at(-1)?.kind, 'show_auth_key');
});
