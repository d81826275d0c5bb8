import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoints } from '@bursar/contract';
import { assertFailure, call, resellerApi } from '@bursar/testing/api';
import { startTestService } from '@bursar/testing/service';

async function start(t: Parameters<typeof startTestService>[0]) {
	const service = await startTestService(t);
	const { token } = await service.openReseller('acme', 1000);
	const api = resellerApi(service.url, token);
	await api.create({ username: 'alice' });
	const give = (body: string | Uint8Array) => call(service.url, endpoints.giveBalance.path, { token, body });
	return { api, give };
}

test('a key that stands twice in one object is refused: escaped, nested, or in a field that nobody reads', async (t) => {
	const { api, give } = await start(t);
	const rest = '"username":"alice","amount_usd_cents":1';
	for (const body of [
		`{${rest},"amount_usd_cents":2}`,
		`{${rest},"amount_usd_cents":1}`,
		`{${rest},"username":"alice"}`,
		`{${rest},"\\u0061mount_usd_cents":2}`,
		`{${rest},"\\u0075s\\u0065rname":"bob1"}`,
		`{${rest},"x":{"y":1,"y":2}}`,
		`{${rest},"x":[{"y":1},{"y":[1,2],"y":2}]}`,
		`{${rest},"":1,"":2}`,
		`{${rest},"a\\"b":1,"a\\u0022b":2}`,
		`{${rest},"x":{"y":{"z":"}"},"y":1}}`,
		`{${rest},"\\/":1,"/":2}`,
	]) {
		assertFailure(await give(body), 400, 'invalid_request', body);
	}
	assert.equal((await api.viewSingle({ username: 'alice' })).data.balance, 0);
});

test('equal keys in different objects, and strings that look like keys, are no duplicates', async (t) => {
	const { give } = await start(t);
	const rest = '"username":"alice","amount_usd_cents":1';
	for (const body of [
		`{${rest},"x":{"username":"bob1","amount_usd_cents":2}}`,
		`{${rest},"x":[{"y":1},{"y":2}]}`,
		`{${rest},"x":["username","username","x"]}`,
		`{${rest},"x":"\\",\\"username\\":\\"bob1","z":"{\\"username\\":1,\\"username\\":2}"}`,
		`{${rest},"x":{},"y":[],"z":[[{}],{}]}`,
		`{ ${rest} , "Username" : "x" , "USERNAME":1}`,
	]) {
		assert.equal((await give(body)).status, 200, body);
	}
});

test('a __proto__ key is refused wherever it stands and however it is written, and changes nothing', async (t) => {
	const { give } = await start(t);
	const rest = '"username":"alice","amount_usd_cents":1';
	for (const body of [
		`{${rest},"__proto__":{}}`,
		`{"__proto__":{${rest}}}`,
		`{${rest},"__proto__":null}`,
		`{${rest},"__proto__" :5}`,
		`{${rest},"\\u005f_proto__":{"x":1}}`,
		`{${rest},"\\u005F\\u005f\\u0070roto\\u005f_":{"x":1}}`,
		`{${rest},"x":{"__proto__":{"admin":true}}}`,
		`{${rest},"x":[[{"__proto__":[]}]]}`,
	]) {
		assertFailure(await give(body), 400, 'invalid_request', body);
	}
	assert.equal(({} as { x?: number }).x, undefined);
	for (const body of [
		`{${rest},"x":"__proto__"}`,
		`{${rest},"constructor":{"prototype":{"admin":true}}}`,
		`{${rest},"hasOwnProperty":1,"toString":null,"valueOf":"x"}`,
	]) {
		assert.equal((await give(body)).status, 200, body);
	}
	assert.equal(({} as { admin?: boolean }).admin, undefined);
});

test('fields come from the body itself, never from what every object inherits', async (t) => {
	const { give } = await start(t);
	for (const body of [
		'{"constructor":{"username":"alice","amount_usd_cents":1}}',
		'{"x":{"username":"alice","amount_usd_cents":1}}',
	]) {
		assertFailure(await give(body), 400, 'invalid_request', body);
	}
});

test('unknown fields are ignored, whatever is in them', async (t) => {
	const { api } = await start(t);
	const extra = { amount_usd_cents: 'five', admin: true, reseller: 'bolt', balance: 1e9, nested: { deep: [null] } };
	assert.equal((await api.viewSingle({ username: 'alice', ...extra })).status, 200);
	const created = await api.create({
		username: 'bob1',
		...extra,
		proxy_authkey: 'A'.repeat(16),
		date_created: '2001-01-01',
	});
	assert.equal(created.data.balance, 0);
	assert.notEqual(created.data.proxy_authkey, 'A'.repeat(16));
	assert.equal((await api.give({ ...extra, username: 'alice', amount_usd_cents: 1 })).data.balance, 1);
});

test('deep and wide JSON is answered like any other body', async (t) => {
	const { api, give } = await start(t);
	const deep = 8_000;
	const rest = '"username":"alice","amount_usd_cents":1';
	const legal = [
		`{${rest},"x":${'['.repeat(deep)}${']'.repeat(deep)}}`,
		`{${rest},"x":${'{"y":'.repeat(2_000)}1${'}'.repeat(2_000)}}`,
		`{${rest},${Array.from({ length: 1_500 }, (_, i) => `"k${i}":1`).join(',')}}`,
		`{${rest},"x":"${'\\'.repeat(16_000 - 2)}"}`,
	];
	for (const body of legal) assert.equal((await give(body)).status, 200);
	const broken = [
		'['.repeat(16_384),
		'{"a":'.repeat(3_000),
		'"'.repeat(16_383),
		`{${rest},"x":"${'\\'.repeat(15_999)}"}`,
		'-'.repeat(16_000),
	];
	for (const body of broken) assertFailure(await give(body), 400, 'invalid_request');
	assert.equal((await api.viewSingle({ username: 'alice' })).data.balance, legal.length);
});

test('bytes that are no UTF-8 are no JSON; a byte order mark before it is overlooked', async (t) => {
	const { api, give } = await start(t);
	const valid = Buffer.from('{"username":"alice","amount_usd_cents":1,"x":"\u00e9\u{1F600}\\ud800"}');
	assert.equal((await give(valid)).status, 200);
	// RFC 8259, section 8.1, allows a parser to.
	assert.equal((await give(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), valid]))).status, 200);
	const at = valid.indexOf('"x":"') + 5;
	for (const bytes of [[0xff], [0xc3], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf8, 0x88, 0x80, 0x80, 0x80], [0x80]]) {
		const body = Buffer.concat([valid.subarray(0, at), Buffer.from(bytes), valid.subarray(at)]);
		assertFailure(await give(body), 400, 'invalid_request', bytes.join());
	}
	for (const encoding of ['utf16le', 'latin1'] as const) {
		assertFailure(
			await give(Buffer.from('{"username":"alice","amount_usd_cents":1,"x":"\u00e9"}', encoding)),
			400,
			'invalid_request',
		);
	}
	assertFailure(
		await give(Buffer.from('{"username":"alice","amount_usd_cents":1,"x":"\u0000\n"}')),
		400,
		'invalid_request',
	);
	assert.equal((await api.viewSingle({ username: 'alice' })).data.balance, 2);
});
