import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_TEAM, ROLES, type Role } from '@bursar/contract/dashboard';
import { printedSeed } from '@bursar/testing/random';
import fc from 'fast-check';
import type { PersonCommand } from '../../../src/commands/registry.ts';
import { NOON_MS } from '../../support/commands.ts';
import { peopleInMemory, runsOf } from '../../support/people-in-memory.ts';
import { accept, by, emailOf, invite, setLowBalance, showAuthKey } from '../../support/person-commands.ts';

/** A person of this role and reseller who is signed in, in a session of the same name. */
function member(person: string, reseller: string | null, role?: Role): readonly PersonCommand[] {
	return [invite(person, reseller, `link of ${person}`, role), accept(person, person)];
}

const TEAM = [
	...member('ann', 'acme', 'owner'),
	...member('mia', 'acme', 'manager'),
	...member('vic', 'acme', 'viewer'),
	...member('olga', null),
	...member('eve', 'other', 'owner'),
];

const setRole = (person: string, role: Role) => ({ kind: 'set_role', email: emailOf(person), role }) as const;
const remove = (person: string) => ({ kind: 'remove_person', email: emailOf(person) }) as const;
let serial = 0;
const asked = (person: string) => by(person, person, `act ${serial++}`);

test('an owner invites, changes and removes people of the own reseller; a manager and a viewer do not', () => {
	const { people, run } = runsOf(...TEAM);
	for (const [person, ending] of [
		['mia', 'not_allowed'],
		['vic', 'not_allowed'],
		['ann', 'ok'],
	] as const) {
		const invited = `new ${person}`;
		assert.equal(run({ ...invite(invited, 'acme', undefined, 'viewer'), ...asked(person) }), ending);
		assert.equal(run({ ...setRole('vic', 'manager'), ...asked(person) }), person === 'vic' ? 'not_allowed' : ending);
		assert.equal(run({ ...remove('vic'), ...asked(person) }), person === 'vic' ? 'not_allowed' : ending);
	}
	assert.equal(people.record('new ann').person.role, 'viewer');
	for (const act of people.acts.slice(-3)) assert.partialDeepStrictEqual(act, { person: 'ann', reseller: 'acme' });
});

test('people of other resellers and operators are unknown to an owner, and are not invited for another reseller', () => {
	const { run } = runsOf(...TEAM);
	for (const stranger of ['eve', 'olga', 'nobody']) {
		assert.equal(run({ ...setRole(stranger, 'viewer'), ...asked('ann') }), 'unknown_person', stranger);
		assert.equal(run({ ...remove(stranger), ...asked('ann') }), 'unknown_person', stranger);
	}
	assert.equal(run({ ...invite('eve', 'acme'), ...asked('ann') }), 'email_taken');
	assert.equal(run({ ...invite('bob', 'other'), ...asked('ann') }), 'not_allowed');
	assert.equal(run({ ...invite('bob', null), ...asked('ann') }), 'not_allowed');
	for (const kind of ['lock_person', 'unlock_person'] as const) {
		assert.equal(run({ kind, email: emailOf('vic'), ...asked('ann') }), 'not_allowed');
	}
	assert.equal(run({ kind: 'reset_person', email: emailOf('vic'), linkHash: 'x', ...asked('ann') }), 'not_allowed');
});

test('a new role counts at once, in a session that was open before, also for a change that has left already', () => {
	const { run } = runsOf(...TEAM);
	assert.equal(run(setLowBalance('mia', 'mia', 5, 'first')), 'ok');
	assert.equal(run({ ...setRole('mia', 'viewer'), ...asked('ann') }), 'ok');
	assert.equal(run(setLowBalance('mia', 'mia', 6, 'second')), 'not_allowed');
	assert.equal(run(showAuthKey('mia', 'mia', 'third')), 'not_allowed');
	assert.equal(run({ ...setRole('mia', 'owner'), ...asked('ann') }), 'ok');
	assert.equal(run({ ...setRole('ann', 'viewer'), ...asked('mia') }), 'ok');
	assert.equal(run({ ...remove('mia'), ...asked('ann') }), 'not_allowed');
});

