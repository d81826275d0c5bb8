import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { call, resellerApi } from '@bursar/testing/api';
import { eventually } from '@bursar/testing/eventually';
import { startTestService } from '@bursar/testing/service';
import { openStore } from '../../../src/engine.ts';
import { StoreUnavailableError } from '../../../src/store/reading.ts';
import type { BatchAnswer } from '../../../src/store/store.ts';
import { rawCall } from '../../support/raw-socket.ts';

async function get(url: string, path: string) {
	const response = await fetch(url + path);
	return { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() };
}

/** The value of one metric, by its name and labels in the text format. */
function metric(text: string, name: string): number {
	const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `));
	assert.ok(line, `there is no metric ${name}`);
	return Number(line.slice(name.length + 1));
}

test('/livez says that the process lives; /readyz says whether it is ready, and why not', async (t) => {
	let isReadable = true;
	const { opsUrl } = await startTestService(
		t,
		{},
		{
			async openStore(config) {
				const store = await openStore(config);
				return {
					...store,
					async readCredentialsVersion() {
						if (!isReadable) throw new StoreUnavailableError('gone');
						return store.readCredentialsVersion();
					},
				};
			},
		},
	);
	assert.deepEqual([(await get(opsUrl, '/livez')).status, (await get(opsUrl, '/readyz')).status], [200, 200]);
	isReadable = false;
	const { status, text } = await get(opsUrl, '/readyz');
	assert.equal(status, 503);
	assert.match(text, /store cannot be read/);
	assert.equal((await get(opsUrl, '/livez')).status, 200, 'a process that waits for its store must not be killed');
	isReadable = true;
	assert.equal((await get(opsUrl, '/readyz')).status, 200);
	assert.equal((await get(opsUrl, '/nothing')).status, 404);
});

test('the public port has no operator pages', async (t) => {
	const { url } = await startTestService(t);
	for (const path of ['/livez', '/readyz', '/metrics']) assert.equal((await call(url, path)).status, 404);
});

test('the metrics count requests by route and status, and measure batches, queue and event loop', async (t) => {
	const { url, opsUrl, openReseller } = await startTestService(t);
	const api = resellerApi(url, (await openReseller('acme', 1000)).token);
	await api.create({ username: 'alice' });
	await api.create({ username: 'alice' });
	for (let i = 0; i < 3; i++) await api.give({ username: 'alice', amount_usd_cents: 1 });
	await api.myInfo();
	await call(url, '/reseller/my_info');
	await call(url, '/some/path/alice');
	await call(url, '/reseller/sub_users/create');
	const { text, type, status } = await get(opsUrl, '/metrics');
	assert.equal(status, 200);
	assert.match(type, /^text\/plain; version=0\.0\.4/);
	const requests = (route: string, code: number) =>
		metric(text, `bursar_http_requests_total{route="${route}",status="${code}"}`);
	assert.equal(requests('/reseller/sub_users/create', 200), 1);
	assert.equal(requests('/reseller/sub_users/create', 409), 1);
	assert.equal(requests('/reseller/sub_users/give_balance', 200), 3);
	assert.equal(requests('/reseller/my_info', 200), 1);
	assert.equal(requests('/reseller/my_info', 401), 1);
	assert.equal(requests('none', 404), 1);
	assert.equal(requests('none', 405), 1);
	const durations = (part: string, labels = '') =>
		metric(text, `bursar_http_request_duration_seconds_${part}{${labels}route="/reseller/sub_users/give_balance"}`);
	assert.deepEqual([durations('count'), durations('bucket', 'le="10",')], [3, 3]);
	assert.ok(durations('sum') > 0 && durations('sum') < 30, 'in seconds');
	assert.equal(metric(text, 'bursar_batch_size_sum'), 5, 'every command was in a batch');
	const batches = metric(text, 'bursar_batch_size_count');
	assert.ok(batches >= 1 && batches <= 5);
	// One more is the record that says whether mail is sent.
	assert.equal(metric(text, 'bursar_commit_duration_seconds_count'), batches + 1);
	assert.ok(metric(text, 'bursar_commit_duration_seconds_sum') > 0);
	assert.equal(metric(text, 'bursar_queue_depth'), 0);
	assert.ok(metric(text, 'nodejs_eventloop_lag_p99_seconds') >= 0);
	assert.ok(metric(text, 'process_resident_memory_bytes') > 0);
});

test('bookkeeping is no command: the size of batches does not count it, the time of commits does', async (t) => {
	const { url, opsUrl, openReseller } = await startTestService(t, {}, { tokenUsesMs: 20 });
	await resellerApi(url, (await openReseller('acme', 1000)).token).myInfo();
	await eventually(async () => {
		const { text } = await get(opsUrl, '/metrics');
		assert.ok(metric(text, 'bursar_commit_duration_seconds_count') > 0);
		assert.equal(metric(text, 'bursar_batch_size_count'), 0);
	});
});

test('no label contains text from a client', async (t) => {
	const { url, opsUrl, openReseller } = await startTestService(t);
	const { token } = await openReseller('acmereseller', 1000);
	const api = resellerApi(url, token);
	await api.create({ username: 'alicesubuser' });
	await api.viewSingle({ username: 'nobodysubuser' });
	await call(url, '/pathofclient?query=ofclient', { token, method: 'DELETE' });
	const { text } = await get(opsUrl, '/metrics');
	assert.doesNotMatch(text, /alicesubuser|nobodysubuser|ofclient|brs_/);
	// The operator chose this name.
	const named = text.split('\n').filter((line) => line.includes('acmereseller'));
	assert.deepEqual(named, ['bursar_reseller_recent_changes{reseller="acmereseller"} 1']);
	const routes = new Set(Array.from(text.matchAll(/route="([^"]*)"/g), ([, route]) => route));
	assert.deepEqual([...routes].sort(), ['/reseller/sub_users/create', '/reseller/sub_users/view_single', 'none']);
});

test('the operator port answers only addresses, localhost and configured names, and listens on its own host', async (t) => {
	const { opsUrl, config } = await startTestService(t, {
		BURSAR_HOST: '0.0.0.0',
		BURSAR_OPS_HOST_NAMES: 'bursar.internal,metrics',
	});
	assert.equal(new URL(opsUrl).hostname, '127.0.0.1');
	const { port } = new URL(opsUrl);
	const status = async (host: string) =>
		(await rawCall(t, opsUrl, `GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).status;
	for (const host of ['127.0.0.1', `10.0.0.7:${port}`, '[::1]:9464', 'localhost', `LOCALHOST:${port}`]) {
		assert.equal(await status(host), 200, host);
	}
	for (const host of ['bursar.internal', 'Metrics:9464']) assert.equal(await status(host), 200, host);
	for (const host of [
		'evil.example',
		`evil.example:${port}`,
		'localhost.evil.example',
		'127.0.0.1.evil.example',
		'[',
		'',
	]) {
		assert.equal(await status(host), 421, host);
	}
	assert.deepEqual(config.opsHostNames, ['bursar.internal', 'metrics']);
});

