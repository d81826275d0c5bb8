import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { endpoints } from '@bursar/contract';
import { DASHBOARD_API } from '@bursar/contract/dashboard';
import { call } from '@bursar/testing/api';
import { startTestService } from '@bursar/testing/service';
import { PASSWORD, startDashboard } from '../../../support/dashboard.ts';

const CHANGES = {
	'/sign-in': { email: 'ann@acme.example', password: PASSWORD },
	'/sign-in/passkey/question': {},
	'/sign-out': {},
	'/proof': { password: PASSWORD },
	'/invitation/accept': { link: 'x', password: PASSWORD },
	'/account/sessions/end-others': { act: randomUUID() },
	'/token/rotate': { act: randomUUID(), overlap_seconds: 0 },
	'/token/end-all': { act: randomUUID() },
};

test('a change that another site asks for is refused, whoever is signed in, and changes nothing', async (t) => {
	const dashboard = await startDashboard(t);
	const { browser, token } = await dashboard.resellerWithPerson('acme');
	const { port } = new URL(dashboard.publicUrl);
	for (const headers of [
		{ origin: null },
		{ origin: 'null' },
		{ origin: '' },
		{ origin: 'https://evil.example' },
		{ origin: `http://127.0.0.1:${port}` },
		{ origin: `https://localhost:${port}` },
		{ origin: `http://localhost:${Number(port) + 1}` },
		{ origin: `${dashboard.publicUrl}.evil.example` },
		{ origin: `${dashboard.publicUrl}/` },
		{ origin: dashboard.publicUrl.toUpperCase() },
		{ 'sec-fetch-site': 'cross-site' },
		{ 'sec-fetch-site': 'same-site' },
		{ 'sec-fetch-site': 'none' },
		{ 'sec-fetch-site': '' },
	]) {
		for (const [path, body] of Object.entries(CHANGES)) {
			await browser.refused('wrong_origin', path, body, { headers });
		}
	}
	assert.equal((await call(dashboard.url, endpoints.myInfo.path, { token })).status, 200);
	assert.ok((await browser.ok('/session')).person);
	// Older browsers do not send `Sec-Fetch-Site`.
	await browser.ok('/account/sessions/end-others', { act: randomUUID() }, { headers: { 'sec-fetch-site': null } });
});

test('what a form of another site can send is refused', async (t) => {
	const dashboard = await startDashboard(t);
	const { browser } = await dashboard.resellerWithPerson('acme');
	const body = { act: randomUUID(), overlap_seconds: 0 };
	for (const type of [
		'text/plain',
		'application/x-www-form-urlencoded',
		'multipart/form-data; boundary=x',
		'application/jsonp',
		null,
	]) {
		await browser.refused('unsupported_media_type', '/token/rotate', body, { headers: { 'content-type': type } });
	}
	for (const hostile of ['', '[]', 'null', '"x"', '{', '{"act":1,"act":2}', '{"__proto__":{}}', Buffer.from([0xff])]) {
		await browser.refused('invalid_request', '/token/rotate', hostile);
	}
	await browser.refused('payload_too_large', '/token/rotate', { ...body, more: 'x'.repeat(20_000) });
});

test('everybody can ask who is signed in, and where the dashboard lives', async (t) => {
	const dashboard = await startDashboard(t, { BURSAR_PUBLIC_URL: 'https://bursar.example' });
	const headers = { origin: 'http://127.0.0.1:8080', 'sec-fetch-site': 'cross-site' };
	const presence = await dashboard.browser().ok('/session', undefined, { headers });
	assert.deepEqual(presence, { person: null, public_url: 'https://bursar.example', passkeys: true });
});

test('a token is of no use on the dashboard, and a cookie none on the API', async (t) => {
	const dashboard = await startDashboard(t);
	const { browser, token } = await dashboard.resellerWithPerson('acme');
	const headers = { authorization: `Bearer ${token}` };
	await dashboard.browser(headers).refused('signed_out', '/token');
	assert.equal((await dashboard.browser(headers).ok('/session')).person, null);
	const { path } = endpoints.myInfo;
	const answer = await call(dashboard.url, path, { headers: { cookie: browser.jar.cookie ?? '' } });
	assert.equal(answer.status, 401);
	const both = await call(dashboard.url, path, { token, headers: { cookie: 'bursar_session=%' } });
	assert.equal(both.status, 200);
	assert.equal(both.headers.get('x-content-type-options'), null, 'the API has its own headers');
});

test('unknown paths and wrong methods answer like everything else', async (t) => {
	const dashboard = await startDashboard(t);
	const browser = dashboard.browser();
	for (const path of ['', '/', '/sessions', '/session/', '/token/', '/account/codes/x', '//session', '/__proto__']) {
		await browser.refused('not_found', path);
		await browser.refused('not_found', path, {});
	}
	for (const [method, path, allowed] of [
		['GET', '/sign-in', 'POST'],
		['DELETE', '/session', 'GET, HEAD'],
		['PUT', '/token/rotate', 'POST'],
		['OPTIONS', '/account', 'GET, HEAD'],
	] as const) {
		const answer = await browser.refused('method_not_allowed', path, undefined, { method });
		assert.equal(answer.headers.get('allow'), allowed);
		assert.equal(answer.headers.get('access-control-allow-origin'), null);
	}
	const head = await fetch(`${dashboard.url}${DASHBOARD_API}/session`, { method: 'HEAD' });
	assert.equal(head.status, 200);
});

test('the dashboard can be turned off', async (t) => {
	const { url } = await startTestService(t, { BURSAR_DASHBOARD: '0' });
	for (const path of ['/session', '/sign-in']) {
		const answer = await call(url, DASHBOARD_API + path);
		assert.deepEqual([answer.status, answer.errorCode], [404, 'not_found']);
	}
});

test('sign-ins are counted by method and result', async (t) => {
	const dashboard = await startDashboard(t);
	const { email } = await dashboard.resellerWithPerson('acme');
	await dashboard.browser().signIn(email);
	await dashboard.browser().signIn(email, 'a wrong password');
	const metrics = await (await fetch(`${dashboard.opsUrl}/metrics`)).text();
	for (const line of [
		'bursar_sign_ins_total{method="link",result="success"} 1',
		'bursar_sign_ins_total{method="password",result="success"} 1',
		'bursar_sign_ins_total{method="password",result="wrong_credentials"} 1',
		'bursar_http_requests_total{route="/dashboard/api/sign-in",status="401"} 1',
	]) {
		assert.ok(metrics.includes(line), line);
	}
});
