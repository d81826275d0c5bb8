import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import type { CheckRequest } from '@bursar/contract/edge';
import { eventually } from '@bursar/testing/eventually';
import { createPairChecks } from '../../../src/http/edge/pair-checks.ts';
import type { StoredPair } from '../../../src/store/tables/edges/edges.ts';
import { UNLIMITED } from '../../support/unlimited-pair.ts';

const ALICE_KEY = '4fQ9sLw2ZbT7xKc1';
const NEW_KEY = 'Q3wE8rTy6UiO1pLk';
const CLIENT = '192.0.2.7';

/** Checks over a store that counts what it is asked, can be away or hang, and a clock that only the test moves. */
function start(t: TestContext, { askMs = 60_000 } = {}) {
	const state = {
		keys: new Map<string, string | null>([
			['alice', ALICE_KEY],
			['acme', 'Zt5nB8cW1yLs6GfJ'],
		]),
		/** What is left of the balances that pay for bandwidth. */
		leftBytes: new Map<string, number>(),
		/** What else limits pairs. */
		limits: new Map<string, Partial<StoredPair>>(),
		asked: [] as string[][],
		fault: undefined as Error | undefined,
		hangs: false,
		/** Answers wait for it. */
		until: undefined as Promise<void> | undefined,
		nowMs: 1_000_000,
		log: [] as string[],
	};
	const checks = createPairChecks({
		store: {
			async readPairs(usernames) {
				state.asked.push([...usernames]);
				if (state.hangs) return new Promise(() => {});
				if (state.fault) throw state.fault;
				const asked = new Set(usernames);
				const keys = [...state.keys].filter(([username]) => asked.has(username));
				const leftBytes = (username: string) => state.leftBytes.get(username) ?? null;
				const found = new Map(
					keys.map(([username, key]) => [
						username,
						key === null ? null : { ...UNLIMITED, key, leftBytes: leftBytes(username), ...state.limits.get(username) },
					]),
				);
				await state.until;
				return found;
			},
		},
		secret: randomBytes(32),
		monotonicMs: () => state.nowMs,
		nowMs: () => state.nowMs,
		askMs,
		onAway: () => state.log.push('away'),
		onBack: () => state.log.push('back'),
	});
	t.after(checks.close);
	const check = async (asked: CheckRequest, edge = 'gw') => {
		const outcome = await checks.check(edge, asked);
		return typeof outcome === 'string' ? outcome : `ok ${outcome.username}`;
	};
	const isAnsweredFromMemory = (asked: CheckRequest) => !(checks.check('gw', asked) instanceof Promise);
	return { state, checks, check, isAnsweredFromMemory };
}

test('a pair is good, in any case of its name, with options after its key, and so is the pair of a reseller', async (t) => {
	const { check } = start(t);
	assert.equal(await check({ username: 'alice', password: ALICE_KEY }), 'ok alice');
	assert.equal(await check({ username: 'ALICE', password: `${ALICE_KEY}_country-US_session-1` }), 'ok alice');
	assert.equal(await check({ username: 'acme', password: 'Zt5nB8cW1yLs6GfJ' }), 'ok acme');
	for (const password of ['', '_', ':', `${ALICE_KEY}x`, ALICE_KEY.slice(1), `_${ALICE_KEY}`, ` ${ALICE_KEY}`]) {
		assert.equal(await check({ username: 'alice', password }), 'wrong_pair', password);
	}
	for (const password of [`\u0134${ALICE_KEY.slice(1)}`, `${ALICE_KEY}\u0000`, ALICE_KEY.repeat(5)]) {
		assert.equal(await check({ username: 'alice', password }), 'wrong_pair', 'nothing that looks alike in memory');
	}
	assert.equal(await check({ username: 'alice', password: 'Zt5nB8cW1yLs6GfJ' }), 'wrong_pair');
	assert.equal(await check({ username: 'alice', password: 'x'.repeat(400_000) }), 'wrong_pair');
});

