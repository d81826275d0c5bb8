import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createLogger } from '@bursar/terminal/logger';
import { eventually } from '@bursar/testing/eventually';
import { printedSeed, randomFrom } from '@bursar/testing/random';
import { createCounterReporter } from '../../src/agent/counter-reporter.ts';
import { createEdgeClient } from '../../src/agent/edge-client.ts';
import { EDGE_KEY, startFakeService } from '../support/fake-service.ts';

const LONG_MS = 3_600_000;

async function setUp(test: TestContext, maxCounters = 10_000) {
	const service = await startFakeService(test);
	const client = createEdgeClient({ url: new URL(service.url), key: () => EDGE_KEY, reportTimeoutMs: 1_000 });
	const clock = { nowMs: Date.parse('2028-02-29T12:00:00Z'), monotonicMs: 0 };
	const reporter = createCounterReporter({
		client,
		logger: createLogger('silent'),
		intervalMs: LONG_MS,
		maxCounters,
		clockMs: () => clock.nowMs,
		nowMs: () => clock.monotonicMs,
	});
	test.after(async () => {
		await reporter.stop(0);
		client.close();
	});
	// The first report, which is empty, has been sent, and that of the first interval is over.
	await reporter.flush();
	await reporter.flush();
	return { service, clock, reporter };
}

const value = (bytesUp: number, bytesDown: number, username = 'alice') => ({ username, bytesUp, bytesDown });

test('only changes are sent, and a counter is forgotten after its last value was acknowledged', async (t) => {
	const { service, reporter } = await setUp(t);
	// The first report is empty, and may still be on its way.
	await reporter.flush();
	const before = service.requests.get('/edge/v1/usage') ?? 0;
	assert.equal(reporter.set('one', value(1, 2)), true);
	assert.equal(reporter.set('one', value(10, 20)), true);
	await reporter.flush();
	reporter.set('one', value(10, 20));
	await reporter.flush();
	assert.deepEqual(service.counters.get('one'), { username: 'alice', up: 10, down: 20 });
	assert.equal(service.requests.get('/edge/v1/usage'), before + 1);
	reporter.set('one', value(11, 20));
	reporter.end('one');
	assert.equal(reporter.stats.kept, 1);
	await reporter.flush();
	assert.equal(reporter.stats.kept, 0);
	assert.deepEqual(service.usedBy('alice'), { up: 11, down: 20 });
});

test('while the service is away or loses answers, nothing is lost and nothing is counted twice', async (t) => {
	const { service, reporter } = await setUp(t);
	for (const [step, behaviour] of (
		['lose_answers', 'hang', 'unavailable', 'nonsense', 'unauthorized'] as const
	).entries()) {
		service.behaviour = behaviour;
		for (let counter = 0; counter < 1_500; counter++) reporter.set(`c${counter}`, value(step + 1, 2 * (step + 1)));
		await reporter.flush();
		assert.equal(reporter.stats.waiting, 1_500);
		assert.notEqual(reporter.stats.away, undefined);
	}
	await service.goAway();
	await reporter.flush();
	assert.match(reporter.stats.away ?? '', /unreachable/);
	service.behaviour = 'usual';
	await service.comeBack();
	await reporter.flush();
	assert.equal(reporter.stats.waiting, 0);
	assert.deepEqual(service.usedBy('alice'), { up: 7_500, down: 15_000 });
});

test('each UTC day gets its own bytes, even if they are reported days later', async (t) => {
	const { service, clock, reporter } = await setUp(t);
	await service.goAway();
	for (const [day, up] of [
		['2028-02-28T23:59:59.999Z', 1],
		['2028-02-29T00:00:00.000Z', 3],
		['2028-02-29T23:59:59.999Z', 7],
		['2028-03-01T00:00:00.000Z', 15],
	] as const) {
		clock.nowMs = Date.parse(day);
		reporter.set('one', value(up, 0));
		await reporter.flush();
	}
	reporter.end('one');
	await service.comeBack();
	for (let times = 0; times < 3; times++) await reporter.flush();
	assert.deepEqual(Object.fromEntries(service.days), {
		'alice/2028-02-28': 1,
		'alice/2028-02-29': 6,
		'alice/2028-03-01': 8,
	});
	assert.equal(reporter.stats.kept, 0);
});

