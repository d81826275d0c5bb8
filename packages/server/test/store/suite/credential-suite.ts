import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
	createReseller,
	createSubUser,
	giveBalance,
	NOON_MS,
	revokeToken,
	rotateToken,
} from '../../support/commands.ts';
import { tokenUse } from '../../support/records.ts';
import { type Engine, endings, keepAll, run, runAll } from './engine.ts';

/** Tests tokens and the credentials version. */
export function credentialSuite(engine: Engine): void {
	test('a rotation keeps the last use of a token; it never goes back, and never revives an ended token', async (t) => {
		const { store, openAnother } = await engine.open(t);
		const another = await openAnother();
		await runAll(store, [createReseller('acme'), createReseller('other')]);
		const lastUse = async (hash: string) => (await store.findToken(hash))?.lastUsedAtMs;
		await keepAll(store, [tokenUse('first token of acme', NOON_MS - 10)]);
		await keepAll(another, [tokenUse('first token of acme', NOON_MS - 20)]);
		assert.equal(await lastUse('first token of acme'), NOON_MS - 10);
		await runAll(another, [rotateToken('acme', 'second', 240_000)]);
		assert.equal(await lastUse('first token of acme'), NOON_MS - 10);
		assert.equal(await lastUse('second'), null);
		await keepAll(store, [tokenUse('second', NOON_MS), tokenUse('first token of acme', NOON_MS + 1)]);
		assert.equal(await lastUse('second'), NOON_MS);
		assert.equal(await lastUse('first token of acme'), NOON_MS + 1);
		assert.equal(await lastUse('first token of other'), null);
		const used = ['first token of acme', 'second'].map((hash) => tokenUse(hash, NOON_MS + 2000));
		await Promise.all([keepAll(another, used), runAll(store, [revokeToken('acme', 'third')])]);
		await keepAll(another, used);
		for (const hash of ['first token of acme', 'second']) assert.equal(await store.findToken(hash), undefined);
		assert.equal(await lastUse('third'), null);
	});

	test('the credentials version grows with each change of a token, in every store, and with nothing else', async (t) => {
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
			[createReseller('alice', 0), false],
		] as const) {
			await run(store, [command]);
			const next = await another.readCredentialsVersion();
			assert.equal(next > version, grows, command.kind);
			assert.equal(await store.readCredentialsVersion(), next);
			version = next;
		}
		await keepAll(store, [tokenUse('third', NOON_MS)]);
		assert.equal(await another.readCredentialsVersion(), version);
	});

	test('of many rotations at once, in several stores, one succeeds, and one token does not expire', async (t) => {
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