test('of 10,000 pairs that an edge asks for at once, the one with a new key is refused', async (t) => {
	const { state, check } = start(t);
	const names = Array.from({ length: 10_000 }, (_, n) => `user${n}`);
	for (const name of names) state.keys.set(name, ALICE_KEY);
	const checkAll = () => Promise.all(names.map((username) => check({ username, password: ALICE_KEY })));
	assert.deepEqual(new Set((await checkAll()).map((outcome) => outcome.slice(0, 2))), new Set(['ok']));
	state.keys.set('user9999', NEW_KEY);
	state.nowMs += 2_001;
	assert.deepEqual(
		(await checkAll()).filter((outcome) => !outcome.startsWith('ok')),
		['wrong_pair'],
	);
	assert.deepEqual(state.log, []);
});

test('no password and no key_id makes an unknown name good', async (t) => {
	const { check } = start(t);
	for (const username of ['nobody', '', '.', 'a', '\u212Aelvin', 'x'.repeat(100_000)]) {
		for (const password of ['', ':', '_', 'nobody', username]) {
			assert.equal(await check({ username, password }), 'wrong_pair', username.slice(0, 20));
			assert.equal(await check({ username, password }), 'wrong_pair', 'again, from memory');
		}
		for (const key_id of ['', 'A'.repeat(22), 'A'.repeat(43)]) {
			assert.equal(await check({ username, key_id }), 'wrong_pair');
		}
	}
});

test('a key_id stands for its key, and only for that key and that account', async (t) => {
	const { checks, check, state } = start(t);
	const outcome = await checks.check('gw', { username: 'alice', password: ALICE_KEY });
	assert.ok(typeof outcome === 'object');
	const key_id = outcome.keyId;
	assert.match(key_id, /^[\w-]{22}$/);
	assert.equal(await check({ username: 'alice', key_id }), 'ok alice');
	assert.equal(await check({ username: 'acme', key_id }), 'wrong_pair');
	assert.equal(await check({ username: 'alice', password: key_id }), 'wrong_pair');
	assert.equal(await check({ username: 'alice', key_id: `${key_id}x` }), 'wrong_pair');
	assert.equal(await check({ username: 'alice', key_id, password: 'wrong' }), 'wrong_pair', 'the password counts');
	state.keys.set('alice', NEW_KEY);
	state.nowMs += 2_000;
	assert.equal(await check({ username: 'alice', key_id }), 'wrong_pair');
});

test('the store is asked about a good pair again after two seconds', async (t) => {
	const { state, check, isAnsweredFromMemory } = start(t);
	const alice = { username: 'alice', password: ALICE_KEY };
	await check(alice);
	state.nowMs += 1_999;
	assert.ok(isAnsweredFromMemory(alice));
	state.nowMs += 1;
	assert.ok(!isAnsweredFromMemory(alice));
});

test('only what was read within a quarter of a second refuses, for known and for unknown names alike', async (t) => {
	const { state, check, isAnsweredFromMemory } = start(t);
	for (const username of ['alice', 'nobody']) {
		for (const wrong of [{ password: NEW_KEY }, { key_id: 'of another key' }]) {
			state.nowMs += 2_000;
			state.asked = [];
			assert.equal(await check({ username, ...wrong }), 'wrong_pair');
			state.nowMs += 249;
			assert.ok(isAnsweredFromMemory({ username, ...wrong }));
			assert.equal(state.asked.length, 1);
			state.nowMs += 1;
			assert.ok(!isAnsweredFromMemory({ username, ...wrong }));
		}
	}
});

test('a new key and a new account work a quarter of a second later, also if they were refused just before', async (t) => {
	const { state, check } = start(t);
	await check({ username: 'alice', password: ALICE_KEY });
	await check({ username: 'newcomer', password: NEW_KEY });
	state.keys.set('alice', NEW_KEY).set('newcomer', NEW_KEY);
	for (const username of ['alice', 'newcomer'])
		assert.equal(await check({ username, password: NEW_KEY }), 'wrong_pair');
	state.nowMs += 250;
	for (const username of ['alice', 'newcomer']) {
		assert.equal(await check({ username, password: NEW_KEY }), `ok ${username}`);
	}
	assert.equal(await check({ username: 'alice', password: ALICE_KEY }), 'wrong_pair');
});

