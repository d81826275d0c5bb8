import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
	EventsRewoundError,
	InvalidRequestError,
	newChangeId,
	OutcomeUnknownError,
	TooManyWebhooksError,
	UnknownWebhookError,
	type WebhookUpdate,
} from '../src/index.ts';
import { serveReseller } from './support/client.ts';

const SHOP = 'https://shop.example.com/events';
const NO_SUCH_ID = `whe_${'x'.repeat(22)}`;

describe('webhooks', { concurrency: 3 }, () => {
	test('a webhook is made, listed, changed, tested and deleted', async (t) => {
		const { reliable } = await serveReseller(t);
		const { webhooks } = reliable;
		assert.deepEqual(await webhooks.list(), []);
		const types = ['sub_user.suspended'] as const;
		const { webhook, secret, confirmedBy } = await webhooks.create({ url: SHOP, types });
		assert.equal(confirmedBy, 'answer');
		assert.match(secret ?? '', /^whsec_/);
		const { id, dateCreated } = webhook;
		assert.ok(Math.abs(dateCreated.getTime() - Date.now()) < 60_000);
		assert.deepEqual(webhook, {
			...{ id, url: SHOP, types, state: 'on', reason: undefined, position: '0', dateCreated },
			...{ failingSince: undefined, nextTry: undefined },
		});
		assert.deepEqual(await webhooks.list(), [{ ...webhook, eventsBehind: 0 }]);
		const off = (await webhooks.update(id, { enabled: false, types: null })).webhook;
		assert.deepEqual(off, { ...webhook, types: null, state: 'off', reason: 'switched_off' });
		await reliable.subUsers.create('alice');
		const at = (await reliable.events.list({ after: 'newest' }).page()).next;
		const position = Number.parseInt(at, 10);
		assert.equal((await webhooks.update(id, { position })).webhook.position, at);
		assert.equal((await webhooks.update(id, { position: '0' })).webhook.position, '0');
		await webhooks.test(id);
		assert.deepEqual(await webhooks.tries(id), []);
		const rotated = await webhooks.rotateSecret(id);
		assert.notEqual(rotated.secret, secret);
		assert.ok((rotated.previousExpiresAt?.getTime() ?? 0) > Date.now() + 80_000_000);
		assert.deepEqual((await webhooks.delete(id)).id, id);
		assert.deepEqual(await webhooks.list(), []);
	});

	test('each refusal has its class', async (t) => {
		const { reliable, service } = await serveReseller(t);
		const { webhooks } = reliable;
		for (const refused of [
			() => webhooks.update(NO_SUCH_ID, { enabled: true }),
			() => webhooks.delete('whe_1'),
			() => webhooks.rotateSecret(''),
			() => webhooks.test(NO_SUCH_ID),
			() => webhooks.tries(NO_SUCH_ID),
		]) {
			await assert.rejects(refused(), UnknownWebhookError);
		}
		await assert.rejects(webhooks.create({ url: 'http://10.0.0.1/' }), (error) => {
			return error instanceof InvalidRequestError && error.code === 'invalid_webhook_url';
		});
		const { id } = (await webhooks.create({ url: SHOP })).webhook;
		await assert.rejects(webhooks.update(id, {}), InvalidRequestError);
		await assert.rejects(webhooks.update(id, { position: 9 }), (error) => {
			return error instanceof EventsRewoundError && error.newest === 0;
		});
		for (let count = 2; count <= 5; count++) await webhooks.create({ url: SHOP });
		await assert.rejects(webhooks.create({ url: SHOP }), TooManyWebhooksError);
		await service.submit({ kind: 'suspend_reseller', reseller: 'acme' });
		await webhooks.delete(id);
	});

	test('an argument of a wrong kind is refused before anything is sent', async (t) => {
		const { unreliable } = await serveReseller(t);
		const { client, way } = unreliable({});
		const { webhooks } = client;
		for (const wrong of [null, 5, SHOP, { url: SHOP, tyeps: [] }]) {
			await assert.rejects(webhooks.create(wrong as never), TypeError);
		}
		for (const wrong of [null, { isEnabled: true }]) {
			await assert.rejects(webhooks.update(NO_SUCH_ID, wrong as WebhookUpdate), TypeError);
		}
		await assert.rejects(webhooks.delete(undefined as never), TypeError);
		await assert.rejects(webhooks.tries(5 as never), TypeError);
		assert.deepEqual(way.asked, []);
	});

	test('a create whose answer was lost has made one webhook, and its secret is not known', async (t) => {
		const { reliable, unreliable } = await serveReseller(t);
		const { webhook: other } = await reliable.webhooks.create({ url: SHOP });
		const { client, way } = unreliable({ create: ['answer_lost'] });
		const { webhook, secret, confirmedBy } = await client.webhooks.create({ url: SHOP });
		assert.deepEqual([secret, confirmedBy], [undefined, 'look']);
		assert.deepEqual(way.asked, ['create', 'view', 'view_all']);
		assert.deepEqual((await reliable.webhooks.list()).map(({ id }) => id).sort(), [webhook.id, other.id].sort());
		assert.notEqual(webhook.id, other.id);
		assert.match((await client.webhooks.rotateSecret(webhook.id)).secret ?? '', /^whsec_/);
	});

	test('a create that never arrived is sent again, and has its secret', async (t) => {
		const { reliable, unreliable } = await serveReseller(t);
		const { client } = unreliable({ create: ['never_arrives'] });
		assert.match((await client.webhooks.create({ url: SHOP })).secret ?? '', /^whsec_/);
		assert.equal((await reliable.webhooks.list()).length, 1);
	});

	test('the other changes find out what a lost answer was', async (t) => {
		const { reliable, unreliable } = await serveReseller(t);
		const { id } = (await reliable.webhooks.create({ url: SHOP })).webhook;
		const lost = { update: ['answer_lost'], rotate_secret: ['answer_lost'], delete: ['answer_lost'] } as const;
		const { webhooks } = unreliable(lost).client;
		const updated = await webhooks.update(id, { enabled: false });
		assert.deepEqual([updated.webhook.state, updated.confirmedBy], ['off', 'look']);
		const rotated = await webhooks.rotateSecret(id);
		assert.deepEqual([rotated.secret, rotated.previousExpiresAt, rotated.confirmedBy], [undefined, undefined, 'look']);
		assert.deepEqual([(await webhooks.delete(id)).confirmedBy], ['look']);
		assert.deepEqual(await reliable.webhooks.list(), []);
	});

	test('the same create with the same id makes no second webhook', async (t) => {
		const { reliable } = await serveReseller(t);
		const changeId = newChangeId();
		const first = await reliable.webhooks.create({ url: SHOP }, { changeId });
		const again = await reliable.webhooks.create({ url: SHOP }, { changeId });
		assert.deepEqual(again.webhook, first.webhook);
		await reliable.webhooks.delete(first.webhook.id);
		await assert.rejects(reliable.webhooks.create({ url: SHOP }, { changeId }), (error) => {
			assert.ok(error instanceof OutcomeUnknownError);
			assert.match(error.message, /^whether "create_webhook" took effect/);
			return true;
		});
	});

	test('a delete with the id of the delete of another webhook is not told as done', async (t) => {
		const { reliable } = await serveReseller(t);
		const changeId = newChangeId();
		const one = (await reliable.webhooks.create({ url: SHOP })).webhook;
		const other = (await reliable.webhooks.create({ url: SHOP })).webhook;
		for (const _ of [1, 2]) assert.equal((await reliable.webhooks.delete(one.id, { changeId })).id, one.id);
		await assert.rejects(reliable.webhooks.delete(other.id, { changeId }), OutcomeUnknownError);
		assert.deepEqual(
			(await reliable.webhooks.list()).map(({ id }) => id),
			[other.id],
		);
	});
});
