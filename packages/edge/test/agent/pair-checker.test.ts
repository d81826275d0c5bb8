import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { STORE_AWAY_MS } from '@bursar/contract/edge';
import { createEdgeClient } from '../../src/agent/edge-client.ts';
import { createPairChecker, type KnownPair } from '../../src/agent/pair-checker.ts';
import { EDGE_KEY, type FakeService, startFakeService } from '../support/fake-service.ts';

const KEY = 'Abcdefgh12345678';
/** For thousands of checks at once on a busy machine. */
const LONG_MS = 60_000;
const ALICE = { username: 'alice', password: KEY, client: '192.0.2.1' };

function clientOf(test: TestContext, { url }: FakeService, checkTimeoutMs = 2_000) {
	const client = createEdgeClient({ url: new URL(url), key: () => EDGE_KEY, checkTimeoutMs });
	test.after(() => client.close());
	return client;
}

async function setUp(test: TestContext, checkTimeoutMs = 2_000) {
	const bytes = { passed: 0, reported: 0, sent: 0 };
	const service = await startFakeService(test);
	service.keys.set('alice', KEY).set('bob.b', 'Bbbbbbbb12345678');
	const client = clientOf(test, service, checkTimeoutMs);
	const clock = { nowMs: 1_000 };
	const checker = createPairChecker({ client, nowMs: () => clock.nowMs, bytesOf: () => ({ ...bytes }) });
	return { service, clock, checker, bytes };
}

test('an answer counts for one and a half seconds, and is then asked for again without the key', async (t) => {
	const { service, clock, checker } = await setUp(t);
	assert.equal((await checker.check(ALICE)).pair?.username, 'alice');
	clock.nowMs += 1_499;
	assert.ok((await checker.check(ALICE)).pair);
	assert.equal(service.checks.length, 1);
	clock.nowMs += 1;
	assert.ok((await checker.check(ALICE)).pair);
	assert.deepEqual(service.checks[1], { username: 'alice', key_id: `id-of-${KEY}` });
});

test('what follows the first underscore of a password is not sent, and pairs are one whatever it is', async (t) => {
	const { service, checker } = await setUp(t);
	const one = await checker.check({ ...ALICE, password: `${KEY}_country-US_session-1` });
	const other = await checker.check({ ...ALICE, username: 'ALICE', password: `${KEY}_country-DE` });
	assert.ok(one.pair);
	assert.equal(one.pair, other.pair);
	assert.deepEqual(service.checks, [{ ...ALICE }]);
});

test('a new key is good at once, and the old one is refused after two seconds', async (t) => {
	const { service, clock, checker } = await setUp(t);
	assert.ok((await checker.check(ALICE)).pair);
	service.keys.set('alice', 'New45678New45678');
	assert.ok((await checker.check({ ...ALICE, password: 'New45678New45678' })).pair);
	clock.nowMs += 2_000;
	assert.equal((await checker.check(ALICE)).refused, 'wrong_pair');
	assert.ok((await checker.check({ ...ALICE, password: 'New45678New45678' })).pair);
});

test('a wrong pair is remembered for every client, first for a quarter of a second, later for two seconds', async (t) => {
	const { service, clock, checker } = await setUp(t);
	const wrong = { ...ALICE, password: 'wrong' };
	for (const [asked, pauseMs] of [250, 500, 1_000, 2_000, 2_000].entries()) {
		assert.equal((await checker.check(wrong)).refused, 'wrong_pair');
		clock.nowMs += pauseMs - 1;
		assert.equal((await checker.check({ ...wrong, client: '192.0.2.2' })).refused, 'wrong_pair');
		assert.equal(service.checks.length, asked + 1);
		clock.nowMs += 1;
	}
	service.keys.set('alice', 'wrong');
	assert.ok((await checker.check(wrong)).pair);
});

test('a throttled address is not remembered, and does not lock out a pair that was good', async (t) => {
	const { service, clock, checker } = await setUp(t);
	assert.ok((await checker.check(ALICE)).pair);
	service.behaviour = 'throttled';
	assert.equal((await checker.check({ ...ALICE, password: 'wrong' })).refused, 'throttled');
	clock.nowMs += 5_000;
	assert.ok((await checker.check(ALICE)).pair);
	service.behaviour = 'usual';
	assert.equal((await checker.check({ ...ALICE, password: 'wrong' })).refused, 'wrong_pair');
});

