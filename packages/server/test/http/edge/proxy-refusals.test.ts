import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { test } from 'node:test';
import { allEndpoints } from '@bursar/contract';
import { call, resellerApi } from '@bursar/testing/api';
import { callBursar } from '@bursar/testing/bursar-in-process';
import { edgeApi } from '@bursar/testing/edge';
import { eventually } from '@bursar/testing/eventually';
import { programFile } from '@bursar/testing/programs';
import { startProcess } from '@bursar/testing/test-process';
import { startDashboard } from '../../support/dashboard.ts';

const LIMIT_MS = 60_000;

test('when a proxy refuses a customer, its page, the search, the API and the command line say when, where and why', async (t) => {
	const service = await startDashboard(t, { BURSAR_EDGE_PORT: '0' });
	const { token, browser } = await service.resellerWithPerson('acme');
	const api = resellerApi(service.url, token);
	const { proxy_authkey: key } = (await api.create({ username: 'alice' })).data;
	await api.give({ username: 'alice', amount_usd_cents: 1 });
	await service.setPrice('acme', 1_000_000);
	const environment = {
		BURSAR_EDGE_URL: service.edgeUrl as string,
		BURSAR_EDGE_KEY: await service.openEdge('frankfurt-1'),
	};
	await service.readEdges();
	const used = { counter: 'c', username: 'alice', up: 20_000_000, down: 0, at: new Date().toISOString() };
	await edgeApi(environment.BURSAR_EDGE_URL, environment.BURSAR_EDGE_KEY).usage({ counters: [used] });
	const proxy = startProcess(
		t,
		[process.execPath, programFile('bursar-edge'), 'proxy', '--port', '0', '--ops-port', '0'],
		{ environment },
	);
	const { url } = await eventually(async () => {
		const ready = proxy
			.stdout()
			.split('\n')
			.find((line) => line.includes('"ready"'));
		assert.ok(ready, proxy.stdout());
		return JSON.parse(ready) as { readonly url: string };
	}, LIMIT_MS);

	const beganAtMs = service.clock.nowMs();
	const authorization = `Basic ${Buffer.from(`alice:${key}`).toString('base64')}`;
	const asked = request(url, { path: 'http://127.0.0.1:9/', headers: { 'proxy-authorization': authorization } }).end();
	const [answer] = await once(asked, 'response');
	answer.resume();
	assert.deepEqual([answer.statusCode, answer.headers['x-bursar-reason']], [402, 'exhausted']);

	const refused = await eventually(async () => {
		const [first, ...others] = (await browser.read('/sub-user', { username: 'alice' })).refusals;
		assert.ok(first);
		assert.deepEqual(others, []);
		return first;
	}, LIMIT_MS);
	const { at, ...rest } = refused;
	assert.deepEqual(rest, { reason: 'exhausted', count: 1, edge: 'frankfurt-1', network: '127.0.0.0/24' });
	assert.ok(Math.abs(Date.parse(at) - beganAtMs) < LIMIT_MS);

	const operator = await service.operator();
	const search = await operator.read('/operator/search', { text: 'alice' });
	assert.deepEqual(search.sub_users, [
		{ username: 'alice', reseller: 'acme', note: '', refused: { at, edge: 'frankfurt-1', reason: 'exhausted' } },
	]);
	const page = await operator.read('/operator/sub-user', { reseller: 'acme', username: 'alice' });
	assert.deepEqual('refusals' in page && page.refusals, [refused]);

	const { path } = allEndpoints.viewDetails;
	const { data } = await call(service.url, path, { token, body: { username: 'alice' } });
	assert.deepEqual(data.last_refusal, { at, edge: 'frankfurt-1', reason: 'exhausted', network: '127.0.0.0/24' });
	assert.deepEqual(data.refusals, [{ reason: 'exhausted', count: 1 }]);

	const shown = await callBursar(service.config.dataDir, ['refusals', 'alice']);
	assert.equal(shown.code, 0, shown.stderr);
	assert.ok(shown.stdout.includes(`${at} at frankfurt-1: balance used up`), shown.stdout);
	const json = JSON.parse((await callBursar(service.config.dataDir, ['refusals', 'ALICE', '--json'])).stdout);
	assert.partialDeepStrictEqual(json, {
		username: 'alice',
		reseller: 'acme',
		state: 'exhausted',
		refusals: [refused],
	});
	assert.deepEqual(json.hours, [{ hour: `${at.slice(0, 13)}:00:00.000Z`, reason: 'exhausted', count: 1 }]);
	const unknown = await callBursar(service.config.dataDir, ['refusals', 'nobody', '--json']);
	assert.equal(JSON.parse(unknown.stderr).error.code, 'unknown_account');

	for (const text of [refused, search, page, data, shown, json]) assert.ok(!JSON.stringify(text).includes(key));
});
