import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { OpenConnections } from '@bursar/contract/edge';
import { startOpenReporter } from '../../src/agent/open-reporter.ts';

/** A reporter whose clock only the test moves. */
function start(t: TestContext) {
	t.mock.timers.enable({ apis: ['setInterval'] });
	const state = {
		nowMs: 0,
		open: new Map<string, number>(),
		sent: [] as (readonly OpenConnections[])[],
		isAway: false,
		held: undefined as Promise<void> | undefined,
	};
	const reporter = startOpenReporter({
		client: {
			async report(counters, { open = [] } = {}) {
				assert.deepEqual(counters, []);
				state.sent.push(open);
				await state.held;
				if (state.isAway) return { ok: false, code: 'unreachable', message: 'away' };
				return { ok: true, value: { counted: 0, repeated: 0, refused: [] } };
			},
		},
		openNow: () => state.open,
		nowMs: () => state.nowMs,
	});
	t.after(() => reporter.stop(0));
	/** What is sent within this time. */
	async function sentIn(ms: number) {
		state.sent = [];
		for (let passed = 0; passed < ms; passed += 200) {
			state.nowMs += 200;
			t.mock.timers.tick(200);
			await new Promise(setImmediate);
		}
		return state.sent;
	}
	return { state, reporter, sentIn };
}

const alice = (open: number) => ({ username: 'alice', open });

test('what changes is told at once, and what is open again every three seconds', async (t) => {
	const { state, sentIn } = start(t);
	assert.deepEqual(await sentIn(4_000), []);
	state.open.set('alice', 2);
	assert.deepEqual(await sentIn(200), [[alice(2)]]);
	assert.deepEqual(await sentIn(2_800), []);
	assert.deepEqual(await sentIn(200), [[alice(2)]]);
	state.open.set('alice', 3).set('bob.b', 1);
	assert.deepEqual(await sentIn(200), [[alice(3), { username: 'bob.b', open: 1 }]]);
	state.open.delete('alice');
	assert.deepEqual(await sentIn(200), [[alice(0)]]);
	state.open.clear();
	assert.deepEqual(await sentIn(10_000), [[{ username: 'bob.b', open: 0 }]], 'and then no more');
});

test('what the service was not told is told when it is back, and one request is sent at a time', async (t) => {
	const { state, sentIn } = start(t);
	state.isAway = true;
	state.open.set('alice', 1);
	assert.equal((await sentIn(3_000)).length, 3, 'once a second');
	state.isAway = false;
	state.open.set('alice', 2);
	assert.deepEqual(await sentIn(1_000), [[alice(2)]]);
	const answered = Promise.withResolvers<void>();
	state.held = answered.promise;
	state.open.set('alice', 3);
	await sentIn(200);
	state.open.set('alice', 4);
	assert.deepEqual(await sentIn(5_000), []);
	answered.resolve();
	await new Promise(setImmediate);
	assert.deepEqual(await sentIn(200), [[alice(4)]]);
});

test('more accounts than fit in one request are told in several', async (t) => {
	const { state, sentIn } = start(t);
	for (let n = 0; n < 2_500; n++) state.open.set(`user${n}`, 1);
	const sent = await sentIn(200);
	assert.deepEqual(
		sent.map(({ length }) => length),
		[1_000, 1_000, 500],
	);
	assert.equal(new Set(sent.flat().map(({ username }) => username)).size, 2_500);
});

test('at the end, the service is told what is open then, and a service that hangs is not waited for', async (t) => {
	const { state, reporter, sentIn } = start(t);
	state.open.set('alice', 2).set('bob.b', 1);
	await sentIn(200);
	state.sent = [];
	state.open.delete('alice');
	await reporter.stop(60_000);
	assert.deepEqual(state.sent, [[alice(0)]]);
	state.open.clear();
	state.held = new Promise(() => {});
	await reporter.stop(1);
	assert.deepEqual(state.sent.at(-1), [{ username: 'bob.b', open: 0 }]);
});
