import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Store } from '../../../src/store/store.ts';
import { createReseller, NOON_MS } from '../../support/commands.ts';
import {
	accept,
	addPasskey,
	byPasskey,
	byPassword,
	emailOf,
	invite,
	passkeyOf,
	RECOVERY_HASHES,
	removePasskey,
	renamePasskey,
	setCodes,
	signIn,
} from '../../support/person-commands.ts';
import { type Engine, endings, runAll, runAllPeople, runPeople } from './engine.ts';

/** Tests one-time codes, recovery codes and passkeys. */
export function personFactorSuite(engine: Engine): void {
	test('the secret of one-time codes is sealed, and is read back as it was', async (t) => {
		const { store, rows } = await opened(engine, t);
		await runAllPeople(store, [setCodes('ada', 's1')]);
		const record = await recordOf(store, 'ada');
		assert.deepEqual(record?.codes, { person: 'ada', secret: 'SECRETOFADA', lastStep: 100 });
		assert.deepEqual(record?.recoveryCodes, RECOVERY_HASHES);
		const [row] = await rows('SELECT person, sealed_secret, last_step FROM one_time_codes');
		assert.match(String((row as { sealed_secret: string }).sealed_secret), /^[0-9a-f]{8}\.[\w-]+$/);
		assert.doesNotMatch(JSON.stringify(row), /SECRETOFADA/);
	});

	test('a code that several stores get at once is accepted once', async (t) => {
		const { store, openAnother } = await opened(engine, t);
		const stores = [store, await openAnother()];
		await runAllPeople(store, [setCodes('ada', 's1', 100)]);
		for (const code of [101, 102, 'recovery 0', 'recovery 1']) {
			const outcomes = await Promise.all(
				Array.from({ length: 8 }, (_, n) =>
					runPeople(stores[n % 2] ?? store, [signIn('ada', `${code} ${n}`, byPassword('ada', code))]),
				),
			);
			assert.deepEqual(endings(outcomes.flat()).toSorted(), ['ok', ...Array(7).fill('wrong_code')], String(code));
		}
	});

	test('a passkey is found by its id, signs in once for each challenge, and counts up', async (t) => {
		const { store, openAnother } = await opened(engine, t);
		const another = await openAnother();
		const [made] = await runPeople(store, [addPasskey('ada', 's1', 'key 1')]);
		assert.deepEqual(made, { ok: true, madeRecoveryCodes: true });
		const found = await another.findPersonByPasskey('key 1');
		assert.deepEqual(found?.passkeys, [passkeyOf('ada', 'key 1')]);
		assert.equal(found?.person.email, emailOf('ada'));
		assert.equal(await another.findPersonByPasskey('key 2'), undefined);
		const outcomes = await runPeople(
			another,
			[
				signIn('ada', 'a', byPasskey('key 1', 'c1')),
				signIn('ada', 'b', byPasskey('key 1', 'c1')),
				signIn('ada', 'c', byPasskey('key 1', 'c2', 7)),
				signIn('ada', 'd', byPasskey('key 1', 'c3', 7)),
				signIn('ada', 'e', byPasskey('key 1', 'c4', 0)),
				signIn('ada', 'f', byPasskey('key 2', 'c5', 8)),
				signIn('bob', 'g', byPasskey('key 1', 'c6', 8)),
				signIn('ada', 'h', byPasskey('key 1', 'challenge of key 1', 8)),
				signIn('ada', 'i', byPassword('ada')),
			],
			NOON_MS + 1000,
		);
		assert.deepEqual(endings(outcomes), [
			...['ok', 'challenge_used', 'ok', 'factor_changed', 'factor_changed', 'factor_changed', 'factor_changed'],
			...['challenge_used', 'code_required'],
		]);
		assert.deepEqual((await recordOf(store, 'ada'))?.passkeys, [
			{ ...passkeyOf('ada', 'key 1'), counter: 7, lastUsedAtMs: NOON_MS + 1000 },
		]);
		const late = signIn('ada', 'late', byPasskey('key 1', 'c7', 8));
		assert.deepEqual(endings(await runPeople(store, [late], NOON_MS + 300_000)), ['challenge_used']);
	});

	test('a passkey is known on the platform once; its person renames and removes it', async (t) => {
		const { store } = await opened(engine, t);
		await runAllPeople(store, [addPasskey('ada', 's1', 'key 1'), addPasskey('ada', 's1', 'key 2')]);
		const outcomes = await runPeople(store, [
			{ ...addPasskey('bob', 'of bob', 'key 1'), challengeHash: 'another challenge' },
			renamePasskey('ada', 's1', 'key 1', 'Laptop'),
			removePasskey('ada', 's1', 'key 2'),
		]);
		assert.deepEqual(endings(outcomes), ['passkey_taken', 'ok', 'ok']);
		assert.deepEqual((await recordOf(store, 'ada'))?.passkeys, [{ ...passkeyOf('ada', 'key 1'), name: 'Laptop' }]);
	});

	test('a challenge that several stores use at once is used once', async (t) => {
		const { store, openAnother } = await opened(engine, t);
		const stores = [store, await openAnother()];
		await runAllPeople(store, [addPasskey('ada', 's1', 'key 1')]);
		const outcomes = await Promise.all(
			Array.from({ length: 8 }, (_, n) =>
				runPeople(stores[n % 2] ?? store, [signIn('ada', `s${n} again`, byPasskey('key 1', 'c1'))]),
			),
		);
		assert.deepEqual(endings(outcomes.flat()).toSorted(), [...Array(7).fill('challenge_used'), 'ok']);
	});

	test('used challenges are remembered for a day after they expire, and then forgotten', async (t) => {
		const { store, rows } = await opened(engine, t);
		await runAllPeople(store, [addPasskey('ada', 's1', 'key 1')]);
		const later = async (challengeHash: string, nowMs: number) => {
			const factor = { ...byPasskey('key 1', challengeHash), challengeExpiresAtMs: nowMs + 300_000 };
			await runAllPeople(store, [signIn('ada', challengeHash, factor as ReturnType<typeof byPasskey>)], nowMs);
		};
		const dayMs = 24 * 3_600_000;
		await later('c1', NOON_MS + 300_000 + dayMs);
		const used = () => rows('SELECT hash FROM used_challenges ORDER BY hash');
		assert.deepEqual(await used(), [{ hash: 'c1' }, { hash: 'challenge of key 1' }]);
		await later('c2', NOON_MS + 300_001 + dayMs);
		assert.deepEqual(await used(), [{ hash: 'c1' }, { hash: 'c2' }]);
	});
}

/** A store with `ada` of the reseller `acme` (session `s1`), and the operator `bob` (session `of bob`). */
async function opened(engine: Engine, t: Parameters<Engine['open']>[0]) {
	const opening = await engine.open(t);
	await runAll(opening.store, [createReseller('acme')]);
	await runAllPeople(opening.store, [
		...[invite('ada', 'acme'), accept('ada', 's1')],
		...[invite('bob', null), accept('bob', 'of bob')],
	]);
	return opening;
}

function recordOf(store: Store, person: string) {
	return store.findPersonByEmail(emailOf(person));
}