test('who has never set a password gets another role with a new link, and the first link ends', () => {
	const { people, run } = runsOf(...TEAM);
	assert.equal(run({ ...invite('ben', 'acme', 'first', 'owner'), ...asked('ann') }), 'ok');
	assert.equal(run({ ...invite('ben', 'acme', 'second', 'viewer'), ...asked('ann') }), 'ok');
	assert.equal(run(accept('ben', 'b', 'first')), 'invalid_link');
	assert.equal(run(accept('ben', 'b', 'second')), 'ok');
	assert.equal(people.record('ben').person.role, 'viewer');
	assert.equal(run({ ...invite('ben', 'acme', 'third', 'owner'), ...asked('ann') }), 'email_taken');
	assert.equal(people.record('ben').person.role, 'viewer');
});

test('on the command line, a role is given to people of resellers only', () => {
	const { people, run } = runsOf(...TEAM);
	assert.equal(run(setRole('vic', 'owner')), 'ok');
	assert.equal(people.record('vic').person.role, 'owner');
	assert.equal(run(setRole('olga', 'owner')), 'not_for_operators');
	assert.equal(people.record('olga').person.role, null);
});

test('a reseller has a bounded number of people, whoever invites, and an invited one can still get a new link', () => {
	const { run } = runsOf(...member('p0', 'acme'), ...member('olga', null), ...member('eve', 'other'));
	for (let n = 1; n < MAX_TEAM; n++) assert.equal(run(invite(`p${n}`, 'acme')), 'ok');
	for (const caller of [{}, asked('p0'), asked('olga')]) {
		assert.equal(run({ ...invite('more', 'acme'), ...caller }), 'team_full');
	}
	assert.equal(run(invite('p5', 'acme', 'another link')), 'ok');
	assert.equal(run(invite('more', 'other')), 'ok');
	assert.equal(run({ ...remove('p5'), ...asked('p0') }), 'ok');
	assert.equal(run(invite('last', 'acme')), 'ok');
});

/** What a person of the team tries to do to a person of the team. */
const aTry = fc.record({
	by: fc.nat({ max: 4 }),
	to: fc.nat({ max: 4 }),
	does: fc.constantFrom('remove', 'invite', ...ROLES),
	role: fc.constantFrom(...ROLES),
});

test('whatever a team does to itself, an owner who can sign in stays', (t) => {
	const done = new Set<string>();
	const property = fc.property(fc.array(aTry, { size: 'large', maxLength: 100 }), (tries) => {
		const people = peopleInMemory();
		const names = ['p0', 'p1', 'p2', 'p3', 'p4'];
		for (const command of [...member('p0', 'acme'), ...member('p1', 'acme')])
			assert.ok(people.run(command, NOON_MS).ok);
		for (const one of tries) {
			const [caller = '', target = ''] = [names[one.by], names[one.to]];
			const ask = asked(caller);
			const command: PersonCommand =
				one.does === 'remove'
					? { ...remove(target), ...ask }
					: one.does === 'invite'
						? { ...invite(target, 'acme', `link ${serial}`, one.role), ...ask }
						: { ...setRole(target, one.does), ...ask };
			const { ok } = people.run(command, NOON_MS);
			if (ok) done.add(command.kind);
			if (ok && command.kind === 'invite_person') people.run(accept(target, target, command.linkHash), NOON_MS);
			const roles = names.flatMap((name) => {
				const found = people.find(name);
				return found && found.person.passwordHash !== null ? [found.person.role] : [];
			});
			assert.ok(roles.includes('owner'), `${caller} did ${one.does} to ${target}`);
		}
	});
	fc.assert(property, { seed: printedSeed(t), numRuns: 200 });
	assert.deepEqual([...done].sort(), ['invite_person', 'remove_person', 'set_role']);
});
