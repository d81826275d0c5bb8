import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import type { CheckAnswer } from '@bursar/contract/edge';
import { eventually } from '@bursar/testing/eventually';
import { createAddressChecks } from '../../../src/http/edge/address-checks.ts';
import { startEdgeService } from '../../support/edge-service.ts';
import { wholeFile } from '../../support/whole-file.ts';

const { edge, alice, api, submit, readEdges } = await startEdgeService(wholeFile);
await api.create({ username: 'bruno' });

const NOTHING_TO_HOLD = {
	...{ left_bytes: null, left_reason: null, max_connections: null, max_bytes_per_second: null },
	...{ ends_in_ms: null, allowed_ips: null },
};
const UNKNOWN = {
	...{ ok: false, username: null, key_id: null, reseller: null, reason: 'wrong_pair', recheck_ms: 2_000 },
	...NOTHING_TO_HOLD,
};

async function allow(isAllowed: boolean) {
	await submit({ kind: 'allow_sign_in_by_address', reseller: 'acme', isAllowed });
	await readEdges();
}

async function set(username: string, ...sign_in_ips: readonly string[]) {
	const { status } = await api.setSignInIps({ username, sign_in_ips });
	assert.equal(status, 200);
}

async function byAddress(client: string): Promise<CheckAnswer> {
	return (await edge.check({ by_address: true, client })).body;
}

const recheck = async ({ username, key_id }: CheckAnswer): Promise<CheckAnswer> =>
	(await edge.check({ username, key_id })).body;

test('a client without a pair is checked by its address, and checked again by its key_id like a pair', async () => {
	assert.deepEqual(await byAddress('192.0.2.7'), UNKNOWN);
	assert.equal((await edge.check({ checks: [{ by_address: true, client: 'x' }] })).body.signs_in_by_address, false);
	await allow(true);
	await set('alice', '192.0.2.7', '2001:db8::/64');
	for (const client of ['192.0.2.7', '::ffff:192.0.2.7', '2001:db8::9']) {
		const answer = await byAddress(client);
		const { key_id, ...rest } = answer;
		assert.deepEqual(rest, {
			ok: true,
			username: 'alice',
			reseller: 'acme',
			reason: null,
			recheck_ms: 2_000,
			...NOTHING_TO_HOLD,
		});
		assert.match(key_id ?? '', /^@[\w-]{22}$/);
		assert.deepEqual(await recheck(answer), answer);
	}
	for (const client of ['192.0.2.8', '2001:db8:0:1::9', 'nowhere', '']) {
		assert.deepEqual(await byAddress(client), UNKNOWN, client);
	}
	const checks = [
		{ username: 'alice', password: alice },
		{ by_address: true, client: '192.0.2.7' },
		{ by_address: true, client: '192.0.2.8' },
		{ username: 'alice', password: 'wrong', client: '192.0.2.7' },
	];
	const { body } = await edge.check({ checks });
	assert.equal(body.signs_in_by_address, true);
	assert.deepEqual(
		body.checks.map(({ ok }: CheckAnswer) => ok),
		[true, true, false, false],
	);
});

test('the key_id of an address is good for that account from that address, and for nothing else', async () => {
	await allow(true);
	await set('alice', '192.0.2.7', '192.0.2.8');
	await set('bruno', '192.0.2.9');
	const [seven, eight, nine] = await Promise.all(['192.0.2.7', '192.0.2.8', '192.0.2.9'].map(byAddress));
	assert.equal(new Set([seven?.key_id, eight?.key_id, nine?.key_id]).size, 3);
	assert.deepEqual((await edge.check({ username: 'bruno', key_id: seven?.key_id })).body, UNKNOWN);
	assert.deepEqual((await edge.check({ username: 'nobody', key_id: seven?.key_id })).body, UNKNOWN);
	for (const key_id of ['@', `@${'A'.repeat(22)}`, String(seven?.key_id).slice(1), `${seven?.key_id}x`]) {
		assert.deepEqual((await edge.check({ username: 'alice', key_id })).body, UNKNOWN, key_id);
	}
	assert.deepEqual((await edge.check({ username: 'alice', password: seven?.key_id })).body, UNKNOWN);

	// The address moves to another account.
	await set('alice', '192.0.2.8');
	await set('bruno', '192.0.2.7');
	assert.deepEqual(await recheck(seven as CheckAnswer), UNKNOWN);
	assert.equal((await recheck(eight as CheckAnswer)).ok, true);
	assert.deepEqual(await recheck(nine as CheckAnswer), UNKNOWN);
	assert.equal((await byAddress('192.0.2.7')).username, 'bruno');
	// It comes back.
	await set('bruno');
	await set('alice', '192.0.2.7');
	assert.deepEqual(await byAddress('192.0.2.7'), seven);
});

test('what holds for the pair of an account holds for its addresses, and a refusal names the account', async () => {
	await allow(true);
	await set('alice', '192.0.2.7');
	const good = await byAddress('192.0.2.7');
	const refused = async (reason: string, client = '192.0.2.7') => {
		assert.deepEqual(await byAddress(client), { ...UNKNOWN, reason, username: 'alice' });
		const { body } = await edge.check({ username: 'alice', key_id: good.key_id, client });
		assert.deepEqual(body, { ...UNKNOWN, reason });
	};
	await api.suspend({ username: 'alice' });
	// What was read a quarter of a second ago still counts.
	await eventually(() => refused('suspended'));
	await api.resume({ username: 'alice' });
	await api.setLimits({ username: 'alice', allowed_ips: ['198.51.100.0/24'] });
	await refused('address_not_allowed');
	await api.setLimits({ username: 'alice', allowed_ips: null, expires_at: '2020-01-01T00:00:00Z' });
	await refused('expired');
	await api.setLimits({ username: 'alice', expires_at: null, connections: 3, day_bytes: 1_000 });
	const limited = { ...good, max_connections: 3, left_bytes: 1_000, left_reason: 'limit_reached' };
	assert.deepEqual([await byAddress('192.0.2.7'), await recheck(good)], [limited, limited]);
	await submit({ kind: 'suspend_reseller', reseller: 'acme' });
	await refused('suspended');
	await submit({ kind: 'resume_reseller', reseller: 'acme' });
	await api.setLimits({ username: 'alice', connections: null, day_bytes: null });
	assert.deepEqual(await recheck(good), good);
	// A new key ends the pair, and not the address.
	await api.resetAuthKey({ username: 'alice' });
	assert.deepEqual(await recheck(good), good);
});

