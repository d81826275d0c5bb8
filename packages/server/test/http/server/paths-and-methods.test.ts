import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { test } from 'node:test';
import { endpoints } from '@bursar/contract';
import { startTestService } from '@bursar/testing/service';
import { assertRawFailure, rawCall, requestText } from '../../support/raw-socket.ts';
import { wholeFile } from '../../support/whole-file.ts';

const { url, opsUrl, edgeUrl, openReseller } = await startTestService(wholeFile, {
	BURSAR_DASHBOARD: '1',
	BURSAR_EDGE_PORT: '0',
});
const { token } = await openReseller('acme', 1000);
const authorized = [`Authorization: Bearer ${token}`];

test('every HTTP method gets the envelope, on known and unknown paths', async (t) => {
	for (const method of METHODS.filter((name) => name !== 'CONNECT')) {
		const unknown = await rawCall(t, url, requestText(method, '/nothing'), method);
		if (method !== 'HEAD') assertRawFailure(unknown, 404, 'not_found');
		const path = method === 'GET' || method === 'HEAD' ? endpoints.viewSubUser.path : endpoints.myInfo.path;
		const wrong = await rawCall(t, url, requestText(method, path), method);
		assert.equal(wrong.headers.get('allow'), method === 'GET' || method === 'HEAD' ? 'POST' : 'GET, HEAD');
		if (method !== 'HEAD') assertRawFailure(wrong, 405, 'method_not_allowed');
	}
});

test('a path with invalid percent-escapes is 400, with the usual headers', async (t) => {
	for (const path of [
		'/%zz',
		'/%',
		'/reseller/my_info%f',
		'/reseller/%ff',
		'/%c3',
		'/reseller/my_info/%E0%A4%A',
		'/%u0041',
	]) {
		for (const method of ['GET', 'POST', 'PROPFIND']) {
			assertRawFailure(await rawCall(t, url, requestText(method, path)), 400, 'bad_request');
		}
	}
	assertRawFailure(await rawCall(t, url, requestText('GET', '/reseller/my_info?x=%zz')), 401, 'unauthorized');
});

test('a path answers the same when it has a query, or is a whole URL', async (t) => {
	for (const path of [
		'/reseller/my_info?a=b&a=%00',
		'/reseller/my_info?a=b#%23',
		'http://elsewhere/reseller/my_info',
		'HTTP://elsewhere:1/reseller/my_info?x',
	]) {
		assert.equal((await rawCall(t, url, requestText('GET', path, authorized))).status, 200, path);
		const wrong = await rawCall(t, url, requestText('POST', path, authorized));
		assertRawFailure(wrong, 405, 'method_not_allowed');
		assert.equal(wrong.headers.get('allow'), 'GET, HEAD', path);
	}
});

test('a path that is written otherwise is none, on every listener: a proxy in front decides by what is written', async (t) => {
	for (const path of [
		'//reseller/my_info',
		'/reseller//my_info',
		'/reseller/./my_info',
		'/x/../reseller/my_info',
		'/reseller%2Fmy_info',
		'/reseller/my_info;x',
		'/RESELLER/my_info',
		'http://elsewhere/x',
		'*',
		'/__proto__',
		'/constructor',
		'/reseller/my_info%00',
	]) {
		assertRawFailure(await rawCall(t, url, requestText('OPTIONS', path, authorized)), 404, 'not_found');
	}
	for (const [listener, path] of [
		[url, '/reseller/my_info'],
		[url, '/openapi.json'],
		[url, '/docs/'],
		[url, '/dashboard'],
		[url, '/dashboard/'],
		[url, '/dashboard/sub-users/alice'],
		[url, '/dashboard/api/session'],
		[edgeUrl as string, '/openapi.json'],
		[opsUrl, '/livez'],
		[opsUrl, '/metrics'],
	] as const) {
		const [first = '', ...rest] = path.slice(1);
		const escaped = `/%${first.charCodeAt(0).toString(16)}${rest.join('')}`;
		for (const other of [
			escaped,
			`http://elsewhere${escaped}`,
			`${escaped}?x`,
			`/${path}`,
			`http://elsewhere/${path}`,
			`/.${path}`,
			`/x/..${path}`,
			`${path}%00`,
			`${path}#x`,
			`/#${path}`,
			`/?${path}`,
			`http://elsewhere?${path}`,
			path.toUpperCase(),
		]) {
			const answer = await rawCall(t, listener, requestText('GET', other, authorized));
			assert.equal(answer.status, 404, other);
		}
	}
});