test('text that no pair can have is refused without asking', async (t) => {
	const { service, checker } = await setUp(t);
	for (const username of ['', 'al', 'alice\n', '\ufffd\ufffd\ufffd\ufffd', 'a'.repeat(10_000), 'alice:x']) {
		assert.equal((await checker.check({ ...ALICE, username })).refused, 'wrong_pair');
	}
	for (const password of ['', '_country-US', '\ufffd', 'a b', 'k'.repeat(129), 'schlüssel']) {
		assert.equal((await checker.check({ ...ALICE, password })).refused, 'wrong_pair');
	}
	assert.equal(service.checks.length, 0);
});

test('checks of one moment go in one request, and equal ones are asked once', async (t) => {
	const { service, checker } = await setUp(t);
	const asked = Array.from({ length: 300 }, (_, index) =>
		checker.check({ username: `user${index % 150}`, password: KEY, client: `192.0.2.${index % 150}` }),
	);
	await Promise.all(asked);
	assert.equal(service.requests.get('/edge/v1/check'), 1);
	assert.equal(service.checks.length, 150);
});

test('one address cannot fill the line, and what it has too much is not called a wrong password', async (t) => {
	const { service, checker } = await setUp(t, LONG_MS);
	const guesses = Array.from({ length: 6_000 }, (_, index) => checker.check({ ...ALICE, password: `guess${index}` }));
	const other = checker.check({ ...ALICE, client: '192.0.2.2' });
	const refusals = await Promise.all(guesses);
	assert.equal(refusals.filter(({ refused }) => refused === 'unavailable').length, 1_000);
	assert.ok((await other).pair);
	assert.equal(service.checks.length, 5_001);
});

test('thousands of good users who share an address and come at once all pass', async (t) => {
	const { service, checker } = await setUp(t, LONG_MS);
	const asked = Array.from({ length: 4_000 }, (_, index) => {
		service.keys.set(`user${index}`, KEY);
		return checker.check({ username: `user${index}`, password: KEY, client: '192.0.2.1' });
	});
	assert.ok((await Promise.all(asked)).every(({ pair }) => pair));
});

test('while the service is away, good pairs stay good for 15 minutes, and unknown ones are refused', async (t) => {
	const { service, clock, checker } = await setUp(t);
	const { pair } = await checker.check(ALICE);
	await service.goAway();
	clock.nowMs += STORE_AWAY_MS;
	assert.ok((await checker.check(ALICE)).pair);
	assert.equal((await checker.check({ ...ALICE, username: 'bob.b' })).refused, 'unavailable');
	assert.equal((await checker.check({ ...ALICE, password: 'wrong' })).refused, 'unavailable');
	assert.deepEqual([...(await checker.recheck([pair as KnownPair])).keys()], []);
	clock.nowMs += 1;
	assert.equal((await checker.check(ALICE)).refused, 'unavailable');
	assert.deepEqual([...(await checker.recheck([pair as KnownPair])).keys()], [pair]);
	assert.match(checker.stats.away ?? '', /unreachable/);
	await service.comeBack();
	assert.ok((await checker.check(ALICE)).pair);
	assert.equal(checker.stats.away, undefined);
});

test('a good pair does not wait for a service that hangs', async (t) => {
	const { service, clock, checker } = await setUp(t, 60_000);
	assert.ok((await checker.check(ALICE)).pair);
	service.behaviour = 'hang';
	clock.nowMs += 60_000;
	assert.ok((await checker.check(ALICE)).pair);
});

test('an unknown pair waits for a service that hangs no longer than its time limit', async (t) => {
	const { service, checker } = await setUp(t, 100);
	service.behaviour = 'hang';
	assert.equal((await checker.check(ALICE)).refused, 'unavailable');
});

test('one refusal of the key of the edge ends nothing', async (t) => {
	const { service, clock, checker } = await setUp(t);
	const { pair } = await checker.check(ALICE);
	for (let accident = 0; accident < 3; accident++) {
		clock.nowMs += 2_000;
		service.behaviour = 'unauthorized';
		assert.deepEqual([...(await checker.recheck([pair as KnownPair])).keys()], []);
		assert.ok((await checker.check(ALICE)).pair);
		assert.equal((await checker.check({ ...ALICE, username: 'bob.b' })).refused, 'unavailable');
		service.behaviour = 'usual';
		clock.nowMs += 2_000;
		assert.deepEqual([...(await checker.recheck([pair as KnownPair])).keys()], []);
	}
});

test('if the service refuses the key of the edge for some seconds, no pair is good', async (t) => {
	const { service, clock, checker } = await setUp(t);
	const { pair } = await checker.check(ALICE);
	service.behaviour = 'unauthorized';
	clock.nowMs += 2_000;
	assert.ok((await checker.check(ALICE)).pair);
	clock.nowMs += 3_000;
	assert.deepEqual([...(await checker.recheck([pair as KnownPair])).keys()], [pair]);
	assert.equal((await checker.check(ALICE)).refused, 'unavailable');
	await service.goAway();
	assert.equal((await checker.check(ALICE)).refused, 'unavailable');
	service.behaviour = 'usual';
	await service.comeBack();
	assert.ok((await checker.check(ALICE)).pair);
});

