import assert from 'node:assert/strict';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { test } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { PASSWORD, startDashboard } from '../../support/dashboard.ts';

const FLOOD = 200;

test('a flood from one network keeps nobody else from signing in', async (t) => {
	const dashboard = await startDashboard(t, { BURSAR_TRUSTED_PROXIES: '127.0.0.1' });
	const { email } = await dashboard.resellerWithPerson('acme');
	let isOver = false;
	const flood = Promise.all(
		Array.from({ length: 30 }, async (_, place) => {
			const browser = dashboard.browser({ 'x-forwarded-for': '198.51.100.7' });
			while (!isOver) await browser.signIn(`nobody${place}@acme.example`, 'a wrong password');
		}),
	);
	for (let place = 0; place < 10; place++) {
		const answer = await dashboard.browser({ 'x-forwarded-for': `192.0.2.${place}` }).signIn(email, PASSWORD);
		assert.equal(answer.status, 200, answer.text);
	}
	isOver = true;
	await flood;
});

test('a flood of sign-ins is bounded, and the API answers meanwhile', async (t) => {
	const dashboard = await startDashboard(t, { BURSAR_TRUSTED_PROXIES: '127.0.0.1' });
	const { email, token } = await dashboard.resellerWithPerson('acme');
	const api = resellerApi(dashboard.url, token);
	await api.create({ username: 'alice' });
	const delay = monitorEventLoopDelay({ resolution: 5 });
	delay.enable();
	let isOver = false;
	const flood = Promise.all(
		Array.from({ length: FLOOD }, (_, place) => {
			const browser = dashboard.browser({ 'x-forwarded-for': `192.0.2.${place % 250}` });
			return browser.signIn(`nobody${place}@acme.example`, 'a wrong password');
		}),
	).finally(() => {
		isOver = true;
	});
	let transfers = 0;
	while (!isOver) {
		assert.equal((await api.give({ username: 'alice', amount_usd_cents: 1 })).status, 200);
		transfers++;
	}
	const codes = Map.groupBy(await flood, ({ errorCode }) => errorCode);
	delay.disable();
	const counts = Object.fromEntries(Array.from(codes, ([code, answers]) => [code, answers.length]));
	t.diagnostic(
		`${JSON.stringify(counts)}, ${transfers} transfers, event loop ${Math.round(delay.max / 1e6)} ms late at most`,
	);
	assert.deepEqual(Object.keys(counts).sort(), ['unavailable', 'wrong_credentials']);
	assert.ok(transfers > 0);
	for (const answer of codes.get('unavailable') ?? []) assert.equal(answer.headers.get('retry-after'), '1');
	assert.equal((await dashboard.browser().signIn(email, PASSWORD)).status, 200, 'it recovers by itself');
});
