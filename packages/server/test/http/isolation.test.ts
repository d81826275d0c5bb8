import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoints } from '@bursar/contract';
import { resellerApi } from '@bursar/testing/api';
import { startTestService } from '@bursar/testing/service';
import { rawCall, requestText } from '../support/raw-socket.ts';

const NAMING_ONE = [
	endpoints.viewSubUser,
	endpoints.viewUsage,
	endpoints.resetAuthKey,
	endpoints.giveBalance,
	endpoints.takeBalance,
] as const;

/** What the answers may differ in. */
function withoutTimeAndId(text: string): string {
	return text
		.replace(/^x-request-id: [0-9a-f-]{36}\r\n/im, '')
		.replace(/^date: [^\r]+\r\n/im, '')
		.replace(/"timestamp":\d{10}/, '');
}

test("somebody else's sub-user, an unknown one, an ill-formed one and the reseller itself answer alike, byte for byte", async (t) => {
	const { url, openReseller } = await startTestService(t);
	const [acme, bolt] = [await openReseller('acme', 1000), await openReseller('bolt', 1000)];
	const [ours, theirs] = [resellerApi(url, acme.token), resellerApi(url, bolt.token)];
	await ours.create({ username: 'alice' });
	await theirs.create({ username: 'bob.1' });
	await theirs.give({ username: 'bob.1', amount_usd_cents: 100 });
	const before = [await theirs.viewSingle({ username: 'bob.1' }), await theirs.myInfo()].map(({ data }) => data);
	const names = [
		'bob.1',
		'BOB.1',
		'bolt',
		'acme',
		'ACME',
		'nobody',
		'',
		'.',
		'a',
		'al..ice',
		'\u212Aelvin',
		'x'.repeat(5000),
		"' OR 1=1 --",
		'%',
		'alice\u0000',
		'bolt/bob.1',
		'acme/alice',
		'@funding',
		'@fees',
		'fees',
	];
	for (const { path } of NAMING_ONE) {
		const answers = new Set<string>();
		for (const username of names) {
			const body = JSON.stringify({ username, amount_usd_cents: 1 });
			const request = requestText('POST', path, [`Authorization: Bearer ${acme.token}`], body);
			const { status, headers, body: text } = await rawCall(t, url, request);
			assert.equal(status, 404, `${path} ${username}`);
			assert.equal(headers.get('x-error-code'), 'unknown_sub_user');
			const lines = Array.from(headers, ([name, value]) => `${name}: ${value}\r\n`).join('');
			answers.add(withoutTimeAndId(`${status}\r\n${lines}\r\n${text}`));
		}
		assert.equal(answers.size, 1, path);
	}
	const after = [await theirs.viewSingle({ username: 'bob.1' }), await theirs.myInfo()].map(({ data }) => data);
	assert.deepEqual(after, before, 'nothing of theirs was touched');
	assert.equal((await ours.myInfo()).data.balance, 990);
	assert.deepEqual(
		(await ours.viewAll()).data.map((subUser: { username: string }) => subUser.username),
		['alice'],
	);
});

test('each reseller sees its own account and its own sub-users, and nobody sees more than four fields', async (t) => {
	const { url, openReseller } = await startTestService(t);
	const resellers = await Promise.all(['acme', 'bolt'].map((name) => openReseller(name, 1000)));
	for (const { username, token } of resellers) {
		const api = resellerApi(url, token);
		for (const suffix of ['one', 'two']) await api.create({ username: `${username}.${suffix}` });
	}
	for (const { username, token } of resellers) {
		const api = resellerApi(url, token);
		const info = (await api.myInfo()).data;
		assert.deepEqual(Object.keys(info), ['username', 'balance', 'proxy_authkey', 'date_created']);
		assert.deepEqual([info.username, info.balance], [username, 980]);
		assert.match(info.proxy_authkey, /^[0-9A-Za-z]{16}$/);
		assert.match(info.date_created, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
		const all = (await api.viewAll()).data as { username: string }[];
		assert.deepEqual(all.map((subUser) => subUser.username).sort(), [`${username}.one`, `${username}.two`]);
		for (const subUser of all) assert.deepEqual(Object.keys(subUser), Object.keys(info));
	}
});

test('a new proxy auth key replaces the one before, and no two keys are equal', async (t) => {
	const { url, openReseller } = await startTestService(t);
	const api = resellerApi(url, (await openReseller('acme', 1000)).token);
	const keys = new Set<string>([(await api.myInfo()).data.proxy_authkey]);
	for (const username of ['alice', 'bob1']) keys.add((await api.create({ username })).data.proxy_authkey);
	for (let i = 0; i < 5; i++) {
		const { data } = await api.resetAuthKey({ username: 'alice' });
		assert.deepEqual(Object.keys(data), ['username', 'proxy_authkey']);
		assert.equal((await api.viewSingle({ username: 'alice' })).data.proxy_authkey, data.proxy_authkey);
		keys.add(data.proxy_authkey);
	}
	assert.equal(keys.size, 8);
});
