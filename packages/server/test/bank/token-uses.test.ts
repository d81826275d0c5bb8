import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createTokenUses } from '../../src/bank/token-uses.ts';
import { type Command, type NoteTokenUse, refuse } from '../../src/domain/command.ts';

const MINUTE_MS = 60_000;

/** Token uses with a bank that records each written use. */
function start(t: TestContext) {
	t.mock.timers.enable({ apis: ['setInterval'] });
	const state = { isUnavailable: false, underWay: 0, mostUnderWay: 0 };
	let written: [hash: string, atMs: number][] = [];
	const submit = async (command: Command) => {
		const { tokenHash, usedAtMs } = command as NoteTokenUse;
		state.mostUnderWay = Math.max(state.mostUnderWay, ++state.underWay);
		await new Promise((resolve) => setImmediate(resolve));
		state.underWay--;
		if (state.isUnavailable) return refuse('not_done');
		written.push([tokenHash, usedAtMs]);
		return { ok: true };
	};
	const uses = createTokenUses({ submit: submit as never });
	t.after(() => uses.close());
	return {
		uses,
		state,
		note: (hash: string, atMs: number, expiresAtMs: number | null = null) =>
			uses.note({ hash, reseller: 'acme', expiresAtMs }, atMs),
		minute: () => pass(MINUTE_MS),
		twoSeconds: () => pass(2_000),
	};

	/** Lets time pass, and returns the uses written in it. */
	async function pass(timeMs: number) {
		t.mock.timers.tick(timeMs);
		do await new Promise((resolve) => setImmediate(resolve));
		while (state.underWay > 0);
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
	const first = minute();
	use.atMs = 2;
	assert.deepEqual(await first, [['a', 1]]);
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

test('nothing is written after close', async (t) => {
	const { uses, note, minute } = start(t);
	note('a', 1);
	uses.close();
	assert.deepEqual(await minute(), []);
});