test('nonsense instead of an answer is no answer', async (t) => {
	const { service, clock, checker } = await setUp(t);
	assert.ok((await checker.check(ALICE)).pair);
	service.behaviour = 'nonsense';
	clock.nowMs += 2_000;
	assert.ok((await checker.check(ALICE)).pair);
	assert.equal((await checker.check({ ...ALICE, username: 'bob.b' })).refused, 'unavailable');
});

test('a recheck asks about thousands of pairs, and names those whose key was reset', async (t) => {
	const { service, checker } = await setUp(t, LONG_MS);
	const verdicts = Array.from({ length: 2_500 }, (_, index) => {
		service.keys.set(`user${index}`, `key${index}`);
		return checker.check({ username: `user${index}`, password: `key${index}`, client: `192.0.2.${index % 100}` });
	});
	const pairs = (await Promise.all(verdicts)).map(({ pair }) => pair as KnownPair);
	service.keys.set('user17', 'reset').delete('user2400');
	const gone = await checker.recheck([...pairs, ...pairs]);
	assert.deepEqual(Array.from(gone.keys(), ({ username }) => username).sort(), ['user17', 'user2400']);
	assert.equal((await checker.check({ username: 'user17', password: 'key17', client: '' })).refused, 'wrong_pair');
});

test('only a bounded number of pairs is remembered: the one used longest ago is forgotten', async (t) => {
	const service = await startFakeService(t);
	const checker = createPairChecker({ client: clientOf(t, service), nowMs: () => 0, maxPairs: 2 });
	for (const username of ['user1', 'user2', 'user1', 'user3', 'user1', 'user2']) {
		service.keys.set(username, 'key');
		assert.ok((await checker.check({ username, password: 'key', client: '' })).pair);
	}
	assert.deepEqual(
		service.checks.map(({ username }) => username),
		['user1', 'user2', 'user3', 'user2'],
	);
});

/** Has the service count so many bytes of alice. */
function use(service: FakeService, up: number): void {
	service.counters.set(`c${service.counters.size}`, { username: 'alice', up, down: 0 });
}

test('what is left counts from what was reported when the service was asked', async (t) => {
	const { service, clock, checker, bytes } = await setUp(t);
	service.paidBytes.set('alice', 1_000);
	use(service, 400);
	Object.assign(bytes, { passed: 500, reported: 400, sent: 400 });
	const { pair } = await checker.check(ALICE);
	assert.equal(pair?.limitBytes, 1_000);
	use(service, 100);
	Object.assign(bytes, { passed: 700, reported: 500, sent: 500 });
	clock.nowMs += 2_000;
	assert.deepEqual([...(await checker.recheck([pair as KnownPair]))], []);
	assert.equal(pair?.limitBytes, 1_000);
	service.paidBytes.delete('alice');
	clock.nowMs += 2_000;
	await checker.recheck([pair as KnownPair]);
	assert.equal(pair?.limitBytes, undefined, 'there is no price any more');
});

test('a report that is under way while the service is asked takes bytes neither twice nor not at all', async (t) => {
	const { service, clock, checker, bytes } = await setUp(t);
	service.paidBytes.set('alice', 1_000);
	const { pair } = await checker.check(ALICE);
	const limitAfter = async (known: Partial<typeof bytes>) => {
		Object.assign(bytes, known);
		clock.nowMs += 2_000;
		await checker.recheck([pair as KnownPair]);
		return pair?.limitBytes;
	};
	use(service, 400);
	assert.equal(await limitAfter({ passed: 500, reported: 0, sent: 400 }), 1_000, 'counted, but not acknowledged');
	assert.equal(await limitAfter({ passed: 900, reported: 400, sent: 800 }), 1_000, 'sent, but not counted');
	service.counters.set('of another edge', { username: 'alice', up: 300, down: 0 });
	assert.equal(await limitAfter({ reported: 400, sent: 400 }), 700, 'what others used comes off');
	service.counters.set('of another edge', { username: 'alice', up: 550, down: 0 });
	assert.equal(await limitAfter({ reported: 400, sent: 450 }), 500, 'as far as it is certain');
	service.paidBytes.set('alice', 2_000);
	assert.equal(await limitAfter({ reported: 400, sent: 450 }), 500, 'what is new waits');
	assert.equal(await limitAfter({ reported: 400, sent: 400 }), 1_450, 'for an answer without a report');
});

