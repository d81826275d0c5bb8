import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { endpoints } from '@bursar/contract';
import { call } from '@bursar/testing/api';
import { StoreUnavailableError } from '../../../../src/store/store.ts';
import { startDashboard } from '../../../support/dashboard.ts';

const { path } = endpoints.myInfo;
const rotation = (overlap_seconds = 60) => ({ act: randomUUID(), overlap_seconds });

test('a rotation gives a new token once, and the previous one lives on for the overlap', async (t) => {
	const dashboard = await startDashboard(t);
	dashboard.clock.stop();
	const { browser, email, token: old } = await dashboard.resellerWithPerson('acme');
	const works = async (token: string) =>
		(await call(dashboard.url, path, { token, nowMs: dashboard.clock.nowMs() })).status === 200;
	const before = await browser.ok('/token');
	assert.deepEqual(before, {
		reseller: 'acme',
		api_url: dashboard.publicUrl,
		current: { ...before.current, tail: old.slice(-4), made_by: 'operator', last_used: null },
		previous: null,
	});
	assert.ok(await works(old));

	const { token, state } = await browser.ok('/token/rotate', rotation(60));
	const rotatedAtMs = dashboard.clock.nowMs();
	assert.match(token, /^brs_[0-9A-Za-z]{46}$/);
	assert.deepEqual(state.current, {
		tail: token.slice(-4),
		made: new Date(rotatedAtMs).toISOString(),
		made_by: email,
		last_used: null,
	});
	assert.deepEqual(state.previous, {
		tail: old.slice(-4),
		expires: new Date(rotatedAtMs + 60_000).toISOString(),
		dead: new Date(rotatedAtMs + 90_000).toISOString(),
		last_used: state.previous?.last_used,
	});
	assert.deepEqual(await browser.ok('/token'), state);
	assert.ok(!JSON.stringify(await browser.ok('/token')).includes(token), 'the token is never shown again');
	assert.ok((await works(token)) && (await works(old)));

	dashboard.clock.aheadMs = 60_000;
	assert.ok((await works(token)) && !(await works(old)));
	await browser.refused('rotation_pending', '/token/rotate', rotation());
	dashboard.clock.aheadMs = 90_000;
	assert.equal((await browser.ok('/token')).previous, null);
	const again = await browser.ok('/token/rotate', rotation(0));
	assert.ok((await works(again.token)) && !(await works(token)), 'this process forgets the previous token at once');
});

test('ending all tokens works while a rotation is pending, and ends each of them at once', async (t) => {
	const dashboard = await startDashboard(t);
	const { browser, token: first } = await dashboard.resellerWithPerson('acme');
	const works = async (token: string) => (await call(dashboard.url, path, { token })).status === 200;
	const { token: second } = await browser.ok('/token/rotate', rotation(240));
	assert.ok((await works(first)) && (await works(second)));
	const { token: third, state } = await browser.ok('/token/end-all', { act: randomUUID() });
	assert.deepEqual([await works(first), await works(second), await works(third)], [false, false, true]);
	assert.equal(state.previous, null);
	assert.equal(state.current.tail, third.slice(-4));
	await browser.ok('/token/rotate', rotation(0));
});

test('an act that was done is not done again, also if it was sent twice at once', async (t) => {
	const dashboard = await startDashboard(t);
	const { browser } = await dashboard.resellerWithPerson('acme');
	const body = rotation(0);
	const answers = await Promise.all([1, 2, 3].map(() => browser.ask('/token/rotate', body)));
	assert.deepEqual(answers.map(({ errorCode }) => errorCode ?? 'ok').sort(), ['act_repeated', 'act_repeated', 'ok']);
	const { current } = await browser.ok('/token');
	await browser.refused('act_repeated', '/token/end-all', { act: body.act });
	assert.deepEqual((await browser.ok('/token')).current, current);
	const { acts } = await browser.ok('/account/acts');
	assert.deepEqual(
		acts.map(({ kind, target }) => [kind, target]),
		[
			['rotate_token', current.tail],
			['accept_invitation', ''],
		],
	);
});

test('the reseller comes from the session and from nowhere else', async (t) => {
	const dashboard = await startDashboard(t);
	const acme = await dashboard.resellerWithPerson('acme');
	const bolt = await dashboard.resellerWithPerson('bolt');
	const headers = { authorization: `Bearer ${bolt.token}`, 'x-reseller': 'bolt' };
	const state = await acme.browser.ok('/token', undefined, { headers });
	assert.equal(state.reseller, 'acme');
	await acme.browser.refused('invalid_query', '/token?reseller=bolt');
	await acme.browser.ok('/token/rotate', { ...rotation(0), reseller: 'bolt', username: 'bolt' }, { headers });
	assert.equal((await call(dashboard.url, path, { token: bolt.token })).status, 200);
	assert.equal((await bolt.browser.ok('/token')).current.tail, bolt.token.slice(-4));
	const everything = await Promise.all(
		(['/session', '/account', '/account/acts', '/token'] as const).map((each) => acme.browser.ask(each)),
	);
	for (const { text } of everything) assert.doesNotMatch(text, /bolt/);
});

test('an overlap that is not offered is refused', async (t) => {
	const dashboard = await startDashboard(t);
	const { browser } = await dashboard.resellerWithPerson('acme');
	for (const overlap_seconds of [-1, 1, 61, 241, 1e9, '60', null, 60.5, [60]]) {
		await browser.refused('invalid_request', '/token/rotate', { act: randomUUID(), overlap_seconds });
	}
	for (const act of ['', 'x', randomUUID().toUpperCase(), 7, null, `${randomUUID()}\n`]) {
		await browser.refused('invalid_request', '/token/rotate', { act, overlap_seconds: 60 });
	}
});

test('a new token is not lost because the store cannot be read after the rotation', async (t) => {
	const dashboard = await startDashboard(t);
	const { browser } = await dashboard.resellerWithPerson('acme');
	dashboard.faults.listTokens = async () => {
		throw new StoreUnavailableError('no such disk');
	};
	const { token, state } = await browser.ok('/token/rotate', rotation(0));
	assert.equal((await call(dashboard.url, path, { token })).status, 200);
	assert.deepEqual([state.current.tail, state.previous], [token.slice(-4), null]);
	await browser.refused('unavailable', '/token');
});
