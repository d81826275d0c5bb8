import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
	createReseller,
	createSubUser,
	giveBalance,
	NOON_MS,
	noteTokenUse,
	revokeToken,
	rotateToken,
	tokenOf,
} from '../../support/commands.ts';
import { type Engine, endings, run, runAll } from './engine.ts';

/** Tokens, by their hashes, and the version that tells of their changes. */
export function credentialSuite(engine: Engine): void {
	test('a token is found by its hash, with its reseller and its end; an unknown one is not', async (t) => {
		const { store, openAnother } = await engine.open(t);
		await runAll(store, [createReseller('acme'), createReseller('other'), rotateToken('acme', 'second', 60_000)]);
		for (const each of [store, await openAnother()]) {
			assert.deepEqual(await each.findToken('first token of acme'), {
				...tokenOf(createReseller('acme')),
				expiresAtMs: NOON_MS + 60_000,
				lastUsedAtMs: null,
			});
			assert.deepEqual(await each.findToken('second'), {
				hash: 'second',
				reseller: 'acme',
				tail: 'cond',
				madeAtMs: NOON_MS,
				madeBy: 'operator',
				expiresAtMs: null,
				lastUsedAtMs: null,
			});
			assert.equal((await each.findToken('first token of other'))?.expiresAtMs, null);
			assert.equal(await each.findToken('unknown'), undefined);
		}
	});

	test('a rotation is refused while one is pending, and a revocation is not; it leaves no token but its own', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [createReseller('acme'), createReseller('other'), rotateToken('acme', 'second', 240_000)]);
		assert.deepEqual(endings(await run(store, [rotateToken('acme', 'third', 0)], NOON_MS + 240_000)), [
			'rotation_pending',
		]);
		await runAll(store, [revokeToken('acme', 'fourth')], NOON_MS + 1000);
		for (const hash of ['first token of acme', 'second', 'third']) assert.equal(await store.findToken(hash), undefined);
		assert.equal((await store.findToken('fourth'))?.expiresAtMs, null);
		assert.ok(await store.findToken('first token of other'));
	});

	test('a token that no process can believe in any longer is removed by the next rotation', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [createReseller('acme'), createReseller('other'), rotateToken('acme', 'second', 0)]);
		await runAll(store, [rotateToken('acme', 'third', 0)], NOON_MS + 30_000);
		assert.equal(await store.findToken('first token of acme'), undefined);
		assert.ok(await store.findToken('second'));
		assert.ok(await store.findToken('first token of other'));
	});

	test('the last use of a token is kept over a rotation, never goes back, and brings no ended token back', async (t) => {
		const { store, openAnother } = await engine.open(t);
		const another = await openAnother();
		await runAll(store, [createReseller('acme'), createReseller('other')]);
		const lastUse = async (hash: string) => (await store.findToken(hash))?.lastUsedAtMs;
		await runAll(store, [noteTokenUse('acme', 'first token of acme', NOON_MS - 10)]);
		await runAll(another, [noteTokenUse('acme', 'first token of acme', NOON_MS - 20)]);
		assert.equal(await lastUse('first token of acme'), NOON_MS - 10);
		await runAll(another, [rotateToken('acme', 'second', 240_000)]);
		assert.equal(await lastUse('first token of acme'), NOON_MS - 10);
		assert.equal(await lastUse('second'), null);
		await runAll(store, [
			noteTokenUse('acme', 'second', NOON_MS),
			noteTokenUse('acme', 'first token of acme', NOON_MS + 1),
			noteTokenUse('other', 'second', NOON_MS + 1000),
		]);
		assert.equal(await lastUse('second'), NOON_MS);
		assert.equal(await lastUse('first token of acme'), NOON_MS + 1);
		assert.equal(await lastUse('first token of other'), null);
		const used = ['first token of acme', 'second'].map((hash) => noteTokenUse('acme', hash, NOON_MS + 2000));
		await runAll(store, [...used, revokeToken('acme', 'third'), ...used]);
		await runAll(another, used);
		for (const hash of ['first token of acme', 'second']) assert.equal(await store.findToken(hash), undefined);
		assert.equal(await lastUse('third'), null);
	});

	test('the credentials version grows with every change of a token, in every store, and with nothing else', async (t) => {
		const { store, openAnother } = await engine.open(t);
		const another = await openAnother();
		let version = await store.readCredentialsVersion();
		for (const [command, grows] of [
			[createReseller('acme', 100), true],
			[rotateToken('acme', 'second', 0), true],
			[rotateToken('acme', 'refused', 0), false],
			[revokeToken('acme', 'third'), true],
			[revokeToken('nobody', 'refused'), false],
			[createSubUser('acme', 'alice'), false],
			[giveBalance('acme', 'alice', 1), false],
			[noteTokenUse('acme', 'third', NOON_MS), false],
			[createReseller('alice', 0), false],
		] as const) {
			await run(store, [command]);
			const next = await another.readCredentialsVersion();
			assert.equal(next > version, grows, command.kind);
			assert.equal(await store.readCredentialsVersion(), next);
			version = next;
		}
	});

	test('of many rotations at once, in several stores, one succeeds, and one token has no end', async (t) => {
		const { store, openAnother } = await engine.open(t);
		const another = await openAnother();
		await runAll(store, [createReseller('acme')]);
		const hashes = Array.from({ length: 20 }, (_, n) => `rotated ${n}`);
		const outcomes = await Promise.all(
			hashes.map((hash, n) => run(n % 2 ? store : another, [rotateToken('acme', hash, 60_000)])),
		);
		assert.equal(endings(outcomes.flat()).filter((ending) => ending === 'ok').length, 1);
		const found = await Promise.all(hashes.map((hash) => store.findToken(hash)));
		assert.equal(found.filter((token) => token?.expiresAtMs === null).length, 1);
		assert.equal(found.filter((token) => token !== undefined).length, 1);
	});
}