test('addresses that are removed, of a reseller that may not any more, and of a deleted sub-user are of no use at once', async () => {
	await allow(true);
	await api.create({ username: 'carla' });
	await set('carla', '192.0.2.17');
	const good = await byAddress('192.0.2.17');
	await set('carla', '192.0.2.18');
	assert.deepEqual([await byAddress('192.0.2.17'), await recheck(good)], [UNKNOWN, UNKNOWN]);
	await set('carla', '192.0.2.17');
	assert.deepEqual(await recheck(good), good);

	// The service may not have noticed yet that no reseller signs in by address any more.
	await submit({ kind: 'allow_sign_in_by_address', reseller: 'acme', isAllowed: false });
	assert.deepEqual([await byAddress('192.0.2.17'), await recheck(good)], [UNKNOWN, UNKNOWN]);
	await readEdges();
	assert.deepEqual([await byAddress('192.0.2.17'), await recheck(good)], [UNKNOWN, UNKNOWN]);
	await allow(true);
	assert.deepEqual(await recheck(good), good);

	await api.delete({ username: 'carla' });
	assert.deepEqual([await byAddress('192.0.2.17'), await recheck(good)], [UNKNOWN, UNKNOWN]);
	await set('alice', '192.0.2.17');
	assert.equal((await byAddress('192.0.2.17')).username, 'alice');
	assert.deepEqual(await recheck(good), UNKNOWN);
});

/** Checks over a store that counts what it is asked, and can be away or hang, and a clock that only the test moves. */
function start(t: TestContext) {
	const state = { reads: 0, fault: undefined as Error | undefined, hangs: false, isUsed: true, nowMs: 0 };
	const read = async <Value>(value: Value) => {
		state.reads++;
		if (state.hangs) return new Promise<Value>(() => {});
		if (state.fault) throw state.fault;
		return value;
	};
	const known = { username: 'alice', address: '192.0.2.7' };
	const limits = { leftBytes: null, leftReason: null, maxConnections: null, maxBytesPerSecond: null, endsInMs: null };
	const held = { username: 'alice', reseller: 'acme', ...limits };
	t.mock.timers.enable({ apis: ['setTimeout'] });
	const checks = createAddressChecks({
		store: {
			findSignIn: ({ client }) => read(client === known.address ? known : undefined),
			findSignInAddresses: ({ username }) => read(username === 'alice' ? [known.address] : []),
		},
		pairChecks: { checkAccount: () => ({ ...held, keyId: 'of the key', allowedIps: null }) },
		isUsed: () => state.isUsed,
		secret: randomBytes(32),
		monotonicMs: () => state.nowMs,
	});
	const check = async (client: string, name = 'gw') => {
		const outcome = await checks.check(name, { by_address: true, client });
		return 'refused' in outcome ? outcome.refused : outcome.username;
	};
	return { state, checks, check };
}

test('if no reseller may sign in by address, and for what is no address, the store is not asked', async (t) => {
	const { state, checks, check } = start(t);
	assert.equal(await check('nowhere'), 'wrong_pair');
	state.isUsed = false;
	assert.equal(await check('192.0.2.7'), 'wrong_pair');
	assert.equal(await checks.recheck('gw', { username: 'alice', key_id: '@x' }), 'wrong_pair');
	assert.equal(state.reads, 0);
});

test('while the store is away or hangs, no client signs in by address, and open connections are left alone', async (t) => {
	const { state, checks, check } = start(t);
	const good = await checks.check('gw', { by_address: true, client: '192.0.2.7' });
	assert.ok('keyId' in good);
	const again = () => checks.recheck('gw', { username: 'alice', key_id: good.keyId });
	state.fault = new Error('away');
	assert.deepEqual([await check('192.0.2.7'), await again()], ['unavailable', 'unavailable']);
	state.hangs = true;
	const late = Promise.all([check('192.0.2.7'), again()]);
	t.mock.timers.tick(500);
	assert.deepEqual(await late, ['unavailable', 'unavailable']);
});

test('a flood of addresses by which no account signs in is throttled, also of one network, and known ones are not', async (t) => {
	const { state, check } = start(t);
	for (let n = 0; n < 100; n++) assert.equal(await check(`2001:db8:0:${n.toString(16)}::1`), 'wrong_pair');
	assert.equal(await check('2001:db8:0:fff::1'), 'throttled');
	assert.equal(await check('2001:db8:1::1'), 'wrong_pair');
	for (let n = 0; n < 1_899; n++) assert.equal(await check(`10.0.${n >> 8}.${n & 255}`), 'wrong_pair', String(n));
	assert.equal(await check('10.1.0.0'), 'throttled');
	assert.equal(await check('10.1.0.0', 'another'), 'wrong_pair', 'each edge has its own');
	const { reads } = state;
	assert.equal(await check('10.1.0.1'), 'throttled');
	assert.equal(state.reads, reads);
	state.nowMs += 5;
	assert.equal(await check('192.0.2.7'), 'alice');
	assert.equal(await check('10.1.0.1'), 'wrong_pair');
});