test('a report that begins while the service is asked takes no bytes twice', async (t) => {
	const { service, clock, checker, bytes } = await setUp(t);
	service.paidBytes.set('alice', 1_000);
	const { pair } = await checker.check(ALICE);
	const answered = Promise.withResolvers<void>();
	service.held = answered.promise;
	clock.nowMs += 2_000;
	const asked = checker.recheck([pair as KnownPair]);
	use(service, 400);
	Object.assign(bytes, { passed: 500, sent: 400, reported: 400 });
	answered.resolve();
	await asked;
	assert.equal(pair?.limitBytes, 1_000);
});

test('a pair of which nothing is left is exhausted, and is good again within a second of a top-up', async (t) => {
	const { service, clock, checker } = await setUp(t);
	service.paidBytes.set('alice', 1_000);
	const { pair } = await checker.check(ALICE);
	use(service, 1_000);
	clock.nowMs += 2_000;
	assert.deepEqual([...(await checker.recheck([pair as KnownPair]))], [[pair, 'exhausted']]);
	for (const pauseMs of [250, 500, 1_000, 1_000]) {
		const asked = service.checks.length;
		for (let n = 0; n < 3; n++) assert.equal((await checker.check(ALICE)).refused, 'exhausted');
		assert.equal(service.checks.length, asked + 1);
		clock.nowMs += pauseMs;
	}
	assert.equal((await checker.check(ALICE)).refused, 'exhausted');
	service.paidBytes.set('alice', 2_000);
	clock.nowMs += 1_000;
	assert.ok((await checker.check(ALICE)).pair);
	assert.ok((await checker.check(ALICE)).pair, 'the refusal is forgotten');
});

test('a pair that was exhausted from the start says so, and a wrong key does not', async (t) => {
	const { service, clock, checker } = await setUp(t);
	service.paidBytes.set('alice', 0);
	assert.equal((await checker.check(ALICE)).refused, 'exhausted');
	assert.equal((await checker.check({ ...ALICE, password: 'wrong' })).refused, 'wrong_pair');
	assert.equal(checker.stats.refused.exhausted, 1);
	service.paidBytes.set('alice', 1);
	clock.nowMs += 250;
	assert.ok((await checker.check(ALICE)).pair);
});

test('an account that has passed what is left is exhausted, whatever is not reported yet', async (t) => {
	const { service, clock, checker, bytes } = await setUp(t);
	service.paidBytes.set('alice', 1_000);
	assert.ok((await checker.check(ALICE)).pair);
	bytes.passed = 999;
	assert.ok((await checker.check(ALICE)).pair);
	bytes.passed = 1_000;
	assert.equal((await checker.check(ALICE)).refused, 'exhausted', 'although the answer is fresh');
	await service.goAway();
	clock.nowMs += 1_000;
	assert.equal((await checker.check(ALICE)).refused, 'exhausted', 'although the service is away');
	await service.comeBack();
	service.paidBytes.set('alice', 1_500);
	clock.nowMs += 1_000;
	assert.ok((await checker.check(ALICE)).pair);
});

test('what limits a pair holds also while the service is away', async (t) => {
	const { service, clock, checker } = await setUp(t);
	const held = { ends_in_ms: 10_000, allowed_ips: ['192.0.2.0/24'], max_connections: 3 };
	service.limits.set('alice', { ...held, max_bytes_per_second: 8_000 });
	const { pair } = await checker.check(ALICE);
	assert.deepEqual([pair?.maxConnections, pair?.bytesPerSecond, pair?.endsAtMs], [3, 8_000, clock.nowMs + 10_000]);
	await service.goAway();
	clock.nowMs += 9_999;
	assert.ok((await checker.check(ALICE)).pair);
	assert.equal((await checker.check({ ...ALICE, client: '198.51.100.1' })).refused, 'address_not_allowed');
	assert.ok(
		(await checker.check({ ...ALICE, client: '::ffff:192.0.2.9' })).pair,
		'another address is not refused with it',
	);
	clock.nowMs += 1;
	assert.equal((await checker.check(ALICE)).refused, 'expired');
});

test('each reason of the service ends a pair that was good, and its end works within a second', async (t) => {
	const { service, clock, checker } = await setUp(t);
	for (const reason of ['suspended', 'expired', 'address_not_allowed', 'exhausted', 'limit_reached'] as const) {
		service.refused.delete('alice');
		clock.nowMs += 1_500;
		const { pair } = await checker.check(ALICE);
		assert.ok(pair, reason);
		service.refused.set('alice', reason);
		assert.deepEqual(await checker.recheck([pair]), new Map([[pair, reason]]));
		assert.equal((await checker.check(ALICE)).refused, reason);
		service.refused.delete('alice');
		clock.nowMs += 1_000;
		assert.ok((await checker.check(ALICE)).pair, reason);
	}
	assert.equal(checker.stats.refused.wrong_pair, 0);
});

