import assert from 'node:assert/strict';
import { test } from 'node:test';
import { INVITATION_LIFE_MS } from '../../../src/domain/people/person.ts';
import { NOON_MS } from '../../support/commands.ts';
import { runsOf } from '../../support/people-in-memory.ts';
import {
	accept,
	by,
	emailOf,
	invite,
	newSession,
	passwordHashOf,
	sessionOf,
	signIn,
} from '../../support/person-commands.ts';

test('an unknown reseller, a taken address, and a link that was replaced or has expired are refused', () => {
	const { run } = runsOf();
	for (const [command, ending] of [
		[invite('ada', 'nobody'), 'unknown_reseller'],
		[invite('ada', 'acme'), 'ok'],
		[{ ...invite('eve', 'other'), email: emailOf('ada') }, 'email_taken'],
		[{ ...invite('eve', null), email: emailOf('ada') }, 'email_taken'],
		[invite('ada', 'acme', 'second link'), 'ok'],
		[accept('ada', 's1', 'link of ada'), 'invalid_link'],
	] as const) {
		assert.equal(run(command), ending);
	}
	const second = accept('ada', 's1', 'second link');
	assert.equal(run(second, NOON_MS + INVITATION_LIFE_MS), 'invalid_link');
	assert.equal(run(second, NOON_MS + INVITATION_LIFE_MS - 1), 'ok');
	assert.equal(run(invite('ada', 'acme', 'third link')), 'email_taken');
});

test('a locked person has no session, and neither the password nor a link signs in before it is unlocked', () => {
	const { people, run } = runsOf(invite('ada', 'acme'), accept('ada', 's1'), invite('bob', null));
	for (const person of ['ada', 'bob']) assert.equal(run({ kind: 'lock_person', email: emailOf(person) }), 'ok');
	assert.equal(run({ kind: 'lock_person', email: emailOf('ada') }, NOON_MS + 1), 'ok');
	assert.equal(people.record('ada').person.lockedAtMs, NOON_MS);
	assert.deepEqual(people.record('ada').sessions, []);
	assert.equal(run(signIn('ada', 's2')), 'factor_changed');
	assert.equal(run(accept('bob', 's3')), 'invalid_link');
	for (const person of ['ada', 'bob']) assert.equal(run({ kind: 'unlock_person', email: emailOf(person) }), 'ok');
	assert.equal(run(signIn('ada', 's2')), 'ok');
	assert.equal(run(accept('bob', 's3')), 'ok');
	const email = 'nobody@example.com';
	for (const kind of ['lock_person', 'unlock_person'] as const) assert.equal(run({ kind, email }), 'unknown_person');
	assert.equal(run({ kind: 'reset_person', email, linkHash: 'link' }), 'unknown_person');
});

test('a removed person is gone at once, and the address can be invited again as another person', () => {
	const { people, run } = runsOf(invite('ada', 'acme'), accept('ada', 's1'), invite('eve', 'other'));
	const person = people.record('ada').person;
	assert.equal(run({ kind: 'remove_person', email: emailOf('nobody') }), 'unknown_person');
	for (const person of ['ada', 'eve']) assert.equal(run({ kind: 'remove_person', email: emailOf(person) }), 'ok');
	assert.equal(run({ kind: 'remove_person', email: emailOf('ada') }), 'unknown_person');
	assert.deepEqual(people.removed[0], person);
	assert.equal(run(signIn('ada', 's2')), 'factor_changed');
	assert.equal(run(accept('eve', 's3')), 'invalid_link');
	assert.equal(run({ ...invite('new', 'other'), email: emailOf('ada') }), 'ok');
	assert.equal(people.record('ada').person.id, 'new');
});

test('nobody removes the own account, and an operator who could sign in always stays', () => {
	const operators = [invite('ann', null), accept('ann', 'a'), invite('bob', null), accept('bob', 'b')];
	const { people, run } = runsOf(...operators, invite('cyd', null));
	const remove = (person: string) => ({ kind: 'remove_person', email: emailOf(person) }) as const;
	assert.equal(run({ ...remove('ann'), ...by('ann', 'a', 'own') }), 'own_account');
	assert.equal(run({ ...remove('bob'), ...by('ann', 'a', 'other') }), 'ok');
	assert.equal(run({ ...remove('ann'), ...by('bob', 'b', 'late') }), 'signed_out');
	assert.partialDeepStrictEqual(people.acts.at(-1), { id: 'other of ann', person: 'ann' });
	// Cyd has never signed in.
	assert.equal(run(remove('ann')), 'last_operator');
	assert.equal(run(accept('cyd', 'c')), 'ok');
	assert.equal(run({ kind: 'lock_person', email: emailOf('cyd') }), 'ok');
	assert.equal(run(remove('ann')), 'last_operator');
	assert.equal(run({ kind: 'unlock_person', email: emailOf('cyd') }), 'ok');
	assert.equal(run(remove('ann')), 'ok');
	assert.equal(run(remove('cyd')), 'last_operator');
});

test('a link that only signs in keeps the password as it is, and can be made again', () => {
	const { people, run } = runsOf();
	for (const round of [1, 2]) {
		const link = `link ${round}`;
		assert.equal(run({ ...invite('ada', 'acme', link), purpose: 'sign_in' }, NOON_MS + round), 'ok');
		const { passwordHash: _, ...use } = accept('ada', `s${round}`, link);
		assert.equal(run(use, NOON_MS + round), 'ok');
	}
	assert.equal(people.record('ada').person.passwordHash, null);
	assert.deepEqual(people.record('ada').sessions, [sessionOf('ada', 's2', NOON_MS + 2)]);

	assert.equal(run(invite('ada', 'acme', 'link 3')), 'ok');
	assert.equal(run(accept('ada', 's3', 'link 3')), 'ok');
	const link = { ...invite('ada', 'acme', 'link 4'), purpose: 'sign_in' } as const;
	const { passwordHash, ...withoutPassword } = { ...accept('ada', 's4', 'link 4'), session: newSession('s4') };
	assert.equal(run({ ...link, reseller: null, role: null }), 'email_taken');
	assert.equal(run(link), 'ok');
	assert.equal(run({ ...withoutPassword, passwordHash }), 'invalid_link');
	assert.equal(run(withoutPassword), 'ok');
	assert.equal(people.record('ada').person.passwordHash, passwordHashOf('ada'));
});
