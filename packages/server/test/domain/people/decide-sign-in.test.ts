import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
	CODE_STEP_MS,
	isLiveSession,
	provenUntilMs,
	SESSION_IDLE_MS,
	SESSION_LIFE_MS,
} from '../../../src/domain/people/person.ts';
import type { PersonCommand } from '../../../src/domain/people/person-command.ts';
import { NOON_MS } from '../../support/commands.ts';
import { peopleInMemory } from '../../support/people-in-memory.ts';
import {
	accept,
	addPasskey,
	byPasskey,
	byPassword,
	countTry,
	emailOf,
	endSessions,
	invite,
	newSession,
	removeCodes,
	removePasskey,
	sessionOf,
	setCodes,
	setPassword,
	signIn,
} from '../../support/person-commands.ts';

/** `ada` of the reseller `acme`, with the session `s1`. */
function start() {
	const people = peopleInMemory();
	const run = (command: PersonCommand, nowMs = NOON_MS) => {
		const outcome = people.run(command, nowMs);
		return outcome.ok ? 'ok' : outcome.error;
	};
	for (const command of [invite('ada', 'acme'), accept('ada', 's1')]) assert.equal(run(command), 'ok');
	return { people, run };
}

test('what a sign-in verified must still hold when it is decided', () => {
	const email = emailOf('ada');
	for (const [meanwhile, factor, answer] of [
		[{ kind: 'reset_person', email, linkHash: 'new' }, byPassword('ada'), 'factor_changed'],
		[{ kind: 'reset_person', email, linkHash: 'new' }, byPasskey('key', 'c1'), 'factor_changed'],
		[{ kind: 'lock_person', email }, byPassword('ada', 101), 'factor_changed'],
		[{ kind: 'lock_person', email }, byPasskey('key', 'c1'), 'factor_changed'],
		[setPassword('ada', 's1', 'new password'), byPassword('ada', 101), 'factor_changed'],
		[removePasskey('ada', 's1', 'key'), byPasskey('key', 'c1'), 'factor_changed'],
		[removeCodes('ada', 's1'), byPassword('ada', 101), 'wrong_code'],
		[signIn('ada', 's2', byPassword('ada', 101)), byPassword('ada', 101), 'wrong_code'],
		[signIn('ada', 's2', byPasskey('key', 'c1')), byPasskey('key', 'c1'), 'challenge_used'],
		[signIn('ada', 's2', byPassword('ada', 'recovery 0')), byPassword('ada', 'recovery 0'), 'wrong_code'],
	] as const) {
		const { run } = start();
		for (const command of [setCodes('ada', 's1'), addPasskey('ada', 's1', 'key'), meanwhile]) {
			assert.equal(run(command), 'ok');
		}
		assert.equal(run(signIn('ada', 's3', factor)), answer, meanwhile.kind);
	}
	assert.equal(start().run(signIn('nobody', 's3')), 'factor_changed');
});

test('a person with a passkey and no one-time codes signs in with the password and a recovery code', () => {
	const { run } = start();
	assert.equal(run(addPasskey('ada', 's1', 'key')), 'ok');
	assert.equal(run(signIn('ada', 's2', byPassword('ada', 101))), 'wrong_code');
	assert.equal(run(signIn('ada', 's2', byPassword('ada', 'recovery 9'))), 'ok');
});

test('the act of a sign-in says with what somebody signed in', () => {
	const { people, run } = start();
	assert.equal(run(signIn('ada', 's2', byPassword('ada', 101))), 'ok', 'the code is not needed');
	for (const command of [setCodes('ada', 's1'), addPasskey('ada', 's1', 'key')]) assert.equal(run(command), 'ok');
	for (const [session, factor] of [
		['s3', byPassword('ada', 101)],
		['s4', byPassword('ada', 'recovery 0')],
		['s5', byPasskey('key', 'c1')],
	] as const) {
		assert.equal(run(signIn('ada', session, factor)), 'ok');
	}
	const signIns = people.acts.filter(({ kind }) => kind === 'sign_in');
	assert.deepEqual(
		signIns.map(({ target }) => target),
		['password', 'one_time_code', 'recovery_code', 'passkey'],
	);
});

