import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { Writable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { verifyWebhook } from '@bursar/client';
import { allEndpoints, type Operation } from '@bursar/contract';
import { assertFailure, call, resellerApi } from '@bursar/testing/api';
import { eventually } from '@bursar/testing/eventually';
import { listen } from '@bursar/testing/listen';
import { startTestService } from '@bursar/testing/service';
import { Compile } from 'typebox/compile';

const URL_OF_SHOP = 'https://shop.example.com/events';
const NO_SUCH_ID = `whe_${'x'.repeat(22)}`;

/** A service with the reseller acme. Each answer is as the contract says. */
async function serveAcme(t: TestContext, environment: Readonly<Record<string, string>> = {}, log?: Writable) {
	const service = await startTestService(t, environment, { webhookLookMs: 10 }, log);
	const { token } = await service.openReseller('acme', 1_000_000);
	const api = resellerApi(service.url, token);
	// biome-ignore lint/suspicious/noExplicitAny: tests check each field they need
	const done = async (operation: Operation, body: object): Promise<any> => {
		const answer = await call(service.url, allEndpoints[operation].path, { token, body });
		assert.equal(answer.status, 200, answer.text);
		assert.ok(Compile(allEndpoints[operation].data).Check(answer.data), answer.text);
		return answer.data;
	};
	return { service, token, api, done };
}

interface Received {
	readonly body: string;
	readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A receiver on this machine, which answers as `answer` says. */
async function receive(t: TestContext, answer: { status: number; text: string } = { status: 200, text: 'thanks' }) {
	const received: Received[] = [];
	const server = createServer(async (request, response) => {
		const chunks = await Array.fromAsync(request);
		received.push({ body: Buffer.concat(chunks).toString(), headers: request.headers });
		response.writeHead(answer.status).end(answer.text);
	});
	const { port } = await listen(t, server);
	return { url: `http://127.0.0.1:${port}/events`, received, answer };
}

test('a webhook gets each event that happens, signed with the secret that create has told', async (t) => {
	const { api, done } = await serveAcme(t, { BURSAR_WEBHOOKS_LOOPBACK: '1' });
	await api.create({ username: 'before' });
	const { url, received } = await receive(t);
	const { id, secret, ...webhook } = await done('createWebhook', { url, types: ['sub_user.suspended'] });
	assert.deepEqual(
		{ ...webhook, position: webhook.position.split('-')[0], date_created: '' },
		{
			...{ url, types: ['sub_user.suspended'], state: 'on', reason: null, position: '1' },
			...{ failing_since: null, next_try: null, date_created: '' },
		},
	);
	await api.create({ username: 'alice' });
	await api.suspend({ username: 'alice' });
	const tries = await eventually(async () => {
		const tries = await done('viewWebhookTries', { id });
		assert.equal(tries.length, 1);
		return tries;
	});
	const [{ body, headers }] = received as [Received];
	const event = await verifyWebhook(body, headers, secret);
	assert.deepEqual([event.type, event.username], ['sub_user.suspended', 'alice']);
	const { at: _, took_ms: _ms, ...tried } = tries[0];
	assert.deepEqual(tried, {
		...{ event_id: event.id, event_number: event.number, event_type: event.type },
		...{ status: 200, failure: null, answer: 'thanks' },
	});
	const { events } = (await api.viewEvents({ types: ['sub_user.suspended'] })).data;
	assert.deepEqual(events, [JSON.parse(body)], 'the same as the log gives');
});

test('a test is sent once, also if the webhook is off, and moves nothing', async (t) => {
	const { done } = await serveAcme(t, { BURSAR_WEBHOOKS_LOOPBACK: '1' });
	const { url, received } = await receive(t, { status: 500, text: 'no' });
	const { id, secret, position } = await done('createWebhook', { url });
	await done('updateWebhook', { id, enabled: false });
	assert.deepEqual(await done('testWebhook', { id }), { id });
	const [tried] = await eventually(async () => {
		const tries = await done('viewWebhookTries', { id });
		assert.equal(tries.length, 1);
		return tries;
	});
	assert.deepEqual([tried.event_type, tried.event_number, tried.status], ['webhook.test', 0, 500]);
	const [{ body, headers }] = received as [Received];
	assert.equal((await verifyWebhook(body, headers, secret)).type, 'webhook.test');
	const [webhook] = await done('viewAllWebhooks', {});
	assert.deepEqual([webhook.position, webhook.state, webhook.failing_since], [position, 'off', null]);
});

test('what fails is shown, and how far the webhook is behind', async (t) => {
	const { api, done } = await serveAcme(t, { BURSAR_WEBHOOKS_LOOPBACK: '1' });
	const { url, answer } = await receive(t, { status: 503, text: 'x'.repeat(5_000) });
	const { id } = await done('createWebhook', { url });
	await api.create({ username: 'alice' });
	await api.suspend({ username: 'alice' });
	const webhook = await eventually(async () => {
		const [webhook] = await done('viewAllWebhooks', {});
		assert.ok(webhook.failing_since);
		return webhook;
	});
	assert.ok(Date.parse(webhook.next_try) >= Date.parse(webhook.failing_since) + 5_000);
	assert.ok(webhook.behind >= 2);
	const [tried] = await done('viewWebhookTries', { id });
	assert.deepEqual([tried.status, tried.answer.length], [503, 4_096]);
	answer.status = 410;
	await done('updateWebhook', { id, url: `${url}?again` });
	const off = await eventually(async () => {
		const [webhook] = await done('viewAllWebhooks', {});
		assert.equal(webhook.state, 'off');
		return webhook;
	});
	assert.deepEqual([off.reason, off.next_try], ['gone', null]);
	answer.status = 200;
	assert.equal((await done('updateWebhook', { id, enabled: true })).state, 'on');
	await eventually(async () => assert.equal((await done('viewAllWebhooks', {}))[0].behind, 0));
});

test('a webhook goes back to a position that the log has, and to no other', async (t) => {
	const { service, api, done } = await serveAcme(t);
	await api.create({ username: 'alice' });
	await api.suspend({ username: 'alice' });
	const { id, position } = await done('createWebhook', { url: URL_OF_SHOP });
	await done('updateWebhook', { id, enabled: false });
	const [first] = (await api.viewEvents({})).data.events;
	assert.equal((await done('updateWebhook', { id, position: 1 })).position, `1-${first.id}`);
	assert.equal((await done('updateWebhook', { id, position: '0' })).position, '0');
	assert.equal((await done('updateWebhook', { id, position })).position, position);
	const newest = Number.parseInt(position, 10);
	for (const wrong of [newest + 1, `1-evt_${'x'.repeat(22)}`]) {
		const answer = await api.updateWebhook({ id, position: wrong });
		assertFailure(answer, 410, 'events_rewound', String(wrong));
		assert.equal(answer.headers.get('x-events-oldest'), '1');
		assert.equal(answer.headers.get('x-events-newest'), String(newest));
	}
	await service.submit({ kind: 'forget_events', reseller: 'acme', beforeMs: Date.now() + 1000 });
	assertFailure(await api.updateWebhook({ id, position: 0 }), 410, 'events_expired');
	const [webhook] = await done('viewAllWebhooks', {});
	assert.deepEqual([webhook.state, webhook.reason, webhook.position], ['off', 'switched_off', position]);
});

test('a change is done once, and its secret is told once', async (t) => {
	const { api, done } = await serveAcme(t);
	const headers = { 'x-change-id': 'make-a-webhook-once' };
	const created = await api.createWebhook({ url: URL_OF_SHOP }, { headers });
	assert.equal(created.headers.get('x-change-id'), 'make-a-webhook-once');
	const again = await api.createWebhook({ url: URL_OF_SHOP }, { headers });
	assertFailure(again, 409, 'change_repeated');
	const { id, secret } = created.data;
	const change = (await api.viewChange({ change_id: 'make-a-webhook-once' })).data;
	assert.deepEqual([change.kind, change.username, change.amount], ['create_webhook', null, null]);
	assert.equal(change.timestamp, created.data.date_created, 'by which a client finds the webhook');
	const rotated = await done('rotateWebhookSecret', { id });
	assert.notEqual(rotated.secret, secret);
	const inADay = Date.parse(rotated.previous_expires_at) - Date.now();
	assert.ok(inADay > 86_000_000 && inADay <= 86_400_000);
	for (const answer of [again, await api.viewWebhooks({}), await api.updateWebhook({ id, types: null })]) {
		assert.ok(!answer.text.includes('whsec_'));
	}
	assert.deepEqual(await done('deleteWebhook', { id }), { id });
	assert.deepEqual(await done('viewAllWebhooks', {}), []);
});

test('a reseller has five webhooks, sees its own only, and can change them while it is suspended', async (t) => {
	const { service, api, done } = await serveAcme(t);
	const made = [];
	for (let count = 1; count <= 5; count++) made.push(await done('createWebhook', { url: `${URL_OF_SHOP}/${count}` }));
	assertFailure(await api.createWebhook({ url: URL_OF_SHOP }), 409, 'too_many_webhooks');
	const listed = (await done('viewAllWebhooks', {})).map(({ id }: { id: string }) => id);
	assert.deepEqual(listed.sort(), made.map(({ id }) => id).sort());
	const [{ id }] = made as [{ id: string }];
	const { token } = await service.openReseller('bolt', 1000);
	const bolt = resellerApi(service.url, token);
	assert.deepEqual((await bolt.viewWebhooks({})).data, []);
	for (const foreign of [id, NO_SUCH_ID, 'whe_1', '', '\u0000', '\ud800', 'x'.repeat(5_000)]) {
		const body = { id: foreign };
		for (const answer of [
			await bolt.updateWebhook({ ...body, enabled: false, url: 'nonsense' }),
			await bolt.deleteWebhook(body),
			await bolt.rotateWebhookSecret(body),
			await bolt.testWebhook(body),
			await bolt.viewWebhookTries(body),
		]) {
			assertFailure(answer, 404, 'unknown_webhook', JSON.stringify(foreign));
		}
	}
	await service.submit({ kind: 'suspend_reseller', reseller: 'acme' });
	assert.equal((await done('updateWebhook', { id, enabled: false })).state, 'off');
	await done('rotateWebhookSecret', { id });
	await done('deleteWebhook', { id });
});

test('a URL that is not https to a public host is refused', async (t) => {
	const { api, done } = await serveAcme(t);
	const { id } = await done('createWebhook', { url: URL_OF_SHOP });
	for (const url of [
		...['', 'x', 'ftp://shop.example.com/', 'http://shop.example.com/', 'https://localhost/', 'https://shop/'],
		...[
			'https://127.0.0.1/',
			'https://10.0.0.1/',
			'https://169.254.169.254/latest',
			'https://[::1]/',
			'https://0x7f.1/',
		],
		...['https://[fd00::1]/', 'https://[::ffff:10.0.0.1]/', 'https://2130706433/', 'https://shop.example.com:25/'],
		...[
			'https://user:secret@shop.example.com/',
			'https://shop.example.com/#x',
			`https://shop.example.com/${'x'.repeat(500)}`,
		],
		...['https://shop.example.com/\n', 'https://sh\u00f6p.example.com/', 'https://shop.example.com\\@127.0.0.1/'],
		...['http://127.0.0.1/', 'http://localhost:3000/'],
	]) {
		assertFailure(await api.createWebhook({ url }), 400, 'invalid_webhook_url', url);
		const answer = await api.updateWebhook({ id, url });
		assertFailure(answer, 400, 'invalid_webhook_url', url);
		assert.ok(!answer.text.includes('secret@'));
	}
	assert.equal((await done('viewAllWebhooks', {}))[0].url, URL_OF_SHOP);
});

test('a wrong field is refused', async (t) => {
	const { service, token, api, done } = await serveAcme(t);
	const { id } = await done('createWebhook', { url: URL_OF_SHOP });
	const wrongTypes = [[], 'sub_user.created', ['sub_user.gone'], [5], {}, ['token.rotated', 'token.rotated'], [null]];
	for (const body of [
		...[undefined, null, 5, [], {}].map((url) => ({ url })),
		...wrongTypes.map((types) => ({ url: URL_OF_SHOP, types })),
	]) {
		assertFailure(await api.createWebhook(body), 400, 'invalid_request', JSON.stringify(body));
	}
	const positions = ['', 'newest', '-1', '01', '1-', '1-evt_short', '1'.repeat(16), -1, 1.5, true, {}, [1], null];
	for (const body of [
		{},
		...[null, 5, [id], { id }].map((id) => ({ id, enabled: true })),
		...[null, 'true', 1, 0].map((enabled) => ({ id, enabled })),
		...[null, 5, []].map((url) => ({ id, url })),
		...wrongTypes.map((types) => ({ id, types })),
		...positions.map((position) => ({ id, position })),
	]) {
		assertFailure(await api.updateWebhook({ ...body }), 400, 'invalid_request', JSON.stringify(body));
	}
	assertFailure(await api.updateWebhook({ id }), 400, 'invalid_request', 'nothing to change');
	assertFailure(await api.updateWebhook({ id, enabled: 5, url: 'x' }), 400, 'invalid_request', 'the type is first');
	const send = (operation: Operation, body: string) => call(service.url, allEndpoints[operation].path, { token, body });
	for (const operation of ['viewAllWebhooks', 'testWebhook', 'viewWebhookTries', 'deleteWebhook'] as const) {
		for (const body of ['[]', '5', '{"id":', '{"id":"a","id":"b"}']) {
			assertFailure(await send(operation, body), 400, 'invalid_request', `${operation} ${body}`);
		}
		const huge = JSON.stringify({ id, x: 'x'.repeat(16 * 1024) });
		assertFailure(await send(operation, huge), 413, 'payload_too_large', operation);
	}
	const malformed = { headers: { 'x-change-id': 'too short' } };
	assertFailure(await api.createWebhook({ url: URL_OF_SHOP }, malformed), 400, 'invalid_request');
	assert.equal((await done('viewAllWebhooks', {})).length, 1);
});

test('no secret is in the log of the service', async (t) => {
	let log = '';
	const lines = new Writable({
		write(chunk, _, done) {
			log += chunk;
			done();
		},
	});
	const { service, api, done } = await serveAcme(t, { BURSAR_LOG_LEVEL: 'debug' }, lines);
	const { id, secret } = await done('createWebhook', { url: `${URL_OF_SHOP}?key=opensesame` });
	await done('rotateWebhookSecret', { id });
	await api.createWebhook({ url: 'https://user:opensesame@shop.example.com/' });
	await service.stop();
	assert.notEqual(log, '');
	for (const text of [secret, 'whsec_', 'opensesame']) assert.ok(!log.includes(text));
});
