import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NEW_PASSWORD_LIFE_MS } from '../../../src/domain/people/person.ts';
import { NOON_MS } from '../../support/commands.ts';
import { peopleInMemory } from '../../support/people-in-memory.ts';
import {
	accept,
	addPasskey,
	by,
	emailOf,
	forgot,
	invite,
	setCodes,
	setPassword,
	usePasswordLink,
} from '../../support/person-commands.ts';

const HOUR_MS = 3_600_000;

function withAda({ sendsMail = true } = {}) {
	const people = peopleInMemory({ sendsMail });
	for (const command of [invite('ada', 'acme'), accept('ada', 's1')]) assert.ok(people.run(command, NOON_MS).ok);
	return people;
}

test('the link for a forgotten password sets the password and ends all sessions, and no second factor changes', () => {
	const people = withAda();
	for (const command of [setCodes('ada', 's1'), addPasskey('ada', 's1', 'key')]) {
		assert.ok(people.run(command, NOON_MS).ok);
	}
	const { codes, passkeys, recoveryCodes } = people.record('ada');
	people.run(forgot('ada', 'f1'), NOON_MS);
	assert.equal(people.record('ada').sessions.length, 1, 'who only asks ends nothing');
	assert.deepEqual(people.run(usePasswordLink('f1', 'new password'), NOON_MS), { ok: true });
	const after = people.record('ada');
	assert.equal(after.person.passwordHash, 'new password');
	assert.deepEqual([after.sessions, after.invitation], [[], undefined]);
	assert.deepEqual([after.codes, after.passkeys, after.recoveryCodes], [codes, passkeys, recoveryCodes]);
	const acts = people.acts.slice(-2).map(({ kind, reseller }) => [kind, reseller]);
	assert.deepEqual(acts, [
		['forgot_password', 'acme'],
		['new_password', 'acme'],
	]);
	assert.equal(people.run(usePasswordLink('f1', 'again'), NOON_MS).ok, false, 'it is good once');
});

test('a link that was replaced, is too old, is of another kind, or whose password was changed meanwhile is refused', () => {
	const people = withAda();
	const refuses = (link: string, atMs = NOON_MS) =>
		assert.deepEqual(people.run(usePasswordLink(link, 'new'), atMs), { ok: false, error: 'invalid_link' });
	people.run(forgot('ada', 'f1'), NOON_MS);
	people.run(forgot('ada', 'f2'), NOON_MS);
	refuses('f1');
	refuses('f2', NOON_MS + NEW_PASSWORD_LIFE_MS);
	for (const passwordHash of ['a', undefined]) {
		const accepted = { ...accept('ada', 's9', 'f2'), passwordHash };
		assert.deepEqual(people.run(accepted, NOON_MS), { ok: false, error: 'invalid_link' });
	}
	people.run(setPassword('ada', 's1', 'own'), NOON_MS);
	refuses('f2');
	people.run(invite('bob', 'acme'), NOON_MS);
	refuses('link of bob');
	people.run(forgot('ada', 'f3'), NOON_MS + HOUR_MS);
	people.run({ kind: 'lock_person', email: emailOf('ada') }, NOON_MS);
	refuses('f3', NOON_MS + HOUR_MS);
});

test('nobody who is unknown, locked, removed or only invited gets a link, and no one without a mail server', () => {
	const people = withAda();
	const asked = (person: string) => {
		assert.deepEqual(people.run(forgot(person, `of ${person}`), NOON_MS), { ok: true });
		return people.find(person)?.invitation?.hash;
	};
	people.run(invite('bob', 'acme'), NOON_MS);
	assert.equal(asked('bob'), 'link of bob', 'the invitation stays as it is');
	assert.equal(asked('nobody'), undefined);
	people.run({ kind: 'lock_person', email: emailOf('ada') }, NOON_MS);
	assert.equal(asked('ada'), undefined);
	assert.equal(people.tries.size, 1, 'what is written for all of them is one row');
	const silent = withAda({ sendsMail: false });
	silent.run(forgot('ada', 'f1'), NOON_MS);
	assert.equal(silent.record('ada').invitation, undefined);
});

test('a person gets three mails at once, then one each twenty minutes, and further requests leave the link as it is', () => {
	const people = withAda();
	const asksAt = (link: string, atMs: number) => {
		assert.deepEqual(people.run(forgot('ada', link), atMs), { ok: true });
		return people.record('ada').invitation?.hash;
	};
	const links = ['1', '2', '3', '4', '5'].map((link) => asksAt(link, NOON_MS));
	assert.deepEqual(links, ['1', '2', '3', '3', '3']);
	assert.equal(people.tries.size, 2, 'a request that changes nothing is written too');
	assert.equal(asksAt('6', NOON_MS + HOUR_MS / 3), '6');
	assert.equal(people.acts.filter(({ kind }) => kind === 'forgot_password').length, 4);
});

test('an invitation is mailed if the service sends mail, and owners cannot mail without end', () => {
	const people = withAda();
	const mailing = (person: string, caller = {}) => {
		const outcome = people.run({ ...invite(person, 'acme'), linkSecret: 'secret', ...caller }, NOON_MS);
		return outcome.ok ? outcome.mailing : outcome.error;
	};
	assert.equal(mailing('bob'), 'mailed');
	people.run({ kind: 'lock_person', email: emailOf('bob') }, NOON_MS);
	assert.equal(mailing('bob'), 'locked');
	const ofOwner = Array.from({ length: 31 }, (_, index) =>
		mailing(`many-${index}`, { ...by('ada', 's1', `act ${index}`) }),
	);
	assert.deepEqual(ofOwner, [...Array(30).fill('mailed'), 'too_many']);
	assert.equal(mailing('cara'), 'mailed', 'operators are not counted');
	const reset = people.run(
		{ kind: 'reset_person', email: emailOf('ada'), linkHash: 'r', linkSecret: 'secret' },
		NOON_MS,
	);
	assert.ok(reset.ok && reset.mailing === 'mailed');
	assert.equal(withAda({ sendsMail: false }).run({ ...invite('bob', 'acme'), linkSecret: 's' }, NOON_MS).ok, true);
});