test('a value that changes while it is sent is sent again', async (t) => {
	const { service, reporter } = await setUp(t);
	reporter.set('one', value(1, 1));
	const sending = reporter.flush();
	reporter.set('one', value(2, 2));
	reporter.end('one');
	await sending;
	assert.equal(reporter.stats.waiting, 1);
	await reporter.flush();
	assert.deepEqual(service.usedBy('alice'), { up: 2, down: 2 });
	assert.equal(reporter.stats.kept, 0);
});

test('a counter never falls, and never changes its account', async (t) => {
	const { service, reporter } = await setUp(t);
	reporter.set('one', value(5, 50));
	reporter.set('one', value(4, 60));
	await reporter.flush();
	assert.deepEqual(service.counters.get('one'), { username: 'alice', up: 5, down: 60 });
	assert.throws(() => reporter.set('one', value(6, 60, 'bob.b')), /one account/);
	assert.throws(() => reporter.set('a\nb', value(1, 1)), /visible ASCII/);
});

test('a new counter is refused at the bound, and known ones go on', async (t) => {
	const { reporter } = await setUp(t, 2);
	assert.equal(reporter.set('one', value(1, 1)), true);
	assert.equal(reporter.set('two', value(1, 1)), true);
	assert.equal(reporter.set('three', value(1, 1)), false);
	assert.equal(reporter.set('two', value(2, 2)), true);
	reporter.end('one');
	await reporter.flush();
	assert.equal(reporter.set('three', value(1, 1)), true);
});

test('a refused reading harms no other, and only one that may count later is sent again', async (t) => {
	const { service, clock, reporter } = await setUp(t);
	service.refusals.set('gone', 'unknown_username').set('ahead', 'timestamp_ahead').set('fast', 'too_fast');
	for (const counter of ['gone', 'fine', 'ahead', 'fast']) reporter.set(counter, value(1, 1));
	await reporter.flush();
	assert.deepEqual([...service.counters.keys()], ['fine']);
	assert.equal(reporter.stats.waiting, 2);
	service.refusals.clear();
	clock.monotonicMs += 1_000;
	await reporter.flush();
	assert.deepEqual([...service.counters.keys()], ['fine', 'ahead', 'fast']);
	assert.deepEqual(reporter.stats.refused, { unknown_username: 1, timestamp_ahead: 1, too_fast: 1 });
	assert.equal(reporter.stats.waiting, 0);
});

test('after the clock was ahead, the bytes count now', async (t) => {
	const { service, clock, reporter } = await setUp(t);
	const nowMs = clock.nowMs;
	clock.nowMs += 172_800_000;
	reporter.set('one', value(1, 1));
	clock.nowMs = nowMs;
	reporter.set('one', value(5, 5));
	await reporter.flush();
	await reporter.flush();
	assert.equal(reporter.stats.waiting, 0);
	assert.deepEqual([...service.days], [['alice/2028-02-29', 10]]);
});

test('a reading that is too old only by one of two clocks waits until they agree', async (t) => {
	const { service, clock, reporter } = await setUp(t);
	const nowMs = clock.nowMs;
	const tooOldFor = (...counters: string[]) => {
		service.refusals.clear();
		for (const counter of counters) service.refusals.set(counter, 'timestamp_too_old');
	};
	// The clock of the service is ahead, or ours is behind.
	clock.nowMs -= 200 * 86_400_000;
	reporter.set('one', value(1, 1));
	reporter.set('logged', { ...value(2, 2), atMs: clock.nowMs });
	reporter.end('one');
	tooOldFor('one', 'logged');
	await reporter.flush();
	assert.equal(reporter.stats.waiting, 2);
	// Ours is corrected. A time that came with the value stays as it is.
	clock.nowMs = nowMs;
	clock.monotonicMs += 1_000;
	tooOldFor('logged');
	await reporter.flush();
	assert.equal(reporter.stats.waiting, 0);
	assert.deepEqual([...service.days], [['alice/2028-02-29', 2]]);
});

