import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { startDashboard } from '../../../support/dashboard.ts';
import { wholeFile } from '../../../support/whole-file.ts';

const dashboard = await startDashboard(wholeFile);
const { url, clock, resellerWithPerson } = dashboard;
clock.stop();

const DAY_MS = 86_400_000;
const wanted = (name = 'shop') => ({
	...{ name, scopes: ['read', 'money'], expires_at: new Date(clock.nowMs() + DAY_MS).toISOString() },
	allowed_ips: null as readonly string[] | null,
});
const statusOf = async (token: string) =>
	(await resellerApi(url, token).viewAccount({}, { nowMs: clock.nowMs() })).errorCode ?? 'ok';

test('an owner makes a token, which is shown once, and ends it; both are acts with its name', async () => {
	const { browser, email, token: first } = await resellerWithPerson('acme');
	assert.deepEqual(await browser.read('/tokens'), { tokens: [] });
	const { token } = await browser.change('/tokens/create', {
		...wanted(),
		allowed_ips: ['127.0.0.1', '::1', '::ffff:0:0/96'],
	});
	assert.match(token, /^brs_[0-9A-Za-z]{46}$/);
	assert.equal(await statusOf(token), 'ok');
	const { tokens } = await browser.read('/tokens');
	const [{ id, ...listed } = assert.fail()] = tokens;
	const made = new Date(clock.nowMs()).toISOString();
	assert.deepEqual(listed, {
		...{ name: 'shop', scopes: ['read', 'money'], allowed_ips: listed.allowed_ips, tail: token.slice(-4) },
		...{ made, made_by: email, expires: wanted().expires_at, last_used: listed.last_used },
	});
	assert.equal(listed.allowed_ips?.length, 3);

	const expires_at = new Date(Date.now() + DAY_MS).toISOString();
	const byProgram = { name: 'desk', scopes: ['read'], expires_at };
	assert.equal((await resellerApi(url, first).createToken(byProgram, { nowMs: clock.nowMs() })).status, 200);
	const both = (await browser.read('/tokens')).tokens;
	assert.deepEqual(
		both.map(({ name, made_by }) => [name, made_by]),
		[
			['desk', 'api'],
			['shop', email],
		],
	);

	const end = { act: randomUUID(), id };
	await browser.ok('/tokens/end', end);
	assert.equal(await statusOf(token), 'unauthorized', 'this process forgets it at once');
	await browser.refused('act_repeated', '/tokens/end', end);
	await browser.refused('unknown_token', '/tokens/end', { act: randomUUID(), id });
	const { acts } = await browser.read('/account/acts');
	assert.deepEqual(
		acts.slice(0, 2).map(({ kind, target }) => [kind, target]),
		[
			['end_token', 'shop'],
			['create_token', 'shop'],
		],
	);
	assert.ok(!JSON.stringify([both, acts]).includes(token));
});

test('what no token can be is refused, and the others of another reseller are not there', async () => {
	const { browser } = await resellerWithPerson('bolt');
	const other = await resellerWithPerson('other');
	await other.browser.change('/tokens/create', wanted('other'));
	const [{ id } = assert.fail()] = (await other.browser.read('/tokens')).tokens;
	await browser.refused('unknown_token', '/tokens/end', { act: randomUUID(), id });
	for (const wrong of [
		...[{ name: '' }, { scopes: [] }, { scopes: ['tokens:write'] }, { expires_at: 'tomorrow' }, { allowed_ips: ['x'] }],
		...[{ expires_at: new Date(clock.nowMs()).toISOString() }, { allowed_ips: [] }],
	]) {
		await browser.refused('invalid_token', '/tokens/create', { act: randomUUID(), ...wanted(), ...wrong });
	}
	await browser.change('/tokens/create', wanted());
	await browser.refused('token_exists', '/tokens/create', { act: randomUUID(), ...wanted() });
	for (let count = 1; count < 20; count++) await browser.change('/tokens/create', wanted(`token ${count}`));
	await browser.refused('too_many_tokens', '/tokens/create', { act: randomUUID(), ...wanted('more') });
});

test('the end of all tokens ends further ones, and a rotation does not', async () => {
	const { browser } = await resellerWithPerson('ended');
	const { token } = await browser.change('/tokens/create', wanted());
	await browser.ok('/token/rotate', { act: randomUUID(), overlap_seconds: 0 });
	assert.equal(await statusOf(token), 'ok');
	assert.equal((await browser.read('/token')).previous?.tail.length, 4);
	await browser.ok('/token/end-all', { act: randomUUID() });
	assert.equal(await statusOf(token), 'unauthorized');
	assert.deepEqual(await browser.read('/tokens'), { tokens: [] });
});
