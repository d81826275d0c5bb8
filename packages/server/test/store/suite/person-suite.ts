import assert from 'node:assert/strict';
import { test } from 'node:test';
import { INVITATION_LIFE_MS, SESSION_IDLE_MS } from '../../../src/domain/people/person.ts';
import { FORGET_AT_ONCE } from '../../../src/domain/people/person-effect.ts';
import { createReseller, createSubUser, giveBalance, NOON_MS } from '../../support/commands.ts';
import {
	accept,
	actOf,
	addPasskey,
	byPasskey,
	byPassword,
	countTry,
	emailOf,
	invite,
	passkeyOf,
	passwordHashOf,
	RECOVERY_HASHES,
	removePasskey,
	renamePasskey,
	sessionOf,
	setCodes,
	signIn,
} from '../../support/person-commands.ts';
import { assertSoundLedger, type Engine, endings, run, runAll, runAllPeople, runPeople } from './engine.ts';

const HOUR_MS = 3_600_000;

/** Tests that people, their links, sessions and factors, and counts of tries are stored and loaded. */
export function personSuite(engine: Engine): void {
	/** A store with `ada` of the reseller `acme` (session `s1`), and the operator `bob` (session `of bob`). */
	async function open(t: Parameters<Engine['open']>[0]) {
		const opened = await engine.open(t);
		await runAll(opened.store, [createReseller('acme', 100), createSubUser('acme', 'alice')]);
		await runAllPeople(opened.store, [
			...[invite('ada', 'acme'), accept('ada', 's1'), invite('bob', null), accept('bob', 'of bob')],
		]);
		return { ...opened, recordOf: (person: string) => opened.store.findPersonByEmail(emailOf(person)) };
	}

	test('a link makes a person; it is found by its hash, and sets a password and starts a session once', async (t) => {
		const { store, openAnother } = await engine.open(t);
		const another = await openAnother();
		await runAll(store, [createReseller('acme', 10), createReseller('other'), createSubUser('acme', 'alice')]);
		const [linked, ...refused] = await runPeople(store, [
			...[invite('ada', 'acme'), invite('eve', 'nobody'), invite('eve', 'alice')],
			{ ...invite('eve', 'other'), email: emailOf('ada') },
		]);
		const expiresAtMs = NOON_MS + INVITATION_LIFE_MS;
		assert.deepEqual(linked, { ok: true, email: emailOf('ada'), expiresAtMs, mailing: 'not_set_up' });
		assert.deepEqual(endings(refused), ['unknown_reseller', 'unknown_reseller', 'email_taken']);
		const ada = { id: 'ada', email: emailOf('ada'), reseller: 'acme', role: 'owner' } as const;
		const person = { ...ada, passwordHash: null, createdAtMs: NOON_MS, lockedAtMs: null };
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
		const factors = { codes: undefined, recoveryCodes: [], passkeys: [] };
		const withPassword = { ...person, passwordHash: passwordHashOf('ada') };
		const record = { person: withPassword, invitation: undefined, ...factors, sessions: [session] };
		for (const each of [store, another]) {
			assert.deepEqual(await each.findSession('s1'), { session, record });
			assert.deepEqual(await each.findPersonByEmail(emailOf('ada')), record);
		}
	});

	test('a reset removes what one person signs in with; a removed person leaves the acts, which say who it was', async (t) => {
		const { store, recordOf } = await open(t);
		await runAllPeople(store, [invite('cyd', 'acme'), accept('cyd', 'of cyd')]);
		for (const [person, session] of [
			['ada', 's1'],
			['cyd', 'of cyd'],
		] as const) {
			await runAllPeople(store, [setCodes(person, session), addPasskey(person, session, `key of ${person}`)]);
		}
		const [before, untouched] = [await recordOf('ada'), await recordOf('cyd')];
		assert.deepEqual(untouched?.recoveryCodes, RECOVERY_HASHES);
		const email = emailOf('ada');
		await runAllPeople(store, [{ kind: 'reset_person', email, linkHash: 'new link' }]);
		assert.deepEqual(await recordOf('ada'), {
			person: { ...before?.person, passwordHash: null },
			invitation: {
				...{ hash: 'new link', person: 'ada', purpose: 'set_password' },
				expiresAtMs: NOON_MS + INVITATION_LIFE_MS,
			},
			...{ codes: undefined, recoveryCodes: [], passkeys: [], sessions: [] },
		});
		await runAllPeople(store, [{ kind: 'remove_person', email }]);
		assert.equal(await recordOf('ada'), undefined);
		assert.equal(await store.findInvitation('new link'), undefined);
		assert.equal(await store.findPersonByPasskey('key of ada'), undefined);
		assert.deepEqual(await recordOf('cyd'), untouched);

		const acts = async (emailPart: string) =>
			(await store.searchActs({ emailPart, before: Number.MAX_SAFE_INTEGER, limit: 50 })).rows;
		const found = await acts('ada');
		const done = ['add_passkey', 'set_codes', 'accept_invitation'];
		assert.deepEqual(
			found.map(({ kind, email: of, reseller }) => [kind, of, reseller]),
			done.map((kind) => [kind, email, 'acme']),
		);
		assert.equal((await acts('cyd')).length, done.length);
		const again = { ...invite('ada again', 'acme'), email };
		await runAllPeople(store, [again, accept('ada again', 'new', again.linkHash)]);
		assert.equal((await recordOf('ada'))?.passkeys.length, 0);
		await assertSoundLedger(store);
	});

	test('a role is kept, changed and read, also in the session of a command about money', async (t) => {
		const { store, insert, recordOf } = await open(t);
		const give = (id: string) => ({ ...giveBalance('acme', 'alice', 1), act: actOf('mia', 'm', id, 'give_balance') });
		await runAllPeople(store, [invite('mia', 'acme', 'link', 'manager'), accept('mia', 'm', 'link')]);
		assert.equal((await store.findSession('m'))?.record.person.role, 'manager');
		assert.deepEqual(endings(await run(store, [give('first')])), ['ok']);
		await runAllPeople(store, [{ kind: 'set_role', email: emailOf('mia'), role: 'viewer' }]);
		assert.equal((await recordOf('mia'))?.person.role, 'viewer');
		assert.deepEqual(endings(await run(store, [give('second')])), ['not_allowed']);
		assert.partialDeepStrictEqual((await store.listPeopleOf('acme'))[1], { email: emailOf('mia'), role: 'viewer' });
		assert.equal((await recordOf('bob'))?.person.role, null);

		// As versions before roles write people.
		const row = { id: 'old', email: emailOf('old'), reseller: 'acme', password_hash: null, created_at_ms: 5 };
		await insert({ people: [{ ...row, locked_at_ms: null }] });
		assert.equal((await recordOf('old'))?.person.role, 'owner');
	});

	test('the list of people is in pages, with their state, second factor and live sessions', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [createReseller('acme')]);
		const nowMs = store.nowMs();
		const codes = { ...setCodes('ada', 'a1'), challengeExpiresAtMs: nowMs };
		await runAllPeople(store, [invite('ada', 'acme'), accept('ada', 'a1'), codes], nowMs - 2000);
		await runAllPeople(store, [signIn('ada', 'a2', byPassword('ada', 101))], nowMs - 1000);
		await runAllPeople(store, [invite('bob', null), accept('bob', 'b1')], nowMs - 13 * HOUR_MS);
		await runAllPeople(store, [invite('cyd', null)], nowMs);
		await runAllPeople(store, [{ kind: 'lock_person', email: emailOf('cyd') }], nowMs);
		const none = { secondFactor: false, sessions: 0, lastSeenAtMs: null };
		const ada = { email: emailOf('ada'), reseller: 'acme', role: 'owner', state: 'active' } as const;
		const people = [
			{ ...ada, secondFactor: true, sessions: 2, lastSeenAtMs: nowMs - 1000 },
			{ email: emailOf('bob'), reseller: null, role: null, state: 'active', ...none },
			{ email: emailOf('cyd'), reseller: null, role: null, state: 'locked', ...none },
		];
		for (const [query, expected] of [
			[{ limit: 50 }, people],
			[{ limit: 1 }, people.slice(0, 1)],
			[{ descends: true, after: emailOf('cyd'), limit: 1 }, [people[1]]],
			[{ of: 'operators', limit: 50 }, people.slice(1)],
			[{ of: 'resellers', limit: 50 }, people.slice(0, 1)],
			[{ search: 'b', after: emailOf('ada'), limit: 50 }, [people[1]]],
			[{ search: emailOf('bob'), limit: 50 }, [people[1]]],
			[{ after: emailOf('ada'), limit: 50 }, people.slice(1)],
		] as const) {
			assert.deepEqual(await store.listPeople(query), expected);
		}
		await runAllPeople(store, [{ kind: 'unlock_person', email: emailOf('cyd') }]);
		assert.equal((await store.listPeople({ after: emailOf('bob'), limit: 1 }))[0]?.state, 'invited');
	});

	test('among many keys of nobody, each key finds its own person', async (t) => {
		const { store } = await open(t);
		await runAllPeople(store, [addPasskey('bob', 'of bob', 'key'), invite('eve', null, 'link of eve')]);
		const nobody = Array.from({ length: 150 }, (_, index) => [
			store.findSession(`nobody ${index}`),
			store.findInvitation(`nobody ${index}`),
			store.findPersonByPasskey(`nobody ${index}`),
			store.findPersonByEmail(`nobody${index}@acme.example`),
		]).flat();
		// A key of one kind is none of another.
		nobody.push(store.findInvitation('s1'), store.findSession('key'), store.findPersonByPasskey('link of eve'));
		const sessions = await Promise.all([store.findSession('s1'), store.findSession('of bob')]);
		const [alsoBob, stillBob] = [await store.findPersonByPasskey('key'), await store.findPersonByEmail(emailOf('bob'))];
		const found = [
			...sessions.map((each) => each?.record),
			alsoBob,
			stillBob,
			await store.findInvitation('link of eve'),
		];
		assert.deepEqual(
			found.map((each) => each?.person?.id),
			['ada', 'bob', 'bob', 'bob', 'eve'],
		);
		assert.deepEqual(new Set(await Promise.all(nobody)), new Set([undefined]));
	});

	test('all sessions and links of everybody end at once, and the answer says how many sessions were live', async (t) => {
		const { store } = await open(t);
		await runAllPeople(store, [invite('cyd', null)]);
		await runAllPeople(store, [signIn('ada', 's2')], NOON_MS + SESSION_IDLE_MS - 1);
		const outcomes = await runPeople(store, [{ kind: 'end_all_sessions' }], NOON_MS + SESSION_IDLE_MS);
		assert.deepEqual(outcomes, [{ ok: true, sessions: 1 }]);
		for (const hash of ['s1', 's2', 'of bob']) assert.equal(await store.findSession(hash), undefined);
		assert.deepEqual(endings(await runPeople(store, [accept('cyd', 'of cyd')])), ['invalid_link']);
	});

	test('a sign-in forgives the counts that it names, a refused one none; others are forgotten in bounded steps', async (t) => {
		const { store, rows } = await open(t);
		const keys = async () => (await rows('SELECT key FROM sign_in_tries ORDER BY key')).flatMap(Object.values);
		await runAllPeople(store, [countTry('ada', 'net'), countTry('bob')]);
		const wrong = { kind: 'password', passwordHash: 'wrong' } as const;
		await runPeople(store, [{ ...signIn('ada', 's2', wrong), forgives: ['ada'] }]);
		assert.deepEqual(await keys(), ['ada', 'bob', 'net']);
		await runAllPeople(store, [{ ...signIn('ada', 's2'), forgives: ['ada', 'unknown'] }]);
		assert.deepEqual(await keys(), ['bob', 'net']);

		const many = Array.from({ length: FORGET_AT_ONCE + 18 }, (_, n) => `key ${n}`);
		for (let from = 0; from < many.length; from += 20) {
			await runAllPeople(store, [countTry(...many.slice(from, from + 20))]);
		}
		for (const [laterMs, left] of [
			[1000, 20 + 1],
			[1001, 1],
		] as const) {
			await runAllPeople(store, [countTry('other')], NOON_MS + laterMs);
			assert.equal((await keys()).length, left);
		}
	});

	test('the secret of one-time codes is sealed, and is read back as it was', async (t) => {
		const { store, rows, recordOf } = await open(t);
		await runAllPeople(store, [setCodes('ada', 's1')]);
		const record = await recordOf('ada');
		assert.deepEqual(record?.codes, { person: 'ada', secret: 'SECRETOFADA', lastStep: 100 });
		assert.deepEqual(record?.recoveryCodes, RECOVERY_HASHES);
		const [row] = await rows('SELECT person, sealed_secret, last_step FROM one_time_codes');
		assert.match(String((row as { sealed_secret: string }).sealed_secret), /^[0-9a-f]{8}\.[\w-]+$/);
		assert.doesNotMatch(JSON.stringify(row), /SECRETOFADA/);
	});

	test('a passkey is known on the platform once; it is found, counts up, and is renamed and removed', async (t) => {
		const { store, openAnother, recordOf } = await open(t);
		const another = await openAnother();
		await runAllPeople(store, [addPasskey('ada', 's1', 'key 1'), addPasskey('ada', 's1', 'key 2')]);
		const found = await another.findPersonByPasskey('key 1');
		assert.deepEqual([found?.person.id, found?.passkeys[0]], ['ada', passkeyOf('ada', 'key 1')]);
		assert.equal(await another.findPersonByPasskey('key 3'), undefined);
		const changes = [
			{ ...addPasskey('bob', 'of bob', 'key 1'), challengeHash: 'another challenge' },
			...[renamePasskey('ada', 's1', 'key 1', 'Laptop'), removePasskey('ada', 's1', 'key 2')],
			signIn('ada', 'again', byPasskey('key 1', 'c1', 7)),
		];
		assert.deepEqual(endings(await runPeople(another, changes, NOON_MS + 9)), ['passkey_taken', 'ok', 'ok', 'ok']);
		const used = { name: 'Laptop', counter: 7, lastUsedAtMs: NOON_MS + 9 };
		assert.deepEqual((await recordOf('ada'))?.passkeys, [{ ...passkeyOf('ada', 'key 1'), ...used }]);
	});

	test('used challenges are remembered for a day after they expire, and then forgotten', async (t) => {
		const { store, rows } = await open(t);
		await runAllPeople(store, [addPasskey('ada', 's1', 'key 1')]);
		const later = async (challengeHash: string, nowMs: number) => {
			const factor = { ...byPasskey('key 1', challengeHash), challengeExpiresAtMs: nowMs + 300_000 };
			await runAllPeople(store, [signIn('ada', challengeHash, factor as ReturnType<typeof byPasskey>)], nowMs);
		};
		await later('c1', NOON_MS + 300_000 + 24 * HOUR_MS);
		const used = () => rows('SELECT hash FROM used_challenges ORDER BY hash');
		assert.deepEqual(await used(), [{ hash: 'c1' }, { hash: 'challenge of key 1' }]);
		await later('c2', NOON_MS + 300_001 + 24 * HOUR_MS);
		assert.deepEqual(await used(), [{ hash: 'c1' }, { hash: 'c2' }]);
	});
}
