import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_TEAM } from '@bursar/contract/dashboard';
import { INVITATION_LIFE_MS, SESSION_IDLE_MS } from '../../../src/domain/people/person.ts';
import { FORGET_AT_ONCE } from '../../../src/domain/people/person-decision.ts';
import { createReseller, createSubUser, giveBalance, NOON_MS } from '../../support/commands.ts';
import {
	accept,
	actOf,
	addPasskey,
	countTry,
	emailOf,
	invite,
	passwordHashOf,
	RECOVERY_HASHES,
	sessionOf,
	setCodes,
	signIn,
} from '../../support/person-commands.ts';
import { assertSoundLedger, type Engine, endings, run, runAll, runAllPeople, runPeople } from './engine.ts';

/** Tests how people are invited, found, listed and signed out, and how tries are counted. */
export function personSuite(engine: Engine): void {
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
			role: 'owner',
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

	test('only resellers have people, and an address belongs to one person', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [createReseller('acme', 10), createReseller('other'), createSubUser('acme', 'alice')]);
		const outcomes = await runPeople(store, [
			...[invite('ada', 'nobody'), invite('ada', 'alice'), invite('ada', 'acme')],
			{ ...invite('eve', 'other'), email: emailOf('ada') },
		]);
		assert.deepEqual(endings(outcomes), ['unknown_reseller', 'unknown_reseller', 'ok', 'email_taken']);
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

	test('a removed person leaves nothing but the acts, which still say who it was', async (t) => {
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
		const email = emailOf('ada');
		await runAllPeople(store, [
			{ kind: 'reset_person', email, linkHash: 'new link' },
			{ kind: 'remove_person', email },
		]);
		assert.equal(await store.findPersonByEmail(email), undefined);
		assert.equal(await store.findInvitation('new link'), undefined);
		assert.equal(await store.findPersonByPasskey('key of ada'), undefined);
		assert.deepEqual(await store.findPersonByEmail(emailOf('bob')), untouched);

		const acts = async (filter: object) =>
			(await store.searchActs({ ...filter, before: Number.MAX_SAFE_INTEGER, limit: 50 })).rows;
		const done = ['add_passkey', 'set_codes', 'accept_invitation'];
		const found = await acts({ emailPart: 'ada' });
		assert.deepEqual(
			found.map(({ kind }) => kind),
			done,
		);
		for (const act of found) assert.partialDeepStrictEqual(act, { email, reseller: 'acme' });
		assert.deepEqual((await acts({ emailPart: 'b' })).length, done.length);

		const again = { ...invite('ada again', 'acme'), email };
		await runAllPeople(store, [again, accept('ada again', 'new', again.linkHash)]);
		assert.equal((await store.findPersonByEmail(email))?.passkeys.length, 0);
		await assertSoundLedger(store);
	});

	test('a role is kept, changed and read, also in the session of a command about money', async (t) => {
		const { store, insert } = await engine.open(t);
		await runAll(store, [createReseller('acme', 100), createSubUser('acme', 'alice')]);
		await runAllPeople(store, [invite('ada', 'acme', 'link', 'manager'), accept('ada', 's1', 'link')]);
		const give = (id: string) => ({
			...giveBalance('acme', 'alice', 1),
			act: actOf('ada', 's1', id, 'give_balance'),
		});
		assert.equal((await store.findSession('s1'))?.record.person.role, 'manager');
		assert.deepEqual(endings(await run(store, [give('first')])), ['ok']);
		await runAllPeople(store, [{ kind: 'set_role', email: emailOf('ada'), role: 'viewer' }]);
		assert.equal((await store.findPersonByEmail(emailOf('ada')))?.person.role, 'viewer');
		assert.deepEqual(endings(await run(store, [give('second')])), ['not_allowed']);
		assert.partialDeepStrictEqual(await store.listPeopleOf('acme'), [{ email: emailOf('ada'), role: 'viewer' }]);
		assert.partialDeepStrictEqual(await store.listPeople({ limit: 5 }), [{ role: 'viewer' }]);

		// As versions before roles write people.
		const row = { id: 'old', email: emailOf('old'), reseller: 'acme', password_hash: null, created_at_ms: 5 };
		await insert({ people: [{ ...row, locked_at_ms: null }] });
		assert.equal((await store.findPersonByEmail(emailOf('old')))?.person.role, 'owner');
		await runAllPeople(store, [invite('olga', null)]);
		assert.equal((await store.findPersonByEmail(emailOf('olga')))?.person.role, null);
	});

	test('people who are invited at once fill a team to its bound, and not beyond it', async (t) => {
		const { store, openAnother } = await engine.open(t);
		const stores = [store, await openAnother()];
		await runAll(store, [createReseller('acme'), createReseller('other')]);
		await runAllPeople(
			store,
			Array.from({ length: MAX_TEAM - 2 }, (_, n) => invite(`p${n}`, 'acme')),
		);
		const outcomes = await Promise.all(
			Array.from({ length: 6 }, (_, n) => runPeople(stores[n % 2] ?? store, [invite(`more${n}`, 'acme')])),
		);
		assert.deepEqual(endings(outcomes.flat()).sort(), ['ok', 'ok', ...Array(4).fill('team_full')]);
		await runAllPeople(store, [invite('bob', 'other')]);
	});

	test('a locked person has no session, and signs in again once it is unlocked', async (t) => {
		const { store } = await opened(engine, t);
		await runAllPeople(store, [{ kind: 'lock_person', email: emailOf('ada') }]);
		assert.equal((await store.findPersonByEmail(emailOf('ada')))?.person.lockedAtMs, NOON_MS);
		assert.equal(await store.findSession('s1'), undefined);
		assert.deepEqual(endings(await runPeople(store, [signIn('ada', 's2')])), ['factor_changed']);
		await runAllPeople(store, [{ kind: 'unlock_person', email: emailOf('ada') }, signIn('ada', 's2')]);
		assert.ok(await store.findSession('s2'));
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
		const ada = { email: emailOf('ada'), reseller: 'acme', role: 'owner', state: 'active' } as const;
		const people = [
			{ ...ada, secondFactor: true, sessions: 2, lastSeenAtMs: nowMs - 1000 },
			{ email: emailOf('bob'), reseller: null, role: null, state: 'active', ...none },
			{ email: emailOf('cyd'), reseller: null, role: null, state: 'locked', ...none },
		];
		assert.deepEqual(await store.listPeople({ limit: 50 }), people);
		assert.deepEqual(await store.listPeople({ limit: 1 }), people.slice(0, 1));
		assert.deepEqual(await store.listPeople({ descends: true, after: emailOf('cyd'), limit: 1 }), [people[1]]);
		assert.deepEqual(await store.listPeople({ of: 'operators', limit: 50 }), people.slice(1));
		assert.deepEqual(await store.listPeople({ of: 'resellers', limit: 50 }), people.slice(0, 1));
		assert.deepEqual(await store.listPeople({ search: 'b', after: emailOf('ada'), limit: 50 }), [people[1]]);
		assert.deepEqual(await store.listPeople({ search: emailOf('bob'), limit: 50 }), [people[1]]);
		assert.deepEqual(await store.listPeople({ after: emailOf('ada'), limit: 50 }), people.slice(1));
		await runAllPeople(store, [{ kind: 'unlock_person', email: emailOf('cyd') }]);
		assert.equal((await store.listPeople({ after: emailOf('bob'), limit: 1 }))[0]?.state, 'invited');
	});

	test('among many keys of nobody, each key finds its own person', async (t) => {
		const { store } = await opened(engine, t);
		await runAllPeople(store, [invite('bob', null), accept('bob', 's2'), addPasskey('bob', 's2', 'key')]);
		await runAllPeople(store, [invite('eve', null, 'link of eve')]);
		const nobody = Array.from({ length: 600 }, (_, place) => [
			store.findSession(`nobody ${place}`),
			store.findInvitation(`nobody ${place}`),
			store.findPersonByPasskey(`nobody ${place}`),
			store.findPersonByEmail(`nobody${place}@acme.example`),
		]).flat();
		// A key of one kind is none of another.
		nobody.push(store.findInvitation('s1'), store.findSession('key'), store.findPersonByPasskey('link of eve'));
		const [ada, bob, alsoBob, stillBob, eve] = await Promise.all([
			store.findSession('s1'),
			store.findSession('s2'),
			store.findPersonByPasskey('key'),
			store.findPersonByEmail(emailOf('bob')),
			store.findInvitation('link of eve'),
		]);
		assert.deepEqual(
			[ada?.record, bob?.record, alsoBob, stillBob, eve].map((found) => found?.person?.id),
			['ada', 'bob', 'bob', 'bob', 'eve'],
		);
		assert.deepEqual(new Set(await Promise.all(nobody)), new Set([undefined]));
	});

	test('all sessions and links of everybody end at once, and the answer says how many sessions were live', async (t) => {
		const { store } = await opened(engine, t);
		await runAllPeople(store, [invite('bob', null), accept('bob', 'of bob'), invite('cyd', null)]);
		await runAllPeople(store, [signIn('ada', 's2')], NOON_MS + SESSION_IDLE_MS - 1);
		const outcomes = await runPeople(store, [{ kind: 'end_all_sessions' }], NOON_MS + SESSION_IDLE_MS);
		assert.deepEqual(outcomes, [{ ok: true, sessions: 1 }]);
		for (const hash of ['s1', 's2', 'of bob']) assert.equal(await store.findSession(hash), undefined);
		assert.deepEqual(endings(await runPeople(store, [accept('cyd', 'of cyd')])), ['invalid_link']);
		await runAllPeople(store, [signIn('ada', 's3'), signIn('bob', 'new of bob')]);
	});

	test('tries at once are counted over all stores', async (t) => {
		const { store, openAnother } = await engine.open(t);
		const stores = [store, await openAnother(), await openAnother()];
		const outcomes = await Promise.all(
			Array.from({ length: 24 }, (_, n) => runPeople(stores[n % 3] ?? store, [countTry('ada', `net ${n}`)])),
		);
		assert.equal(endings(outcomes.flat()).filter((ending) => ending === 'ok').length, 3);
	});

	test('a sign-in forgives the counts that it names, and a refused one forgives none', async (t) => {
		const { store, rows } = await engine.open(t);
		await runAll(store, [createReseller('acme')]);
		await runAllPeople(store, [invite('ada', 'acme'), accept('ada', 's1'), countTry('ada', 'net'), countTry('bob')]);
		const keys = () => rows('SELECT key FROM sign_in_tries ORDER BY key');
		const wrong = { kind: 'password', passwordHash: 'wrong' } as const;
		await runPeople(store, [{ ...signIn('ada', 's2', wrong), forgives: ['ada'] }]);
		assert.deepEqual(await keys(), [{ key: 'ada' }, { key: 'bob' }, { key: 'net' }]);
		await runAllPeople(store, [{ ...signIn('ada', 's2'), forgives: ['ada', 'unknown'] }]);
		assert.deepEqual(await keys(), [{ key: 'bob' }, { key: 'net' }]);
	});

	test('counts that are forgiven are removed in bounded steps', async (t) => {
		const { store, rows } = await engine.open(t);
		const keys = Array.from({ length: FORGET_AT_ONCE + 20 }, (_, n) => `key ${n}`);
		for (let from = 0; from < keys.length; from += 20) {
			await runAllPeople(store, [countTry(...keys.slice(from, from + 20))]);
		}
		const count = async () => (await rows('SELECT key FROM sign_in_tries')).length;
		assert.equal(await count(), keys.length);
		await runAllPeople(store, [countTry('other')], NOON_MS + 1000);
		assert.equal(await count(), 20 + 1);
		await runAllPeople(store, [countTry('other')], NOON_MS + 1001);
		assert.equal(await count(), 1);
	});
}

/** A store with the person `ada` of the reseller `acme`, who has the session `s1`. */
async function opened(engine: Engine, t: Parameters<Engine['open']>[0]) {
	const { store } = await engine.open(t);
	await runAll(store, [createReseller('acme')]);
	await runAllPeople(store, [invite('ada', 'acme'), accept('ada', 's1')]);
	return { store };
}

const CODE = { kind: 'password', code: { step: 101 } } as const;
