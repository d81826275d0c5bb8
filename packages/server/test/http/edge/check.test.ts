import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startEdgeService } from '../../support/edge-service.ts';
import { wholeFile } from '../../support/whole-file.ts';

const { edge, alice, api } = await startEdgeService(wholeFile);

const NOTHING_TO_HOLD = {
	left_bytes: null,
	left_reason: null,
	max_connections: null,
	max_bytes_per_second: null,
	ends_in_ms: null,
	allowed_ips: null,
};
const REFUSED = {
	ok: false,
	username: null,
	key_id: null,
	reseller: null,
	reason: 'wrong_pair',
	recheck_ms: 2_000,
	...NOTHING_TO_HOLD,
};

test('a pair is checked by its password, and checked again by its key_id', async () => {
	const { status, body } = await edge.check({
		username: 'ALICE',
		password: `${alice}_country-US`,
		client: '192.0.2.1',
	});
	assert.equal(status, 200);
	const { key_id, ...rest } = body;
	const good = { ok: true, username: 'alice', reseller: 'acme', reason: null, recheck_ms: 2_000 };
	assert.deepEqual(rest, { ...good, ...NOTHING_TO_HOLD });
	assert.ok(!alice.includes(key_id) && !key_id.includes(alice));
	assert.deepEqual((await edge.check({ username: 'alice', key_id })).body, body);
	assert.deepEqual((await edge.check({ username: 'alice', password: 'wrong' })).body, REFUSED);
	assert.deepEqual((await edge.check({ username: 'nobody', password: alice })).body, REFUSED);
	const { proxy_authkey } = (await api.myInfo()).data;
	const own = (await edge.check({ username: 'acme', password: proxy_authkey })).body;
	assert.deepEqual([own.username, own.reseller], ['acme', 'acme']);
});

test('many pairs are checked in one request, in order, also if some need no look-up', async () => {
	const bob = (await api.create({ username: 'bob.1' })).data.proxy_authkey;
	await edge.check({ username: 'alice', password: alice });
	const checks = Array.from({ length: 1_000 }, (_, index) =>
		index % 3 === 0
			? { username: 'alice', password: alice }
			: { username: index % 3 === 1 ? 'bob.1' : `no${index}x`, password: bob },
	);
	const { status, body } = await edge.check({ checks });
	assert.equal(status, 200);
	assert.deepEqual(
		body.checks.map(({ username }: { username: string | null }) => username),
		checks.map((_, index) => ['alice', 'bob.1', null][index % 3]),
	);
	const key_ids = body.checks.filter(({ ok }: { ok: boolean }) => ok);
	const again = await edge.check({
		checks: key_ids.map(({ username, key_id }: typeof REFUSED) => ({ username, key_id })),
	});
	assert.ok(again.body.checks.every(({ ok }: { ok: boolean }) => ok));
});

test('a request that is no check is refused as a whole', async () => {
	const good = { username: 'alice', password: alice };
	for (const body of [
		'',
		'{',
		'null',
		'[]',
		'"x"',
		'5',
		{},
		{ username: 'alice' },
		{ password: alice },
		{ username: 5, password: alice },
		{ username: 'alice', password: null },
		{ ...good, key_id: 5 },
		{ ...good, client: 5 },
		{ by_address: true },
		{ by_address: false, client: '192.0.2.1' },
		{ by_address: 'true', client: '192.0.2.1' },
		{ by_address: true, client: 5 },
		// Which of them would let the client in?
		{ ...good, by_address: true, client: '192.0.2.1' },
		{ by_address: true, client: '192.0.2.1', username: 'alice' },
		{ by_address: true, client: '192.0.2.1', key_id: 'x' },
		{ checks: [good, { ...good, by_address: true, client: '192.0.2.1' }] },
		{ checks: [] },
		{ checks: good },
		{ checks: [good, {}] },
		{ checks: [good, null] },
		{ checks: Array(1_001).fill(good) },
		'{"__proto__":{"username":"alice","password":"x"}}',
		Buffer.from([0x7b, 0xff, 0x7d]),
	]) {
		const { errorCode } = await edge.check(body);
		assert.equal(errorCode, 'invalid_request', JSON.stringify(body).slice(0, 100));
	}
	assert.equal(
		(await edge.check(good, { headers: { 'content-type': 'text/plain' } })).errorCode,
		'unsupported_media_type',
	);
	assert.equal((await edge.check({ ...good, client: 'x'.repeat(600_000) })).errorCode, 'payload_too_large');
	assert.equal((await edge.check({ ...good, extra: 'x'.repeat(500_000) })).body.ok, true);
});

test('hostile names and passwords are wrong pairs, and nothing else', async () => {
	const texts = [
		'\u0000',
		'\ud800',
		'\uffff',
		"' OR 1=1 --",
		'%00',
		'\r\nX: y',
		'__proto__',
		'constructor',
		'"}',
		'\u212Aelvin',
	];
	for (const text of [...texts, ...texts.map((text) => text.repeat(1_000))]) {
		assert.deepEqual((await edge.check({ username: text, password: alice })).body, REFUSED);
		assert.deepEqual((await edge.check({ username: 'alice', password: text })).body, REFUSED);
		assert.deepEqual((await edge.check({ username: 'alice', key_id: text })).body, REFUSED);
		assert.equal((await edge.check({ username: 'alice', password: alice, client: text })).body.ok, true);
	}
});