test('while clocks disagree a reading is sent ever more rarely, and within 30 s after they agree', async (t) => {
	const { service, clock, reporter } = await setUp(t);
	service.refusals.set('one', 'timestamp_ahead');
	const refusedAtSeconds: number[] = [];
	for (let second = 0; second < 120; second++) {
		const before = reporter.stats.refused.timestamp_ahead ?? 0;
		// It grows all the time, and another one, whose time is good, is not delayed.
		reporter.set('one', value(second + 1, 0));
		reporter.set('fine', value(0, second + 1, 'bob.b'));
		await reporter.flush();
		assert.deepEqual(service.usedBy('bob.b'), { up: 0, down: second + 1 });
		if (reporter.stats.refused.timestamp_ahead !== before) refusedAtSeconds.push(second);
		clock.monotonicMs += 1_000;
	}
	assert.deepEqual(refusedAtSeconds, [0, 1, 3, 7, 15, 31, 61, 91]);
	assert.equal(reporter.stats.waitingMs, 120_000);

	service.refusals.clear();
	clock.monotonicMs += 1_000;
	await reporter.flush();
	assert.deepEqual(service.usedBy('alice'), { up: 120, down: 0 });
	// Nothing is held back any more.
	reporter.set('one', value(121, 0));
	await reporter.flush();
	assert.deepEqual(service.usedBy('alice'), { up: 121, down: 0 });
});

test('stop tries at once what was held back while clocks disagreed', async (t) => {
	const { service, reporter } = await setUp(t);
	service.refusals.set('one', 'timestamp_ahead');
	reporter.set('one', value(1, 1));
	await reporter.flush();
	service.refusals.clear();
	assert.equal(await reporter.stop(30_000), 0);
	assert.deepEqual(service.usedBy('alice'), { up: 1, down: 1 });
});

test('stop sends the last values, and gives up after its limit', async (t) => {
	const { service, reporter } = await setUp(t);
	reporter.set('one', value(1, 1));
	assert.equal(await reporter.stop(30_000), 0);
	assert.deepEqual(service.usedBy('alice'), { up: 1, down: 1 });

	const { service: away, reporter: other } = await setUp(t);
	other.set('one', value(1, 1));
	await away.goAway();
	assert.equal(await other.stop(200), 1);
});

test('any mix of losses, repeats and restarts of the service counts each byte once', async (t) => {
	const { below: random } = randomFrom(printedSeed(t));
	const { service, reporter } = await setUp(t);
	const real = new Map<string, { up: number; down: number }>();
	for (let step = 0; step < 300; step++) {
		const name = `c${random(20)}`;
		const { up, down } = real.get(name) ?? { up: 0, down: 0 };
		const now = { up: up + random(1_000), down: down + random(1_000) };
		real.set(name, now);
		reporter.set(name, value(now.up, now.down));
		if (random(3) > 0) continue;
		service.behaviour = (['usual', 'lose_answers', 'unavailable', 'nonsense'] as const)[random(4)] ?? 'usual';
		await reporter.flush();
	}
	service.behaviour = 'usual';
	await reporter.flush();
	const sum = (direction: 'up' | 'down') => [...real.values()].reduce((total, bytes) => total + bytes[direction], 0);
	assert.deepEqual(service.usedBy('alice'), { up: sum('up'), down: sum('down') });
});

test('a fault while counters are read ends no reports', async (t) => {
	const service = await startFakeService(t);
	const client = createEdgeClient({ url: new URL(service.url), key: () => EDGE_KEY });
	let faults = 3;
	const reporter = createCounterReporter({
		client,
		logger: createLogger('silent'),
		intervalMs: 10,
		collect() {
			if (faults-- > 0) throw new Error('a fault of the test');
			reporter.set('one', value(1, 2));
		},
	});
	t.after(async () => {
		await reporter.stop(0);
		client.close();
	});
	await eventually(async () => assert.deepEqual(service.usedBy('alice'), { up: 1, down: 2 }), 60_000);
	// The answer is on its way.
	await eventually(async () => assert.equal(reporter.stats.away, undefined), 60_000);
});
