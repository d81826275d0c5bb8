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
		note: (hash: string, atMs: number) => uses.note({ hash, reseller: 'acme' }, atMs),
		/** Lets a minute pass, and returns the uses written in it. */
		async minute() {
			t.mock.timers.tick(MINUTE_MS);
			do await new Promise((resolve) => setImmediate(resolve));
			while (state.underWay > 0);
			const all = written;
			written = [];
			return all;
		},
	};
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