test('other networks hold at once', async (t) => {
	const { service, checker } = await setUp(t);
	service.limits.set('alice', { allowed_ips: ['192.0.2.1', '2001:db8::/32'] });
	const { pair } = await checker.check(ALICE);
	assert.ok(pair);
	const isAllowed = () => ['192.0.2.1', '192.0.2.2', '2001:db8::1'].map((each) => checker.isAllowedFrom(pair, each));
	assert.deepEqual(isAllowed(), [true, false, true]);
	service.limits.set('alice', { allowed_ips: ['192.0.2.2'] });
	await checker.recheck([pair]);
	assert.deepEqual(isAllowed(), [false, true, false]);
	assert.equal((await checker.check(ALICE)).refused, 'address_not_allowed');
});

test('clients that sign in by address are remembered like pairs, and drive out none', async (t) => {
	const { service, clock, checker } = await setUp(t);
	service.signsInByAddress = true;
	const addresses = Array.from({ length: 30 }, (_, n) => `192.0.2.${n}`);
	for (const address of addresses) service.signIns.set(address, 'bob.b');
	const small = createPairChecker({ client: clientOf(t, service), nowMs: () => clock.nowMs, maxPairs: 1 });
	assert.ok((await small.check(ALICE)).pair);
	for (let time = 0; time < 2; time++) {
		for (const address of addresses) assert.equal((await small.checkAddress(address))?.pair?.username, 'bob.b');
	}
	assert.ok((await small.check(ALICE)).pair);
	assert.deepEqual([service.checks.length, service.addresses.length], [1, 30]);
	clock.nowMs += 1_500;
	assert.ok((await small.checkAddress('192.0.2.7'))?.pair);
	assert.deepEqual(service.checks.at(-1), { username: 'bob.b', key_id: '@192.0.2.7' });

	// It is another account's now, and then no one's.
	service.signIns.set('192.0.2.7', 'alice');
	clock.nowMs += 1_500;
	assert.equal((await small.checkAddress('192.0.2.7'))?.pair?.username, 'alice');
	service.signIns.delete('192.0.2.7');
	clock.nowMs += 1_500;
	assert.equal(await small.checkAddress('192.0.2.7'), undefined);
	const { length } = service.addresses;
	assert.equal(await small.checkAddress('192.0.2.7'), undefined);
	assert.equal(service.addresses.length, length, 'an unknown address is remembered');
	assert.equal(checker.stats.good, 0);
});

test("a refused account of an address is named, also from memory, until its address is no one's", async (t) => {
	const { service, clock, checker } = await setUp(t);
	service.signsInByAddress = true;
	service.signIns.set('192.0.2.7', 'alice');
	service.refused.set('alice', 'suspended');
	const refused = { refused: 'suspended', username: 'alice' };
	for (let time = 0; time < 2; time++) assert.deepEqual(await checker.checkAddress('192.0.2.7'), refused);
	assert.equal(service.addresses.length, 1);
	service.refused.clear();
	clock.nowMs += 1_000;
	assert.ok((await checker.checkAddress('192.0.2.7'))?.pair);
	service.refused.set('alice', 'exhausted');
	clock.nowMs += 1_500;
	assert.deepEqual(await checker.checkAddress('192.0.2.7'), { refused: 'exhausted', username: 'alice' });
	service.signIns.clear();
	clock.nowMs += 1_000;
	for (let time = 0; time < 3; time++) assert.equal(await checker.checkAddress('192.0.2.7'), undefined);
	const { length } = service.addresses;
	clock.nowMs += 249;
	assert.equal(await checker.checkAddress('192.0.2.7'), undefined);
	assert.equal(service.addresses.length, length);
});

test('what is left is asked for once more, by the name of the account, when an address signs in first', async (t) => {
	const { service, checker, bytes } = await setUp(t);
	service.signsInByAddress = true;
	service.signIns.set('192.0.2.7', 'alice');
	service.paidBytes.set('alice', 1_000);
	Object.assign(bytes, { passed: 300, reported: 200, sent: 200 });
	assert.equal((await checker.checkAddress('192.0.2.7'))?.pair?.limitBytes, 1_200);
	assert.deepEqual([service.addresses.length, service.checks], [1, [{ username: 'alice', key_id: '@192.0.2.7' }]]);
});
