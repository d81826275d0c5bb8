import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FORGET_AT_ONCE } from '../../../src/domain/people/person-decision.ts';
import { createReseller, NOON_MS } from '../../support/commands.ts';
import { accept, countTry, invite, signIn } from '../../support/person-commands.ts';
import { type Engine, endings, runAll, runAllPeople, runPeople } from './engine.ts';

/** Tests counts of tries. */
export function throttleSuite(engine: Engine): void {
	test('a refused try says how long to wait, and counts for none of its keys', async (t) => {
		const { store } = await engine.open(t);
		await runAllPeople(store, [countTry('ada', 'net'), countTry('ada'), countTry('ada')]);
		assert.deepEqual(await runPeople(store, [countTry('ada', 'net'), countTry('net', 'ada')], NOON_MS + 400), [
			{ ok: false, error: 'too_many_tries', waitMs: 600 },
			{ ok: false, error: 'too_many_tries', waitMs: 600 },
		]);
		assert.deepEqual(
			endings(await runPeople(store, [countTry('net'), countTry('net'), countTry('net')], NOON_MS + 400)),
			[...['ok', 'ok', 'too_many_tries']],
		);
		assert.deepEqual(endings(await runPeople(store, [countTry('ada'), countTry('ada')], NOON_MS + 1000)), [
			...['ok', 'too_many_tries'],
		]);
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

	test('if the clock is set back, a count that is full is forgiven after the usual time', async (t) => {
		const { store } = await engine.open(t);
		await runAllPeople(store, [countTry('ada'), countTry('ada'), countTry('ada')]);
		const backMs = NOON_MS - 3_600_000;
		assert.deepEqual(await runPeople(store, [countTry('ada')], backMs), [
			{ ok: false, error: 'too_many_tries', waitMs: 1000 },
		]);
	});
}