test('pairs in use are read again together before their time is over, and their checks wait for nothing', async (t) => {
	const { state, check, isAnsweredFromMemory } = start(t);
	const [alice, acme] = [
		{ username: 'alice', password: ALICE_KEY },
		{ username: 'acme', password: 'Zt5nB8cW1yLs6GfJ' },
	];
	for (const asked of [alice, acme]) await check(asked);
	state.asked = [];
	state.nowMs += 1_499;
	assert.ok(isAnsweredFromMemory(alice));
	state.nowMs += 1;
	for (const asked of [alice, alice, acme]) assert.ok(isAnsweredFromMemory(asked));
	await eventually(async () => assert.deepEqual(state.asked, [['alice', 'acme']]));
	state.nowMs += 1_999;
	assert.ok(isAnsweredFromMemory(alice));
	state.keys.set('alice', NEW_KEY);
	await eventually(async () => assert.equal(await check(alice), 'wrong_pair'));
});

test('an answer of the store that comes late does not replace a newer one', async (t) => {
	const { state, check, isAnsweredFromMemory } = start(t);
	const old = { username: 'alice', password: ALICE_KEY };
	await check(old);
	state.nowMs += 1_500;
	const late = Promise.withResolvers<void>();
	state.until = late.promise;
	assert.ok(isAnsweredFromMemory(old));
	await eventually(async () => assert.equal(state.asked.length, 2));
	state.until = undefined;
	state.keys.set('alice', NEW_KEY);
	state.nowMs += 1_000;
	assert.equal(await check(old), 'wrong_pair');
	late.resolve();
	await new Promise(setImmediate);
	assert.equal(await check(old), 'wrong_pair');
	assert.equal(await check({ username: 'alice', password: NEW_KEY }), 'ok alice');
});

test('a check that has waited too long takes what another question has brought meanwhile', async (t) => {
	const { state, check, isAnsweredFromMemory } = start(t, { askMs: 500 });
	const old = { username: 'alice', password: ALICE_KEY };
	await check(old);
	state.keys.set('alice', NEW_KEY);
	state.nowMs += 1_500;
	const late = Promise.withResolvers<void>();
	state.until = late.promise;
	assert.ok(isAnsweredFromMemory(old));
	await eventually(async () => assert.equal(state.asked.length, 2));
	state.hangs = true;
	state.nowMs += 500;
	const outcome = check(old);
	late.resolve();
	assert.equal(await outcome, 'wrong_pair');
});

test('checks that come together ask the store together', async (t) => {
	const { state, check } = start(t);
	const names = Array.from({ length: 256 }, (_, index) => `user${index}`);
	await Promise.all(names.map((username) => check({ username, password: 'x' })));
	assert.deepEqual(
		state.asked.map(({ length }) => length),
		[256],
	);
	state.asked = [];
	await Promise.all(Array.from({ length: 100 }, () => check({ username: 'alice', password: 'x' })));
	assert.deepEqual(state.asked, [['alice']]);
});

test('while the store is away, pairs that were good stay good for 15 minutes, and all others are unavailable', async (t) => {
	const { state, check } = start(t);
	await check({ username: 'alice', password: ALICE_KEY });
	await check({ username: 'nobody', password: ALICE_KEY });
	state.fault = new Error('the store is away');
	state.nowMs += 15 * 60_000 - 1;
	assert.equal(await check({ username: 'alice', password: ALICE_KEY }), 'ok alice');
	assert.equal(await check({ username: 'alice', password: NEW_KEY }), 'unavailable', 'the key may be new');
	assert.equal(await check({ username: 'acme', password: 'Zt5nB8cW1yLs6GfJ' }), 'unavailable');
	assert.equal(await check({ username: 'nobody', password: ALICE_KEY }), 'unavailable');
	state.nowMs += 1;
	assert.equal(await check({ username: 'alice', password: ALICE_KEY }), 'unavailable');
	state.fault = undefined;
	assert.equal(await check({ username: 'alice', password: ALICE_KEY }), 'ok alice');
	assert.deepEqual(state.log, ['away'], 'told once');
	state.nowMs += 2_000;
	assert.equal(await check({ username: 'alice', password: ALICE_KEY }), 'ok alice');
	assert.deepEqual(state.log, ['away', 'back']);
});

