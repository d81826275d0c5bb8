import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { verifyWebhook } from '@bursar/client';
import { eventually } from '@bursar/testing/eventually';
import { startDashboard } from '../../../support/dashboard.ts';
import { wholeFile } from '../../../support/whole-file.ts';

const HOSTILE = '<script>alert(1)</script>\u001b[2J \u202e';
const URL_OF_STRANGER = 'https://hooks.example.com/in?key=of-the-receiver';

const received: { readonly body: string; readonly headers: Record<string, string> }[] = [];
const receiver = createServer((request, response) => {
	let body = '';
	request.setEncoding('utf8').on('data', (text) => {
		body += text;
	});
	request.on('end', () => {
		received.push({ body, headers: request.headers as Record<string, string> });
		response.writeHead(202).end(HOSTILE);
	});
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
after(() => receiver.close());
const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;

const { clock, operator, resellerWithPerson, signedIn } = await startDashboard(
	wholeFile,
	{ BURSAR_WEBHOOKS_LOOPBACK: '1' },
	{ webhookLookMs: 20 },
);

test('a webhook is made with a secret that is told once, sends a test, and shows how that ended', async () => {
	const { browser } = await resellerWithPerson('acme');
	assert.deepEqual(await browser.read('/webhooks'), { webhooks: [] });
	const types = ['sub_user.deleted'] as const;
	const { id, secret } = await browser.change('/webhooks/create', { url, types });
	assert.match(secret, /^whsec_/);
	const [webhook, ...others] = (await browser.read('/webhooks')).webhooks;
	assert.deepEqual(others, []);
	assert.deepEqual(webhook, {
		...{ id, url, types, off: null, behind: 0, failing_since: null, failed_tries: 0, next_try: null },
		...{ reached: webhook?.reached, newest: webhook?.reached, test_asked: null, created: webhook?.created },
	});

	await browser.change('/webhooks/test', { id });
	const [tried] = await eventually(async () => {
		const { tries } = await browser.read('/webhooks/tries', { id });
		assert.equal(tries.length, 1);
		return tries;
	});
	assert.deepEqual(tried, {
		...{ event_number: 0, event_id: tried?.event_id, event_type: 'webhook.test' },
		...{ at: tried?.at, status: 202, took: tried?.took, answer: tried?.answer },
	});
	assert.ok(tried?.answer.startsWith('<script>'), 'it is a text, and pages show it as one');
	assert.doesNotMatch(tried?.answer ?? '', /[\p{Cc}\p{Cf}]/u);

	const { secret: next, previous_until } = await browser.change('/webhooks/rotate-secret', { id });
	assert.notEqual(next, secret);
	assert.ok(Math.abs(Date.parse(previous_until) - clock.nowMs() - 86_400_000) < 60_000);
	await browser.change('/webhooks/test', { id });
	await eventually(async () => assert.equal(received.length, 2));
	const { body, headers } = received[1] ?? assert.fail();
	for (const each of [secret, next]) await verifyWebhook(body, headers, each);
	const { acts } = await browser.read('/account/acts');
	assert.deepEqual(
		acts.map(({ kind, target }) => [kind, target]),
		[
			['test_webhook', id],
			['rotate_webhook_secret', id],
			['test_webhook', id],
			['create_webhook', id],
			['accept_invitation', ''],
		],
	);
});

test('a webhook is changed, switched off and on, put at another event, and deleted', async () => {
	const { browser } = await resellerWithPerson('changing');
	const { id } = await browser.change('/webhooks/create', { url: URL_OF_STRANGER, types: null });
	const own = async () => (await browser.read('/webhooks')).webhooks.find((webhook) => webhook.id === id);
	const { newest = 0 } = (await own()) ?? {};
	await browser.change('/webhooks/update', { id, enabled: false });
	assert.equal((await own())?.off, 'switched_off');
	await browser.change('/webhooks/update', { id, types: ['token.rotated'], url });
	await browser.change('/token/rotate', { overlap_seconds: 0 });
	assert.deepEqual([(await own())?.types, (await own())?.url, (await own())?.behind], [['token.rotated'], url, 1]);
	await browser.refused('events_rewound', '/webhooks/update', { act: randomUUID(), id, reached: newest + 2 });
	await browser.change('/webhooks/update', { id, reached: newest + 1 });
	assert.deepEqual([(await own())?.reached, (await own())?.behind], [newest + 1, 0]);
	await browser.change('/webhooks/update', { id, reached: newest, enabled: true });
	await eventually(async () => assert.equal((await own())?.behind, 0));
	assert.deepEqual(
		(await browser.read('/webhooks/tries', { id })).tries.map(({ event_number, event_type }) => [
			event_number,
			event_type,
		]),
		[[newest + 1, 'token.rotated']],
	);
	await browser.change('/webhooks/delete', { id });
	assert.equal(await own(), undefined);
	await browser.refused('unknown_webhook', `/webhooks/tries?id=${id}`);
});

test('what a webhook may not be is refused, and so are one too many and those of others', async () => {
	const { browser } = await resellerWithPerson('refused');
	const { browser: stranger } = await resellerWithPerson('stranger');
	const create = (body: object) => ({ act: randomUUID(), url: URL_OF_STRANGER, types: null, ...body });
	await browser.refused('invalid_webhook_url', '/webhooks/create', create({ url: 'https://10.0.0.1/' }));
	await browser.refused('invalid_types', '/webhooks/create', create({ types: ['any'] }));
	for (const reached of [-1, 1.5, 2 ** 60]) {
		await browser.refused('invalid_request', '/webhooks/update', { act: randomUUID(), id: 'whe_1', reached });
	}
	const repeated = create({});
	await browser.ok('/webhooks/create', repeated);
	await browser.refused('act_repeated', '/webhooks/create', repeated);
	for (let made = 1; made < 5; made++) await browser.ok('/webhooks/create', create({}));
	await browser.refused('too_many_webhooks', '/webhooks/create', create({}));
	const [{ id } = assert.fail()] = (await browser.read('/webhooks')).webhooks;
	const act = () => randomUUID();
	await stranger.refused('unknown_webhook', '/webhooks/update', { act: act(), id, enabled: false });
	for (const path of ['/webhooks/delete', '/webhooks/rotate-secret', '/webhooks/test']) {
		await stranger.refused('unknown_webhook', path, { act: act(), id });
	}
	await stranger.refused('unknown_webhook', `/webhooks/tries?id=${id}`);
	const viewer = await signedIn('vic@refused.example', 'refused', 'viewer');
	assert.equal((await viewer.read('/webhooks')).webhooks.length, 5);
});

test('operators see the webhooks of all resellers, the worst first, and of each URL only the host', async () => {
	const { browser } = await resellerWithPerson('watched');
	const { browser: other } = await resellerWithPerson('watched2');
	const made = async (by: typeof browser) =>
		(await by.change('/webhooks/create', { url: URL_OF_STRANGER, types: null })).id;
	const [off, on, ofOther] = [await made(browser), await made(browser), await made(other)];
	await browser.change('/webhooks/update', { id: off, enabled: false });
	const op = await operator();
	const { webhooks, next, previous } = await op.read('/operator/webhooks', { search: 'watched' });
	assert.deepEqual(
		webhooks
			.map(({ id }) => id)
			.slice(0, 2)
			.sort(),
		[on, ofOther].sort(),
	);
	assert.deepEqual(webhooks[2], {
		...{ id: off, reseller: 'watched', host: 'hooks.example.com', off: 'switched_off', behind: 0 },
		...{ failing_since: null, failed_tries: 0, created: webhooks[2]?.created },
	});
	assert.deepEqual([webhooks.length, next, previous], [3, null, null]);
	assert.doesNotMatch(JSON.stringify(await op.read('/operator/webhooks')), /of-the-receiver/);
	assert.deepEqual((await op.read('/operator/webhooks', { search: '%' })).webhooks, []);
	const behind = await op.read('/operator/webhooks', { search: 'watched', after: `3~0~${on}` });
	assert.ok(behind.webhooks.some(({ id }) => id === off));
	assert.ok(behind.webhooks.every(({ id }) => id !== on));
});
