import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSession } from '../../../src/commands/people/sessions.ts';
import {
	CODE_STEP_MS,
	isLiveSession,
	MAX_SESSIONS,
	provenUntilMs,
	SESSION_IDLE_MS,
	SESSION_LIFE_MS,
} from '../../../src/domain/people/person.ts';
import { NOON_MS } from '../../support/commands.ts';
import { runsOf } from '../../support/people-in-memory.ts';
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
	RECOVERY_HASHES,
	removeCodes,
	removePasskey,
	sessionOf,
	setCodes,
	setPassword,
	signIn,
} from '../../support/person-commands.ts';

/** `ada` of the reseller `acme`, with the session `s1`. */
function start() {
	return runsOf(invite('ada', 'acme'), accept('ada', 's1'));
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

test('a passkey signs in once for each challenge, in time, and only if it counts up', () => {
	const { people, run } = runsOf(invite('ada', 'acme'), accept('ada', 's1'), addPasskey('ada', 's1', 'key'));
	for (const [person, key, challenge, counter, answer] of [
		['ada', 'key', 'c1', 0, 'ok'],
		['ada', 'key', 'c2', 7, 'ok'],
		['ada', 'key', 'c3', 7, 'factor_changed'],
		['ada', 'key', 'c3', 0, 'factor_changed'],
		['ada', 'other', 'c3', 8, 'factor_changed'],
		['bob', 'key', 'c3', 8, 'factor_changed'],
		['ada', 'key', 'challenge of key', 8, 'challenge_used'],
	] as const) {
		assert.equal(run(signIn(person, `s ${challenge}`, byPasskey(key, challenge, counter)), NOON_MS + 1000), answer);
	}
	assert.equal(run(signIn('ada', 'late', byPasskey('key', 'c4', 8)), NOON_MS + 300_000), 'challenge_used');
	const [passkey] = people.record('ada').passkeys;
	assert.deepEqual([passkey?.counter, passkey?.lastUsedAtMs], [7, NOON_MS + 1000]);
});

test('with one-time codes, the password needs a code of a later time step, and each code is good once', () => {
	const { people, run } = start();
	for (const command of [setCodes('ada', 's1', 100), invite('bob', 'acme'), accept('bob', 'of bob')]) {
		assert.equal(run(command), 'ok');
	}
	for (const [code, ending] of [
		[undefined, 'code_required'],
		[100, 'wrong_code'],
		[102, 'ok'],
		[102, 'wrong_code'],
		[101, 'wrong_code'],
		['recovery 3', 'ok'],
		['recovery 3', 'wrong_code'],
		['no code', 'wrong_code'],
	] as const) {
		assert.equal(run(signIn('ada', `s ${code}`, byPassword('ada', code))), ending, `${code}`);
	}
	assert.equal(run(signIn('bob', 's2', byPassword('bob', 103))), 'ok', 'a code that is not needed does not count');
	assert.equal(people.record('ada').codes?.lastStep, 102);
	assert.deepEqual(people.record('ada').recoveryCodes, RECOVERY_HASHES.toSpliced(3, 1));
});

test('a sign-in with the password starts a session, and a proof gives its session a new hash', () => {
	const { people, run } = start();
	const wrong = signIn('ada', 'wrong', { kind: 'password', passwordHash: 'an earlier password' });
	assert.equal(run(wrong), 'factor_changed');
	assert.deepEqual(people.run(signIn('ada', 's2'), NOON_MS + 1000), {
		ok: true,
		session: sessionOf('ada', 's2', NOON_MS + 1000),
	});
	const proof = { ...signIn('ada', 'proven'), replaces: 's1', actId: undefined };
	const session = { ...sessionOf('ada', 'proven', NOON_MS + 1000), id: newSession('s1').id, signedInAtMs: NOON_MS };
	assert.deepEqual(people.run(proof, NOON_MS + 1000), { ok: true, session });
	assert.deepEqual(
		people
			.record('ada')
			.sessions.map(({ hash }) => hash)
			.toSorted(),
		['proven', 's2'],
	);
	assert.equal(run({ ...proof, session: newSession('third') }, NOON_MS + 2000), 'signed_out');
});

test('a sign-in removes the expired sessions of its person', () => {
	const { people, run } = start();
	const sessions = () => people.record('ada').sessions.map(({ hash }) => hash);
	for (const command of [invite('bob', null), accept('bob', 'of bob')]) assert.equal(run(command), 'ok');
	assert.equal(run(signIn('ada', 's2'), NOON_MS + 10), 'ok');
	assert.equal(run(signIn('ada', 's3'), NOON_MS + SESSION_IDLE_MS), 'ok');
	assert.deepEqual(sessions(), ['s2', 's3']);
	assert.equal(run(signIn('ada', 's4'), NOON_MS + SESSION_LIFE_MS), 'ok');
	assert.deepEqual(sessions(), ['s4']);
	assert.equal(people.record('bob').sessions.length, 1);
});

test(`with more than ${MAX_SESSIONS} sessions, the one that was used longest ago ends`, () => {
	const { person } = start().people.record('ada');
	const sessions = Array.from({ length: MAX_SESSIONS }, (_, n) =>
		sessionOf('ada', `n${n}`, NOON_MS + ((n + 7) % MAX_SESSIONS)),
	);
	const { effects } = startSession({ person, sessions }, newSession('newest'), NOON_MS + 4000);
	const oldest = sessions.find(({ lastSeenAtMs }) => lastSeenAtMs === NOON_MS);
	assert.deepEqual(
		effects.filter(({ kind }) => kind === 'remove_session'),
		[{ kind: 'remove_session', hash: oldest?.hash }],
	);
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

test('a refused try says how long to wait, and counts for none of its keys', () => {
	const { people, run } = start();
	for (const keys of [['ada', 'net'], ['ada'], ['ada']]) assert.equal(run(countTry(...keys)), 'ok');
	const refused = { ok: false, error: 'too_many_tries', waitMs: 600 } as const;
	assert.deepEqual(people.run(countTry('ada', 'net'), NOON_MS + 400), refused);
	assert.deepEqual(people.run(countTry('net', 'ada'), NOON_MS + 400), refused);
	for (const ending of ['ok', 'ok', 'too_many_tries']) assert.equal(run(countTry('net'), NOON_MS + 400), ending);
	for (const ending of ['ok', 'too_many_tries']) assert.equal(run(countTry('ada'), NOON_MS + 1000), ending);
});

test('a try that is given back can be made again, and what was forgiven meanwhile is not given back', () => {
	const { people, run } = start();
	const back = { kind: 'return_try', key: 'ada', limit: { burst: 3, intervalMs: 1000 } } as const;
	for (const ending of ['ok', 'ok', 'ok', 'too_many_tries']) assert.equal(run(countTry('ada')), ending);
	assert.equal(run(back), 'ok');
	for (const ending of ['ok', 'too_many_tries']) assert.equal(run(countTry('ada')), ending);
	assert.equal(run({ ...signIn('ada', 's2'), forgives: ['ada'] }), 'ok');
	assert.equal(run(back), 'ok');
	assert.equal(people.tries.size, 0);
});

test('if the clock is set back, a count that is full is forgiven after the usual time', () => {
	const { people, run } = start();
	for (let n = 0; n < 3; n++) assert.equal(run(countTry('ada')), 'ok');
	const answer = people.run(countTry('ada'), NOON_MS - 3_600_000);
	assert.deepEqual(answer, { ok: false, error: 'too_many_tries', waitMs: 1000 });
});

test('the same key twice in one command counts twice', () => {
	const { people, run } = start();
	assert.equal(run(countTry('ada', 'ada')), 'ok');
	assert.equal(people.tries.get('ada'), NOON_MS + 2000);
	assert.equal(run(countTry('ada', 'ada')), 'too_many_tries');
	assert.equal(people.tries.get('ada'), NOON_MS + 2000);
	assert.equal(run(countTry('ada')), 'ok');
});
