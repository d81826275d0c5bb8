import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFailure, resellerApi } from '@bursar/testing/api';
import { startTestService } from '@bursar/testing/service';

const REFUSED: readonly [what: string, username: string][] = [
	['three characters', 'abc'],
	['33 characters', 'a'.repeat(33)],
	['a period first', '.alice'],
	['a period last', 'alice.'],
	['an underscore first', '_alice'],
	['an underscore last', 'alice_'],
	['two periods', 'al..ice'],
	['two underscores', 'al__ice'],
	['a period beside an underscore', 'al._ice'],
	['an underscore beside a period', 'al_.ice'],
	['a hyphen', 'al-ice'],
	['a space', 'al ice'],
	['a space last', 'alice '],
	['a line break last', 'alice\n'],
	['a null character', 'ali\u0000ce'],
	['an at sign', 'alice@x'],
	['a slash', 'ali/ce'],
	['the Kelvin sign, which lowercases to k', '\u212Aelvin'],
	['the dotless i', 'al\u0131ce'],
	['the dotted capital I', 'AL\u0130CE'],
	['the long s, which uppercases to S', 'ali\u017Fe'],
	['full-width letters', '\uFF41\uFF4C\uFF49\uFF43\uFF45'],
	['full-width digits', 'user\uFF11'],
	['a Cyrillic a', '\u0430lice'],
	['a combining accent', 'alice\u0301'],
	['a zero-width space', 'ali\u200Bce'],
	['an emoji', 'alice\u{1F600}'],
	['half a surrogate pair', 'alice\uD83D'],
];

test('a username that breaks the rules is refused, not repaired', async (t) => {
	const service = await startTestService(t);
	const { token } = await service.openReseller('acme', 10_000);
	const api = resellerApi(service.url, token);
	for (const [what, username] of REFUSED) {
		assertFailure(await api.create({ username }), 400, 'invalid_username', what);
		assertFailure(await api.viewSingle({ username }), 404, 'unknown_sub_user', what);
	}
	assert.deepEqual((await api.viewAll()).data, []);
});

test('usernames from 4 to 32 characters are lowercased, and any case names the same sub-user', async (t) => {
	const service = await startTestService(t);
	const { token } = await service.openReseller('acme', 10_000);
	const api = resellerApi(service.url, token);
	for (const username of ['abcd', '0000', 'A.B_C', 'a'.repeat(32), 'KELVIN', 'a.b.c.d', '1_2.3', 'x_9.z']) {
		const created = await api.create({ username });
		assert.equal(created.status, 200, username);
		assert.equal(created.data.username, username.toLowerCase());
		const amount_usd_cents = 1;
		for (const spelling of [username, username.toLowerCase(), username.toUpperCase()]) {
			assert.equal((await api.viewSingle({ username: spelling })).data.username, username.toLowerCase());
			const given = await api.give({ username: spelling, amount_usd_cents });
			assert.equal(given.data.username, username.toLowerCase());
			assert.equal((await api.take({ username: spelling, amount_usd_cents })).data.balance, 0);
			assert.equal((await api.resetAuthKey({ username: spelling })).data.username, username.toLowerCase());
			assert.equal((await api.viewTxs({ username: spelling })).status, 200);
			assertFailure(await api.create({ username: spelling }), 409, 'username_taken');
		}
	}
});

test('a username is unique over all resellers and their own names', async (t) => {
	const service = await startTestService(t);
	const acme = resellerApi(service.url, (await service.openReseller('acme', 1000)).token);
	const bolt = resellerApi(service.url, (await service.openReseller('bolt', 1000)).token);
	assert.equal((await acme.create({ username: 'alice' })).status, 200);
	assertFailure(await bolt.create({ username: 'Alice' }), 409, 'username_taken');
	assertFailure(await bolt.create({ username: 'ACME' }), 409, 'username_taken');
	assertFailure(await bolt.create({ username: 'bolt' }), 409, 'username_taken');
	await assert.rejects(service.openReseller('alice', 0), /username_taken/);
	assert.deepEqual((await bolt.viewAll()).data, []);
});

test('names that objects are born with are usernames like any other', async (t) => {
	const service = await startTestService(t);
	const api = resellerApi(service.url, (await service.openReseller('acme', 1000)).token);
	for (const username of ['constructor', 'tostring', 'valueof', 'hasownproperty', 'null', 'undefined', 'nan0']) {
		assert.equal((await api.create({ username })).status, 200, username);
		assert.equal((await api.viewSingle({ username })).data.username, username);
	}
	assert.equal((await api.viewAll()).data.length, 7);
});