test('a store that hangs delays a check by a moment only', async (t) => {
	const { state, check } = start(t, { askMs: 500 });
	assert.equal(await check({ username: 'alice', password: ALICE_KEY }), 'ok alice');
	state.hangs = true;
	state.nowMs += 5_000;
	assert.equal(await check({ username: 'alice', password: ALICE_KEY }), 'ok alice');
	assert.equal(await check({ username: 'acme', password: 'Zt5nB8cW1yLs6GfJ' }), 'unavailable');
});

test('a pair that is damaged in the store is neither good nor wrong', async (t) => {
	const { state, check } = start(t);
	await check({ username: 'alice', password: ALICE_KEY });
	state.keys.set('alice', null);
	state.nowMs += 2_000;
	assert.equal(await check({ username: 'alice', password: ALICE_KEY }), 'ok alice', 'it was good before');
	assert.equal(await check({ username: 'alice', password: NEW_KEY }), 'unavailable');
});

test('an address that fails too often is throttled before the store is asked; known good pairs still pass', async (t) => {
	const { state, check } = start(t);
	await check({ username: 'alice', password: ALICE_KEY });
	for (let guess = 0; guess < 100; guess++) {
		assert.equal(await check({ username: `guess${guess}`, password: 'x', client: CLIENT }), 'wrong_pair');
	}
	state.asked = [];
	assert.equal(await check({ username: 'another', password: 'x', client: CLIENT }), 'throttled');
	assert.equal(await check({ username: 'acme', password: 'Zt5nB8cW1yLs6GfJ', client: CLIENT }), 'throttled');
	assert.equal(await check({ username: 'alice', password: 'x', client: CLIENT }), 'throttled');
	assert.deepEqual(state.asked, []);
	assert.equal(await check({ username: 'alice', password: ALICE_KEY, client: CLIENT }), 'ok alice');
	state.nowMs += 2_000;
	assert.equal(await check({ username: 'alice', password: ALICE_KEY, client: CLIENT }), 'ok alice', 'asked again');
	assert.equal(await check({ username: 'acme', password: 'Zt5nB8cW1yLs6GfJ', client: '192.0.2.8' }), 'ok acme');
	assert.equal(await check({ username: 'another', password: 'x', client: CLIENT }, 'gw2'), 'wrong_pair', 'at its edge');
	assert.equal(await check({ username: 'another', password: 'x' }), 'wrong_pair', 'without an address');
	state.nowMs += 1_000;
	for (let guess = 0; guess < 5; guess++) {
		assert.equal(await check({ username: 'third', password: 'x', client: CLIENT }), 'wrong_pair');
	}
	assert.equal(await check({ username: 'third', password: 'x', client: CLIENT }), 'throttled');
});

test('many guesses at once get no more answers than one after another', async (t) => {
	const { check } = start(t);
	const guesses = Array.from({ length: 300 }, (_, index) =>
		check({ username: `u${index}00`, password: 'x', client: CLIENT }),
	);
	const outcomes = await Promise.all([...guesses, check({ username: 'alice', password: ALICE_KEY, client: CLIENT })]);
	assert.equal(outcomes.filter((outcome) => outcome === 'wrong_pair').length, 100);
	assert.equal(outcomes.at(-1), 'throttled', 'a right guess after them is not answered');
});

test('re-checks by key_id are never throttled', async (t) => {
	const { checks, check, state } = start(t);
	const outcome = await checks.check('gw', { username: 'acme', password: 'Zt5nB8cW1yLs6GfJ' });
	assert.ok(typeof outcome === 'object');
	for (let guess = 0; guess < 30; guess++) await check({ username: 'alice', password: 'x', client: CLIENT });
	state.nowMs += 2_000;
	state.keys.set('acme', NEW_KEY);
	const recheck = { username: 'acme', key_id: outcome.keyId, client: CLIENT };
	assert.equal(await check(recheck), 'wrong_pair');
	state.keys.set('acme', 'Zt5nB8cW1yLs6GfJ');
	state.nowMs += 2_000;
	assert.equal(await check(recheck), 'ok acme');
});

