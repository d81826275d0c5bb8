import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { RefusedClients } from '@bursar/contract/edge';
import type { EdgeClient } from '../../src/agent/edge-client.ts';
import { startRefusalReporter } from '../../src/agent/refusal-reporter.ts';

type Result = Awaited<ReturnType<EdgeClient['report']>>;
const TAKEN: Result = { ok: true, value: { counted: 0, repeated: 0, refused: [] } };

/** A reporter whose interval only the test ends. */
function start(t: TestContext) {
	t.mock.timers.enable({ apis: ['setInterval'] });
	const state = { sent: [] as (readonly RefusedClients[])[], result: TAKEN, isAway: false };
	const reporter = startRefusalReporter({
		client: {
			async report(counters, { refusals = [] } = {}) {
				assert.deepEqual(counters, []);
				state.sent.push(refusals);
				return state.result;
			},
		},
		isAway: () => state.isAway,
		clockMs: () => 0,
	});
	t.after(() => reporter.stop(0));
	/** What is sent at the end of the interval. */
	async function sent() {
		state.sent = [];
		t.mock.timers.tick(2_000);
		await new Promise(setImmediate);
		return state.sent;
	}
	const refuse = (username: string) => reporter.add({ username, reason: 'exhausted', client: '192.0.2.7' });
	return { state, reporter, sent, refuse };
}

const told = (username: string, count = 1): RefusedClients => ({
	...{ username, reason: 'exhausted', count },
	...{ at: '1970-01-01T00:00:00.000Z', network: '192.0.2.0/24' },
});

test('each refusal is told once, 200 at a time', async (t) => {
	const { sent, refuse } = start(t);
	assert.deepEqual(await sent(), [], 'nothing is to be told');
	refuse('alice');
	refuse('alice');
	assert.deepEqual(await sent(), [[told('alice', 2)]]);
	assert.deepEqual(await sent(), []);
	for (let n = 0; n < 300; n++) refuse(`user.${n}`);
	const all = [...(await sent()), ...(await sent())];
	assert.deepEqual(
		all.map(({ length }) => length),
		[200, 100],
	);
	assert.equal(new Set(all.flat().map(({ username }) => username)).size, 300);
});

test('after a lost answer nothing is told twice; what the service has certainly not kept is told again', async (t) => {
	const { state, sent, refuse } = start(t);
	for (const code of ['timeout', 'unreachable', 'outcome_unknown', 'internal_error'] as const) {
		state.result = { ok: false, code, message: code };
		refuse('alice');
		assert.equal((await sent()).length, 1);
		assert.deepEqual(await sent(), []);
	}
	state.result = { ok: false, code: 'unavailable', message: 'nothing was done' };
	refuse('alice');
	assert.deepEqual([...(await sent()), ...(await sent())], [[told('alice')], [told('alice')]]);
	state.result = TAKEN;
	refuse('alice');
	assert.deepEqual(await sent(), [[told('alice', 2)]]);
});

test('while the service is away nothing is sent; a stop sends the last ones', async (t) => {
	const { state, reporter, sent, refuse } = start(t);
	state.isAway = true;
	refuse('alice');
	assert.deepEqual(await sent(), []);
	state.isAway = false;
	await reporter.stop(10_000);
	assert.deepEqual(state.sent, [[told('alice')]]);
});
