import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { createTokenUses } from '../../src/bank/token-uses.ts';
import type { Note, TokenUse } from '../../src/domain/bookkeeping/note.ts';

const MINUTE_MS = 60_000;

/** Token uses with a bank that records each written use. */
function start(t: TestContext) {
	t.mock.timers.enable({ apis: ['setInterval'] });
	const state = { isUnavailable: false, underWay: 0, mostUnderWay: 0, whenWriting: () => {} };
	let written: [hash: string, atMs: number][] = [];
	const write = async (note: Note) => {
		const { hash, usedAtMs } = note as TokenUse;
		state.mostUnderWay = Math.max(state.mostUnderWay, ++state.underWay);
		state.whenWriting();
		await new Promise((resolve) => setImmediate(resolve));
		state.underWay--;
		if (state.isUnavailable) return { ok: false, error: 'not_done' } as const;
		written.push([hash, usedAtMs]);
		return { ok: true } as const;
	};
	const uses = createTokenUses({ note: write });
	return {
		uses,
		state,
		taken,
		note: (hash: string, atMs: number, expiresAtMs: number | null = null) => uses.note({ hash, expiresAtMs }, atMs),
		minute: () => pass(MINUTE_MS),
		twoSeconds: () => pass(2_000),
	};

	/** Lets time pass, in turns of two seconds, and returns the uses written in it. */
	async function pass(timeMs: number) {
		for (let passedMs = 0; passedMs < timeMs; passedMs += 2_000) {
			t.mock.timers.tick(2_000);
			do await new Promise((resolve) => setImmediate(resolve));
			while (state.underWay > 0);
		}
		return taken();
	}

	function taken() {
		const all = written;
		written = [];
		return all;
	}
}

test('the last use of a token is written once a minute, and only if there was one', async (t) => {
	const { note, minute } = start(t);
	const use = note('a', 1);
	note('b', 2);
	use.atMs = 5;
	assert.deepEqual(await minute(), [
		['a', 5],
		['b', 2],
	]);
	assert.deepEqual(await minute(), []);
	note('b', 90);
	note('b', 91);
	assert.deepEqual(await minute(), [['b', 91]]);
});

test('a use during a write, or after a failed write, is written with the next one', async (t) => {
	const { note, state, minute } = start(t);
	const use = note('a', 1);
	state.whenWriting = () => {
		use.atMs = 2;
	};
	assert.deepEqual(await minute(), [['a', 1]]);
	state.isUnavailable = true;
	assert.deepEqual(await minute(), []);
	state.isUnavailable = false;
	assert.deepEqual(await minute(), [['a', 2]]);
	assert.deepEqual(await minute(), []);
});

test('the last use of a retired token is written every two seconds, also if it was noted before it was retired', async (t) => {
	const { note, twoSeconds } = start(t);
	note('current', 1);
	const use = note('a', 2);
	assert.deepEqual(await twoSeconds(), []);
	assert.equal(note('a', 3, 240_000), use);
	note('b', 4, 240_000);
	assert.deepEqual(await twoSeconds(), [
		['a', 3],
		['b', 4],
	]);
	assert.deepEqual(await twoSeconds(), []);
	// The note stays: its token is still remembered.
	use.atMs = 9;
	assert.deepEqual(await twoSeconds(), [['a', 9]]);
	for (let turn = 5; turn < 29; turn++) assert.deepEqual(await twoSeconds(), []);
	use.atMs = 10;
	assert.deepEqual(await twoSeconds(), [['a', 10]]);
	assert.deepEqual(await twoSeconds(), [['current', 1]]);
	// It was used in this minute.
	use.atMs = 11;
	assert.deepEqual(await twoSeconds(), [['a', 11]]);
});

test('noted tokens and parallel writes are limited, and unused tokens make room', async (t) => {
	const { note, state, minute } = start(t);
	for (let n = 0; n < 10_005; n++) note(`${n}`, n);
	const first = await minute();
	assert.equal(first.length, 10_000);
	assert.ok(state.mostUnderWay <= 256, `${state.mostUnderWay}`);
	await minute();
	note('new', 1);
	assert.deepEqual(await minute(), [['new', 1]]);
});

test('the end writes the rest, again for a moment if it could not be written, and nothing is written after it', async (t) => {
	const { uses, state, note, taken, minute } = start(t);
	for (let n = 0; n < 300; n++) note(`${n}`, n);
	state.isUnavailable = true;
	const closing = uses.close();
	await setTimeout(20);
	state.isUnavailable = false;
	await closing;
	assert.equal(taken().length, 300);
	note('later', 1);
	assert.deepEqual(await minute(), []);
});

test('while the store is away, the end gives up after a second', async (t) => {
	const { uses, state, note, taken } = start(t);
	note('a', 1);
	state.isUnavailable = true;
	await uses.close();
	assert.deepEqual(taken(), []);
});
