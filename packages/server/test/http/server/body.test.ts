import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoints } from '@bursar/contract';
import { assertFailure, call, resellerApi } from '@bursar/testing/api';
import { startTestService } from '@bursar/testing/service';
import { createBodyBudget } from '../../../src/http/server/bodies/body-budget.ts';

async function start(t: Parameters<typeof startTestService>[0]) {
	const service = await startTestService(t);
	const { token } = await service.openReseller('acme', 1000);
	const api = resellerApi(service.url, token);
	await api.create({ username: 'alice' });
	const give = (body: string | Uint8Array) => call(service.url, endpoints.giveBalance.path, { token, body });
	return { api, give };
}

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

test('invalid UTF-8 is invalid JSON; a byte order mark before the JSON is ignored', async (t) => {
	const { api, give } = await start(t);
	const valid = Buffer.from('{"username":"alice","amount_usd_cents":1,"x":"\u00e9\u{1F600}\\ud800"}');
	assert.equal((await give(valid)).status, 200);
	// RFC 8259, section 8.1, allows parsers to ignore it.
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

test('room is taken up to the bound of an owner and up to the bound of all, and comes back', () => {
	const budget = createBodyBudget({ most: 10, mostOfOwner: 6 });
	assert.equal(budget.take('gw', 6), true);
	assert.equal(budget.take('gw', 1), false);
	assert.equal(budget.take('gw2', 5), false, 'all together');
	assert.equal(budget.take('gw2', 4), true);
	assert.equal(budget.take('gw3', 1), false);
	budget.release('gw', 6);
	assert.equal(budget.take('gw3', 6), true);
	assert.equal(budget.take('gw', 1), false);
	budget.release('gw3', 2);
	assert.equal(budget.take('gw', 2), true);
});
