import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_PASSKEYS } from '@bursar/contract/dashboard';
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
	removeCodes,
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

	test('with one-time codes, the password needs a code of a later time step, and each code is good once', async (t) => {
		const { store } = await opened(engine, t);
		await runAllPeople(store, [setCodes('ada', 's1', 100)]);
		const outcomes = await runPeople(store, [
			signIn('ada', 'a'),
			signIn('ada', 'b', byPassword('ada', 100)),
			signIn('ada', 'c', byPassword('ada', 102)),
			signIn('ada', 'd', byPassword('ada', 102)),
			signIn('ada', 'e', byPassword('ada', 101)),
			signIn('ada', 'f', byPassword('ada', 'recovery 3')),
			signIn('ada', 'g', byPassword('ada', 'recovery 3')),
			signIn('ada', 'h', byPassword('ada', 'no code')),
			signIn('bob', 'i', byPassword('bob', 103)),
		]);
		assert.deepEqual(endings(outcomes), [
			...['code_required', 'wrong_code', 'ok', 'wrong_code', 'wrong_code', 'ok', 'wrong_code', 'wrong_code'],
			// A code that is not needed does not count.
			'ok',
		]);
		const record = await recordOf(store, 'ada');
		assert.equal(record?.codes?.lastStep, 102);
		assert.deepEqual(record?.recoveryCodes, RECOVERY_HASHES.toSpliced(3, 1));
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

	test('new codes replace the previous ones, and keep the recovery codes that are left', async (t) => {
		const { store } = await opened(engine, t);
		const [made] = await runPeople(store, [setCodes('ada', 's1', 100)]);
		assert.deepEqual(made, { ok: true, madeRecoveryCodes: true });
		await runAllPeople(store, [signIn('ada', 's2', byPassword('ada', 'recovery 0'))]);
		const again = { ...setCodes('ada', 's1', 50, 'again'), recoveryCodes: ['other'] };
		assert.deepEqual(await runPeople(store, [again]), [{ ok: true, madeRecoveryCodes: false }]);
		const record = await recordOf(store, 'ada');
		assert.deepEqual(record?.recoveryCodes, RECOVERY_HASHES.slice(1));
		const other = { ...setCodes('ada', 's1', 50, 'third'), codes: { secret: 'OTHERSECRET', lastStep: 50 } };
		await runAllPeople(store, [other]);
		assert.deepEqual((await recordOf(store, 'ada'))?.codes, { person: 'ada', secret: 'OTHERSECRET', lastStep: 50 });
	});

	test('a setup of codes is good once, in every store, also after its codes were removed', async (t) => {
		const { store, openAnother } = await opened(engine, t);
		const another = await openAnother();
		const { challengeHash } = setCodes('ada', 's1');
		const again = (actId: string) => ({ ...setCodes('ada', 's1', 101, actId), challengeHash });
		await runAllPeople(store, [setCodes('ada', 's1', 100)]);
		assert.deepEqual(endings(await runPeople(another, [again('second')])), ['wrong_code']);
		await runAllPeople(store, [removeCodes('ada', 's1')]);
		assert.deepEqual(endings(await runPeople(another, [again('third')])), ['wrong_code']);
		assert.equal((await recordOf(store, 'ada'))?.codes, undefined);
		const late = { ...again('fourth'), challengeHash: 'another setup', challengeExpiresAtMs: NOON_MS };
		assert.deepEqual(endings(await runPeople(store, [late])), ['wrong_code']);
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

	test(`a person has up to ${MAX_PASSKEYS} passkeys, each known on the platform once`, async (t) => {
		const { store } = await opened(engine, t);
		for (let n = 0; n < MAX_PASSKEYS; n++)
			await runAllPeople(store, [addPasskey('ada', 's1', `key ${n}`)], NOON_MS + n);
		const outcomes = await runPeople(store, [
			addPasskey('ada', 's1', 'one more'),
			{ ...addPasskey('bob', 'of bob', 'key 0'), challengeHash: 'another challenge' },
			{ ...addPasskey('bob', 'of bob', 'of bob'), challengeHash: 'challenge of key 0' },
		]);
		assert.deepEqual(endings(outcomes), ['too_many_passkeys', 'passkey_taken', 'challenge_used']);
		const names = Array.from({ length: MAX_PASSKEYS }, (_, n) => `key ${n}`);
		assert.deepEqual(
			(await recordOf(store, 'ada'))?.passkeys.map(({ id }) => id),
			names,
		);
		assert.deepEqual((await recordOf(store, 'bob'))?.passkeys, []);
	});

	test('a passkey is renamed and removed by its own person only', async (t) => {
		const { store } = await opened(engine, t);
		await runAllPeople(store, [addPasskey('ada', 's1', 'key 1'), addPasskey('ada', 's1', 'key 2')]);
		const outcomes = await runPeople(store, [
			renamePasskey('bob', 'of bob', 'key 1', 'mine'),
			removePasskey('bob', 'of bob', 'key 1'),
			renamePasskey('ada', 's1', 'key 1', 'Laptop'),
			removePasskey('ada', 's1', 'key 2'),
		]);
		assert.deepEqual(endings(outcomes), ['unknown_passkey', 'unknown_passkey', 'ok', 'ok']);
		assert.deepEqual((await recordOf(store, 'ada'))?.passkeys, [{ ...passkeyOf('ada', 'key 1'), name: 'Laptop' }]);
		await runAllPeople(store, [{ ...removePasskey('ada', 's1', 'key 1') }]);
		const record = await recordOf(store, 'ada');
		assert.deepEqual([record?.passkeys, record?.recoveryCodes], [[], []]);
		await runAllPeople(store, [signIn('ada', 's9')]);
	});

	test('an operator keeps the last factor', async (t) => {
		const { store } = await opened(engine, t);
		const outcomes = await runPeople(store, [
			setCodes('bob', 'of bob'),
			removeCodes('bob', 'of bob'),
			addPasskey('bob', 'of bob', 'key 1'),
			removeCodes('bob', 'of bob'),
			removePasskey('bob', 'of bob', 'key 1'),
		]);
		assert.deepEqual(endings(outcomes), ['ok', 'last_factor', 'ok', 'ok', 'last_factor']);
		const record = await recordOf(store, 'bob');
		assert.equal(record?.codes, undefined);
		assert.equal(record?.passkeys.length, 1);
		assert.deepEqual(record?.recoveryCodes, RECOVERY_HASHES);
		const ofReseller = await runPeople(store, [setCodes('ada', 's1'), removeCodes('ada', 's1')]);
		assert.deepEqual(endings(ofReseller), ['ok', 'ok']);
		assert.deepEqual((await recordOf(store, 'ada'))?.recoveryCodes, []);
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
