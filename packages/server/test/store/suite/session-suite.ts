import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_SESSIONS, SESSION_IDLE_MS, SESSION_LIFE_MS } from '../../../src/domain/people/person.ts';
import type { Store } from '../../../src/store/store.ts';
import { createReseller, NOON_MS } from '../../support/commands.ts';
import { sessionUse } from '../../support/notes.ts';
import {
	accept,
	addPasskey,
	emailOf,
	endSessions,
	invite,
	newSession,
	sessionOf,
	setPassword,
	signIn,
} from '../../support/person-commands.ts';
import { type Engine, endings, noteAll, runAll, runAllPeople, runPeople } from './engine.ts';

/** Tests how sessions begin, are replaced and end. */
export function sessionSuite(engine: Engine): void {
	test('a sign-in with the password starts a session; another password hash does not', async (t) => {
		const { store } = await opened(engine, t);
		const wrong = signIn('ada', 'wrong', { kind: 'password', passwordHash: 'an earlier password' });
		const [refused, signedIn] = await runPeople(store, [wrong, signIn('ada', 's2')], NOON_MS + 1000);
		assert.deepEqual(refused, { ok: false, error: 'factor_changed' });
		assert.deepEqual(signedIn, { ok: true, session: sessionOf('ada', 's2', NOON_MS + 1000) });
		assert.deepEqual(await hashesOf(store, 'ada'), ['s2', 's1']);
		assert.equal(await store.findSession('wrong'), undefined);
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
			[ada?.record, bob?.record, alsoBob, stillBob, eve].map((found) => found?.person.id),
			['ada', 'bob', 'bob', 'bob', 'eve'],
		);
		assert.deepEqual(new Set(await Promise.all(nobody)), new Set([undefined]));
	});

	test('a proof gives its session a new hash; the id and the time of the sign-in stay', async (t) => {
		const { store } = await opened(engine, t);
		await runAllPeople(store, [signIn('ada', 's2')]);
		const proof = { ...signIn('ada', 'proven'), replaces: 's1', actId: undefined };
		const [proven] = await runPeople(store, [proof], NOON_MS + 1000);
		const session = {
			...sessionOf('ada', 'proven', NOON_MS + 1000),
			id: newSession('s1').id,
			signedInAtMs: NOON_MS,
		};
		assert.deepEqual(proven, { ok: true, session });
		assert.equal(await store.findSession('s1'), undefined);
		assert.deepEqual((await store.findSession('proven'))?.session, session);
		assert.ok(await store.findSession('s2'));
		const refused = await runPeople(store, [{ ...proof, session: newSession('third') }], NOON_MS + 2000);
		assert.deepEqual(endings(refused), ['signed_out']);
	});

	test('the last use of a session only grows, and revives no session that has ended', async (t) => {
		const { store } = await opened(engine, t);
		const lastSeen = async () => (await store.findSession('s1'))?.session.lastSeenAtMs;
		await noteAll(store, [sessionUse('s1', NOON_MS + 500), sessionUse('s1', NOON_MS + 200)], NOON_MS + 1000);
		assert.equal(await lastSeen(), NOON_MS + 500);
		await noteAll(store, [sessionUse('s1', NOON_MS + 9000)], NOON_MS + 1000);
		assert.equal(await lastSeen(), NOON_MS + 1000);
		const idleMs = NOON_MS + 1000 + SESSION_IDLE_MS;
		await noteAll(store, [sessionUse('s1', idleMs), sessionUse('unknown', NOON_MS)], idleMs);
		assert.equal(await lastSeen(), NOON_MS + 1000);
		await runAllPeople(store, [{ kind: 'sign_out', person: 'ada', sessionHash: 's1' }]);
		await noteAll(store, [sessionUse('s1', NOON_MS + 2000)], NOON_MS + 2000);
		assert.equal(await lastSeen(), undefined);
		await runAllPeople(store, [{ kind: 'sign_out', person: 'ada', sessionHash: 's1' }]);
	});

	test('a sign-in removes the expired sessions of its person', async (t) => {
		const { store } = await opened(engine, t);
		await runAllPeople(store, [invite('bob', null), accept('bob', 'of bob'), signIn('ada', 's2')], NOON_MS + 10);
		await runAllPeople(store, [signIn('ada', 's3')], NOON_MS + SESSION_IDLE_MS);
		assert.deepEqual(await hashesOf(store, 'ada'), ['s3', 's2']);
		await runAllPeople(store, [signIn('ada', 's4')], NOON_MS + SESSION_LIFE_MS);
		assert.deepEqual(await hashesOf(store, 'ada'), ['s4']);
		assert.deepEqual(await hashesOf(store, 'bob'), ['of bob']);
	});

	test(`with more than ${MAX_SESSIONS} sessions, the one that was used longest ago ends`, async (t) => {
		const { store } = await opened(engine, t);
		await runAllPeople(store, [signIn('ada', 'oldest')], NOON_MS + 1);
		await noteAll(store, [sessionUse('s1', NOON_MS + 3000)], NOON_MS + 3000);
		for (let n = 0; n < MAX_SESSIONS - 2; n++) await runAllPeople(store, [signIn('ada', `n${n}`)], NOON_MS + 2 + n);
		assert.equal((await hashesOf(store, 'ada')).length, MAX_SESSIONS);
		assert.ok(await store.findSession('oldest'));
		await runAllPeople(store, [signIn('ada', 'newest')], NOON_MS + 4000);
		assert.equal((await hashesOf(store, 'ada')).length, MAX_SESSIONS);
		assert.equal(await store.findSession('oldest'), undefined);
		for (const hash of ['s1', 'n0', 'newest']) assert.ok(await store.findSession(hash));
	});

	test('a person ends one session, or all others; a new password ends the others too', async (t) => {
		const { store } = await opened(engine, t);
		const names = ['s2', 's3', 's4', 's5'];
		await runAllPeople(store, [
			...names.map((name) => signIn('ada', name)),
			invite('bob', null),
			accept('bob', 'of bob'),
			endSessions('ada', 's1', newSession('s2').id),
		]);
		const ofBob = endSessions('ada', 's1', newSession('of bob').id);
		assert.deepEqual(endings(await runPeople(store, [ofBob])), ['unknown_session']);
		assert.equal(await store.findSession('s2'), undefined);
		assert.deepEqual((await hashesOf(store, 'ada')).toSorted(), ['s1', 's3', 's4', 's5']);
		await runAllPeople(store, [endSessions('ada', 's1', 'others')]);
		assert.deepEqual(await hashesOf(store, 'ada'), ['s1']);
		await runAllPeople(store, [signIn('ada', 's6'), setPassword('ada', 's1', 'new password')]);
		assert.deepEqual(await hashesOf(store, 'ada'), ['s1']);
		assert.deepEqual(endings(await runPeople(store, [signIn('ada', 's7')])), ['factor_changed']);
		const factor = { kind: 'password', passwordHash: 'new password' } as const;
		await runAllPeople(store, [signIn('ada', 's7', factor), endSessions('ada', 's7', newSession('s7').id)]);
		assert.equal(await store.findSession('s7'), undefined);
		assert.deepEqual(await hashesOf(store, 'bob'), ['of bob']);
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
}

/** A store with the person `ada` of the reseller `acme`, who has the session `s1`. */
async function opened(engine: Engine, t: Parameters<Engine['open']>[0]) {
	const { store } = await engine.open(t);
	await runAll(store, [createReseller('acme')]);
	await runAllPeople(store, [invite('ada', 'acme'), accept('ada', 's1')]);
	return { store };
}

/** The hashes of the person's sessions, the last used first. */
async function hashesOf(store: Store, person: string): Promise<readonly string[]> {
	return (await store.findPersonByEmail(emailOf(person)))?.sessions.map(({ hash }) => hash) ?? [];
}