test('the operator port refuses with one line of text, also if the request is not HTTP', async (t) => {
	const { opsUrl } = await startTestService(t);
	const text = 'text/plain; charset=utf-8';
	assert.deepEqual(await get(opsUrl, '/nothing'), { status: 404, type: text, text: 'there is nothing at this path\n' });
	const post = await fetch(`${opsUrl}/metrics`, { method: 'POST', body: '{}' });
	assert.deepEqual([post.status, post.headers.get('allow')], [405, 'GET, HEAD']);
	const broken = await rawCall(t, opsUrl, 'hello there\r\n\r\n');
	assert.deepEqual(
		[broken.status, broken.headers.get('content-type'), broken.body],
		[400, text, 'the request is not valid HTTP\n'],
	);
	const hostless = await rawCall(t, opsUrl, 'GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n');
	assert.deepEqual([hostless.status, hostless.body], [400, 'the request is not valid HTTP\n']);
});

/** A service whose store can be told how all its batches end. `undefined`: as they do. */
async function serviceWithFaults(t: TestContext) {
	const fault: { answer: (() => Promise<BatchAnswer<never>>) | undefined } = { answer: undefined };
	const failing =
		<Arguments extends unknown[], Answer>(run: (...args: Arguments) => Promise<Answer>) =>
		(...args: Arguments): Promise<Answer | BatchAnswer<never>> =>
			fault.answer?.() ?? run(...args);
	const service = await startTestService(
		t,
		{},
		{
			writeHealth: { lookMs: 20, slowMs: 300 },
			async openStore(config) {
				const store = await openStore(config);
				return { ...store, runCommands: failing(store.runCommands), writeRecords: failing(store.writeRecords) };
			},
		},
	);
	const api = resellerApi(service.url, (await service.openReseller('acme', 1000)).token);
	return { fault, api, readyz: () => get(service.opsUrl, '/readyz') };
}

test('/readyz is not ready while writes fail, names the cause, and is ready again without any request', async (t) => {
	const { fault, api, readyz } = await serviceWithFaults(t);
	fault.answer = async () => ({ kind: 'not_done', cause: new Error('database or disk is full') });
	assert.equal((await readyz()).status, 200, 'nothing was written');
	assert.equal((await api.create({ username: 'alice' })).status, 503);
	await eventually(async () => {
		const { status, text } = await readyz();
		assert.deepEqual([status, text], [503, 'not ready: changes cannot be written: database or disk is full\n']);
	});
	fault.answer = undefined;
	await eventually(async () => assert.equal((await readyz()).status, 200));
	assert.equal((await api.create({ username: 'alice' })).status, 200);
});

test('/readyz is not ready while a batch hangs, and is ready again when writes end in time', async (t) => {
	const { fault, api, readyz } = await serviceWithFaults(t);
	const { promise, resolve } = Promise.withResolvers<BatchAnswer<never>>();
	fault.answer = () => promise;
	const answer = api.create({ username: 'alice' });
	await eventually(async () => {
		const { status, text } = await readyz();
		assert.deepEqual([status, text], [503, 'not ready: a write has not ended for three seconds\n']);
	});
	fault.answer = undefined;
	resolve({ kind: 'not_done', cause: new Error('the disk') });
	assert.equal((await answer).status, 503);
	await eventually(async () => assert.equal((await readyz()).status, 200));
});
