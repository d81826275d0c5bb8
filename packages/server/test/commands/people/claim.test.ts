import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLAIM_LIFE_MS } from '../../../src/domain/people/person.ts';
import { NOON_MS } from '../../support/commands.ts';
import { peopleInMemory, runsOf } from '../../support/people-in-memory.ts';
import { accept, claim, emailOf, invite, makeClaim, passwordHashOf, sessionOf } from '../../support/person-commands.ts';

test('once there is an operator, also one who was only invited, no claim is made and none is good', () => {
	for (const before of [[], [accept('bob', 'b')]]) {
		const { people, run, runAll } = runsOf(makeClaim('ada'), invite('bob', null), ...before);
		assert.equal(run(makeClaim('eve')), 'operator_exists');
		assert.equal(run(claim('ada', 'a')), 'invalid_link');
		runAll({ kind: 'lock_person', email: emailOf('bob') });
		assert.equal(run(claim('ada', 'a')), 'invalid_link');
		assert.equal(run(makeClaim('eve')), 'operator_exists');
		runAll({ kind: 'reset_person', email: emailOf('bob'), linkHash: 'reset' });
		assert.equal(run(makeClaim('eve')), 'operator_exists');
		assert.equal(run(claim('ada', 'a')), 'invalid_link');
		assert.deepEqual(
			people.acts.map(({ kind }) => kind),
			before.map(({ kind }) => kind),
		);
	}
});

test('a claim makes an operator with a session, once, and the act is recorded', () => {
	const { people, run } = runsOf(invite('ann', 'acme'), makeClaim('ada'), claim('ada', 'a'));
	const { person, sessions, invitation } = people.record('ada');
	assert.deepEqual(person, {
		id: 'ada',
		email: emailOf('ada'),
		reseller: null,
		role: null,
		passwordHash: passwordHashOf('ada'),
		createdAtMs: NOON_MS,
		lockedAtMs: null,
	});
	assert.deepEqual([sessions, invitation], [[sessionOf('ada', 'a')], undefined]);
	assert.partialDeepStrictEqual(people.acts, [{ id: 'claim in a', kind: 'claim', person: 'ada', target: '' }]);
	assert.equal(run({ ...claim('eve', 'e'), linkHash: 'claim of ada' }), 'invalid_link');
	assert.equal(run(makeClaim('eve')), 'operator_exists');
	assert.equal(run(accept('ann', 'n')), 'ok', 'the invitations of others stay good');
});

test('a claim is good for 24 hours, and a newer one replaces it', () => {
	const { people, run, runAll } = runsOf(makeClaim('ada', 'first'), makeClaim('eve', 'second'));
	assert.equal(run(claim('ada', 'a', 'first')), 'invalid_link');
	assert.equal(run(claim('ada', 'a', 'second'), NOON_MS + CLAIM_LIFE_MS), 'invalid_link');
	assert.equal(CLAIM_LIFE_MS, 24 * 3_600_000);
	runAll({ kind: 'end_all_sessions' });
	assert.equal(run(claim('ada', 'a', 'second')), 'invalid_link');
	runAll(makeClaim('eve', 'third'));
	assert.equal(run(claim('ada', 'a', 'third'), NOON_MS + CLAIM_LIFE_MS - 1), 'ok');
	assert.equal(people.record('ada').person.reseller, null);
});

test('the e-mail address of somebody else is refused, and the link stays good', () => {
	const { people, run } = runsOf(invite('ann', 'acme'), accept('ann', 'n'), makeClaim('ada'));
	const before = people.record('ann');
	assert.equal(run({ ...claim('ada', 'a'), email: emailOf('ann') }), 'email_taken');
	assert.deepEqual(people.record('ann'), before);
	assert.equal(run({ ...accept('ada', 'a', 'claim of ada') }), 'invalid_link', 'it is no invitation');
	assert.equal(run(claim('ada', 'a')), 'ok');
});

test('the act of the command line is recorded only if a link is made', () => {
	const people = peopleInMemory();
	const act = { id: 'cli', kind: 'make_claim', target: '', requestId: 'cli-1', systemUser: 'root' };
	const outcome = people.run({ ...makeClaim('ada'), unattended: act }, NOON_MS);
	assert.deepEqual(outcome, { ok: true, expiresAtMs: NOON_MS + CLAIM_LIFE_MS });
	assert.deepEqual(people.acts, [{ ...act, reseller: null, atMs: NOON_MS }]);
	assert.ok(people.run(claim('ada', 'a'), NOON_MS).ok);
	const refused = people.run({ ...makeClaim('eve'), unattended: { ...act, id: 'cli 2' } }, NOON_MS);
	assert.deepEqual(refused, { ok: false, error: 'operator_exists' });
	assert.deepEqual(
		people.acts.map(({ id }) => id),
		['cli', 'claim in a'],
	);
});
