import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { endpoints } from '@bursar/contract';
import { DASHBOARD_API } from '@bursar/contract/dashboard';
import { call } from '@bursar/testing/api';
import { newQuestion, readAnswer, SEEN_HEADER, SEEN_KEY } from '../../../../src/seen-request.ts';
import { startDashboard } from '../../../support/dashboard.ts';
import { wholeFile } from '../../../support/whole-file.ts';

const dashboard = await startDashboard(wholeFile, { BURSAR_TRUSTED_PROXIES: '127.0.0.1' });
const { url, publicUrl, resellerWithPerson } = dashboard;
const { browser, email, token } = await resellerWithPerson('acme');
const rotation = { act: randomUUID(), overlap_seconds: 0 };
const { path } = endpoints.myInfo;

test('a change that another site asks for is refused, whoever is signed in, and changes nothing', async () => {
	const { port } = new URL(publicUrl);
	for (const headers of [
		...[null, 'null', '', 'https://evil.example', `http://127.0.0.1:${port}`, `https://localhost:${port}`],
		...[`http://localhost:${Number(port) + 1}`, `${publicUrl}.evil.example`, `${publicUrl}/`, publicUrl.toUpperCase()],
	]
		.map((origin): Record<string, string | null> => ({ origin }))
		.concat(['cross-site', 'same-site', 'none', ''].map((site) => ({ 'sec-fetch-site': site })))) {
		await browser.refused('wrong_origin', '/token/rotate', rotation, { headers });
		await browser.refused('wrong_origin', '/sign-out', {}, { headers });
	}
	// What a form can send.
	for (const type of [
		'application/x-www-form-urlencoded',
		'multipart/form-data; boundary=x',
		'application/jsonp',
		null,
	]) {
		const headers = { 'content-type': type };
		await browser.refused('unsupported_media_type', '/token/rotate', rotation, { headers });
	}
	await browser.refused('invalid_request', '/token/rotate', Buffer.from([0xff]));
	assert.equal((await call(url, path, { token })).status, 200);
	// Older browsers do not send `Sec-Fetch-Site`.
	await browser.ok('/account/sessions/end-others', { act: randomUUID() }, { headers: { 'sec-fetch-site': null } });
});

test('everybody can ask who is signed in, and where the dashboard lives', async () => {
	const headers = { origin: 'http://127.0.0.1:8080', 'sec-fetch-site': 'cross-site' };
	const presence = await dashboard.browser().ok('/session', undefined, { headers });
	const brand = { name: 'Bursar', color: null, logo: null };
	assert.deepEqual(presence, {
		person: null,
		public_url: publicUrl,
		passkeys: true,
		sends_mail: false,
		takes_payments: false,
		brand,
	});
});

test('a token is of no use on the dashboard, and a cookie none on the API', async () => {
	const headers = { authorization: `Bearer ${token}` };
	await dashboard.browser(headers).refused('signed_out', '/token');
	assert.equal((await dashboard.browser(headers).ok('/session')).person, null);
	const answer = await call(url, path, { headers: { cookie: browser.jar.cookie ?? '' } });
	assert.equal(answer.status, 401);
	const both = await call(url, path, { token, headers: { cookie: 'bursar_session=%' } });
	assert.equal(both.status, 200);
	assert.equal(both.headers.get('x-content-type-options'), null, 'the API has its own headers');
});

test('unknown paths and wrong methods answer like everything else', async () => {
	const stranger = dashboard.browser();
	for (const path of ['', '/', '/sessions', '/session/', '/token/', '/account/codes/x', '//session', '/__proto__']) {
		await stranger.refused('not_found', path);
		await stranger.refused('not_found', path, {});
	}
	for (const [method, path, allowed] of [
		['GET', '/sign-in', 'POST'],
		['DELETE', '/session', 'GET, HEAD'],
		['PUT', '/token/rotate', 'POST'],
		['OPTIONS', '/account', 'GET, HEAD'],
	] as const) {
		const answer = await stranger.refused('method_not_allowed', path, undefined, { method });
		assert.equal(answer.headers.get('allow'), allowed);
		assert.equal(answer.headers.get('access-control-allow-origin'), null);
	}
	const head = await fetch(`${dashboard.url}${DASHBOARD_API}/session`, { method: 'HEAD' });
	assert.equal(head.status, 200);
});

test('sign-ins are counted by method and result', async () => {
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

test('only who has the master key learns what a service sees of a request, and the answer is of that store', async () => {
	const key = dashboard.store.deriveKey(SEEN_KEY);
	const ask = async (question: string | undefined) => {
		const headers = { 'x-forwarded-for': '192.0.2.77, 203.0.113.9', ...(question && { [SEEN_HEADER]: question }) };
		const response = await fetch(`${url}/dashboard/api/seen`, { headers });
		return { status: response.status, code: response.headers.get('x-error-code'), body: await response.text() };
	};

	const question = newQuestion(key);
	const { status, body } = await ask(question);
	assert.equal(status, 200);
	const { version: _, ...seen } = readAnswer(key, question, body) ?? assert.fail('the answer is not of the store');
	assert.deepEqual(seen, {
		connectedFrom: '127.0.0.1',
		isTrusted: true,
		forwardedFor: '192.0.2.77, 203.0.113.9',
		client: '203.0.113.9',
	});
	assert.equal(readAnswer(key, newQuestion(key), body), undefined, 'an answer belongs to one question');
	assert.equal(readAnswer(key, question, changed(body)), undefined);
	assert.doesNotMatch(body, /127\.0|203\.0/, 'who passes it on cannot read it');
	assert.equal(readAnswer(randomBytes(32), question, body), undefined);

	const nowhere = await fetch(`${url}/dashboard/api/nowhere`);
	for (const wrong of [undefined, '', 'x', newQuestion(randomBytes(32)), `${question}0`, `0${question.slice(1, 40)}`]) {
		const { status, code } = await ask(wrong);
		assert.deepEqual([status, code], [nowhere.status, nowhere.headers.get('x-error-code')]);
	}
});

/** With another character in its middle. */
function changed(body: string): string {
	const at = Math.floor(body.length / 2);
	return `${body.slice(0, at)}${body[at] === 'A' ? 'B' : 'A'}${body.slice(at + 1)}`;
}
