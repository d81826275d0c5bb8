import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { endpoints } from '@bursar/contract';
import { call } from '@bursar/testing/api';
import { StoreUnavailableError } from '../../../../src/store/reading.ts';
import { startDashboard } from '../../../support/dashboard.ts';
import { wholeFile } from '../../../support/whole-file.ts';

const { url, publicUrl, clock, faults, resellerWithPerson } = await startDashboard(wholeFile);
clock.stop();

const rotation = (overlap_seconds = 60) => ({ act: randomUUID(), overlap_seconds });
const works = async (token: string) =>
	(await call(url, endpoints.myInfo.path, { token, nowMs: clock.nowMs() })).status === 200;

test('a rotation gives a new token once, and the previous one lives on for the overlap', async () => {
	const { browser, email, token: old } = await resellerWithPerson('rotated');
	const before = await browser.ok('/token');
	assert.deepEqual(before, {
		reseller: 'rotated',
		api_url: publicUrl,
		current: { ...before.current, tail: old.slice(-4), made_by: 'operator', last_used: null },
		previous: null,
	});
	assert.ok(await works(old));

	const { token, state } = await browser.ok('/token/rotate', rotation(60));
	const rotatedAtMs = clock.nowMs();
	assert.match(token, /^brs_[0-9A-Za-z]{46}$/);
	const made = new Date(rotatedAtMs).toISOString();
	assert.deepEqual(state.current, { tail: token.slice(-4), made, made_by: email, last_used: null });
	assert.deepEqual(state.previous, {
		tail: old.slice(-4),
		expires: new Date(rotatedAtMs + 60_000).toISOString(),
		dead: new Date(rotatedAtMs + 90_000).toISOString(),
		last_used: state.previous?.last_used,
	});
	assert.deepEqual(await browser.ok('/token'), state);
	assert.ok(!JSON.stringify(await browser.ok('/token')).includes(token), 'the token is never shown again');
	assert.ok((await works(token)) && (await works(old)));

	clock.aheadMs += 60_000;
	assert.ok((await works(token)) && !(await works(old)));
	await browser.refused('rotation_pending', '/token/rotate', rotation());
	clock.aheadMs += 30_000;
	assert.equal((await browser.ok('/token')).previous, null);
	const again = await browser.ok('/token/rotate', rotation(0));
	assert.ok((await works(again.token)) && !(await works(token)), 'this process forgets the previous token at once');
});

test('all tokens end at once, also while a rotation is pending', async () => {
	const { browser, token: first } = await resellerWithPerson('ended');
	const { token: second } = await browser.ok('/token/rotate', rotation(240));
	assert.ok((await works(first)) && (await works(second)));
	const { token: third, state } = await browser.ok('/token/end-all', { act: randomUUID() });
	assert.deepEqual([await works(first), await works(second), await works(third)], [false, false, true]);
	assert.deepEqual([state.previous, state.current.tail], [null, third.slice(-4)]);
	await browser.ok('/token/rotate', rotation(0));
});

test('an act that was sent several times at once is done once, and a body that may not be not at all', async () => {
	const { browser } = await resellerWithPerson('repeated');
	for (const overlap_seconds of [-1, 1, 241, '60', null, 60.5, [60]]) {
		await browser.refused('invalid_request', '/token/rotate', { act: randomUUID(), overlap_seconds });
	}
	for (const act of ['', 'x', 7, null, `${randomUUID()}\n`]) {
		await browser.refused('invalid_request', '/token/rotate', { act, overlap_seconds: 60 });
	}
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

test('the reseller comes from the session and from nowhere else', async () => {
	const { browser } = await resellerWithPerson('acme');
	const bolt = await resellerWithPerson('bolt');
	const headers = { authorization: `Bearer ${bolt.token}`, 'x-reseller': 'bolt' };
	assert.equal((await browser.ok('/token', undefined, { headers })).reseller, 'acme');
	await browser.ok('/token/rotate', { ...rotation(0), reseller: 'bolt', username: 'bolt' }, { headers });
	assert.ok(await works(bolt.token));
	assert.equal((await bolt.browser.ok('/token')).current.tail, bolt.token.slice(-4));
	for (const path of ['/session', '/account', '/account/acts', '/token']) {
		assert.doesNotMatch((await browser.ask(path)).text, /bolt/);
	}
});

test('a new token is not lost because the store cannot be read after the rotation', async () => {
	const { browser } = await resellerWithPerson('unread');
	faults.listTokens = () => Promise.reject(new StoreUnavailableError('no such disk'));
	const { token, state } = await browser.ok('/token/rotate', rotation(0));
	assert.ok(await works(token));
	assert.deepEqual([state.current.tail, state.previous], [token.slice(-4), null]);
	await browser.refused('unavailable', '/token');
	delete faults.listTokens;
});
