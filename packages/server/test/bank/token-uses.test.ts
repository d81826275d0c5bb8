import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { createTokenUses } from '../../src/bank/token-uses.ts';
import type { BookkeepingRecord, TokenUse } from '../../src/domain/bookkeeping/record.ts';

const MINUTE_MS = 60_000;

/** Token uses with a bank that records each written use. */
function start(t: TestContext) {
	t.mock.timers.enable({ apis: ['setInterval'] });
	const state = { isUnavailable: false, underWay: 0, mostUnderWay: 0, whenWriting: () => {} };
	let written: [hash: string, atMs: number][] = [];
	const write = async (record: BookkeepingRecord) => {
		const { hash, usedAtMs } = record as TokenUse;
		state.mostUnderWay = Math.max(state.mostUnderWay, ++state.underWay);
		state.whenWriting();
		await new Promise((resolve) => setImmediate(resolve));
		state.underWay--;
		if (state.isUnavailable) return { ok: false, error: 'not_done' } as const;
		written.push([hash, usedAtMs]);
		return { ok: true } as const;
	};
	const uses = createTokenUses({ keep: write });
	return {
		uses,
		state,
		taken,
		record: (hash: string, atMs: number, isRetired = false) => uses.record({ hash, isRetired }, atMs),
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
	const { record, minute } = start(t);
	const use = record('a', 1);
	record('b', 2);
	use.atMs = 5;
	assert.deepEqual(await minute(), [
		['a', 5],
		['b', 2],
	]);
	assert.deepEqual(await minute(), []);
	record('b', 90);
	record('b', 91);
	assert.deepEqual(await minute(), [['b', 91]]);
});

test('a use during a write, or after a failed write, is written with the next one', async (t) => {
	const { record, state, minute } = start(t);
	const use = record('a', 1);
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

test('the last use of a retired token is written every two seconds, also if it was recorded before it was retired', async (t) => {
	const { record, twoSeconds } = start(t);
	record('current', 1);
	const use = record('a', 2);
	assert.deepEqual(await twoSeconds(), []);
	assert.equal(record('a', 3, true), use);
	record('b', 4, true);
	assert.deepEqual(await twoSeconds(), [
		['a', 3],
		['b', 4],
	]);
	assert.deepEqual(await twoSeconds(), []);
	// The record stays: its token is still remembered.
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

test('recorded tokens and parallel writes are limited, and unused tokens make room', async (t) => {
	const { record, state, minute } = start(t);
	for (let n = 0; n < 10_005; n++) record(`${n}`, n);
	const first = await minute();
	assert.equal(first.length, 10_000);
	assert.ok(state.mostUnderWay <= 256, `${state.mostUnderWay}`);
	await minute();
	record('new', 1);
	assert.deepEqual(await minute(), [['new', 1]]);
});

test('the end writes the rest, again for a moment if it could not be written, and nothing is written after it', async (t) => {
	const { uses, state, record, taken, minute } = start(t);
	for (let n = 0; n < 300; n++) record(`${n}`, n);
	state.isUnavailable = true;
	const closing = uses.close();
	await setTimeout(20);
	state.isUnavailable = false;
	await closing;
	assert.equal(taken().length, 300);
	record('later', 1);
	assert.deepEqual(await minute(), []);
});

test('while the store is away, the end gives up after a second', async (t) => {
	const { uses, state, record, taken } = start(t);
	record('a', 1);
	state.isUnavailable = true;
	await uses.close();
	assert.deepEqual(taken(), []);
});