test('a proof by somebody else, or for a session that has expired, replaces nothing', () => {
	const { people, run } = start();
	for (const command of [invite('bob', null), accept('bob', 'of bob')]) assert.equal(run(command), 'ok');
	const proof = { ...signIn('bob', 'proven'), replaces: 's1', actId: undefined };
	assert.equal(run(proof), 'signed_out');
	assert.equal(run({ ...proof, replaces: 'of bob' }, NOON_MS + SESSION_IDLE_MS), 'signed_out');
	assert.deepEqual(people.record('ada').sessions, [sessionOf('ada', 's1')]);
	assert.equal(run({ ...proof, replaces: 'of bob' }, NOON_MS + SESSION_IDLE_MS - 1), 'ok');
	assert.deepEqual(people.acts.map(({ id }) => id).length, 2, 'a proof is no act');
});

test('a session lives for 12 hours without use and 7 days at most; a proof lives for 5 minutes', () => {
	const session = sessionOf('ada', 's1');
	assert.equal(isLiveSession(session, NOON_MS + SESSION_IDLE_MS - 1), true);
	assert.equal(isLiveSession(session, NOON_MS + SESSION_IDLE_MS), false);
	const used = { ...session, lastSeenAtMs: NOON_MS + SESSION_LIFE_MS - 1 };
	assert.equal(isLiveSession(used, NOON_MS + SESSION_LIFE_MS - 1), true);
	assert.equal(isLiveSession(used, NOON_MS + SESSION_LIFE_MS), false);
	assert.equal(provenUntilMs(session, NOON_MS + 299_999), NOON_MS + 300_000);
	assert.equal(provenUntilMs(session, NOON_MS + 300_000), null);
});

test('if the clock is set back, sessions go on for a while, and proofs end', () => {
	const session = sessionOf('ada', 's1');
	const backMs = NOON_MS - 60_000;
	assert.equal(isLiveSession(session, backMs), true);
	assert.equal(provenUntilMs(session, backMs), null);
	assert.equal(isLiveSession(session, NOON_MS - SESSION_IDLE_MS), false);
	const { people, run } = start();
	assert.equal(run(signIn('ada', 's2'), NOON_MS - 365 * 86_400_000), 'ok');
	assert.deepEqual(
		people.record('ada').sessions.map(({ hash }) => hash),
		['s2'],
	);
});

test('a session that has expired, was ended, or whose person is locked changes nothing of its person', () => {
	const { people, run } = start();
	assert.equal(run(setPassword('ada', 's1', 'new', 'late'), NOON_MS + SESSION_IDLE_MS), 'signed_out');
	assert.equal(run(setPassword('ada', 'unknown', 'new')), 'signed_out');
	assert.equal(run(signIn('ada', 's2')), 'ok');
	assert.equal(run(endSessions('ada', 's2', newSession('s1').id)), 'ok');
	assert.equal(run(setPassword('ada', 's1', 'new')), 'signed_out');
	assert.equal(run({ kind: 'lock_person', email: emailOf('ada') }), 'ok');
	assert.equal(run(setPassword('ada', 's2', 'new')), 'signed_out');
	assert.equal(people.record('ada').person.passwordHash, 'password of ada');
});

test('a code whose step lies in the future was used by a clock that was ahead, and binds nobody', () => {
	const { people, run } = start();
	const step = Math.floor(NOON_MS / CODE_STEP_MS);
	assert.equal(run(setCodes('ada', 's1', step + 1)), 'ok');
	for (const used of [step, step + 1]) assert.equal(run(signIn('ada', 's2', byPassword('ada', used))), 'wrong_code');
	const aStepEarlierMs = NOON_MS - CODE_STEP_MS;
	assert.equal(run(signIn('ada', 's2', byPassword('ada', step)), aStepEarlierMs), 'ok');
	assert.equal(people.record('ada').codes?.lastStep, step);
	assert.equal(run(signIn('ada', 's3', byPassword('ada', step)), aStepEarlierMs), 'wrong_code');
});

test('the same key twice in one command counts twice', () => {
	const { people, run } = start();
	assert.equal(run(countTry('ada', 'ada')), 'ok');
	assert.equal(people.tries.get('ada'), NOON_MS + 2000);
	assert.equal(run(countTry('ada', 'ada')), 'too_many_tries');
	assert.equal(people.tries.get('ada'), NOON_MS + 2000);
	assert.equal(run(countTry('ada')), 'ok');
});
