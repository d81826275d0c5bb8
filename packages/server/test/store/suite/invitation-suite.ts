import assert from 'node:assert/strict';
import { test } from 'node:test';
import { INVITATION_LIFE_MS } from '../../../src/domain/people/person.ts';
import { createReseller, createSubUser, NOON_MS } from '../../support/commands.ts';
import {
	accept,
	addPasskey,
	emailOf,
	invite,
	newSession,
	passwordHashOf,
	RECOVERY_HASHES,
	sessionOf,
	setCodes,
	signIn,
} from '../../support/person-commands.ts';
import { type Engine, endings, runAll, runAllPeople, runPeople } from './engine.ts';

/** Tests how people are invited, reset and locked. */
export function invitationSuite(engine: Engine): void {
	test('a link makes a person; it is found by its hash, and sets a password and starts a session once', async (t) => {
		const { store, openAnother } = await engine.open(t);
		const another = await openAnother();
		await runAll(store, [createReseller('acme')]);
		const [linked] = await runPeople(store, [invite('ada', 'acme')]);
		const expiresAtMs = NOON_MS + INVITATION_LIFE_MS;
		assert.deepEqual(linked, { ok: true, email: emailOf('ada'), expiresAtMs });
		const person = {
			id: 'ada',
			email: emailOf('ada'),
			reseller: 'acme',
			passwordHash: null,
			createdAtMs: NOON_MS,
			lockedAtMs: null,
		};
		const invitation = { hash: 'link of ada', person: 'ada', purpose: 'set_password', expiresAtMs } as const;
		assert.deepEqual(await another.findInvitation('link of ada'), { invitation, person });
		assert.equal(await another.findInvitation('another link'), undefined);

		const outcomes = await runPeople(another, [accept('ada', 's1'), accept('ada', 's2')], NOON_MS + 1);
		const session = sessionOf('ada', 's1', NOON_MS + 1);
		assert.deepEqual(outcomes, [
			{ ok: true, session },
			{ ok: false, error: 'invalid_link' },
		]);
		assert.equal(await store.findInvitation('link of ada'), undefined);
		assert.equal(await store.findSession('s2'), undefined);
		const record = {
			person: { ...person, passwordHash: passwordHashOf('ada') },
			invitation: undefined,
			codes: undefined,
			recoveryCodes: [],
			passkeys: [],
			sessions: [session],
		};
		for (const each of [store, another]) {
			assert.deepEqual(await each.findSession('s1'), { session, record });
			assert.deepEqual(await each.findPersonByEmail(emailOf('ada')), record);
		}
	});

	test('an unknown reseller, a sub-user, a taken address, and a link that was replaced or has expired are refused', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [createReseller('acme', 10), createReseller('other'), createSubUser('acme', 'alice')]);
		const outcomes = await runPeople(store, [
			invite('ada', 'nobody'),
			invite('ada', 'alice'),
			invite('ada', 'acme'),
			{ ...invite('eve', 'other'), email: emailOf('ada') },
			{ ...invite('eve', null), email: emailOf('ada') },
			invite('ada', 'acme', 'second link'),
			accept('ada', 's1', 'link of ada'),
		]);
		assert.deepEqual(endings(outcomes), [
			'unknown_reseller',
			'unknown_reseller',
			'ok',
			'email_taken',
			'email_taken',
			'ok',
			'invalid_link',
		]);
		const late = await runPeople(store, [accept('ada', 's1', 'second link')], NOON_MS + INVITATION_LIFE_MS);
		assert.deepEqual(endings(late), ['invalid_link']);
		const inTime = await runPeople(store, [accept('ada', 's1', 'second link')], NOON_MS + INVITATION_LIFE_MS - 1);
		assert.deepEqual(endings(inTime), ['ok']);
		assert.deepEqual(endings(await runPeople(store, [invite('ada', 'acme', 'third link')])), ['email_taken']);
	});

	test('a reset removes the password, the factors and the sessions of one person, and makes a new link', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [createReseller('acme')]);
		for (const person of ['ada', 'bob']) {
			await runAllPeople(store, [
				invite(person, 'acme'),
				accept(person, `s1 of ${person}`),
				setCodes(person, `s1 of ${person}`),
				addPasskey(person, `s1 of ${person}`, `key of ${person}`),
			]);
		}
		const untouched = await store.findPersonByEmail(emailOf('bob'));
		assert.deepEqual(untouched?.recoveryCodes, RECOVERY_HASHES);
		const before = await store.findPersonByEmail(emailOf('ada'));
		const email = emailOf('ada');
		await runAllPeople(store, [{ kind: 'reset_person', email, linkHash: 'new link' }]);
		const expiresAtMs = NOON_MS + INVITATION_LIFE_MS;
		const record = await store.findPersonByEmail(email);
		assert.deepEqual(record, {
			person: { ...before?.person, passwordHash: null },
			invitation: { hash: 'new link', person: 'ada', purpose: 'set_password', expiresAtMs },
			codes: undefined,
			recoveryCodes: [],
			passkeys: [],
			sessions: [],
		});
		assert.deepEqual(await store.findPersonByEmail(emailOf('bob')), untouched);
		assert.deepEqual(endings(await runPeople(store, [signIn('ada', 's2')])), ['factor_changed']);
		await runAllPeople(store, [accept('ada', 's3', 'new link')]);
	});

	test('a locked person has no session, and neither the password nor a link signs in before it is unlocked', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [createReseller('acme')]);
		await runAllPeople(store, [invite('ada', 'acme'), accept('ada', 's1'), invite('bob', null)]);
		const lock = (person: string) => ({ kind: 'lock_person', email: emailOf(person) }) as const;
		await runAllPeople(store, [lock('ada'), lock('bob')]);
		await runAllPeople(store, [lock('ada')], NOON_MS + 1);
		assert.equal((await store.findPersonByEmail(emailOf('ada')))?.person.lockedAtMs, NOON_MS);
		assert.equal(await store.findSession('s1'), undefined);
		const refused = await runPeople(store, [signIn('ada', 's2'), accept('bob', 's3')]);
		assert.deepEqual(endings(refused), ['factor_changed', 'invalid_link']);
		const unlock = (person: string) => ({ kind: 'unlock_person', email: emailOf(person) }) as const;
		await runAllPeople(store, [unlock('ada'), unlock('bob'), signIn('ada', 's2'), accept('bob', 's3')]);
		const email = 'nobody@example.com';
		const unknown = await runPeople(store, [
			{ kind: 'lock_person', email },
			{ kind: 'unlock_person', email },
			{ kind: 'reset_person', email, linkHash: 'link' },
		]);
		assert.deepEqual(endings(unknown), Array(3).fill('unknown_person'));
	});

	test('a link that only signs in keeps the password as it is, and can be made again', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [createReseller('demo')]);
		for (const round of [1, 2]) {
			const link = { ...invite('ada', 'demo', `link ${round}`), purpose: 'sign_in' } as const;
			const session = newSession(`s${round}`);
			const asked = { actId: `act ${round}`, requestId: `request ${round}` };
			const use = { kind: 'accept_invitation', linkHash: `link ${round}`, session, ...asked } as const;
			await runAllPeople(store, [link, use], NOON_MS + round);
		}
		const record = await store.findPersonByEmail(emailOf('ada'));
		assert.equal(record?.person.passwordHash, null);
		assert.deepEqual(record?.sessions, [sessionOf('ada', 's2', NOON_MS + 2)]);

		const setPasswordLink = { ...accept('ada', 's3', 'link 3'), actId: 'act 3' };
		await runAllPeople(store, [invite('ada', 'demo', 'link 3'), setPasswordLink]);
		const link = { ...invite('ada', 'demo', 'link 4'), purpose: 'sign_in' } as const;
		const withPassword = { ...setPasswordLink, linkHash: 'link 4' };
		const { passwordHash: _, ...withoutPassword } = { ...withPassword, session: newSession('s4'), actId: 'act 4' };
		const outcomes = await runPeople(store, [{ ...link, reseller: null }, link, withPassword, withoutPassword]);
		assert.deepEqual(endings(outcomes), ['email_taken', 'ok', 'invalid_link', 'ok']);
		assert.equal((await store.findSession('s4'))?.record.person.passwordHash, passwordHashOf('ada'));
	});

	test('a link that several stores use at once is used once', async (t) => {
		const { store, openAnother } = await engine.open(t);
		const stores = [store, await openAnother()];
		await runAll(store, [createReseller('acme')]);
		for (let round = 0; round < 5; round++) {
			const person = `person${round}`;
			await runAllPeople(store, [invite(person, 'acme')]);
			const outcomes = await Promise.all(
				Array.from({ length: 8 }, (_, n) =>
					runPeople(stores[n % 2] ?? store, [{ ...accept(person, `${person} ${n}`), actId: `${person} ${n}` }]),
				),
			);
			assert.equal(endings(outcomes.flat()).filter((ending) => ending === 'ok').length, 1);
			assert.equal((await store.findPersonByEmail(emailOf(person)))?.sessions.length, 1);
		}
	});

	test('the list of people is in pages, with their state, second factor and live sessions', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [createReseller('acme')]);
		const nowMs = store.nowMs();
		const codes = { ...setCodes('ada', 'a1'), challengeExpiresAtMs: nowMs };
		await runAllPeople(store, [invite('ada', 'acme'), accept('ada', 'a1'), codes], nowMs - 2000);
		await runAllPeople(store, [signIn('ada', 'a2', { ...CODE, passwordHash: passwordHashOf('ada') })], nowMs - 1000);
		await runAllPeople(store, [invite('bob', null), accept('bob', 'b1')], nowMs - 13 * 3_600_000);
		await runAllPeople(store, [invite('cyd', null)], nowMs);
		await runAllPeople(store, [{ kind: 'lock_person', email: emailOf('cyd') }], nowMs);
		const none = { secondFactor: false, sessions: 0, lastSeenAtMs: null };
		const ada = { email: emailOf('ada'), reseller: 'acme', state: 'active' } as const;
		const people = [
			{ ...ada, secondFactor: true, sessions: 2, lastSeenAtMs: nowMs - 1000 },
			{ email: emailOf('bob'), reseller: null, state: 'active', ...none },
			{ email: emailOf('cyd'), reseller: null, state: 'locked', ...none },
		];
		assert.deepEqual(await store.listPeople('', 50), people);
		assert.deepEqual(await store.listPeople('', 1), people.slice(0, 1));
		assert.deepEqual(await store.listPeople(emailOf('ada'), 50), people.slice(1));
		await runAllPeople(store, [{ kind: 'unlock_person', email: emailOf('cyd') }]);
		assert.equal((await store.listPeople(emailOf('bob'), 1))[0]?.state, 'invited');
	});
}

const CODE = { kind: 'password', code: { step: 101 } } as const;
