import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReseller, createSubUser, deleteSubUser, setNote } from '../../support/commands.ts';
import { emailOf, invite } from '../../support/person-commands.ts';
import { type Engine, runAll, runAllPeople } from './engine.ts';

/** Tests the search over everything. */
export function searchSuite(engine: Engine): void {
	test('sub-users are found by name and note: first those that begin with the text, and never those of another reseller', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [
			createReseller('acme', 1000),
			createReseller('bolt', 1000),
			...['bob', 'a_bob', 'axbob', 'carl', 'gone.bob', 'zora'].map((name) => createSubUser('acme', `${name}.x`)),
			createSubUser('bolt', 'bobby'),
			setNote('acme', 'carl.x', 'For BOB, 100 % paid_up!'),
			deleteSubUser('acme', 'gone.bob.x'),
		]);
		const found = async (text: string, limit = 8) =>
			(await store.searchSubUsers('acme', text, limit)).map(({ username }) => username);
		assert.deepEqual(await found('bob'), ['bob.x', 'a_bob.x', 'axbob.x', 'carl.x']);
		assert.deepEqual(await found('bob', 2), ['bob.x', 'a_bob.x']);
		assert.deepEqual(await found('bob', 1), ['bob.x']);
		// What means something to `LIKE` stands for itself.
		assert.deepEqual(await found('_b'), ['a_bob.x']);
		assert.deepEqual(await found('100 %'), ['carl.x']);
		assert.deepEqual(await found('d_up!'), ['carl.x']);
		for (const text of ['%', '__', '!!', "'", 'bobby', 'acme']) {
			assert.deepEqual(await found(text), text === '%' ? ['carl.x'] : [], text);
		}
		for (const note of ['Überweisung an GÜNTHER', 'überweisung an günther']) {
			await runAll(store, [setNote('acme', 'zora.x', note)]);
			for (const text of ['über', 'günther', 'g an g', 'überweisung an gü'])
				assert.deepEqual(await found(text), ['zora.x']);
			for (const text of ['uber', 'ünter', 'ß', 'éü']) assert.deepEqual(await found(text), [], text);
		}
		await runAll(store, [setNote('acme', 'zora.x', '')]);
		assert.deepEqual(await store.searchSubUsers('acme', 'zora', 8), [{ username: 'zora.x', note: null }]);
	});

	test('sub-users of all resellers are found by the beginning of their names, while they live', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [
			createReseller('acme', 1000),
			createReseller('acmex', 1000),
			createSubUser('acme', 'acme.two'),
			createSubUser('acmex', 'acme.one'),
			createSubUser('acme', 'acme.gone'),
			deleteSubUser('acme', 'acme.gone'),
		]);
		const gone = Array.from({ length: 70 }, (_, index) => `old.${index}`);
		await runAll(
			store,
			[...gone, 'old.z'].map((name) => createSubUser('acme', name)),
		);
		await runAll(
			store,
			gone.map((name) => deleteSubUser('acme', name)),
		);
		assert.deepEqual(await store.searchAllSubUsers('old', 8), [{ username: 'old.z', reseller: 'acme' }]);
		assert.deepEqual(await store.searchAllSubUsers('acme', 8), [
			{ username: 'acme.one', reseller: 'acmex' },
			{ username: 'acme.two', reseller: 'acme' },
		]);
		assert.deepEqual(await store.searchAllSubUsers('acme', 1), [{ username: 'acme.one', reseller: 'acmex' }]);
		for (const text of ['cme', '%', 'ACME', 'a b']) assert.deepEqual(await store.searchAllSubUsers(text, 8), []);
	});

	test('people are found by a part of their e-mail address: first those whose address begins with it', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [createReseller('acme')]);
		await runAllPeople(store, [invite('bea', 'acme'), invite('abe', null), invite('zoe', 'acme')]);
		const found = (text: string, limit = 8) => store.searchPeople(text, limit);
		assert.deepEqual(await found('be'), [
			{ email: emailOf('bea'), reseller: 'acme' },
			{ email: emailOf('abe'), reseller: null },
		]);
		assert.deepEqual(await found('be', 1), [{ email: emailOf('bea'), reseller: 'acme' }]);
		for (const text of ['%', '_', 'nobody']) assert.deepEqual(await found(text), [], text);
	});
}
