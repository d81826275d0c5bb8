import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OperatorScope } from '@bursar/contract/scopes';
import type { CreateOperatorToken } from '../../../src/commands/operators/tokens.ts';
import type { CreateToken } from '../../../src/commands/tokens/further.ts';
import {
	createReseller,
	createSubUser,
	createToken,
	endToken,
	furtherTokenOf,
	giveBalance,
	NOON_MS,
	revokeToken,
	rotateToken,
} from '../../support/commands.ts';
import { tokenUse } from '../../support/records.ts';
import { type Engine, endings, keepAll, restart, run, runAll, runAllPeople, runPeople } from './engine.ts';

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
			[createToken('acme', 'further'), true],
			[createToken('acme', 'refused', 'further'), false],
			[endToken('acme', 'further'), true],
			[endToken('acme', 'further'), false],
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

	test('a further token keeps what it is and when it was last used, through rotations and restarts, until it is ended', async (t) => {
		const { store, openAnother } = await engine.open(t);
		const shop: CreateToken = {
			...createToken('acme', 'shop'),
			...{ scopes: ['read', 'money'], allowedIps: ['192.0.2.0/24', '2001:db8::7'] },
		};
		const anywhere = createToken('acme', 'anywhere');
		await runAll(store, [createReseller('acme'), createReseller('other'), shop, createToken('other', 'of other')]);
		await keepAll(store, [tokenUse('shop', NOON_MS + 5)]);
		await runAll(store, [anywhere, rotateToken('acme', 'second', 0)]);
		const after = await restart(store, openAnother);
		const expected = { ...furtherTokenOf(shop), lastUsedAtMs: NOON_MS + 5 };
		assert.deepEqual(await after.findToken('shop'), expected);
		assert.deepEqual(
			(await after.listTokens('acme')).filter(({ further }) => further !== null),
			[...[{ ...furtherTokenOf(anywhere), lastUsedAtMs: null }, expected]],
		);
		await runAll(after, [endToken('acme', 'shop')]);
		assert.equal(await after.findToken('shop'), undefined);
		await runAll(after, [revokeToken('acme', 'third')]);
		assert.equal(await after.findToken('anywhere'), undefined);
		assert.equal((await after.findToken('of other'))?.further?.name, 'of other');
	});

	test("tokens of the operator's programs are listed by name, found by their hash, and no other store finds an ended one", async (t) => {
		const { store, openAnother } = await engine.open(t);
		const another = await openAnother();
		const create = (name: string, scopes: readonly OperatorScope[]): CreateOperatorToken => ({
			...{ kind: 'create_operator_token', id: `id of ${name}`, tokenHash: `hash of ${name}`, tokenTail: 'tail' },
			...{ madeBy: 'root', name, scopes, endsAtMs: NOON_MS + 1000 },
		});
		await runAllPeople(store, [create('stock', ['usage:read']), create('billing', ['money:write', 'resellers:read'])]);
		const made = { tail: 'tail', madeAtMs: NOON_MS, madeBy: 'root', expiresAtMs: NOON_MS + 1000, lastUsedAtMs: null };
		const billing = {
			...{ id: 'id of billing', hash: 'hash of billing', name: 'billing' },
			...{ scopes: ['money:write', 'resellers:read'], ...made },
		};
		const stock = { id: 'id of stock', hash: 'hash of stock', name: 'stock', scopes: ['usage:read'], ...made };
		assert.deepEqual(await another.listOperatorTokens(), [billing, stock]);
		assert.deepEqual(await another.findOperatorToken('hash of billing'), billing);
		assert.equal(await another.findOperatorToken('hash of nothing'), undefined);
		assert.deepEqual(endings(await runPeople(another, [create('stock', ['usage:read'])])), ['token_exists']);
		await runAllPeople(another, [{ kind: 'end_operator_token', name: 'billing' }]);
		assert.equal(await store.findOperatorToken('hash of billing'), undefined);
		assert.deepEqual(await store.listOperatorTokens(), [stock]);
		assert.equal(await store.findToken('hash of stock'), undefined, 'it is no token of a reseller');
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