test('a flood of invented names at an edge keeps neither other edges nor its own known pairs waiting', async (t) => {
	const { state, check } = start(t);
	await check({ username: 'alice', password: ALICE_KEY });
	state.nowMs += 2_000;
	state.asked = [];
	const flood = Array.from({ length: 2_000 }, (_, index) => check({ username: `flood${index}`, password: 'x' }));
	const known = check({ username: 'alice', password: ALICE_KEY });
	const other = check({ username: 'acme', password: 'Zt5nB8cW1yLs6GfJ' }, 'gw2');
	assert.deepEqual(await Promise.all([known, other]), ['ok alice', 'ok acme']);
	assert.equal(state.asked.length, 1, 'both were in the first question');
	assert.equal((await Promise.all(flood)).filter((outcome) => outcome === 'wrong_pair').length, 2_000);
});

const ALICE = { username: 'alice', password: ALICE_KEY };

test('a pair whose balance pays for bandwidth is read for each check, so what is left is that of now', async (t) => {
	const { state, checks } = start(t);
	for (const leftBytes of [5_000, 4_000, 1]) {
		state.leftBytes.set('alice', leftBytes);
		const outcome = await checks.check('gw', ALICE);
		assert.ok(typeof outcome === 'object');
		assert.equal(outcome.leftBytes, leftBytes);
	}
	state.leftBytes.delete('alice');
	assert.notEqual(await checks.check('gw', ALICE), 'exhausted');
	assert.ok(!(checks.check('gw', ALICE) instanceof Promise), 'without a price, it is answered from memory');
});

test('a right pair of which nothing is left is exhausted until there is something again', async (t) => {
	const { state, checks, check } = start(t);
	const outcome = await checks.check('gw', ALICE);
	assert.ok(typeof outcome === 'object');
	const byKeyId = { username: 'alice', key_id: outcome.keyId };
	state.leftBytes.set('alice', 0);
	state.nowMs += 2_000;
	for (const asked of [ALICE, byKeyId]) assert.equal(await check(asked), 'exhausted');
	assert.equal(await check({ username: 'alice', password: NEW_KEY }), 'wrong_pair', 'guesses learn nothing of it');
	state.leftBytes.set('alice', 1);
	for (const asked of [ALICE, byKeyId]) assert.equal(await check(asked), 'ok alice');
});

test('an exhausted pair is no failed check, however often it is asked about', async (t) => {
	const { state, check } = start(t);
	state.leftBytes.set('alice', 0);
	for (let n = 0; n < 100; n++) assert.equal(await check({ ...ALICE, client: CLIENT }), 'exhausted');
	assert.equal(await check({ username: 'acme', password: 'Zt5nB8cW1yLs6GfJ', client: CLIENT }), 'ok acme');
});

test('while the store is away, what was left counts on', async (t) => {
	const { state, check } = start(t);
	state.leftBytes.set('alice', 5_000).set('acme', 0);
	const acme = { username: 'acme', password: 'Zt5nB8cW1yLs6GfJ' };
	await check(ALICE);
	await check(acme);
	state.fault = new Error('the store is away');
	state.nowMs += 60_000;
	assert.equal(await check(ALICE), 'ok alice');
	assert.equal(await check(acme), 'exhausted');
});

test('while the store is away, an edge with open connections is not told what was left before', async (t) => {
	const { state, checks, check } = start(t);
	const keyIdOf = async (asked: CheckRequest) => {
		const outcome = await checks.check('gw', asked);
		assert.ok(typeof outcome === 'object');
		return { username: outcome.username, key_id: outcome.keyId };
	};
	state.leftBytes.set('alice', 5_000);
	const limited = await keyIdOf(ALICE);
	const unlimited = await keyIdOf({ username: 'acme', password: 'Zt5nB8cW1yLs6GfJ' });
	state.nowMs += 2_000;
	state.fault = new Error('the store is away');
	assert.equal(await check(limited), 'unavailable');
	assert.equal(await check(unlimited), 'ok acme');
	state.fault = undefined;
	assert.equal(await check(limited), 'ok alice');
	state.leftBytes.set('alice', 0);
	assert.equal(await check(limited), 'exhausted');
	state.fault = new Error('the store is away');
	assert.equal(await check(limited), 'exhausted');
});
